// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Median and extremes over the rounds of a figure.
struct RoundStatistics {
  let median: Double
  let least: Double
  let most: Double

  /// The statistics; nil without a round.
  init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let least = sorted.first, let most = sorted.last else { return nil }
    self.least = least
    self.most = most
    median = RoundStatistics.quantile(0.5, of: sorted)
  }

  /// The value below which `share` of the sorted values lie, between neighbours by their distance.
  static func quantile(_ share: Double, of sorted: [Double]) -> Double {
    precondition(!sorted.isEmpty, "a quantile is asked of at least one value")
    let place = share * Double(sorted.count - 1)
    let below = Int(place)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
  }
}
