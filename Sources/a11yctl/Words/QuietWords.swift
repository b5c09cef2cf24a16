// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Whether it is quiet, in a sentence.
enum QuietWords {
  static func sentence(_ level: Int64, until end: Int64?, now: Int64) -> String {
    let waits: String
    switch level {
    case ...20: return "It is not quiet: all announcements are heard."
    case ...50: waits = "announcements of low priority wait"
    case ...80: waits = "announcements wait, but for urgent ones and answers to what you do"
    default: waits = "all announcements wait, urgent ones too, but for answers to what you do"
    }
    let until = end.map { end in
      " \(AgeWords.until(end, now: now)), for \(AgeWords.left(until: end, now: now)) more"
    }
    return "It is quiet\(until ?? " until you say a11yctl quiet off"): \(waits)."
  }
}
