// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Measures the chosen figures and prints the table.
///
/// The daemon and its peer take turns within each figure, so that the rest of the machine's work
/// meets both, and their ratio stays when the figures move.
struct Benchmark {
  let figures: [FigureName]
  let rounds: Int
  /// The path of the daemon; nil where only its peers are measured.
  let daemon: String?
  let setting: BenchSetting

  func measureAll() throws(BenchFailure) {
    var table: [String] = []
    // Printed after a failure too: earlier figures are still true.
    defer {
      if setting.divisor > 1, !table.isEmpty {
        report("Quick run with sizes divided by \(setting.divisor); targets are for the full ones.")
      }
      for line in table { report(line) }
    }
    for name in figures {
      table += try measure(name)
    }
  }

  private func measure(_ name: FigureName) throws(BenchFailure) -> [String] {
    let figure = name.figure(setting)
    if let obstacle = obstacle(to: figure) {
      return ["\(name.rawValue): not measured, \(obstacle)"]
    }
    // One list of values for each row.
    var values = figure.rows.map { _ in (daemon: [Double](), peer: [Double]()) }
    for round in 1...rounds {
      for subject in subjects(of: figure) {
        let results = try figure.measureRound(subject)
        showProgress(
          results,
          of: figure,
          "\(name.rawValue), round \(round) of \(rounds), \(subject.name)"
        )
        for (row, value) in results.enumerated() {
          switch subject {
          case .daemon: values[row].daemon.append(value)
          case .peer: values[row].peer.append(value)
          }
        }
      }
    }
    let peer = figure.peer?.rawValue ?? ""
    let sentences = zip(figure.rows, values).map { row, values in
      row.sentence(daemon: values.daemon, peer: values.peer, called: peer)
    }
    return sentences + figure.remarks.map { "\(name.rawValue): \($0)" }
  }

  private func obstacle(to figure: any Figure) -> String? {
    if daemon == nil, figure.peer?.standsAlone != true {
      return "there is nothing to it without the daemon"
    }
    return figure.obstacle
  }

  private func subjects(of figure: any Figure) -> [RoundSubject] {
    [daemon.map(RoundSubject.daemon), figure.peer.map(RoundSubject.peer)].compactMap { $0 }
  }

  private func showProgress(_ values: [Double], of figure: any Figure, _ place: String) {
    let words = zip(figure.rows, values).map { grouped($1, decimals: $0.decimals) }
    say("\(place): \(words.joined(separator: ", "))")
  }
}
