// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yWire

/// Silences what is being spoken, and drops what waits.
struct StopCommand: Command {
  static let name = "stop"
  static let summary = "stop speech, and drop what waits to be spoken"
  static let usage = "[OPTION]..."
  static let notes = """
    Silences what is being spoken, urgent announcements too, and drops what waits. Urgent
    announcements that have not begun stay. Nothing is printed, since silence is asked for.
    """
  static let options: [Flag] = []

  private let path: String

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    path = try words.socket(for: .publishing(.action)).path
  }

  func run(_ output: Output) throws(Failure) {
    _ = try asking(about: EventType.action.rawValue) { () throws(ClientError) in
      try BusConnection(path: path).publish(.action("stop"))
    }
  }
}
