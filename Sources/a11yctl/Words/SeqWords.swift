// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yExplain
import A11yWire

/// Runs of seqs, and counts of things, in words.
enum SeqWords {
  /// “entry 7” or “entries 7 to 9”.
  static func entries(_ range: ClosedRange<Seq>) -> String {
    range.lowerBound == range.upperBound
      ? "entry \(range.lowerBound.number)"
      : "entries \(range.lowerBound.number) to \(range.upperBound.number)"
  }

  /// “entries 7 to 9, 12 and 20 to 21”.
  static func entries(_ ranges: [ClosedRange<Seq>]) -> String {
    guard ranges.count != 1 else { return entries(ranges[0]) }
    let parts = ranges.map { range in
      range.lowerBound == range.upperBound
        ? "\(range.lowerBound.number)"
        : "\(range.lowerBound.number) to \(range.upperBound.number)"
    }
    return "entries " + Sentences.listed(parts)
  }

  static func count(_ number: Int64, _ one: String, _ many: String) -> String {
    number == 1 ? "1 \(one)" : "\(number) \(many)"
  }
}

extension String {
  /// With a capital at the beginning of a sentence, for the bus's own words.
  var asSentence: String { asSentence(of: nil) }

  /// With a capital at the beginning of a sentence, unless that begins with an app's id, which is
  /// never changed.
  func asSentence(of app: String?) -> String {
    if let app, !app.isEmpty, hasPrefix(app) { return self }
    return prefix(1).uppercased() + dropFirst()
  }
}
