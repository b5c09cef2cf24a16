// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The growth of a cost with the size of one thing.
struct GrowthCurve {
  /// The values of one server, one for each size; nil where it was not measured.
  struct Series {
    let name: String
    let values: [Double?]
  }

  let name: CurveName
  let sizes: [Int]
  var series: [Series] = []
  /// The sizes at which a server failed, and how.
  var failures: [String] = []

  /// The values as sentences, for all who do not see the drawing.
  var sentences: [String] {
    series.map { line in
      let words = zip(sizes, line.values).compactMap { size, value in
        value.map { value in
          let place = grouped(Double(size), decimals: 0)
          return "\(grouped(value, decimals: name.decimals)) at \(place)"
        }
      }
      return "\(line.name): \(words.joined(separator: ", "))."
    } + failures
  }
}

/// The curves by the names that the command line knows.
enum CurveName: String, CaseIterable {
  case subscribers, entries, rules, elements, readers

  var title: String {
    switch self {
    case .subscribers: "Processor time per delivery in µs, by subscribers"
    case .entries: "Start after a clean stop in ms, by entries on disk"
    case .rules: "Processor time per event in µs, by rules of the user"
    case .elements: "Processor time of a step of the focus in µs, by elements of the window"
    case .readers: "Processor time per event in µs, by readers that report"
    }
  }

  var sizes: [Int] {
    switch self {
    case .subscribers: [1, 10, 100, 1_000, 10_000]
    case .entries: [1_000, 10_000, 100_000, 1_000_000, 10_000_000]
    // The daemon takes 512 rules in all, its own among them; a file with more is left out.
    case .rules: [1, 10, 100, 490]
    case .elements: [1, 10, 100, 1_000, 10_000, 100_000]
    case .readers: [0, 1, 2, 5, 10]
    }
  }

  var peers: [Peer] {
    switch self {
    case .subscribers: Peer.buses
    case .entries: [.redis, .nats]
    case .rules, .elements, .readers: []
    }
  }

  /// The largest size at which a peer is measured; beyond it a run would take too long.
  func bound(of peer: Peer) -> Int {
    switch (self, peer) {
    case (.subscribers, .nats), (.subscribers, .mosquitto): 1_000
    case (.entries, _): 1_000_000
    default: .max
    }
  }

  var decimals: Int { self == .entries || self == .elements ? 1 : 2 }
}
