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

  /// The stamp that a line states; nil where no clock can have said so.
  package init?(statedTime time: Int64?, mono: Int64?) {
    guard let time = time.flatMap(Self.stated), let mono = mono.flatMap(Self.stated)
    else { return nil }
    self.init(time: time, mono: mono)
  }

  /// Microseconds as a line states them; nil where they are so many that sums would not fit, some
  /// 36,000 years to either side.
  package static func stated(_ microseconds: Int64) -> Int64? {
    (-1 << 60...1 << 60).contains(microseconds) ? microseconds : nil
  }
}
