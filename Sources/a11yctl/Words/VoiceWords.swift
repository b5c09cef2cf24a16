// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11ySpeech

/// The settings of the voice in sentences.
enum VoiceWords {
  /// The settings for an app, or for all.
  static func sentences(_ settings: VoiceSettings, app: String?) -> [String] {
    let manner = settings.manner(for: app)
    var sentences = app.map { ["For \(VisibleText.of($0)):"] } ?? []
    sentences += [
      "Synthesizer: \(manner.synthesizer.map { VisibleText.of($0) } ?? "the usual one").",
      "Language: \(manner.language.map { LanguageName.english($0) } ?? "the usual one").",
      "Voice: \(manner.voice.map { VisibleText.of($0) } ?? "the usual one").",
      "Rate: \(manner.rate ?? 0), of -100 to 100.",
      "Pitch: \(manner.pitch ?? 0), of -100 to 100.",
      "Volume: \(manner.volume ?? 100), of -100 to 100.",
      "Punctuation: \((manner.punctuation ?? .some).rawValue).",
    ]
    if manner.synthesizer?.hasPrefix("espeak") ?? true {
      sentences.append("eSpeak says the written text where an app gives a pronunciation.")
    }
    guard app == nil else { return sentences }
    sentences.append(settings.sounds ? "Sounds are on." : "Sounds are off.")
    sentences.append(
      settings.speaksPasswords
        ? "Passwords are spoken as they are." : "Passwords are spoken as bullets."
    )
    for app in settings.apps.keys.sorted() {
      sentences.append(
        "\(VisibleText.of(app)) has a voice of its own: a11yctl voice --app \(VisibleText.of(app))."
      )
    }
    return sentences
  }
}
