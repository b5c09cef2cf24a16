// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yHttp
import A11yPosix
import A11yWire
import Glibc

/// The server of AT Driver: a reader of the bus on one side, WebSockets on the other.
///
/// One session is there at a time. Nothing waits for a client: what it does not read is kept for it
/// up to a bound, and then it is gone.
final class DriverServer {
  private enum Token {
    static let signals: UInt64 = 1
    static let bus: UInt64 = 2
    static let door: UInt64 = 3
    static let guest: UInt64 = 8
  }

  let port: UInt16
  private let opening: WebSocketOpening
  private let doors: [UnixListener]
  private let link: BusLink
  private let settings: DriverSettings
  private let perCharacter: Int64
  /// The variables that lead to the X server.
  private let environment: (String) -> String?
  private let poll: Poll
  private var events = Poll.Events(capacity: 32)
  private var guests: [WebSocket] = []
  private var lastToken = Token.guest
  private var voice: SilentVoice?
  private var output = CapturedOutput()
  /// The connection that has the session.
  private var holder: UInt64?
  private let capabilities = DriverCapabilities(version: Protocol.release)

  /// The rank below all voices and screen readers.
  private static let rank = 10
  /// Connections at once; one too many takes the place of the oldest without a session.
  static let mostGuests = 16
  /// The longest time for the opening of a connection, in microseconds.
  static let patience: UInt64 = 5_000_000

  /// Listens at a port, or at one of the kernel's choice for 0.
  init(
    port: UInt16,
    token: String?,
    bus path: String,
    perCharacter: Int64,
    keyboard environment: @escaping (String) -> String? = Environment.value
  ) throws(Failure) {
    self.environment = environment
    self.perCharacter = perCharacter
    settings = DriverSettings(path: path)
    (doors, self.port) = try Self.listen(at: port)
    opening = WebSocketOpening(port: self.port, token: token)
    let introduction = Introduction(
      app: "a11yctl driver",
      role: .reader,
      voice: ReaderVoice(rank: Self.rank, reports: true)
    )
    do throws(ClientError) {
      link = try BusLink(path: path, introduction: introduction, types: CapturedOutput.types)
    } catch {
      throw Failure(error)
    }
    link.isAble = true
    do throws(Errno) {
      poll = try Poll()
      try poll.add(link.descriptor.descriptor, token: Token.bus, interest: .readable)
      for (index, door) in doors.enumerated() {
        try poll.add(door.descriptor, token: Token.door + UInt64(index), interest: .readable)
      }
    } catch {
      throw Failure(.inputOutput, "The driver cannot be set up: \(error).")
    }
  }

  /// Has `serve` return when this is ready.
  func endWith(_ descriptor: borrowing FileDescriptor) throws(Failure) {
    do throws(Errno) {
      try poll.add(descriptor, token: Token.signals, interest: .readable)
    } catch {
      throw Failure(.inputOutput, "The driver cannot be set up: \(error).")
    }
  }

  /// Both loopbacks, since a client may mean either by “localhost”.
  private static func listen(at port: UInt16) throws(Failure) -> ([UnixListener], UInt16) {
    do throws(Errno) {
      guard port > 0 else {
        let (door, address) = try LoopbackAddress.listenAtFreePort()
        let number = "\(address)".split(separator: ":").last.flatMap { UInt16($0) }
        return ([door], number ?? 0)
      }
      var doors: [UnixListener] = []
      if let address = LoopbackAddress("127.0.0.1:\(port)") {
        doors.append(try UnixListener(adopting: address.listen()))
      }
      // A machine may be without IPv6.
      if let socket = try? LoopbackAddress("[::1]:\(port)")?.listen() {
        doors.append(try UnixListener(adopting: socket))
      }
      return (doors, port)
    } catch .addressInUse {
      throw Failure(.fileIsThere, "Port \(port) is taken. Try: a11yctl driver serve --port 0")
    } catch {
      throw Failure(.inputOutput, "Port \(port) cannot be listened at: \(error).")
    }
  }

  // MARK: The loop

  /// Serves until what is watched is ready.
  func serve(_ complain: (String) -> Void) throws(Failure) {
    while true {
      try followBus(complain)
      advanceVoice()
      let now = SystemClock.monotonicMicroseconds()
      leave { $0.isLate(at: now) }
      guard try step(at: now) else { break }
    }
  }

  /// Says to all clients that the server goes away.
  func close() {
    for guest in guests { guest.close() }
  }

  private func followBus(_ complain: (String) -> Void) throws(Failure) {
    let news: [BusLink.News]
    do throws(ClientError) { news = try link.serve() } catch { throw Failure(error) }
    let now = Int64(clamping: SystemClock.monotonicMicroseconds())
    for one in news {
      switch one {
      case .connected(let server):
        voice = SilentVoice(conn: server.conn, perCharacter: perCharacter, showsSecrets: false)
        output = CapturedOutput()
        complain("The bus is here.")
      case .entry(let entry):
        tell(output.receive(entry))
        if let delivery = entry.delivery { report(voice?.receive(delivery, at: now)) }
        if let silence = entry.silence { report(voice?.receive(silence, at: now)) }
      case .secret(let of, let kind, let words, _):
        tell(output.receiveSecret(of: of, kind: kind, words))
        report(voice?.receiveSecret(of: of, words, at: now))
      case .away(let reason): complain("The bus is away, and waited for: \(reason).")
      case .refused(let refusal):
        complain(RefusalWords.sentence(RefusalWords.bus, refusal, type: nil))
      case .recorded, .unrecorded: break
      }
    }
  }

  private func advanceVoice() {
    report(voice?.advance(to: Int64(clamping: SystemClock.monotonicMicroseconds())))
  }

  /// Reports of the reader; the lines that it would show are the output already.
  private func report(_ acts: [SilentVoice.Act]?) {
    for case .report(let state, let of, let heard) in acts ?? [] {
      try? link.post(.speech(of: of, state, heard: heard.map { .milliseconds($0) }))
    }
  }

  /// Waits for something to do, and does it; false for the end.
  private func step(at now: UInt64) throws(Failure) -> Bool {
    let dues = [voice?.due.map { UInt64(clamping: $0) }, link.due] + guests.map(\.deadline)
    var wait: Int32 = -1
    if let due = dues.compactMap(\.self).min() {
      wait = Int32(clamping: (max(due, now) - now + 999) / 1_000)
    }
    do throws(Errno) {
      let count = try poll.wait(into: &events, timeoutMilliseconds: wait)
      for index in 0..<count {
        switch events[index].token {
        case Token.signals: return false
        case Token.bus: break
        case let token where token < Token.guest: welcome(at: doors[Int(token - Token.door)])
        case let token: attend(token)
        }
      }
      return true
    } catch {
      throw Failure(.inputOutput, "The driver cannot wait: \(error).")
    }
  }

  // MARK: Guests

  private func welcome(at door: UnixListener) {
    guard case .connection(let socket) = door.accept() else { return }
    if guests.count == Self.mostGuests, let oldest = guests.first(where: { $0.token != holder }) {
      leave { $0 === oldest }
    }
    lastToken += 1
    let deadline = SystemClock.monotonicMicroseconds() + Self.patience
    let guest = WebSocket(socket, token: lastToken, deadline: deadline)
    do throws(Errno) {
      try poll.add(guest.socket, token: guest.token, interest: .readable)
      guests.append(guest)
    } catch {
      // Without room in the kernel the guest is not let in.
    }
  }

  private func attend(_ token: UInt64) {
    guard let guest = guests.first(where: { $0.token == token }) else { return }
    for message in guest.receive(opening) {
      switch message {
      case .text(let text): answer(DriverRequest(text), of: guest)
      case .binary:
        let refusal = DriverRefusal(.invalidArgument, "A message is a text.")
        guest.send(DriverMessage.refusal(nil, refusal))
      }
    }
    settle(guest)
  }

  private func leave(_ isLeaving: (WebSocket) -> Bool) {
    for guest in guests where isLeaving(guest) {
      if holder == guest.token { holder = nil }
    }
    guests.removeAll(where: isLeaving)
  }

  /// Has the kernel watch for what a connection waits for, or lets it go.
  private func settle(_ guest: WebSocket) {
    if guest.hasEnded { return leave { $0 === guest } }
    // Changing the interest of an open descriptor in the set cannot fail.
    try? poll.change(guest.socket, token: guest.token, interest: guest.wanted)
  }

  /// Tells the session of output.
  private func tell(_ messages: [JSONValue]) {
    guard !messages.isEmpty, let guest = guests.first(where: { $0.token == holder }) else { return }
    for message in messages { guest.send(message) }
    settle(guest)
  }

  // MARK: Commands

  private func answer(_ request: DriverRequest, of guest: WebSocket) {
    switch request {
    case .refused(let id, let refusal): guest.send(DriverMessage.refusal(id, refusal))
    case .command(let id, let command):
      do throws(DriverRefusal) {
        guest.send(DriverMessage.result(id, try result(of: command, guest)))
      } catch {
        guest.send(DriverMessage.refusal(id, error))
      }
    }
  }

  private func result(
    of command: DriverCommand,
    _ guest: WebSocket
  ) throws(DriverRefusal) -> JSONValue {
    guard command.isStatic || holder == guest.token else {
      throw DriverRefusal(.invalidSession, "There is no session yet: session.new begins one.")
    }
    switch command {
    case .newSession(let wanted): return try begin(wanted, guest)
    case .getSupportedSettings: return try values(DriverSettings.names)
    case .getSettings(let names): return try values(names)
    case .setSettings(let changes):
      for change in changes { try settings.change(change.name, to: change.value) }
    case .pressKeys(let keys): try X11Keyboard(environment).press(keys)
    case .otherIntent(let name):
      throw DriverRefusal(.unknownIntent, "There is no intent \(name); there is pressKeys.")
    }
    return [:]
  }

  private func begin(
    _ wanted: [JSONValue.Member],
    _ guest: WebSocket
  ) throws(DriverRefusal) -> JSONValue {
    guard holder == nil else {
      let words = holder == guest.token ? "This connection has a session." : "There is a session."
      throw DriverRefusal(.sessionNotCreated, words)
    }
    guard let matched = capabilities.matched(wanted) else {
      throw DriverRefusal(.sessionNotCreated, "What is asked for is not here.")
    }
    holder = guest.token
    return ["sessionId": .string(Self.identifier()), "capabilities": matched]
  }

  /// A random UUID, of version 4.
  private static func identifier() -> String {
    var digits = Array(Machine.randomHex128())
    digits[12] = "4"
    digits[16] = ["8", "9", "a", "b"][(digits[16].hexDigitValue ?? 0) % 4]
    let parts = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
    return parts.map { String($0) }.joined(separator: "-")
  }

  private func values(_ names: [String]) throws(DriverRefusal) -> JSONValue {
    var items: [JSONValue] = []
    for name in names {
      guard let value = settings.value(of: name) else {
        throw DriverRefusal(.invalidArgument, "There is no setting \(name).")
      }
      items.append(["name": .string(name), "value": value])
    }
    return ["settings": .list(items)]
  }
}
