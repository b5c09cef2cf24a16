// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A text to speak: plain, or in runs, each with a manner of speaking.
public struct SpeechText: Hashable, Sendable, ExpressibleByStringLiteral {
  /// A stretch of text with one manner of speaking.
  public struct Run: Hashable, Sendable {
    /// The words.
    public var text: String
    /// Whether it is spelled letter by letter.
    public var spell: Bool?
    /// Whether its punctuation is spoken: `true` for all of it, `false` for none.
    public var punctuation: Punctuation?
    /// The pronunciation, in the International Phonetic Alphabet.
    public var ipa: String?
    /// Its language, as in `de-AT`.
    public var lang: String?
    /// The pitch of the voice, 1 being the usual one.
    public var pitch: Double?
    /// How far the pitch goes up and down, 1 being the usual range.
    public var pitchRange: Double?
    /// The speed, 1 being the usual one.
    public var rate: Double?
    /// The loudness, 1 being the usual one.
    public var volume: Double?
    /// The voice, by its name or its kind.
    public var voice: String?
    /// How capital letters are told.
    public var capitals: Capitals?
    /// What the text is, if it is not words.
    public var utterance: Utterance?
    /// A name that a reader reports when its voice has come to the run.
    public var mark: String?

    /// How much of the punctuation is spoken.
    public enum Punctuation: String, Hashable, Sendable, ExpressibleByBooleanLiteral {
      case none, some, most, all

      /// All of it, or none.
      public init(booleanLiteral isSpoken: Bool) { self = isSpoken ? .all : .none }

      init?(_ value: JSONValue) {
        if let flag = value.flag {
          self = flag ? .all : .none
        } else if let word = value.string {
          self.init(rawValue: word)
        } else {
          return nil
        }
      }

      var json: JSONValue {
        switch self {
        case .none: .flag(false)
        case .all: .flag(true)
        case .some, .most: .string(rawValue)
        }
      }
    }

    /// How capital letters are told: not at all, by their name, or by a sound.
    public enum Capitals: String, Hashable, Sendable {
      case none, spell, icon
    }

    /// A text that is no words: a character, the name of a key, or the name of a sound.
    public enum Utterance: String, Hashable, Sendable {
      case character = "char"
      case key, icon
    }

    /// A stretch of text with its manner of speaking.
    public init(
      _ text: String,
      spell: Bool? = nil,
      punctuation: Punctuation? = nil,
      ipa: String? = nil,
      lang: String? = nil,
      pitch: Double? = nil
    ) {
      self.text = text
      self.spell = spell
      self.punctuation = punctuation
      self.ipa = ipa
      self.lang = lang
      self.pitch = pitch
    }
  }

  /// The stretches in their order.
  public var runs: [Run]

  /// A text in several runs.
  public init(runs: [Run]) { self.runs = runs }

  /// A plain text.
  public init(_ text: String) { runs = [Run(text)] }

  /// A plain text.
  public init(stringLiteral text: String) { self.init(text) }

  /// The words alone.
  public var text: String { runs.map(\.text).joined() }

  /// The runs as JSON; a lone plain run is a string, which is easier to read in the log.
  var json: JSONValue {
    if runs.count == 1, runs[0].isPlain { return .string(runs[0].text) }
    return .list(runs.map(\.json))
  }

  /// Reads a text or a list of runs, as in an event; nil for any other value.
  public init?(_ value: JSONValue) {
    switch value {
    case .string(let text): self.init(text)
    case .list(let runs): self.init(runs: runs.compactMap(Run.init))
    case .null, .flag, .number, .object: return nil
    }
  }
}

extension SpeechText.Run {
  /// Whether it has words, and nothing about how they are spoken.
  fileprivate var isPlain: Bool {
    spell == nil && punctuation == nil && ipa == nil && lang == nil && pitch == nil
      && pitchRange == nil && rate == nil && volume == nil && voice == nil && capitals == nil
      && utterance == nil && mark == nil
  }

  var json: JSONValue {
    var members = [JSONValue.Member("text", .string(text))]
    if let spell { members.append(.init("spell", .flag(spell))) }
    if let punctuation { members.append(.init("punctuation", punctuation.json)) }
    if let ipa { members.append(.init("ipa", .string(ipa))) }
    if let lang { members.append(.init("lang", .string(lang))) }
    let numbers = [
      ("pitch", pitch), ("pitch_range", pitchRange), ("rate", rate), ("volume", volume),
    ]
    for case (let name, let number?) in numbers {
      members.append(.init(name, .number(String(number))))
    }
    let words = [
      ("voice", voice), ("capitals", capitals?.rawValue), ("as", utterance?.rawValue),
      ("mark", mark),
    ]
    for case (let name, let word?) in words { members.append(.init(name, .string(word))) }
    return .object(members)
  }

  init?(_ value: JSONValue) {
    guard let text = value["text"]?.string else { return nil }
    self.init(
      text,
      spell: value["spell"]?.flag,
      punctuation: value["punctuation"].flatMap(Punctuation.init),
      ipa: value["ipa"]?.string,
      lang: value["lang"]?.string,
      pitch: value["pitch"]?.double
    )
    pitchRange = value["pitch_range"]?.double
    rate = value["rate"]?.double
    volume = value["volume"]?.double
    voice = value["voice"]?.string
    capitals = value["capitals"]?.string.flatMap(Capitals.init)
    utterance = value["as"]?.string.flatMap(Utterance.init)
    mark = value["mark"]?.string
  }
}
