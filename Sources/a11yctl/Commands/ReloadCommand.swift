// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yToml
import A11yWire

/// Has the bus read its configuration and its rules again, and tells the result.
struct ReloadCommand: Command {
  static let name = "reload"
  static let summary = "have the bus read its configuration and rules again"
  static let usage = "[OPTION]..."
  static let notes = """
    Waits until it is done. If there is a mistake in a file, the bus goes on as before, the mistake
    is told, and the command ends with 78. Nobody is disconnected.
    """
  static let options: [Flag] = []

  private let path: String

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    path = try words.socket(for: .operation(.reload)).path
  }

  func run(_ output: Output) throws(Failure) {
    if let mistakes = try Reloading(path: path).mistakes() {
      throw Failure(
        .configuration,
        "Nothing was taken over, the bus goes on as before: \(mistakes.sentence)"
      )
    }
    output.line("Configuration and rules were read again and are in force.")
  }
}
