// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A line from a client of the door, understood.
///
/// It is read as speech-dispatcher reads it: words, each behind exactly one blank, checked from
/// left to right; the first thing that is wrong is what the answer tells.
package enum SsipCommand: Equatable, Sendable {
  case set(SsipScope, SsipSetting)
  case get(SsipQuestion)
  case list(SsipList)
  /// A text follows.
  case speak
  /// What is said without a text: a character, a key or a sound.
  case utter(SsipUtterance, String)
  case stop(SsipScope)
  case cancel(SsipScope)
  case pause(SsipScope)
  case resume(SsipScope)
  case beginBlock
  case endBlock
  /// The number by which events name the client.
  case clientID
  /// What is answered always alike: the door keeps no history of its own, for the bus has one.
  case fixed(SsipReply)
  case bye

  /// Reads a line without its end.
  package init(_ line: [UInt8], insideBlock: Bool) throws(SsipReply) {
    var words = SsipWords(line)
    let name = try words.command()
    switch name {
    case "set": self = try Self.setting(&words, insideBlock: insideBlock)
    case "sound_icon": self = .utter(.icon, try words.utterance())
    case "char": self = .utter(.character, Self.spelled(try words.utterance()))
    case "key": self = .utter(.key, Self.spelled(try words.utterance()))
    case "block":
      switch try words.next() {
      case "begin": self = .beginBlock
      case "end": self = .endBlock
      default: throw .invalid
      }
    case "speak": self = .speak
    case "bye", "quit": self = .bye
    default: self = try Self.outsideBlocks(name, &words, insideBlock: insideBlock)
    }
  }

  private static func outsideBlocks(
    _ name: String,
    _ words: inout SsipWords,
    insideBlock: Bool
  ) throws(SsipReply) -> SsipCommand {
    let isKnown = ["history", "stop", "cancel", "pause", "resume", "list", "get", "help"]
      .contains(name)
    guard isKnown else { throw .unknownCommand }
    if insideBlock { throw .notInsideBlock }
    switch name {
    case "stop": return .stop(try words.scope())
    case "cancel": return .cancel(try words.scope())
    case "pause": return .pause(try words.scope())
    case "resume": return .resume(try words.scope())
    case "get":
      guard let question = SsipQuestion(rawValue: try words.next()) else { throw .invalid }
      return .get(question)
    case "list": return .list(try SsipList(&words))
    case "help": return .fixed(.help)
    default: return try history(&words)
    }
  }

  /// Keys and characters spell a blank.
  private static func spelled(_ word: String) -> String { word == "space" ? " " : word }

  // MARK: History

  private static func history(_ words: inout SsipWords) throws(SsipReply) -> SsipCommand {
    switch try words.next() {
    case "get":
      switch try words.next() {
      case "client_id": return .clientID
      case "client_list": return .fixed(.notImplemented)
      case "client_messages":
        let whose = try words.next()
        if whose != "self", whose != "all", SsipWords.number(whose) == nil { throw .notNumber }
        return .fixed(.notImplemented)
      case "last": return .fixed(.noMessage)
      case "message":
        _ = try words.number()
        return .fixed(.noSuchID)
      default: throw .missing
      }
    case "cursor": return .fixed(try cursor(&words))
    case "say":
      _ = try words.number()
      return .fixed(.noSuchID)
    case "sort": return .fixed(.notImplemented)
    default: throw .unknownCommand
    }
  }

  private static func cursor(_ words: inout SsipWords) throws(SsipReply) -> SsipReply {
    switch try words.next() {
    case "set":
      _ = try words.number()
      switch try words.next() {
      case "first": return .cursorFirst
      case "last": return .cursorLast
      case "pos": return try words.number() < 0 ? .positionLow : .cursorSet
      default: throw .missing
      }
    case "forward": return .cursorForward
    case "backward": return .positionLow
    case "get": return .noMessage
    default: throw .missing
    }
  }

  // MARK: Settings

  private static func setting(
    _ words: inout SsipWords,
    insideBlock: Bool
  ) throws(SsipReply) -> SsipCommand {
    let scope = try words.scope()
    let name = try words.next()
    guard let setting = SsipSetting.Name(rawValue: name) else { throw .unknownCommand }
    if insideBlock, !setting.isAllowedInBlocks { throw .notInsideBlock }
    return .set(scope, try SsipSetting(setting, of: scope, &words))
  }
}

/// The connections that a command is about.
package enum SsipScope: Equatable, Sendable {
  case own
  case all
  case client(Int)
}

/// What is said without being a text.
package enum SsipUtterance: Equatable, Sendable {
  case character, key, icon
}

/// What GET asks for.
package enum SsipQuestion: String, Sendable, CaseIterable {
  case voiceType = "voice_type"
  case outputModule = "output_module"
  case language, rate, pitch, volume, punctuation
}

/// What LIST asks for.
package enum SsipList: Equatable, Sendable {
  case voices
  case modules
  /// The synthesizer's own voices, of a language and a variant if they are given.
  case synthesisVoices(language: String?, variant: String?)

  init(_ words: inout SsipWords) throws(SsipReply) {
    switch try words.next() {
    case "voices": self = .voices
    case "output_modules": self = .modules
    case "synthesis_voices":
      self = .synthesisVoices(language: words.optional(), variant: words.optional())
    default: throw .invalid
    }
  }
}

/// The words of a line.
struct SsipWords {
  private let words: [ArraySlice<UInt8>]
  private var place = 0
  private let isText: Bool

  init(_ line: [UInt8]) {
    words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    isText = String(validating: line, as: UTF8.self) != nil
  }

  /// The name of the command.
  mutating func command() throws(SsipReply) -> String {
    // An empty line is a command without a name; one that begins with a blank has none at all.
    if words[0].isEmpty, words.count > 1 { throw .failed }
    place = 1
    return Self.lowercase(words[0])
  }

  /// The next word, in small letters; an empty one is none, but at the end of the line.
  mutating func next() throws(SsipReply) -> String { Self.lowercase(try raw()) }

  private mutating func raw() throws(SsipReply) -> ArraySlice<UInt8> {
    guard place < words.count, !words[place].isEmpty || place == words.count - 1 else {
      throw .missing
    }
    defer { place += 1 }
    return words[place]
  }

  /// The next word as it stands, if there is one.
  mutating func optional() -> String? {
    guard let word = try? raw() else { return nil }
    return String(decoding: word, as: UTF8.self)
  }

  /// All that is left of the line.
  mutating func rest() -> String {
    defer { place = words.count }
    return words[min(place, words.count)...].map { String(decoding: $0, as: UTF8.self) }
      .joined(separator: " ")
  }

  /// What is to be uttered; it has to be text, and so has the whole line.
  mutating func utterance() throws(SsipReply) -> String {
    let word = try raw()
    if word.isEmpty { throw .missing }
    if !isText { throw .badEncoding }
    return String(decoding: word, as: UTF8.self)
  }

  mutating func number() throws(SsipReply) -> Int {
    guard let number = Self.number(try next()) else { throw .notNumber }
    return number
  }

  mutating func flag(else refusal: SsipReply) throws(SsipReply) -> Bool {
    switch try next() {
    case "on": true
    case "off": false
    default: throw refusal
    }
  }

  mutating func scope() throws(SsipReply) -> SsipScope {
    switch try next() {
    case "self": return .own
    case "all": return .all
    case let word:
      guard let number = Self.number(word) else { throw .invalid }
      return .client(number)
    }
  }

  /// A number as speech-dispatcher takes one: a sign or a digit, then digits; a sign alone is 0.
  static func number(_ word: String) -> Int? {
    guard let first = word.utf8.first else { return nil }
    let hasSign = first == UInt8(ascii: "+") || first == UInt8(ascii: "-")
    let digits = word.utf8.dropFirst(hasSign ? 1 : 0)
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    // Beyond 32 bits all are out of every range.
    let value = Int(digits.prefix(10).reduce(0) { $0 * 10 + Int64($1 - 0x30) })
    return first == UInt8(ascii: "-") ? -value : value
  }

  private static func lowercase(_ word: ArraySlice<UInt8>) -> String {
    String(
      decoding: word.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 },
      as: UTF8.self
    )
  }
}
