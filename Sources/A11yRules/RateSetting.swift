// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// A number of events in a period.
public struct Rate: Hashable, Sendable {
  public let count: Int64
  public let period: TimeSpan

  public init(count: Int64, period: TimeSpan) {
    precondition(count > 0 && period > .zero, "a rate lets something pass")
    self.count = count
    self.period = period
  }

  /// Bounds within which no sum of the presenter overflows.
  public static let counts: ClosedRange<Int64> = 1...1_000_000
  public static let periods: ClosedRange<TimeSpan> = .milliseconds(1)...Times.longest

  /// The time between two events.
  public var interval: TimeSpan { max(.microseconds(1), period / count) }
}

extension Rate {
  init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int64(parts[0]), Self.counts.contains(count) else {
      return nil
    }
    let time = String(parts[1])
    let isUnit = Quantity.durationUnits.contains { $0.name == time }
    guard let microseconds = Quantity.microseconds(isUnit ? "1" + time : time),
      Self.periods.contains(.microseconds(microseconds))
    else { return nil }
    self.init(count: count, period: .microseconds(microseconds))
  }

  /// The rate as rules have it: “4/s”, “1/10 s”.
  public var text: String {
    let time = Quantity.text(microseconds: period.microseconds)
    return "\(count)/\(time.hasPrefix("1 ") ? String(time.dropFirst(2)) : time)"
  }
}
