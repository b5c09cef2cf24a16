// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix

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
