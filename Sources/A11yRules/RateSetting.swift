// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A number of events in a period.
public struct Rate: Hashable, Sendable {
  public let count: Int64
  /// In microseconds.
  public let period: Int64

  public init(count: Int64, period: Int64) {
    precondition(count > 0 && period > 0, "a rate lets something pass")
    self.count = count
    self.period = period
  }

  /// Bounds within which no sum of the presenter overflows.
  public static let counts: ClosedRange<Int64> = 1...1_000_000
  public static let periods: ClosedRange<Int64> = 1_000...Times.longest

  /// The time between two events, in microseconds.
  public var interval: Int64 { max(1, period / count) }
}

extension Rate {
  init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int64(parts[0]), Self.counts.contains(count) else {
      return nil
    }
    let time = String(parts[1])
    let isUnit = Quantity.durationUnits.contains { $0.name == time }
    guard let period = Quantity.microseconds(isUnit ? "1" + time : time),
      Self.periods.contains(period)
    else { return nil }
    self.init(count: count, period: period)
  }

  /// The rate as rules have it: “4/s”, “1/10 s”.
  public var text: String {
    let time = Quantity.text(microseconds: period)
    return "\(count)/\(time.hasPrefix("1 ") ? String(time.dropFirst(2)) : time)"
  }
}
