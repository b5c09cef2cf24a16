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

  init(_ delivery: DeliveryEntry) { self.init(delivery, secret: nil, isShown: true) }

  /// With the words that only readers get; shown only where that is wanted, and otherwise as roughly
  /// as the log has them, so that their length says nothing either.
  init(_ delivery: DeliveryEntry, secret: SpeechText?, isShown: Bool) {
    let shown = (isShown ? secret : nil) ?? delivery.speech
    var parts: [String] = []
    if let earcon = delivery.earcon { parts.append("[\(earcon)]") }
    let words = shown.runs.map(Self.words).joined()
    if !words.isEmpty { parts.append(words) }
    let hidden = secret != nil && isShown ? nil : delivery.hidden
    if let hidden { parts.append("(\(EntryWords.hidden(hidden)))") }
    let guess = secret == nil ? hidden.map(Self.guess) ?? 0 : 0
    if delivery.isTruncated { parts.append("(goes on)") }
    if delivery.isAgain { parts.append("(once more)") }
    if let late = delivery.late { parts.append("(\(late.components.seconds) s late)") }
    line = VisibleText.of(parts.joined(separator: " "))
    plain = hidden == nil ? VisibleText.of(shown.text) : nil
    characters = Int64((secret ?? shown).text.unicodeScalars.count) + guess
  }

  /// A run with the manner of speaking behind it.
  private static func words(_ run: SpeechText.Run) -> String {
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
