// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The time of day as the user's clock shows it.
enum ClockTime {
  /// A moment, in microseconds since 1970, as `12:03:04` of this place.
  static func local(_ microseconds: Int64) -> String {
    var seconds = time_t(microseconds / 1_000_000)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return "--:--:--" }
    return text(hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
  }

  static func text(hour: Int, minute: Int, second: Int) -> String {
    [hour, minute, second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
