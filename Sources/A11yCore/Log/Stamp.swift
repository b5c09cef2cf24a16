// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The instant at which a turn of the loop takes place: all its entries bear it.
package struct Stamp: Equatable, Sendable {
  /// Wall clock, microseconds since 1970, for people.
  package let time: Int64
  /// Bus clock, microseconds; never goes back, and the only time that rules know.
  package let mono: Int64

  package init(time: Int64, mono: Int64) {
    self.time = time
    self.mono = mono
  }
}
