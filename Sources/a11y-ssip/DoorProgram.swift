// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yCompanion
import A11yPosix
import A11ySpeech
import A11ySsip
import A11yToml
import Systemd

/// The process around the door: clients on one side, the bus and speech-dispatcher on the other.
final class DoorProgram {
  private let shell: Companion<DoorSettings>
  private let listener: UnixListener
  private let server: SpeechServer
  private let busPath: String?
  private var door: Door
  private var visitors: [Int: LoopStream] = [:]
  private var lines: [Int: SpeechLine] = [:]
  /// The connections of clients to the bus.
  private var links: [Int: CompanionLink] = [:]
  /// The link that hears what becomes of all that is spoken.
  private var ear: CompanionLink?
  private var entrance: Watch?
  private var alarm: Timer?
  /// Connections, links and lines that have ended; they are kept until the loop has left the calls
  /// in which they have, which is so in the turn after the next.
  private var gone: (now: [AnyObject], before: [AnyObject]) = ([], [])

  static let name = "a11y-ssip"

  init(
    _ options: CompanionOptions,
    _ listener: UnixListener,
    _ address: SpeechAddress
  ) throws {
    shell = try Companion(Self.name, options, mistaken: DoorMessageID.settingsMistaken.id) {
      LoadedCompanionSettings(name: DoorSettings.fileName, option: $0)
    }
    self.listener = listener
    server = SpeechServer(path: address.path, command: address.serverCommand)
    busPath = options.socket
    door = Door(shell.settings, at: Int64(clamping: SystemClock.monotonicMicroseconds()))
    ear = try makeEar()
    alarm = try Timer(on: .monotonic, priority: .normal, on: shell.loop) { [unowned self] in
      door.elapse(to: now)
      turn()
    }
    entrance = try Watch(
      listener.descriptor,
      ownedBy: listener,
      for: .readable,
      priority: .normal,
      on: shell.loop
    ) { [unowned self] _ in welcome() }
    try shell.obey(
      onStop: { [unowned self] in
        server.child?.terminateGroup()
        shell.loop.exit(0)
      },
      onReload: { [unowned self] settings in door.settings = settings }
    )
  }

  /// Runs until it is told to end, and returns the exit code.
  func runUntilEnd() throws(Errno) -> Int32 {
    shell.report.manager.ready()
    tellStatus(isBusThere: false)
    listen()
    return try shell.loop.run()
  }

  private var now: Int64 { Int64(clamping: SystemClock.monotonicMicroseconds()) }

  // MARK: Turns

  /// Does what the door wants, and sets the alarm.
  private func turn() {
    gone = ([], gone.now)
    while true {
      let acts = door.takeActs()
      if acts.isEmpty { break }
      for act in acts { perform(act) }
    }
    for (id, visitor) in visitors { visitor.read(door.isReading(id)) }
    if let due = door.due {
      alarm?.arm(atMicroseconds: UInt64(clamping: due))
    } else {
      alarm?.disarm()
    }
  }

  private func perform(_ act: Door.Act) {
    switch act {
    case .send(let id, let bytes):
      if let count = visitors[id]?.send(bytes), count > 0 { door.sent(count, to: id, at: now) }
    case .dismiss(let id): if visitors[id]?.leave() == true { follow(id, .gone) }
    case .join(let id, let app, let isReader): join(id, app, isReader)
    case .publish(let id, let event, let ticket):
      try? links[id]?.link.post(event, ticket: ticket)
    case .leave(let id): if let link = links.removeValue(forKey: id) { gone.now.append(link) }
    case .renew:
      ear?.link.renew()
      ear?.setAlarm(for: nil)
      tellStatus(isBusThere: false)
    case .call(let id): call(id)
    case .write(let id, let text): lines[id]?.send(text)
    case .hangUp(let id): if let line = lines.removeValue(forKey: id) { gone.now.append(line) }
    }
  }

  // MARK: Clients

  private func welcome() {
    while case .connection(let descriptor) = listener.accept() {
      guard let id = door.open(at: now) else {
        shell.report.say(.warning, "A client is turned away: there are \(Door.mostGuests).")
        continue
      }
      do throws(Errno) {
        visitors[id] = try LoopStream(descriptor, on: shell.loop) { [unowned self] news in
          follow(id, news)
          turn()
        }
      } catch {
        door.close(id, at: now)
      }
    }
    turn()
  }

  private func follow(_ id: Int, _ news: LoopStream.News) {
    switch news {
    case .bytes(let bytes): door.receive(bytes, from: id, at: now)
    case .sent(let count): door.sent(count, to: id, at: now)
    case .gone:
      guard let visitor = visitors.removeValue(forKey: id) else { return }
      gone.now.append(visitor)
      door.close(id, at: now)
    }
  }

  // MARK: The bus

  private func makeEar() throws -> CompanionLink {
    let link = try BusLink(
      path: busPath ?? BusPath.reader,
      introduction: Introduction(of: Self.name),
      types: ["deliver", "speech", "outcome"]
    )
    link.isAble = true
    return try CompanionLink(link, on: shell.loop) { [unowned self] in listen() }
  }

  private func listen() {
    guard let ear else { return }
    let isWatched = shell.serve(ear.link) { news in
      switch news {
      case .connected(let info):
        door.busCame(epoch: info.epoch, at: now)
        tellStatus(isBusThere: true)
      case .entry(let entry): door.hear(entry, at: now)
      case .away:
        door.busLeft(at: now)
        tellStatus(isBusThere: false)
      case .refused, .secret, .recorded, .unrecorded: break
      }
    }
    guard isWatched else { return }
    turn()
    ear.setAlarm(for: nil)
  }

  private func join(_ id: Int, _ app: String, _ isReader: Bool) {
    if let link = links.removeValue(forKey: id) { gone.now.append(link) }
    let path = busPath ?? (isReader ? BusPath.reader : BusPath.standard)
    let voice = isReader ? ReaderVoice(rank: 0) : nil
    let hello = Introduction(of: Self.name, app: app, voice: voice)
    do {
      let link = try BusLink(path: path, introduction: hello)
      links[id] = try CompanionLink(link, on: shell.loop) { [unowned self] in
        serve(id)
        turn()
      }
      serve(id)
    } catch {
      shell.report.say(.error, "A client cannot be led to the bus: \(error).")
    }
  }

  private func serve(_ id: Int) {
    guard let link = links[id] else { return }
    do throws(ClientError) {
      for news in try link.link.serve() {
        switch news {
        case .recorded(let ticket, let seq): door.recorded(ticket, as: seq, of: id, at: now)
        case .unrecorded(let ticket, let refusal):
          shell.report.say(
            .warning,
            "The bus has refused a message: \(refusal).",
            DoorMessageID.messageRefused.id,
            reason: "\(refusal)"
          )
          door.refused(ticket, of: id, at: now)
        case .away: door.linkLost(id, at: now)
        // What was taken back may have ended by itself.
        case .connected, .entry, .secret, .refused: break
        }
      }
    } catch {
      door.linkLost(id, at: now)
    }
    links[id]?.setAlarm(for: nil)
  }

  // MARK: speech-dispatcher

  private func call(_ id: Int) {
    do throws(Errno) {
      let line = try SpeechLine(to: server, on: shell.loop) { [unowned self] news in
        switch news {
        case .opened: door.lineOpened(id, at: now)
        case .bytes(let bytes): door.hear(bytes, on: id, at: now)
        case .closed, .failed:
          if let line = lines.removeValue(forKey: id) { gone.now.append(line) }
          door.lineClosed(id, at: now)
        }
        turn()
      }
      lines[id] = line
      line.connect()
    } catch {
      door.lineClosed(id, at: now)
    }
  }

  private func tellStatus(isBusThere: Bool) {
    shell.report.status(
      isBusThere
        ? "clients of speech-dispatcher speak through the bus"
        : "waiting for the bus; clients speak to speech-dispatcher itself"
    )
  }
}

/// From the command line to the open door.
@main
enum Main {
  private static let summary = """
    The door for programs that speak through speech-dispatcher: it answers as speech-dispatcher
    does, and hands what they say to the accessibility notification bus. Where the bus is not there,
    they speak to speech-dispatcher itself.
    """

  /// Somebody else listens there.
  private static let taken: Int32 = 73

  static func main() {
    CompanionMain.start(
      DoorProgram.name,
      summary: summary,
      extras: [
        .init("listen", "ADDRESS", "the socket of the door, as in unix_socket:/tmp/door.sock"),
        .init(
          "speech-address",
          "ADDRESS",
          "the socket of the real speech-dispatcher, as in unix_socket:/run/user/1000/speechd.sock"
        ),
      ]
    ) { options in
      guard let listener = try listener(by: options) else { return taken }
      let address = try SpeechAddress(option: options.value("speech-address"), door: listener.path)
      return try DoorProgram(options, listener, address).runUntilEnd()
    }
  }

  /// The socket that the manager hands over, else one at the place that the command line names or
  /// the session has; nil where somebody has taken that.
  private static func listener(by options: CompanionOptions) throws -> UnixListener? {
    if let socket = try ListenSockets.take().first {
      return try UnixListener(adopting: FileDescriptor(adopting: socket.number))
    }
    let given = try options.value("listen").map {
      try SpeechAddress.path(in: $0, of: "the address of the door")
    }
    guard let path = given ?? SpeechAddress.door() else {
      throw CommandLineOptions.Mistake(words: "there is no XDG_RUNTIME_DIR, so --listen is needed")
    }
    do {
      return try UnixListener(path: path, mode: 0o600)
    } catch {
      guard error == .addressInUse else { throw error }
      StandardError.write("\(DoorProgram.name): somebody listens at \(path) already\n")
      return nil
    }
  }
}
