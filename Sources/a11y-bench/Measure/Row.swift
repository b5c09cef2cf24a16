// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One line of the table: a figure, what it should be, and what others reach.
struct Row {
  enum Target {
    case atLeast(Double)
    case atMost(Double)

    func isMet(by value: Double) -> Bool {
      switch self {
      case .atLeast(let bound): value >= bound
      case .atMost(let bound): value <= bound
      }
    }
  }

  /// The figure with its unit, as it is read aloud.
  let name: String
  let decimals: Int
  let target: Target
  /// What other buses and stores reached on a machine of two processors.
  let peers: String

  /// The row as a sentence; values are one per round.
  func sentence(daemon: [Double], relay: [Double]) -> String {
    var parts = [name + ":"]
    let measured = Statistics(daemon)
    let limit = Statistics(relay)
    if let measured {
      parts.append(words(for: measured) + ",")
    }
    if let limit {
      parts.append("relay " + words(for: limit) + ",")
    }
    if let measured, let limit, limit.median > 0 {
      parts.append("ratio \(grouped(measured.median / limit.median, decimals: 2)),")
    }
    parts.append("target " + targetWords + (measured == nil ? "" : ","))
    if let measured {
      parts.append(target.isMet(by: measured.median) ? "met" : "missed")
    }
    parts.append("[\(peers)]")
    return parts.joined(separator: " ")
  }

  private var targetWords: String {
    switch target {
    case .atLeast(let bound): "at least " + grouped(bound, decimals: decimals)
    case .atMost(let bound): "at most " + grouped(bound, decimals: decimals)
    }
  }

  private func words(for values: Statistics) -> String {
    let median = grouped(values.median, decimals: decimals)
    let least = grouped(values.least, decimals: decimals)
    let most = grouped(values.most, decimals: decimals)
    return "\(median) (\(least)–\(most))"
  }
}

/// A number with commas between thousands, rounded to `decimals` places.
func grouped(_ value: Double, decimals: Int) -> String {
  let scale = (0..<decimals).reduce(1) { product, _ in product * 10 }
  let rounded = Int((abs(value) * Double(scale)).rounded())
  var whole = ""
  for (index, digit) in String(rounded / scale).reversed().enumerated() {
    if index > 0, index % 3 == 0 { whole.append(",") }
    whole.append(digit)
  }
  let sign = value < 0 && rounded > 0 ? "-" : ""
  guard decimals > 0 else { return sign + String(whole.reversed()) }
  let fraction = String(rounded % scale)
  let zeros = String(repeating: "0", count: decimals - fraction.count)
  return sign + String(whole.reversed()) + "." + zeros + fraction
}
