// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// Asks the bus whether it is there, and how fast it answers.
struct PingCommand: Command {
  static let name = "ping"
  static let summary = "ask whether the bus is there"
  static let usage = "[OPTION]..."
  static let notes = "Prints the seq of the last entry and how long the bus took to answer."
  static let options: [Flag] = []

  private let path: String

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    path = try words.socket(for: .operation(.ping)).path
  }

  func run(_ output: Output) throws(Failure) {
    let (last, took) = try asking { () throws(ClientError) in
      let bus = try BusConnection(path: path)
      let start = SystemClock.monotonicMicroseconds()
      let last = try bus.ping()
      return (last, SystemClock.monotonicMicroseconds() - start)
    }
    output.line("The bus answered in \(took) µs. The last entry is seq \(last).")
  }
}
