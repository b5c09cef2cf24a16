// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Measures the chosen figures and prints the results.
///
/// The daemon and its peers take turns within each figure, so that the rest of the machine's work
/// meets all of them, and their ratio stays when the figures move.
struct Benchmark {
  let figures: [Figure]
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
  func measureAll(into results: inout Results) throws {
    for figure in figures { try measure(figure, into: &results) }
  }

  private func measure(_ figure: Figure, into results: inout Results) throws {
    let name = figure.word
    let measurement = figure.begin(setting)
    if let obstacle = obstacle(to: figure, measurement) {
      return results.remarks.append("\(name): not measured, \(obstacle)")
    }
    let measured = figure.peers.filter(peers.contains)
    var rows = figure.rows.map { RowResult($0, peers: measured) }
    var lost: [Peer: String] = [:]
    for round in 1...rounds {
      for subject in [daemon.map(Subject.daemon)].compactMap(\.self)
        + measured.map(Subject.peer)
      {
        if case .peer(let peer) = subject, lost[peer] != nil { continue }
        let place = "\(name), round \(round) of \(rounds), \(subject.name)"
        do throws {
          let values = try measurement.measureRound(subject)
          for (index, value) in values.enumerated() { rows[index].collect(value, of: subject) }
          showProgress(values, of: figure, place)
        } catch {
          // A daemon that loses something ends the run, and so does a relay, which is ours.
          guard let server = subject.server else { throw error }
          say("\(place): \(error)")
          lost[server] = "\(error)"
          for index in rows.indices { rows[index].discard(server) }
        }
      }
    }
    results.rows += rows
    results.remarks += measurement.remarks.map { "\(name): \($0)" }
    results.remarks += lost.sorted { $0.key.rawValue < $1.key.rawValue }.map { peer, sentence in
      "\(name): no figure of \(peer.rawValue): \(sentence)"
    }
  }

  private func obstacle(to figure: Figure, _ measurement: any Measurement) -> String? {
    if daemon == nil, !figure.peers.contains(where: \.standsAlone) {
      return "there is nothing to it without the daemon"
    }
    return measurement.obstacle
  }

  private func showProgress(_ values: [Double?], of figure: Figure, _ place: String) {
    let words = zip(figure.rows, values).map { row, value in row.words(of: value) }
    say("\(place): \(words.joined(separator: ", "))")
  }
}
