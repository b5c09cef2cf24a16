// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix

/// A delivery as a line that shows what would be heard, sounds and manners of speaking in words.
struct SpeechWords {
  /// The line; empty where nothing would be heard.
  let line: String
  /// The words alone, where they are no secret.
  let plain: String?
  /// How many characters are spoken.
  let characters: Int64

  init(_ delivery: Delivery) { self.init(delivery, secret: nil, isShown: true) }

  /// With the words that only readers get; shown as such only where that is wanted.
  init(_ delivery: Delivery, secret: Speech?, isShown: Bool) {
    let speech = secret ?? delivery.speech
    var count = Int64(speech.text.unicodeScalars.count)
    var parts: [String] = []
    if let earcon = delivery.earcon { parts.append("[\(earcon)]") }
    var plain: String?
    if secret != nil, !isShown {
      parts.append("(a hidden text of \(count) characters)")
    } else {
      let words = speech.runs.map(Self.words).joined()
      if !words.isEmpty { parts.append(words) }
      plain = VisibleText.of(speech.text)
      if secret == nil, let hidden = delivery.hidden {
        parts.append("(\(EntryWords.hidden(hidden)))")
        count += Self.guess(hidden)
        plain = nil
      }
    }
    if delivery.isTruncated { parts.append("(goes on)") }
    if delivery.isAgain { parts.append("(once more)") }
    if let late = delivery.late { parts.append("(\(late.components.seconds) s late)") }
    line = VisibleText.of(parts.joined(separator: " "))
    self.plain = plain
    characters = count
  }

  /// A run with the manner of speaking behind it.
  private static func words(_ run: Speech.Run) -> String {
    var manners: [String] = []
    if run.spell == true { manners.append("spelled") }
    if run.punctuation == true { manners.append("with punctuation") }
    if let lang = run.lang { manners.append("language \(lang)") }
    if let ipa = run.ipa { manners.append("spoken as \(ipa)") }
    if let pitch = run.pitch, pitch != 1 { manners.append("pitch \(pitch)") }
    guard !manners.isEmpty else { return run.text }
    let end = run.text.hasSuffix(" ") ? " " : ""
    let text = end.isEmpty ? run.text : String(run.text.dropLast())
    return "\(text) (\(manners.joined(separator: ", ")))\(end)"
  }

  /// About how many characters a hidden text has.
  private static func guess(_ lengths: String) -> Int64 {
    lengths.split(separator: "-").last.flatMap { Int64($0) } ?? 40
  }
}
