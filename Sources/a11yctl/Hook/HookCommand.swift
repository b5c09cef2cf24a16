// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yRules
import A11yWire
import Glibc

/// Announces what another program tells its hook: a wish for permission, the end of a turn, the end
/// of a long command.
///
/// The other program waits for its hook, and takes the hook's words and its exit code for orders.
/// So this command says nothing, ends with 0 whatever happens, and gives the bus a moment only:
/// what has been sent is heard as well if the bus reads it later.
struct HookCommand: Command {
  static let name = "hook"
  static let summary = "announce what an assistant or a shell tells its hook"
  static let usage = "claude-code|codex|gemini|shell [OPTION]... [JSON]"
  static let notes = """
    Other programs start it, not people: an assistant when it wants permission or is done, a shell
    when a command has ended. It reads the assistant's JSON from standard input, or for codex from
    the last word. A wish for permission or for an answer is urgent, the end of a turn is told with
    its first sentence, and what tools do meanwhile is told now and then, of low priority. A shell's
    command is told if it ran for 10 s or longer, never its words. It prints nothing on standard
    output, and always ends with 0, whether there is a bus or not. The lines that switch it on, for
    each of these programs, are in listening.md, which is in /usr/share/doc/a11yd.
    """

  @Operands private var words: [String]
  @Option("status", "N", "shell: the exit code of the command", as: .number(in: 0...255))
  private var status: Int64?
  @Option("ms", "N", "shell: the milliseconds for which it ran", as: .number(in: 0...Int64.max))
  private var milliseconds: Int64?
  private let bus = BusSocket()

  /// The longest wait for what the other program has to say.
  private static let patience: Duration = .seconds(1)
  /// The longest wait for the bus, which reads what was sent later, if it must.
  private static let busPatience: Duration = .milliseconds(25)

  func run(_ output: Output) throws(Failure) {
    let programs = HookProgram.allCases.map(\.rawValue)
    guard let word = words.first, let program = HookProgram(rawValue: word) else {
      throw Failure(.usage, "hook expects one of \(programs.joined(separator: ", ")).")
    }
    let words = HookWords.of(.ofSession(Environment.value))
    let event: Event?
    switch program {
    case .shell:
      event = HookNews(status: status ?? 0, milliseconds: milliseconds ?? 0, words)?.event
    case .codex where self.words.count > 1:
      event = HookNews(Array((self.words.last ?? "").utf8), of: program, words)?.event
    case .claudeCode, .codex, .gemini:
      event = HookNews(Self.input(), of: program, words)?.event
    }
    guard let event, let path = try? bus(for: .publishing(.announcement)) else { return }
    // A bus that is not there, refuses or hangs is no matter of the program that has called.
    guard let socket = try? UnixStream.connectAtOnce(path: path) else { return }
    try? Self.publish(event, of: program, BusConnection(socket))
  }

  /// Sends greeting and event together, and waits a moment for the answer.
  private static func publish(
    _ event: Event,
    of program: HookProgram,
    _ bus: BusConnection
  ) throws(ClientError) {
    // Without a wait, this only sends.
    _ = try? bus.hello(app: program.rawValue, timeout: .zero)
    try bus.publish(event, timeout: busPatience)
  }

  /// The standard input, to its end; what has come, where the end does not come in time.
  private static func input() -> [UInt8] {
    let file = FileDescriptor(adopting: 0)
    let end = SystemClock.monotonicMicroseconds() + UInt64(patience.milliseconds) * 1_000
    var bytes = ByteBuffer(capacity: block)
    var isMore = true
    while isMore {
      let now = SystemClock.monotonicMicroseconds()
      let left = now < end ? Int32((end - now + 999) / 1_000) : 0
      let before = bytes.count
      do throws(Errno) {
        let ready = try file.waitReady(for: .readable, timeoutMilliseconds: left)
        guard !ready.isEmpty, left > 0 else { break }
        try bytes.append(room: block) { room throws(Errno) in try file.read(into: room) }
      } catch {
        break
      }
      isMore = bytes.count > before
      // What is over the bound is read, too, since a writer that nobody reads from may fail.
      if before > HookNews.mostBytes { bytes.truncate(to: before) }
    }
    return bytes.bytes.array
  }

  /// The bytes of one read: about as many as a pipe holds.
  private static let block = 65_536
}

/// A program that has hooks.
enum HookProgram: String, CaseIterable {
  case claudeCode = "claude-code"
  case codex, gemini, shell

  /// Its name in a sentence.
  var spoken: String {
    switch self {
    case .claudeCode: "Claude Code"
    case .codex: "Codex"
    case .gemini: "Gemini"
    case .shell: "shell"
    }
  }

  /// The assistant's program, and the settings in the home of a person that name its hooks.
  var place: (command: String, settings: String)? {
    switch self {
    case .claudeCode: ("claude", ".claude/settings.json")
    case .codex: ("codex", ".codex/config.toml")
    case .gemini: ("gemini", ".gemini/settings.json")
    case .shell: nil
    }
  }
}
