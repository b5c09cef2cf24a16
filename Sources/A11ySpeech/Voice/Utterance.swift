// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A text on its way through the synthesizer.
struct Utterance: Equatable {
  /// The delivery whose end is reported; nil for what the voice says on its own.
  let delivery: Int64?
  let spoken: MarkedText
  let manner: VoiceManner
  /// Whether its words must not be told to anybody.
  let isSecret: Bool
  /// The number that speech-dispatcher has given it.
  var message: Int?
  /// The moment at which its speech began.
  var began: Int64?
  /// The mark that came last.
  var mark: Int?
  /// The moment at which somebody wanted it to stop.
  var cut: Int64?
  /// The moment by which something has to be heard of it.
  var due: Int64?

  init(_ delivery: Int64?, _ spoken: MarkedText, _ manner: VoiceManner, isSecret: Bool = false) {
    self.delivery = delivery
    self.spoken = spoken
    self.manner = manner
    self.isSecret = isSecret
  }

  /// The time for which it was heard, in milliseconds.
  func heard(until now: Int64) -> Int64 {
    guard let began else { return 0 }
    return max(0, (cut ?? now) - began) / 1_000
  }

  /// How far it came, for people who ask: a count, so that no text outlives its event in a report.
  var extent: String? {
    guard !isSecret, let mark else { return nil }
    let heard = Self.wordCount(of: spoken.portion(before: mark))
    return "after \(heard) of \(Self.wordCount(of: spoken.text[...])) words"
  }

  private static func wordCount(of text: Substring) -> Int {
    text.split(whereSeparator: \.isWhitespace).count
  }
}
