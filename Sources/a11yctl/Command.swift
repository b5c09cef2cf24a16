// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One thing that a11yctl can do.
protocol Command {
  /// The word that calls for it, or two of which the first names a group of commands.
  static var name: String { get }
  /// What it does, in the list of commands.
  static var summary: String { get }
  /// What stands behind its name on the command line.
  static var usage: String { get }
  /// What its help says beyond the options.
  static var notes: String { get }
  static var options: [Flag] { get }
  /// The options that it shares with others.
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
  /// The text with blanks behind it, up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
