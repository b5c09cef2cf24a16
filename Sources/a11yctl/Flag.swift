// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// An option of a command, with its line in the help.
struct Flag {
  let name: String
  /// The placeholder of the value in the help; nil where the option takes none.
  let value: String?
  let explanation: String
  /// The letter that means the same behind a single hyphen.
  let letter: UInt8?

  init(_ name: String, _ value: String? = nil, _ explanation: String, letter: UInt8? = nil) {
    self.name = name
    self.value = value
    self.explanation = explanation
    self.letter = letter
  }

  /// The option with its value, as the help shows it.
  var shown: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }

  /// The options of every command that asks the bus.
  static let common = [Flag("socket", "PATH", "connect to the bus here")] + explaining

  /// The options of every command.
  static let explaining = [
    Flag("help", "print this and end; -h too"),
    Flag("version", "print the version and end; -v too"),
  ]

  private init(_ name: String, _ explanation: String) {
    self.init(name, nil, explanation)
  }
}
