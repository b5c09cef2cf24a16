// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix

/// A delivery as a line, with sounds and manners of speaking in words.
struct SpeechWords {
  /// The line; empty where nothing would be audible.
  let line: String
  /// The words alone, unless they are secret.
  let plain: String?
  /// The number of spoken characters.
  let characters: Int64

  init(_ delivery: DeliveryEntry) { self.init(delivery, secret: nil, isShown: true) }

  /// A delivery with the secret words that only readers get.
  ///
  /// Unless they are to be shown, the line has their rough length alone, as the log does.
  init(_ delivery: DeliveryEntry, secret: SpeechText?, isShown: Bool) {
    let shown = (isShown ? secret : nil) ?? delivery.speech
    var parts: [String] = []
    if let earcon = delivery.earcon { parts.append("[\(earcon)]") }
    let words = shown.runs.map(Self.shown).joined()
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
  private static func shown(_ run: SpeechText.Run) -> String {
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

  /// The rough number of characters of a hidden text.
  private static func guess(_ lengths: String) -> Int64 {
    lengths.split(separator: "-").last.flatMap { Int64($0) } ?? 40
  }
}
