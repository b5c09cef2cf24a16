// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// Lengths of time in words that are read out.
package enum Lengths {
  /// Exact: “100 ms”, “1.5 s”, “10 s”, “5 min”; for numbers that somebody has set.
  package static func exact(_ span: TimeSpan) -> String {
    let milliseconds = span.wholeMilliseconds
    if milliseconds < 1_000 { return "\(milliseconds) ms" }
    if milliseconds % 60_000 == 0, milliseconds >= 60_000 { return "\(milliseconds / 60_000) min" }
    if milliseconds % 1_000 == 0 { return "\(milliseconds / 1_000) s" }
    var digits = String(milliseconds % 1_000)
    digits = String(repeating: "0", count: 3 - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(milliseconds / 1_000).\(digits) s"
  }

  /// Rounded for the ear: “40 ms”, “0.4 s”, “12 s”, “3 min”.
  package static func rough(_ span: TimeSpan) -> String {
    let microseconds = max(0, span.microseconds)
    if microseconds < 100_000 { return "\(microseconds / 1_000) ms" }
    let tenths = microseconds / 100_000 + (microseconds % 100_000 >= 50_000 ? 1 : 0)
    if tenths < 100 {
      return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
    let seconds = max(10, microseconds / 1_000_000)
    if seconds < 120 { return "\(seconds) s" }
    let minutes = seconds / 60
    return minutes < 120 ? "\(minutes) min" : "\(minutes / 60) h"
  }
}
