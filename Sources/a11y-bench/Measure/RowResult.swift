// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A row with the values of the daemon and of its peers, one of each for every round.
struct RowResult {
  let figure: FigureName
  let row: Row
  /// In the order in which they took turns; no values where the subject has no such thing.
  private(set) var peers: [(peer: Peer, values: [Double])]
  private(set) var daemon: [Double] = []

  init(_ figure: FigureName, _ row: Row, peers: [Peer]) {
    self.figure = figure
    self.row = row
    self.peers = peers.map { ($0, []) }
  }

  mutating func collect(_ value: Double?, of subject: RoundSubject) {
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
    let bounds = "\(row.words(of: values.least))–\(row.words(of: values.most))"
    return "\(row.words(of: values.median)) (\(bounds))"
  }
}
