// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix

/// The clocks as the bus and its log read them; they know no other.
///
/// Behind it is the kernel or, in the simulator, whatever the seed says that time it is.
package protocol BusTime {
  /// Microseconds since the machine booted, sleep included.
  func bootMicroseconds() -> UInt64

  /// Microseconds since the machine booted, standing still in sleep: what work is measured by.
  func monotonicMicroseconds() -> UInt64

  /// Microseconds since 1970, as people set it: it may jump in both directions.
  func wallMicroseconds() -> Int64
}

extension SystemClock: BusTime {
  package func bootMicroseconds() -> UInt64 { Self.bootMicroseconds() }
  package func monotonicMicroseconds() -> UInt64 { Self.monotonicMicroseconds() }
  package func wallMicroseconds() -> Int64 { Self.wallMicroseconds() }
}
