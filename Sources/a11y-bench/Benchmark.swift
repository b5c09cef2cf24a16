// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Measures the chosen figures and prints the table.
///
/// Daemon and relay take turns within each figure, so that whatever else the machine does
/// meanwhile meets both, and their ratio stays when the figures move.
struct Benchmark {
  let figures: [FigureName]
  let rounds: Int
  let subjects: [Subject]
  let setting: Setting

  func run() throws(Failure) {
    var table: [String] = []
    // After a failure too: what was measured before it is still true.
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

  private func measure(_ name: FigureName) throws(Failure) -> [String] {
    let figure = name.figure(setting)
    // One list of values for each row.
    var daemon = figure.rows.map { _ in [Double]() }
    var relay = daemon
    for round in 1...rounds {
      for subject in subjects {
        let values = try figure.round(subject)
        tell(values, of: figure, "\(name.rawValue), round \(round) of \(rounds), \(subject.name)")
        for (row, value) in values.enumerated() {
          switch subject {
          case .daemon: daemon[row].append(value)
          case .relay: relay[row].append(value)
          }
        }
      }
    }
    return figure.rows.indices.map { row in
      figure.rows[row].sentence(daemon: daemon[row], relay: relay[row])
    }
  }

  private func tell(_ values: [Double], of figure: any Figure, _ place: String) {
    let words = zip(figure.rows, values).map { grouped($1, decimals: $0.decimals) }
    say("\(place): \(words.joined(separator: ", "))")
  }
}
