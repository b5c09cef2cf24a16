// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One thing that a11yctl can do.
protocol Command {
  /// The word on the command line; with two words, the first names a group of commands.
  static var name: String { get }
  /// The description in the list of commands.
  static var summary: String { get }
  /// The words after its name in the first line of its help.
  static var usage: String { get }
  /// The paragraph of its help before the options.
  static var notes: String { get }
  static var options: [Flag] { get }
  /// The options that it shares with other commands.
  static var common: [Flag] { get }

  init(_ words: CommandWords) throws(Failure)
  func run(_ output: Output) throws(Failure)
}

extension Command {
  static var common: [Flag] { Flag.common }

  static var help: String {
    let all = options + common
    let width = all.map(\.shown.count).max() ?? 0
    let list = all.map { "  \($0.shown.padded(to: width))  \($0.explanation)" }
    return """
      Usage: a11yctl \(name) \(usage)
      \(notes)

      Options:
      \(list.joined(separator: "\n"))
      """
  }
}

extension String {
  /// The text, filled up with blanks to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
