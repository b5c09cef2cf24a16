// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yExplain

/// The names that speech-dispatcher and its synthesizers know.
///
/// speech-dispatcher takes any name for a synthesizer, a voice or a language, and then speaks as it
/// did before, so that a name is looked up before it is written down.
struct VoiceNames {
  /// The settings whose values are names.
  static let keys = ["synthesizer", "voice", "language"]

  /// The owner of the names, as the subject of a sentence.
  let owner: String
  let names: [String]
  private let key: String

  init(of key: String, from owner: String, _ names: [String]) {
    self.key = key
    self.owner = owner
    self.names = names
  }

  /// The names for a setting, of the speech-dispatcher that answers; nil where they cannot be had.
  init?(of key: String, at server: SpeechServer, synthesizer: String?) {
    if key == "synthesizer" {
      guard let names = server.synthesizers else { return nil }
      self.init(of: key, from: "speech-dispatcher", names)
    } else {
      guard let voices = server.voices(of: synthesizer) else { return nil }
      let owner = synthesizer ?? "The synthesizer"
      self.init(of: key, from: owner, voices.map { key == "voice" ? $0.name : $0.language })
    }
  }

  /// Whether a name is known.
  ///
  /// A language is known by a longer or a shorter name of it, too: de is spoken for de-AT.
  func has(_ name: String) -> Bool {
    guard key == "language" else { return names.contains(name) }
    let wanted = Self.language(name)
    return names.contains { Self.language($0) == wanted }
  }

  private static func language(_ name: String) -> String {
    name.lowercased().prefix { $0 != "-" && $0 != "_" }.description
  }

  /// The sentence against a name that is not known.
  func refusal(of name: String) -> String {
    // Each voice has a hundred variants, with a plus sign; a name without one means none of them.
    let plain = name.contains("+") ? names : names.filter { !$0.contains("+") }
    let near = NearbyNames.question(NearbyNames.to(name, among: plain))
    let few = Set(plain).count <= Self.most
    let list = few ? " It has \(Sentences.listed(Set(plain).sorted()))." : Self.advice
    return "\(owner) has no \(key) \(name)\(near)\(list)"
  }

  /// A longer list is not one sentence.
  private static let most = 8
  private static let advice = " a11yctl voice list tells all."
}
