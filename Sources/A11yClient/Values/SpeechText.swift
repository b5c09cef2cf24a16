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
    /// Whether its punctuation is spoken.
    public var punctuation: Bool?
    /// The pronunciation, in the International Phonetic Alphabet.
    public var ipa: String?
    /// Its language, as in `de-AT`.
    public var lang: String?
    /// The pitch of the voice, 1 being the usual one.
    public var pitch: Double?

    /// A stretch of text with its manner of speaking.
    public init(
      _ text: String,
      spell: Bool? = nil,
      punctuation: Bool? = nil,
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
    if runs.count == 1, runs[0] == Run(runs[0].text) { return .string(runs[0].text) }
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
  var json: JSONValue {
    var members = [JSONValue.Member("text", .string(text))]
    if let spell { members.append(.init("spell", .flag(spell))) }
    if let punctuation { members.append(.init("punctuation", .flag(punctuation))) }
    if let ipa { members.append(.init("ipa", .string(ipa))) }
    if let lang { members.append(.init("lang", .string(lang))) }
    if let pitch { members.append(.init("pitch", .number(String(pitch)))) }
    return .object(members)
  }

  init?(_ value: JSONValue) {
    guard let text = value["text"]?.string else { return nil }
    self.init(
      text,
      spell: value["spell"]?.flag,
      punctuation: value["punctuation"]?.flag,
      ipa: value["ipa"]?.string,
      lang: value["lang"]?.string,
      pitch: value["pitch"]?.double
    )
  }
}
