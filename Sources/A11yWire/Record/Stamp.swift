// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The time of a turn of the loop, which all its entries bear.
package struct Stamp: Equatable, Sendable {
  /// Wall clock, microseconds since 1970, for people.
  package let time: Int64
  /// Bus clock, microseconds; never goes back, and the only time that rules use.
  package let mono: Int64

  package init(time: Int64, mono: Int64) {
    self.time = time
    self.mono = mono
  }

  /// The stamp that a line states; nil where no clock can have shown it.
  package init?(statedTime time: Int64?, mono: Int64?) {
    guard let time = time.flatMap(Self.stated), let mono = mono.flatMap(Self.stated)
    else { return nil }
    self.init(time: time, mono: mono)
  }

  /// Microseconds that a line states; nil where no clock of a bus can have shown them.
  package static func stated(_ microseconds: Int64) -> Int64? {
    instants.contains(microseconds) ? microseconds : nil
  }

  /// 146,000 years.
  private static let instants: Range<Int64> = 0..<1 << 62
}
