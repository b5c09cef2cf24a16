// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

extension Instant {
  /// So long after the start of the bus clock.
  package static func microseconds(_ count: Int64) -> Instant { Instant(microseconds: count) }
}
