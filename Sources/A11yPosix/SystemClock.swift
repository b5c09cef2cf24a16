// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The kernel's clocks, in microseconds.
package struct SystemClock: Sendable {
  package init() {}

  /// Since the machine booted, sleep included: entries carry it and windows are measured by it.
  package static func bootMicroseconds() -> UInt64 { linux_boot_microseconds() }

  /// Since the machine booted, standing still in sleep: what systemd's own times are in.
  package static func monotonicMicroseconds() -> UInt64 { linux_monotonic_microseconds() }

  /// Since 1970, as people set it: it may jump in both directions.
  package static func wallMicroseconds() -> Int64 { linux_wall_microseconds() }
}
