// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Measures the chosen figures and prints the results.
///
/// The daemon and its peers take turns within each figure, so that the rest of the machine's work
/// meets all of them, and their ratio stays when the figures move.
struct Benchmark {
  let figures: [FigureName]
  let rounds: Int
  /// The path of the daemon; nil where only its peers are measured.
  let daemon: String?
  /// The peers that can be measured here.
  let peers: Set<Peer>
  let setting: BenchSetting

  /// The results of a run and the sentences about them.
  struct Results {
    var rows: [RowResult] = []
    var remarks: [String] = []
  }

  /// Measures all figures; after a failure the results have the earlier ones, which are still true.
  func measureAll(into results: inout Results) throws(BenchFailure) {
    for name in figures { try measure(name, into: &results) }
  }

  private func measure(_ name: FigureName, into results: inout Results) throws(BenchFailure) {
    let figure = name.figure(setting)
    if let obstacle = obstacle(to: figure) {
      return results.remarks.append("\(name.rawValue): not measured, \(obstacle)")
    }
    let measured = figure.peers.filter(peers.contains)
    var rows = figure.rows.map { RowResult(name, $0, peers: measured) }
    var lost: [Peer: String] = [:]
    for round in 1...rounds {
      for subject in [daemon.map(RoundSubject.daemon)].compactMap(\.self)
        + measured.map(RoundSubject.peer)
      {
        if case .peer(let peer) = subject, lost[peer] != nil { continue }
        let place = "\(name.rawValue), round \(round) of \(rounds), \(subject.name)"
        do throws(BenchFailure) {
          let values = try figure.measureRound(subject)
          for (index, value) in values.enumerated() { rows[index].collect(value, of: subject) }
          showProgress(values, of: figure, place)
        } catch {
          // A daemon that loses something ends the run, and so does a relay, which is ours.
          guard let server = subject.server else { throw error }
          say("\(place): \(error.sentence)")
          lost[server] = error.sentence
          for index in rows.indices { rows[index].discard(server) }
        }
      }
    }
    results.rows += rows
    results.remarks += figure.remarks.map { "\(name.rawValue): \($0)" }
    results.remarks += lost.sorted { $0.key.rawValue < $1.key.rawValue }.map { peer, sentence in
      "\(name.rawValue): no figure of \(peer.rawValue): \(sentence)"
    }
  }

  private func obstacle(to figure: any Figure) -> String? {
    if daemon == nil, !figure.peers.contains(where: \.standsAlone) {
      return "there is nothing to it without the daemon"
    }
    return figure.obstacle
  }

  private func showProgress(_ values: [Double?], of figure: any Figure, _ place: String) {
    let words = zip(figure.rows, values).map { row, value in
      value.map(row.words) ?? ResultTable.none
    }
    say("\(place): \(words.joined(separator: ", "))")
  }
}
