// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The manner of speaking that a person has chosen; nil leaves the synthesizer its own.
package struct VoiceManner: Equatable, Sendable {
  package var synthesizer: String?
  package var language: String?
  package var voice: String?
  package var rate: Int?
  package var pitch: Int?
  package var volume: Int?
  package var punctuation: Punctuation?

  package enum Punctuation: String, CaseIterable, Sendable {
    case none
    case some
    case most
    case all
  }

  package init() {}

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
    set("SYNTHESIS_VOICE", voice, other?.voice)
    isFresh = other == nil
    set("RATE", rate.map(String.init), other?.rate.map(String.init))
    set("PITCH", pitch.map(String.init), other?.pitch.map(String.init))
    set("VOLUME", volume.map(String.init), other?.volume.map(String.init))
    set("PUNCTUATION", punctuation?.rawValue, other?.punctuation?.rawValue)
    return settings
  }

  /// How long a character of plain speech takes, at most: a bound for deadlines, not a measure.
  var longestCharacter: Int64 {
    let rate = Int64(min(max(rate ?? 0, -100), 100))
    let usual: Int64 = 80_000
    return rate < 0 ? usual * (100 - rate * 2) / 100 : usual * 100 / (100 + rate)
  }
}
