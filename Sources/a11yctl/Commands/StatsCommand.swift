// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yWire

/// Tells the counters of the bus.
struct StatsCommand: Command {
  static let name = "stats"
  static let summary = "tell the counters of the bus"
  static let usage = "[OPTION]..."
  static let notes =
    "Says what was heard, and what the bus has done and keeps, in a sentence a line."
  static let options = [Flag("json", nil, "print the answer as JSON, on one line")]

  private let path: String
  private let isJSON: Bool

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    path = try words.socket(for: .operation(.stats)).path
    isJSON = words.has("json")
  }

  func run(_ output: Output) throws(Failure) {
    let stats = try asking { () throws(ClientError) in
      try BusConnection(path: path).request("stats")
    }
    guard !isJSON else {
      output.line(stats.description)
      return
    }
    for line in StatsWords.lines(stats) { output.line(line) }
  }
}
