// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The commands to speech-dispatcher, one after the other: the next one goes when the last is
/// answered.
package struct SsipDialogue {
  package enum Command: Equatable {
    /// A setting of our connection.
    case set(String)
    /// A question, whose answer is the first line of the reply.
    case get(String)
    /// The announcement of a text.
    case speak
    /// The text itself.
    case text(String)
    /// A character, a key or a sound.
    case utter(String)
    /// The question for our number.
    case identify
    /// Our own speech ends.
    case cancel
    /// The speech of another connection ends, one that was ours.
    case cancelOther(Int)
    /// Our own speech (SELF) or all of it (ALL) ends; then synthesizers are started anew.
    case cancelAndRevive(String)
    /// Any other command, as it stands.
    case order(String)
  }

  /// The longest wait for an answer.
  private static let patience: Int64 = 2_000_000
  /// The longest wait of all, where speech-dispatcher is seen at work.
  private static let longestPatience: Int64 = 30_000_000

  package private(set) var current: Command?
  /// The moment by which the current command has to be answered.
  package private(set) var due: Int64?
  /// The moment at which it was sent.
  private var asked: Int64 = 0
  private var waiting: [Command] = []

  package init() {}

  var isIdle: Bool { current == nil }

  /// Adds a command; the text to send, if it goes at once.
  package mutating func ask(_ command: Command, at now: Int64) -> String? {
    waiting.append(command)
    return current == nil ? sendNext(at: now) : nil
  }

  /// Answers the announcement of a text with the text, before anything else.
  package mutating func give(_ text: String, at now: Int64) -> String? {
    waiting.insert(.text(text), at: 0)
    return sendNext(at: now)
  }

  /// The command that a reply answers; `next` is what goes next.
  package mutating func answer() -> Command? {
    defer { (current, due) = (nil, nil) }
    return current
  }

  /// The text of the next command, if nothing is under way.
  package mutating func sendNext(at now: Int64) -> String? {
    guard current == nil, !waiting.isEmpty else { return nil }
    let command = waiting.removeFirst()
    (current, due, asked) = (command, now + Self.patience, now)
    return command.line
  }

  /// Waits on for the current answer; false where it has been waited for long enough.
  mutating func waitOn(at now: Int64) -> Bool {
    guard now - asked < Self.longestPatience else { return false }
    due = now + Self.patience
    return true
  }
}

extension SsipDialogue.Command {
  /// The command as it is sent.
  var line: String {
    switch self {
    case .set(let setting): "SET SELF \(setting)\r\n"
    case .get(let name): "GET \(name)\r\n"
    case .identify: "HISTORY GET CLIENT_ID\r\n"
    case .speak: "SPEAK\r\n"
    // A text of ours begins with a tag and has one line; any other has its dots doubled.
    case .text(let text): "\(text)\r\n.\r\n"
    case .utter(let command): "\(command)\r\n"
    case .cancel: "CANCEL SELF\r\n"
    case .cancelOther(let client): "CANCEL \(client)\r\n"
    case .cancelAndRevive(let scope): "CANCEL \(scope)\r\n"
    case .order(let line): "\(line)\r\n"
    }
  }
}
