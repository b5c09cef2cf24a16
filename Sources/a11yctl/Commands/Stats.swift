// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yWire

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
    path = try words.socket(for: .operation(.stats)).path
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
    for line in Self.lines(stats) { output.line(line) }
  }

  /// What was heard first, and of the ways in which events ended only those that there were.
  static func lines(_ stats: JSONValue) -> [String] {
    guard let members = stats.members, let ends = stats["outcomes"]?.members else {
      return CounterWords.lines(stats)
    }
    let heard = ends.filter { !Unheard.isOne($0.name) }.compactMap(\.value.integer).reduce(0, +)
    let all = ends.compactMap(\.value.integer).reduce(0, +)
    let rest = members.map { member in
      guard member.name == "outcomes" else { return member }
      return .init(member.name, .object(ends.filter { $0.value.integer != 0 }))
    }
    return ["heard: \(heard)", "not heard, or not to the end: \(all - heard)"]
      + CounterWords.lines(.object(rest))
  }
}
