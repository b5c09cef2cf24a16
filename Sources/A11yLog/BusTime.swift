// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix

/// The clocks that the bus and its log read: the kernel's or, in the simulator, those of the seed.
package protocol BusTime {
  /// Microseconds since the machine booted, sleep included.
  func bootMicroseconds() -> UInt64

  /// Microseconds since the machine booted, without sleep: the measure of work.
  func monotonicMicroseconds() -> UInt64

  /// Microseconds since 1970, as people set it: it may jump in both directions.
  func wallMicroseconds() -> Int64
}

extension SystemClock: BusTime {
  package func bootMicroseconds() -> UInt64 { Self.bootMicroseconds() }
  package func monotonicMicroseconds() -> UInt64 { Self.monotonicMicroseconds() }
  package func wallMicroseconds() -> Int64 { Self.wallMicroseconds() }
}
