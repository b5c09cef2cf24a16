// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix

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

/// Factors, as the bus has them, and the numbers from -100 to 100 that speech-dispatcher has.
package enum SsipScale {
  /// Rate, pitch and its range: 0 is the usual one, 100 twice that, and -100 half of it.
  case relative
  /// The volume: 100 is the usual one, and -100 silence.
  case volume

  package func factor(of number: Int) -> Double {
    switch self {
    case .relative:
      number < 0 ? 100 / Double(100 - number) : Double(100 + number) / 100
    case .volume: Double(number + 100) / 200
    }
  }

  package func number(of factor: Double) -> Int {
    let number: Double =
      switch self {
      case .relative: factor < 1 ? 100 - 100 / max(factor, 0.1) : factor * 100 - 100
      case .volume: factor * 200 - 100
      }
    return Int(min(max(number, -100), 100).rounded())
  }
}

/// A line from speech-dispatcher: three digits, then a hyphen where more lines belong to it, or a
/// space at its end.
package struct SsipLine: Equatable {
  package let code: Int
  package let isLast: Bool
  package let words: Substring

  /// Reads a line without its end; nil for one that is none.
  package init?(_ line: Substring) {
    let digits = line.prefix(3)
    guard digits.utf8.count == 3, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let code = Int(digits)
    else { return nil }
    let rest = line.dropFirst(3)
    guard rest.isEmpty || rest.first == " " || rest.first == "-" else { return nil }
    self.code = code
    isLast = rest.first != "-"
    words = rest.dropFirst()
  }
}

/// A reply or an event, which may be several lines.
package struct SsipMessage: Equatable {
  package let code: Int
  /// The words of the lines before the last.
  package let details: [String]
  /// The words of the last line.
  package let words: String

  package init(code: Int, details: [String], words: String) {
    self.code = code
    self.details = details
    self.words = words
  }

  /// Whether speech-dispatcher has done what was asked.
  package var isSuccess: Bool { (200..<300).contains(code) }

  /// The news of a message, if this tells any.
  package var event: SsipEvent? {
    guard (700..<800).contains(code), let message = details.first.flatMap({ Int($0) }) else {
      return nil
    }
    switch code {
    case 700: return SsipEvent(message, .mark(details.count > 2 ? details[2] : ""))
    case 701: return SsipEvent(message, .begin)
    case 702: return SsipEvent(message, .end)
    case 703: return SsipEvent(message, .cancelled)
    default: return nil
    }
  }
}

/// News of a message that is spoken.
package struct SsipEvent: Equatable {
  package enum Kind: Equatable {
    case begin
    case mark(String)
    case end
    case cancelled
  }

  package let message: Int
  package let kind: Kind

  init(_ message: Int, _ kind: Kind) {
    self.message = message
    self.kind = kind
  }
}

/// Makes messages of bytes as they come.
package struct SsipReader {
  private var line: [UInt8] = []
  private var details: [String] = []

  /// Far longer than any line and any reply; beyond it the connection is of no use.
  ///
  /// eSpeak lists 13,000 voices.
  private static let longestLine = 65_536
  private static let mostLines = 65_536

  package init() {}

  /// Takes bytes, and returns the messages that they complete; nil where they are not SSIP.
  package mutating func messages(in bytes: some Sequence<UInt8>) -> [SsipMessage]? {
    var messages: [SsipMessage] = []
    for byte in bytes {
      guard byte == UInt8(ascii: "\n") else {
        guard line.count < Self.longestLine else { return nil }
        line.append(byte)
        continue
      }
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      let text = String(decoding: line, as: UTF8.self)
      line.removeAll(keepingCapacity: true)
      guard let read = SsipLine(text[...]), details.count < Self.mostLines else { return nil }
      if read.isLast {
        messages.append(
          SsipMessage(code: read.code, details: details, words: String(read.words))
        )
        details = []
      } else {
        details.append(String(read.words))
      }
    }
    return messages
  }
}

/// The address at which speech-dispatcher listens.
package struct SpeechAddress: Equatable {
  package let path: String
  /// Whether it is the one at which all programs of the session look.
  package let isUsual: Bool

  /// The command that starts a speech-dispatcher there, which ends with whoever has started it.
  ///
  /// Without words of its own, which would be a megabyte in memory with every start.
  package var serverCommand: [String] {
    let usual = ["speech-dispatcher", "-s", "-t", "0", "-l", "0"]
    return isUsual ? usual : usual + ["-S", path, "-P", path + ".pid"]
  }

  package static let prefix = "unix_socket:"

  /// The address by the environment alone; nil where it tells none.
  package static var standard: SpeechAddress? { try? SpeechAddress(option: nil) }

  /// The address of the door through which other programs speak to the bus; nil without a session.
  package static func door(environment: (String) -> String? = Environment.value) -> String? {
    environment("XDG_RUNTIME_DIR").map { $0 + "/a11yd/ssip.sock" }
  }

  /// The address by an option, else by the environment, else the session's.
  ///
  /// An environment that names the door is passed over, for behind the door are those who ask.
  package init(
    option: String?,
    door: String? = nil,
    environment: (String) -> String? = Environment.value
  ) throws(CommandLineOptions.Mistake) {
    let doors = [door, Self.door(environment: environment)].compactMap { $0 }
    if let given = option ?? environment("SPEECHD_ADDRESS"), !["", "unix_socket"].contains(given) {
      let path = try Self.path(in: given, of: "the address of speech-dispatcher")
      if !doors.contains(path) {
        self.path = path
        isUsual = false
        return
      }
      if option != nil { throw .init(words: "at \(given) is the door itself") }
    }
    guard
      let base = environment("XDG_RUNTIME_DIR")
        ?? environment("HOME").map({ $0 + "/.cache" })
    else { throw .init(words: "there is no XDG_RUNTIME_DIR, so --speech-address is needed") }
    path = base + "/speech-dispatcher/speechd.sock"
    isUsual = true
  }

  /// The path in an address as speech-dispatcher's clients write it.
  package static func path(
    in address: String,
    of subject: String
  ) throws(CommandLineOptions.Mistake) -> String {
    guard address.hasPrefix(prefix), address.count > prefix.count else {
      throw .init(words: "\(subject): expected \(prefix)PATH; got \(address)")
    }
    return String(address.dropFirst(prefix.count))
  }
}
