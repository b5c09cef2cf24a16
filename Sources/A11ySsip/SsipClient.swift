// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One client of the door: its bytes in, and what it wishes out, one wish after the other.
///
/// Whoever carries the wishes out takes the next one when the last is answered, so that answers
/// keep their order, though one of them may have to be waited for.
package struct SsipClient {
  package enum Wish: Equatable {
    /// An answer that needs nobody else.
    case reply(SsipReply)
    /// Something to be spoken, which is answered with its number.
    case say(SsipContent)
    /// A setting, of this connection or of others.
    case set(SsipScope, SsipSetting)
    case get(SsipQuestion)
    case list(SsipList)
    case clientID
    case stop(SsipScope)
    case cancel(SsipScope)
    case pause(SsipScope)
    case resume(SsipScope)
    /// The last one: the connection ends.
    case leave
  }

  /// The longest line, and the longest text of a message; what is longer is read to its end, and
  /// refused.
  static let longestLine = 65_536
  static let longestText = 1 << 20

  private var lines = SsipLines()
  /// The text that is being received.
  private var text: SsipText?
  /// The number of the block that is open; its messages are one for the queue.
  package private(set) var block: Int?
  private var lastBlock = 0
  private var isInBlock: Bool { block != nil }

  package private(set) var name: SsipClientName?
  package private(set) var priority = SsipPriority.text
  package private(set) var voice = SsipVoice()
  package private(set) var notifications: Set<SsipNotification> = []

  package init() {}

  package mutating func append(_ bytes: some Sequence<UInt8>) { lines.append(bytes) }

  /// The next wish; nil where more bytes are needed.
  package mutating func next() -> Wish? {
    while true {
      if text != nil {
        guard let line = lines.next(atMost: Self.longestText) else { return nil }
        if let content = take(line) { return content }
        continue
      }
      guard let line = lines.next(atMost: Self.longestLine) else { return nil }
      return obey(line)
    }
  }

  private mutating func obey(_ line: [UInt8]) -> Wish {
    // No command is so long, and the server that we stand for knows none of that length.
    guard line.count <= Self.longestLine else { return .reply(.unknownCommand) }
    do throws(SsipReply) {
      switch try SsipCommand(line, insideBlock: isInBlock) {
      case .set(let scope, let setting): return .set(scope, setting)
      case .get(let question): return .get(question)
      case .list(let list): return .list(list)
      case .utter(let kind, let word): return .say(.word(kind, word))
      case .stop(let scope): return .stop(scope)
      case .cancel(let scope): return .cancel(scope)
      case .pause(let scope): return .pause(scope)
      case .resume(let scope): return .resume(scope)
      case .clientID: return .clientID
      case .fixed(let reply): return .reply(reply)
      case .bye: return .leave
      case .speak:
        text = SsipText()
        return .reply(.receivingData)
      case .beginBlock:
        if isInBlock { throw .alreadyInsideBlock }
        lastBlock += 1
        block = lastBlock
        return .reply(.insideBlock)
      case .endBlock:
        if !isInBlock { throw .alreadyOutsideBlock }
        block = nil
        return .reply(.outsideBlock)
      }
    } catch {
      return .reply(error)
    }
  }

  /// Takes a line of a text; the message, where it is the end of one.
  private mutating func take(_ line: [UInt8]) -> Wish? {
    guard line == [UInt8(ascii: ".")] else {
      text?.append(line)
      return nil
    }
    defer { text = nil }
    if text?.isTooLong == true { return .reply(.failed) }
    guard let text, text.hasLine else { return .reply(.emptyMessage) }
    guard let words = String(validating: text.bytes, as: UTF8.self) else {
      return .reply(.badEncoding)
    }
    return .say(.text(words))
  }

  /// Takes over a setting, for the messages that come after it.
  package mutating func take(_ setting: SsipSetting) {
    switch setting {
    case .priority(let priority): self.priority = priority
    case .clientName(let name): self.name = name
    case .notification(let kinds, true): notifications.formUnion(kinds)
    case .notification(let kinds, false): notifications.subtract(kinds)
    // The bus decides what is said again behind a pause; all others are about the voice.
    default: _ = voice.take(setting)
    }
  }
}

/// What a client has spoken.
package enum SsipContent: Equatable, Sendable {
  case text(String)
  case word(SsipUtterance, String)
}

/// The text of a message as it comes.
private struct SsipText {
  private(set) var bytes: [UInt8] = []
  private(set) var isTooLong = false
  /// Whether there is a line already, which may be empty.
  private(set) var hasLine = false

  mutating func append(_ line: [UInt8]) {
    // A dot at the beginning is doubled.
    let words = line.starts(with: "..".utf8) ? line.dropFirst() : line[...]
    isTooLong = isTooLong || bytes.count + words.count >= SsipClient.longestText
    if isTooLong { return }
    if hasLine { bytes.append(UInt8(ascii: "\n")) }
    hasLine = true
    bytes += words
  }
}

/// Bytes of a client, line by line.
///
/// A line ends with carriage return and newline, of which one alone is a part of it. A byte 0 is a
/// question mark, as speech-dispatcher has it.
private struct SsipLines {
  private var bytes: [UInt8] = []
  /// The beginning of what has not been taken, and how far it has been looked through.
  private var start = 0
  private var looked = 0

  mutating func append(_ more: some Sequence<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      (looked, start) = (looked - start, 0)
    }
    for byte in more { bytes.append(byte == 0 ? UInt8(ascii: "?") : byte) }
  }

  /// The next line without its end.
  ///
  /// Of one that is too long so much is left that this can be seen.
  mutating func next(atMost limit: Int) -> [UInt8]? {
    while looked < bytes.count {
      defer { looked += 1 }
      guard bytes[looked] == UInt8(ascii: "\n"), looked > start,
        bytes[looked - 1] == UInt8(ascii: "\r")
      else { continue }
      defer { start = looked + 1 }
      return Array(bytes[start..<looked - 1])
    }
    if let last = bytes.last, bytes.count - start > limit + 1 {
      bytes.removeLast(bytes.count - start - limit)
      bytes.append(last)
      looked = bytes.count
    }
    return nil
  }
}
