// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yToml
import A11yWire

/// Asks the bus whether it is there, and how fast it answers.
struct PingCommand: Command {
  static let name = "ping"
  static let summary = "ask whether the bus is there"
  static let notes = "Prints the seq of the last entry and how long the bus took to answer."

  private let bus = BusSocket()

  func run(_ output: Output) throws(Failure) {
    let path = try bus(for: .operation(.ping))
    let (last, took) = try asking { () throws(ClientError) in
      let bus = try BusConnection(path: path)
      let start = SystemClock.monotonicMicroseconds()
      let last = try bus.ping()
      return (last, SystemClock.monotonicMicroseconds() - start)
    }
    output.line("The bus answered in \(took) µs. The last entry is seq \(last).")
  }
}

/// Prints the schemas of the bus's protocol.
struct DescribeCommand: Command {
  static let name = "describe"
  static let summary = "print the schemas of the protocol"
  static let notes = "Prints the JSON Schemas of requests and events, as JSON on one line."

  @Flag("json", "print JSON, which it does anyway") private var isJSON: Bool
  private let bus = BusSocket()

  func run(_ output: Output) throws(Failure) {
    output.line(try bus.ask("describe", for: .describe).description)
  }
}

/// Has the bus read its configuration and its rules again, and tells the result.
struct ReloadCommand: Command {
  static let name = "reload"
  static let summary = "have the bus read its configuration and rules again"
  static let notes = """
    Waits until it is done. If there is a mistake in a file, the bus goes on as before, the mistake
    is told, and the command ends with 78. Nobody is disconnected.
    """

  private let bus = BusSocket()

  func run(_ output: Output) throws(Failure) {
    if let mistakes = try Reloading(path: bus(for: .operation(.reload))).mistakes() {
      throw Failure(
        .configuration,
        "Nothing was taken over, the bus goes on as before: \(mistakes.sentence)"
      )
    }
    output.line("Configuration and rules were read again and are in force.")
  }
}

/// Having the bus read its configuration and its rules again, and waiting until it has.
struct Reloading {
  let path: String

  /// The mistakes for which the bus has taken nothing over; nil where all is in force.
  func mistakes() throws(Failure) -> Complaints? {
    guard let problems = try ask(path, "reload")["problems"]?.list, !problems.isEmpty else {
      return nil
    }
    return Complaints(problems.map(Self.complaint))
  }

  private static func complaint(_ problem: JSONValue) -> Complaint {
    Complaint(
      problem["file"]?.string ?? "",
      line: problem["line"]?.integer.flatMap(Int.init(exactly:)),
      column: problem["column"]?.integer.flatMap(Int.init(exactly:)),
      problem["msg"]?.string ?? ""
    )
  }
}
