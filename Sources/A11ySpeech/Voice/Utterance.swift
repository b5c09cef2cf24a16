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
  /// The moment at which it was wanted.
  let came: Int64
  /// The moment at which speech-dispatcher had taken it.
  var given: Int64?
  /// The moment at which its speech began.
  var began: Int64?
  /// The moment of its beginning, or of the mark that came last.
  var passed: Int64?
  /// The moment at which the processes behind it were last seen at work.
  var stirred: Int64?
  /// The mark that came last.
  var mark: Int?
  /// The moment at which somebody wanted it to stop.
  var cut: Int64?
  /// The moment by which the news that it has stopped has to come.
  var due: Int64?
  /// Whether it was told to be lost; speech-dispatcher may still come to its end.
  var isLost = false

  init(
    _ delivery: Int64?,
    _ spoken: MarkedText,
    _ manner: VoiceManner,
    isSecret: Bool = false,
    at now: Int64
  ) {
    self.delivery = delivery
    self.spoken = spoken
    self.manner = manner
    self.isSecret = isSecret
    came = now
  }

  /// The mark of the text's sender that came last.
  var senderMark: String? { mark.flatMap { spoken.senderMark(at: $0) } }

  /// The last moment at which there was a sign that it is on its way, or is being spoken.
  var lastSign: Int64? { [passed, stirred].compactMap { $0 }.max() }

  /// Whether it has waited for others as long as it may, and they still speak.
  func hasWaitedForOthers(at now: Int64) -> Bool {
    guard began == nil, delivery != nil, stirred != nil else { return false }
    return now - came >= Voice.longestWait
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
