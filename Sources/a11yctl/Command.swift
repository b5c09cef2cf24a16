// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix

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

/// The words behind a command's name, sorted into options and the rest.
struct CommandWords {
  private let line: CommandLineOptions
  /// The name of the command.
  private let name: String
  private let sockets: Sockets

  init(
    _ words: [String],
    _ flags: [Flag],
    of name: String,
    _ sockets: Sockets
  ) throws(CommandLineOptions.Mistake) {
    self.name = name
    self.sockets = sockets
    line = try CommandLineOptions(
      words,
      flags.map { .init($0.name, needsValue: $0.value != nil, letter: $0.letter) }
    )
  }

  /// The words that are no options.
  var operands: [String] { line.operands }

  func has(_ name: String) -> Bool { line.given.contains { $0.name == name } }

  /// The value of an option; the last one counts.
  func value(_ name: String) -> String? { line.given.last { $0.name == name }?.value }

  /// All values of an option that may be repeated; nil where it was not given.
  func values(_ name: String) -> [String]? {
    let values = line.given.filter { $0.name == name }.map(\.value)
    return values.isEmpty ? nil : values
  }

  /// The socket of a bus that meets the command's need.
  func socket(for need: Need) throws(Failure) -> Sockets.Choice {
    try sockets.choose(for: need, of: name, option: value("socket"))
  }

  /// The value of an option that takes one of a few words.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String,
    _: Choice.Type
  ) throws(Failure) -> Choice? where Choice.RawValue == String {
    guard let word = value(name) else { return nil }
    return try Self.choice(name, word)
  }

  /// All values of an option that takes one of a few words.
  func choices<Choice: RawRepresentable & CaseIterable>(
    _ name: String,
    _: Choice.Type
  ) throws(Failure) -> [Choice]? where Choice.RawValue == String {
    guard let words = values(name) else { return nil }
    return try words.map { word throws(Failure) in try Self.choice(name, word) }
  }

  /// The value of an option that is a whole number.
  func integer(
    _ name: String,
    in bounds: ClosedRange<Int64> = .min ... .max
  ) throws(Failure) -> Int64? {
    guard let given = line.given.last(where: { $0.name == name }) else { return nil }
    do throws(CommandLineOptions.Mistake) {
      return try given.number(in: bounds)
    } catch {
      throw Failure(.usage, "\(error.words).")
    }
  }

  /// Refuses words that are no options.
  func refuseOperands() throws(Failure) {
    guard let word = operands.first else { return }
    throw Failure(.usage, "\(word) is not expected here.")
  }

  private static func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String,
    _ word: String
  ) throws(Failure) -> Choice where Choice.RawValue == String {
    if let choice = Choice(rawValue: word) { return choice }
    let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw Failure(.usage, "--\(name) expects one of \(known); got \(word).")
  }
}
