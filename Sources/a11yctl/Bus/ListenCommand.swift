// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// A reader without a voice: prints each text when it would be spoken.
struct ListenCommand: Command {
  static let name = "listen"
  static let summary = "be a reader that prints each text when it would be spoken"
  static let notes = """
    Joins as a reader and prints the texts that a screen reader would speak, each line when it would
    begin, and tells the bus when it would have finished. Sounds are in brackets, as in [screen];
    manners of speaking follow in parentheses. With a terminal, single keys act: s stops the speech,
    r repeats, p pauses and goes on, q quits. Where another reader is there already, that one
    speaks, and this one shows the same texts.
    """

  @Option(
    "voice",
    "VOICE",
    "none, which is the only one yet: print, and take the time of speech"
  )
  private var voice: String?
  @Option(
    "ms-per-char",
    "MS",
    "how long a character takes; 50 if not given, 0 for no time at all",
    as: .number(in: 0...Self.slowest)
  )
  private var perCharacter: Int64?
  @Option("app", "NAME", "join under this name; a11yctl if not given") private var app: String?
  @Flag("secrets", "show the words of secret texts, which are hidden otherwise")
  private var showsSecrets: Bool
  private let bus = BusSocket()

  /// The slowest useful voice, in milliseconds per character.
  private static let slowest: Int64 = 1_000

  func run(_ output: Output) throws(Failure) {
    if let voice, voice != "none" {
      throw Failure(.usage, "--voice expects none; got \(voice).")
    }
    var backoff = Backoff()
    var session = try join()
    let keyboard = Keyboard()
    let sink = StandardOutput.watchable()
    output.complain(
      keyboard == nil
        ? "Listening." : "Listening. Keys: s stop, r repeat, p pause or go on, q quit."
    )
    while true {
      switch listen(session, keyboard, sink, output) {
      case .quit: return
      case .failed(let failure): throw failure
      case .away: output.complain("The bus went away; waiting for it.")
      }
      guard let next = try rejoin(&backoff, keyboard) else { return }
      session = next
      output.complain("The bus is back.")
    }
  }

  private func listen(
    _ session: ListeningSession,
    _ keyboard: borrowing Keyboard?,
    _ sink: borrowing FileDescriptor?,
    _ output: Output
  ) -> ListeningSession.End {
    do throws(ClientError) {
      return try session.listen(keyboard, sink, output)
    } catch {
      return .away
    }
  }

  private func join() throws(Failure) -> ListeningSession {
    let path = try bus(for: .listening)
    // Actions may need another socket than the reader's.
    let acting = try? bus(for: .publishing(.action))
    return try asking { () throws(ClientError) in
      try ListeningSession(
        path: path,
        controls: acting == path ? nil : acting,
        app: app ?? "a11yctl",
        perCharacter: (perCharacter ?? 50) * 1_000,
        showsSecrets: showsSecrets
      )
    }
  }

  /// Waits for the bus; nil when the user quits.
  private func rejoin(
    _ backoff: inout Backoff,
    _ keyboard: borrowing Keyboard?
  ) throws(Failure) -> ListeningSession? {
    while true {
      if quits(keyboard, within: backoff.nextWait()) { return nil }
      do throws(Failure) {
        let session = try join()
        backoff.reset()
        return session
      } catch {
        guard error.code == .unreachable else { throw error }
      }
    }
  }

  /// Waits for a time or a key, and tells whether the key was one to quit.
  private func quits(_ keyboard: borrowing Keyboard?, within wait: Duration) -> Bool {
    let milliseconds = Int32(clamping: wait.milliseconds)
    switch keyboard {
    case .none:
      // A set that watches nothing waits for the time alone.
      guard let nothing = try? Poll() else { return true }
      var events = Poll.Events(capacity: 1)
      _ = try? nothing.wait(into: &events, timeoutMilliseconds: milliseconds)
      return false
    case .some(let keyboard):
      let ready = try? keyboard.descriptor.waitReady(
        for: .readable,
        timeoutMilliseconds: milliseconds
      )
      guard let ready, !ready.isEmpty else { return false }
      return keyboard.pressedKeys().contains { $0 == UInt8(ascii: "q") || $0 == 3 || $0 == 4 }
    }
  }
}

/// One connection of a reader without a voice.
final class ListeningSession {
  /// The end of a session.
  enum End {
    case quit
    /// The bus has gone.
    case away
    case failed(Failure)
  }

  private enum Token {
    static let bus: UInt64 = 1
    static let keyboard: UInt64 = 2
    static let output: UInt64 = 3
  }

  private let bus: BusConnection
  /// The socket for actions, if the reader's socket is not for them.
  private let controls: String?
  private var control: BusConnection?
  private let conn: Int64
  private var voice: SilentVoice
  private let poll: Poll
  private var events = Poll.Events(capacity: 3)
  private var isPaused = false
  private var knowsOther = false

  /// A rank behind screen readers, which speak aloud, and before displays.
  private static let voice = ReaderVoice(rank: 40)

  /// Joins the bus as a reader.
  init(
    path: String,
    controls: String?,
    app: String,
    perCharacter: Int64,
    showsSecrets: Bool
  ) throws(ClientError) {
    self.controls = controls
    bus = try BusConnection(path: path)
    conn = try bus.hello(app: app, role: .reader, voice: Self.voice).conn
    voice = SilentVoice(conn: conn, perCharacter: perCharacter, showsSecrets: showsSecrets)
    let types = [EventType.Own.deliver, .silence].map(\.rawValue)
    try bus.subscribe(SubscriptionRequest(filter: EntryFilter(types: types)))
    do throws(Errno) {
      poll = try Poll()
    } catch {
      throw .disconnected(reason: error.description)
    }
    try bus.watch(by: poll, token: Token.bus)
  }

  /// Listens until the user quits or the bus goes; `sink` is the output, if poll can tell when
  /// nobody reads it any more.
  func listen(
    _ keyboard: borrowing Keyboard?,
    _ sink: borrowing FileDescriptor?,
    _ output: Output
  ) throws(ClientError) -> End {
    watch(keyboard, sink)
    while true {
      // Items that have come already do not make the socket ready once more.
      while let item = try bus.next(timeout: .zero) { try handle(item, output) }
      try perform(voice.advance(to: now), output)
      tellComplaints(output)
      do throws(Failure) { try output.flush() } catch { return .failed(error) }
      guard let token = try nextToken() else { continue }
      if token == Token.output { return .failed(.readerHasEnough) }
      if try !obey(keyboard, output) {
        try perform(voice.stop(at: now), output)
        do throws(Failure) { try output.flush() } catch { return .failed(error) }
        return .quit
      }
    }
  }

  private var now: Int64 { Int64(clamping: SystemClock.monotonicMicroseconds()) }

  private func watch(_ keyboard: borrowing Keyboard?, _ sink: borrowing FileDescriptor?) {
    switch keyboard {
    case .none: break
    // Poll can always wait for a terminal.
    case .some(let keyboard):
      try? poll.add(keyboard.descriptor, token: Token.keyboard, interest: .readable)
    }
    switch sink {
    case .none: break
    case .some(let sink): try? poll.add(sink, token: Token.output, interest: [])
    }
  }

  /// Waits until there is something to do, and returns the ready token other than the bus's.
  private func nextToken() throws(ClientError) -> UInt64? {
    var timeout: Int32 = -1
    if let due = voice.due { timeout = Int32(clamping: max(0, due - now + 999) / 1_000) }
    do {
      let count = try poll.wait(into: &events, timeoutMilliseconds: timeout)
      for index in 0..<count where events[index].token != Token.bus { return events[index].token }
      return nil
    } catch {
      throw .disconnected(reason: error.description)
    }
  }

  // MARK: Items

  private func handle(_ item: SubscriptionItem, _ output: Output) throws(ClientError) {
    switch item {
    case .entry(let entry):
      if let delivery = entry.delivery {
        tellOfOther(delivery, output)
        try perform(voice.receive(delivery, at: now), output)
      } else if let silence = entry.silence {
        try perform(voice.receive(silence, at: now), output)
      }
    case .mark(.secret(let of, _, let speech, _)):
      try perform(voice.receiveSecret(of: of, speech, at: now), output)
    case .mark: break
    }
  }

  private func tellOfOther(_ delivery: DeliveryEntry, _ output: Output) {
    guard let to = delivery.to, to != conn, !knowsOther else { return }
    knowsOther = true
    output.complain("Another reader speaks; this one shows the same texts.")
  }

  private func perform(_ acts: [SilentVoice.Act], _ output: Output) throws(ClientError) {
    for act in acts {
      switch act {
      case .show(let line): output.line(line)
      case .report(let state, let of, let heard):
        try bus.report(state, of: of, heard: heard.map { .milliseconds($0) })
      }
    }
  }

  private func tellComplaints(_ output: Output) {
    for complaint in bus.takeComplaints() {
      guard case .refused(let refusal) = complaint else { continue }
      output.complain(RefusalWords.sentence(RefusalWords.bus, refusal, type: nil))
    }
  }

  // MARK: Keys

  /// Acts on the pressed keys; false for the key to quit.
  private func obey(_ keyboard: borrowing Keyboard?, _ output: Output) throws(ClientError) -> Bool {
    var keys: [UInt8] = []
    switch keyboard {
    case .none: break
    case .some(let keyboard): keys = keyboard.pressedKeys()
    }
    for key in keys {
      switch key {
      case UInt8(ascii: "q"), 3, 4: return false
      case UInt8(ascii: "s"): try post("stop")
      case UInt8(ascii: "r"): try post("repeat")
      case UInt8(ascii: "p"):
        isPaused.toggle()
        try post(isPaused ? "pause" : "resume")
      default: output.complain("Keys: s stop, r repeat, p pause or go on, q quit.")
      }
    }
    return true
  }

  private func post(_ action: String) throws(ClientError) {
    if let controls, control == nil { control = try BusConnection(path: controls) }
    try (control ?? bus).post(.action(action))
  }
}
