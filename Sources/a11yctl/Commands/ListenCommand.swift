// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// A reader without a voice: prints each text when it would be spoken.
struct ListenCommand: Command {
  static let name = "listen"
  static let summary = "be a reader that prints each text when it would be spoken"
  static let usage = "[OPTION]..."
  static let notes = """
    Joins as a reader and prints the texts that a screen reader would speak, each line when it would
    begin, and tells the bus when it would have finished. Sounds are in brackets, as in [screen];
    manners of speaking follow in parentheses. With a terminal, single keys act: s stops the speech,
    r repeats, p pauses and goes on, q quits. Where another reader is there already, that one
    speaks, and this one shows the same texts.
    """
  static let options = [
    Flag("voice", "VOICE", "none, which is the only one yet: print, and take the time of speech"),
    Flag("ms-per-char", "MS", "how long a character takes; 50 if not given, 0 for no time at all"),
    Flag("app", "NAME", "join under this name; a11yctl if not given"),
    Flag("secrets", nil, "show the words of secret texts, which are hidden otherwise"),
  ]

  private let path: String
  /// The socket for actions, where it is another than the reader's and may be opened.
  private let controls: String?
  private let app: String
  private let perCharacter: Int64
  private let showsSecrets: Bool

  /// The slowest useful voice, in milliseconds per character.
  private static let slowest: Int64 = 1_000

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    path = try words.socket(for: .listening).path
    let acting = try? words.socket(for: .publishing(.action)).path
    controls = acting == path ? nil : acting
    app = words.value("app") ?? "a11yctl"
    if let voice = words.value("voice"), voice != "none" {
      throw Failure(.usage, "--voice expects none; got \(voice).")
    }
    perCharacter = (try words.integer("ms-per-char", in: 0...Self.slowest) ?? 50) * 1_000
    showsSecrets = words.has("secrets")
  }

  func run(_ output: Output) throws(Failure) {
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
    try asking { () throws(ClientError) in
      try ListeningSession(
        path: path,
        controls: controls,
        app: app,
        perCharacter: perCharacter,
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
