// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One line of the table: a figure, its target, and the figures of others.
struct Row {
  enum Target {
    case atLeast(Double)
    case atMost(Double)
    /// At most this much more than the peer.
    case atMostBeyondPeer(Double)
    case atLeastPeer
    /// No target: the row explains other rows.
    case none

    /// Whether the value meets the target; nil where there is none, or no peer.
    func isMet(by value: Double, beside peer: Double?) -> Bool? {
      switch self {
      case .atLeast(let bound): value >= bound
      case .atMost(let bound): value <= bound
      case .atMostBeyondPeer(let bound): peer.map { value <= $0 + bound }
      case .atLeastPeer: peer.map { value >= $0 }
      case .none: nil
      }
    }
  }

  /// The name and unit of the figure, for reading aloud.
  let name: String
  let decimals: Int
  let target: Target
  /// The figures of other buses and stores on a machine of two processors; empty where not
  /// measured.
  let peers: String

  /// The row as a sentence, with one value of each for every round.
  func sentence(daemon: [Double], peer: [Double], called name: String) -> String {
    var parts: [String] = []
    let measured = RoundStatistics(daemon)
    let beside = RoundStatistics(peer)
    if let measured {
      parts.append(summary(of: measured))
    }
    if let beside {
      parts.append(name + " " + summary(of: beside))
    }
    if let measured, let beside, beside.median > 0 {
      parts.append("ratio \(grouped(measured.median / beside.median, decimals: 2))")
    }
    if let words = targetWords(name) {
      parts.append("target " + words)
    }
    if let measured, let isMet = target.isMet(by: measured.median, beside: beside?.median) {
      parts.append(isMet ? "met" : "missed")
    }
    let sentence = "\(self.name): \(parts.joined(separator: ", "))"
    return peers.isEmpty ? sentence : "\(sentence) [\(peers)]"
  }

  private func targetWords(_ peer: String) -> String? {
    switch target {
    case .atLeast(let bound): "at least " + grouped(bound, decimals: decimals)
    case .atMost(let bound): "at most " + grouped(bound, decimals: decimals)
    case .atMostBeyondPeer(let bound):
      "at most \(grouped(bound, decimals: decimals)) more than \(peer)"
    case .atLeastPeer: "at least that of \(peer)"
    case .none: nil
    }
  }

  private func summary(of values: RoundStatistics) -> String {
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
