// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One line of the table: a figure and its goals.
struct Row {
  /// The name and unit of the figure, for reading aloud.
  ///
  /// Rates end with “per second”, and more of them is better; of anything else, less is.
  let name: String
  let decimals: Int
  /// None where the row explains other rows.
  let goals: [Goal]

  init(_ name: String, _ decimals: Int, _ goals: [Goal]) {
    self.name = name
    self.decimals = decimals
    self.goals = goals
  }

  init(_ name: String, _ decimals: Int, _ goals: Goal...) { self.init(name, decimals, goals) }

  var isRate: Bool { name.hasSuffix("per second") }

  func words(of value: Double) -> String { grouped(value, decimals: decimals) }

  func words(of value: Double?) -> String { value.map(words) ?? ResultTable.none }
}

/// A bound that a figure should keep, most often beside a peer, since times differ by machine.
enum Goal {
  case atLeast(Double)
  case atMost(Double)
  /// At most this much more than the peer's figure.
  case atMostBeyond(Double, Peer)
  /// At least so many times the peer's figure.
  case atLeastTimes(Double, Peer)
  /// At most so many times the peer's figure.
  case atMostTimes(Double, Peer)

  /// Whether the figures of a row keep the bound; nil where one of them was not measured.
  func isMet(by result: RowResult) -> Bool? {
    guard let own = result.daemonMedian else { return nil }
    return switch self {
    case .atLeast(let bound): own >= bound
    case .atMost(let bound): own <= bound
    case .atMostBeyond(let bound, let peer): result.median(of: peer).map { own <= $0 + bound }
    case .atLeastTimes(let times, let peer): result.ratio(to: peer).map { $0 >= times }
    case .atMostTimes(let times, let peer): result.ratio(to: peer).map { $0 <= times }
    }
  }

  /// The bound for reading aloud, with numbers as the row writes them.
  func phrase(in row: Row) -> String {
    switch self {
    case .atLeast(let bound): "at least \(row.words(of: bound))"
    case .atMost(let bound): "at most \(row.words(of: bound))"
    case .atMostBeyond(let bound, let peer):
      "at most \(row.words(of: bound)) more than \(peer.rawValue)"
    case .atLeastTimes(let times, let peer):
      "at least \(grouped(times, decimals: 1)) times \(peer.rawValue)"
    case .atMostTimes(let times, let peer):
      "at most \(grouped(times, decimals: 1)) times \(peer.rawValue)"
    }
  }
}

/// A row with the values of the daemon and of its peers, one of each for every round.
struct RowResult {
  let row: Row
  /// In the order in which they took turns; no values where the subject has no such thing.
  private(set) var peers: [(peer: Peer, values: [Double])]
  private(set) var daemon: [Double] = []

  init(_ row: Row, peers: [Peer]) {
    self.row = row
    self.peers = peers.map { ($0, []) }
  }

  mutating func collect(_ value: Double?, of subject: Subject) {
    guard let value else { return }
    switch subject {
    case .daemon: daemon.append(value)
    case .peer(let peer):
      guard let index = peers.firstIndex(where: { $0.peer == peer }) else { return }
      peers[index].values.append(value)
    }
  }

  /// The values of a peer are no figure when one of its rounds has lost something.
  mutating func discard(_ peer: Peer) { peers.removeAll { $0.peer == peer } }

  var daemonMedian: Double? { RoundStatistics(daemon)?.median }

  func median(of peer: Peer) -> Double? {
    peers.first { $0.peer == peer }.flatMap { RoundStatistics($0.values)?.median }
  }

  /// The median of the daemon as a multiple of the relay's, or of the disk's or SQLite's.
  var ratioToBound: (ratio: Double, peer: Peer)? {
    guard let first = peers.first?.peer, first.word == nil else { return nil }
    return ratio(to: first).map { ($0, first) }
  }

  /// The best of the servers of others, and the daemon's median as a multiple of its own.
  var ratioToBest: (ratio: Double, peer: Peer)? {
    let medians = peers.compactMap { entry in
      entry.peer.word == nil ? nil : median(of: entry.peer).map { (entry.peer, $0) }
    }
    let best = row.isRate ? medians.max { $0.1 < $1.1 } : medians.min { $0.1 < $1.1 }
    return best.flatMap { best in ratio(to: best.0).map { ($0, best.0) } }
  }

  /// The median of the daemon as a multiple of a peer's.
  func ratio(to peer: Peer) -> Double? {
    guard let own = daemonMedian, let other = median(of: peer), other > 0 else { return nil }
    return own / other
  }

  /// The row as a sentence.
  var sentence: String {
    var parts: [String] = []
    if let own = RoundStatistics(daemon) { parts.append(summary(of: own)) }
    for (peer, values) in peers {
      guard let statistics = RoundStatistics(values) else { continue }
      parts.append(peer.rawValue + " " + summary(of: statistics))
    }
    if let (ratio, peer) = ratioToBound {
      parts.append("ratio to \(peer.rawValue) \(grouped(ratio, decimals: 2))")
    }
    if let (ratio, peer) = ratioToBest {
      parts.append("to the best server, \(peer.rawValue), \(grouped(ratio, decimals: 2))")
    }
    parts += verdicts.map { goal, isMet in
      "goal \(goal.phrase(in: row)), " + (isMet ? "met" : "missed")
    }
    return "\(row.name): \(parts.joined(separator: ", "))"
  }

  /// The goals that can be judged, each with whether it is met.
  var verdicts: [(goal: Goal, isMet: Bool)] {
    row.goals.compactMap { goal in goal.isMet(by: self).map { (goal, $0) } }
  }

  private func summary(of values: RoundStatistics) -> String {
    "\(row.words(of: values.median)) \(values.range(decimals: row.decimals))"
  }
}

/// The results of all buses side by side, as a table of Markdown.
///
/// The medians stand there alone; the sentences above it have the extremes.
enum ResultTable {
  static let none = "–"

  /// The lines of the table; none when nothing was measured beside a bus.
  static func markdown(_ results: [RowResult]) -> [String] {
    let rows = results.filter { result in result.peers.contains { Peer.buses.contains($0.peer) } }
    guard !rows.isEmpty else { return [] }
    let measured = Peer.buses.filter { peer in rows.contains { $0.median(of: peer) != nil } }
    // The relays are the bounds, so they stand on both sides of the daemon's column.
    let (bounds, servers) = (measured.filter { $0.word == nil }, measured.filter { $0.word != nil })
    let heads =
      ["work"] + bounds.map(\.rawValue) + ["a11yd"] + servers.map(\.rawValue)
      + ["ratio to the relay", "ratio to the best server"]
    let body = rows.map { result in
      [result.row.name] + bounds.map { result.row.words(of: result.median(of: $0)) }
        + [result.row.words(of: result.daemonMedian)]
        + servers.map { result.row.words(of: result.median(of: $0)) }
        + [
          result.ratio(to: .relay).map { grouped($0, decimals: 2) } ?? none,
          result.ratioToBest.map { grouped($0.ratio, decimals: 2) } ?? none,
        ]
    }
    let rule = ["---"] + heads.dropFirst().map { _ in "--:" }
    return ([heads, rule] + body).map { "| " + $0.joined(separator: " | ") + " |" }
  }
}
