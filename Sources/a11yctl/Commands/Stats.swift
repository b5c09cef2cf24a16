// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// Tells what the bus counts.
struct Stats: Command {
  static let name = "stats"
  static let summary = "tell what the bus counts"
  static let usage = "[OPTION]..."
  static let notes = "Prints the bus's counters, one on a line."
  static let options = [Flag("json", nil, "print the answer as JSON, on one line")]

  private let path: String
  private let isJSON: Bool

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    path = words.path
    isJSON = words.has("json")
  }

  func run(_ output: Output) throws(Failure) {
    let stats = try asking { () throws(ClientError) in
      try Connection(path: path).request("stats")
    }
    guard !isJSON else {
      output.line(stats.description)
      return
    }
    for line in CounterWords.lines(stats) { output.line(line) }
  }
}
