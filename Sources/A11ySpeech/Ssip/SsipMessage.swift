// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
