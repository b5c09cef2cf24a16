// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
package import A11yToml

/// The settings of the voice, as `speech.toml` has them.
///
/// The table `[voice]` is for all apps; a table `[app."NAME"]` lies over it for one.
package struct VoiceSettings: CompanionSettings, Equatable, Sendable {
  /// The name of the file, without its end.
  package static let fileName = "speech"

  package private(set) var manner: VoiceManner
  package private(set) var apps: [String: VoiceManner] = [:]
  /// Whether there are sounds for screens, ends and the like.
  package private(set) var sounds = true
  /// Whether the values of password fields are spoken; otherwise each character is a bullet.
  package private(set) var speaksPasswords = false

  /// Tables for apps; further ones are refused.
  private static let mostApps = 256

  package init() {
    manner = VoiceManner()
    (manner.rate, manner.pitch, manner.volume, manner.punctuation) = (0, 0, 100, .some)
  }

  /// The manner of speaking for an app.
  package func manner(for app: String?) -> VoiceManner {
    app.flatMap { apps[$0] }?.over(manner) ?? manner
  }

  package static var all: [Setting<Self>] {
    // A word goes to speech-dispatcher in a line of its own.
    let word = SettingForm<String>.text("expected a word of at most 128 bytes") { text in
      1...128 ~= text.utf8.count
        && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }.orNone
    let number = SettingForm<Int>.count(-100...100, "expected a number from -100 to 100").orNone
    let words = VoiceManner.Punctuation.allCases.map(\.rawValue).joined(separator: ", ")
    let punctuation = SettingForm<VoiceManner.Punctuation>.word("expected one of \(words)").orNone
    return [
      Setting("voice", "synthesizer", \.manner.synthesizer, word),
      Setting("voice", "language", \.manner.language, word),
      Setting("voice", "voice", \.manner.voice, word),
      Setting("voice", "rate", \.manner.rate, number),
      Setting("voice", "pitch", \.manner.pitch, number),
      Setting("voice", "volume", \.manner.volume, number),
      Setting(
        "voice",
        "punctuation",
        \.manner.punctuation,
        punctuation
      ),
      Setting("voice", "sounds", \.sounds, .flag),
      Setting("voice", "passwords", \.speaksPasswords, .flag),
    ]
  }

  /// The settings that are for all apps alone.
  private static let common = ["sounds", "passwords"]

  /// The names that a table may hold.
  package static let keys = all.map(\.key)

  package mutating func apply(_ entry: TomlEntry) -> String? {
    let tables = "expected the table [voice], or [app.\"NAME\"]"
    if entry.value == .table {
      let isKnown = entry.path.isEmpty ? ["voice", "app"].contains(entry.key) : entry.path == "app"
      return isKnown ? nil : tables
    }
    let setting = Self.all.first { $0.key == entry.key }
    let names = "expected one of \(Self.keys.joined(separator: ", "))"
    if entry.path == "voice" { return setting.map { $0.take(entry.value, &self) } ?? names }
    guard entry.path.hasPrefix("app.") else { return tables }
    let app = String(entry.path.dropFirst("app.".count)).trimmingQuotes
    guard apps[app] != nil || apps.count < Self.mostApps else {
      return "expected at most \(Self.mostApps) apps"
    }
    guard let setting, !Self.common.contains(setting.key) else { return names }
    // The app's own manner is laid over the common one later; here it stands in its place.
    let shared = manner
    manner = apps[app] ?? VoiceManner()
    defer { (apps[app], manner) = (manner, shared) }
    return setting.take(entry.value, &self)
  }
}

extension String {
  /// The name without the quotation marks of TOML around it.
  fileprivate var trimmingQuotes: String {
    guard count >= 2, hasPrefix("\""), hasSuffix("\"") else { return self }
    return String(dropFirst().dropLast())
  }
}

/// The manner of speaking that a person has chosen; nil leaves the synthesizer its own.
package struct VoiceManner: Equatable, Sendable {
  package var synthesizer: String?
  package var language: String?
  package var voice: String?
  package var rate: Int?
  package var pitch: Int?
  package var volume: Int?
  package var punctuation: Punctuation?
  package var pitchRange: Int?
  package var capitals: String?

  package enum Punctuation: String, CaseIterable, Sendable {
    case none
    case some
    case most
    case all
  }

  package init() {}

  /// Takes over the manner that a text brings with it, and out of its runs what is taken.
  ///
  /// A text that says its rate, its volume or its voice is spoken as its sender has it: programs
  /// that speak for themselves have settings of their own.
  mutating func takeManner(from runs: inout [SpeechText.Run]) {
    func shared<Value: Equatable>(_ path: KeyPath<SpeechText.Run, Value?>) -> Value? {
      guard let value = runs.first?[keyPath: path] else { return nil }
      return runs.allSatisfy { $0[keyPath: path] == value } ? value : nil
    }
    let own = (rate: shared(\.rate), volume: shared(\.volume), voice: shared(\.voice))
    guard own.rate != nil || own.volume != nil || own.voice != nil else { return }
    let (pitch, range) = (shared(\.pitch), shared(\.pitchRange))
    let (capitals, punctuation, lang) = (shared(\.capitals), shared(\.punctuation), shared(\.lang))
    rate = own.rate.map(SsipScale.relative.number) ?? rate
    volume = own.volume.map(SsipScale.volume.number) ?? volume
    self.pitch = pitch.map(SsipScale.relative.number) ?? self.pitch
    pitchRange = range.map(SsipScale.relative.number) ?? pitchRange
    self.capitals = capitals?.rawValue ?? self.capitals
    self.punctuation =
      punctuation.flatMap { Punctuation(rawValue: $0.rawValue) } ?? self.punctuation
    if let name = own.voice { (voice, language) = (name, lang ?? language) }
    for index in runs.indices {
      if own.rate != nil { runs[index].rate = nil }
      if own.volume != nil { runs[index].volume = nil }
      if pitch != nil { runs[index].pitch = nil }
      if range != nil { runs[index].pitchRange = nil }
      if punctuation != nil { runs[index].punctuation = nil }
      if own.voice != nil, lang != nil { runs[index].lang = nil }
    }
  }

  /// This manner where it says something, and the other one elsewhere.
  package func over(_ other: VoiceManner) -> VoiceManner {
    var manner = self
    manner.synthesizer = synthesizer ?? other.synthesizer
    manner.language = language ?? other.language
    manner.voice = voice ?? other.voice
    manner.rate = rate ?? other.rate
    manner.pitch = pitch ?? other.pitch
    manner.volume = volume ?? other.volume
    manner.punctuation = punctuation ?? other.punctuation
    manner.pitchRange = pitchRange ?? other.pitchRange
    manner.capitals = capitals ?? other.capitals
    return manner
  }

  /// The commands that lead from another manner to this one.
  func settings(after other: VoiceManner?) -> [String] {
    var settings: [String] = []
    var isFresh = false
    func set(_ name: String, _ value: String?, _ old: String?) {
      guard let value, isFresh || value != old else { return }
      settings.append("\(name) \(value)")
    }
    set("OUTPUT_MODULE", synthesizer, other?.synthesizer)
    // A synthesizer begins with a language of its own, and a language with a voice of its own.
    isFresh = !settings.isEmpty
    if other?.voice != nil, voice == nil { isFresh = true }
    let count = settings.count
    set("LANGUAGE", language, other?.language)
    isFresh = isFresh || settings.count > count
    set(Self.isKind(voice) ? "VOICE_TYPE" : "SYNTHESIS_VOICE", voice, other?.voice)
    isFresh = other == nil
    set("RATE", rate.map(String.init), other?.rate.map(String.init))
    set("PITCH", pitch.map(String.init), other?.pitch.map(String.init))
    set("VOLUME", volume.map(String.init), other?.volume.map(String.init))
    set("PUNCTUATION", punctuation?.rawValue, other?.punctuation?.rawValue)
    // Those that nobody has set are the usual ones again behind a text that had its own.
    set(
      "PITCH_RANGE",
      (pitchRange ?? other?.pitchRange.map { _ in 0 }).map(String.init),
      other.map { String($0.pitchRange ?? 0) }
    )
    set(
      "CAP_LET_RECOGN",
      capitals ?? other?.capitals.map { _ in "none" },
      other.map { $0.capitals ?? "none" }
    )
    return settings
  }

  /// The voices that speech-dispatcher knows by their kind, whatever the synthesizer calls them.
  private static func isKind(_ voice: String?) -> Bool {
    let kinds = [
      "male1", "male2", "male3", "female1", "female2", "female3", "child_male", "child_female",
    ]
    return voice.map { kinds.contains($0.lowercased()) } ?? false
  }

  /// How long a character of plain speech takes, at most: a bound for deadlines, not a measure.
  var longestCharacter: Int64 {
    let rate = Int64(min(max(rate ?? 0, -100), 100))
    let usual: Int64 = 80_000
    return rate < 0 ? usual * (100 - rate * 2) / 100 : usual * 100 / (100 + rate)
  }
}
