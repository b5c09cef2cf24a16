// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yWire

/// Prints the schemas of the bus's protocol.
struct DescribeCommand: Command {
  static let name = "describe"
  static let summary = "print the schemas of the protocol"
  static let usage = "[OPTION]..."
  static let notes = "Prints the JSON Schemas of requests and events, as JSON on one line."
  static let options = [Flag("json", nil, "print JSON, which it does anyway")]

  private let path: String

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    path = try words.socket(for: .operation(.describe)).path
  }

  func run(_ output: Output) throws(Failure) {
    let schemas = try asking { () throws(ClientError) in
      try BusConnection(path: path).request("describe")
    }
    output.line(schemas.description)
  }
}
