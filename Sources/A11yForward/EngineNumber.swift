// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

extension Int64 {
  /// The number, if an engine that does not lie can have come to it; sums with it stay within 64
  /// bits.
  ///
  /// With a billion entries a second that many would take a hundred and forty years.
  package var ifReachable: Int64? { (0...1 << 62).contains(self) ? self : nil }
}
