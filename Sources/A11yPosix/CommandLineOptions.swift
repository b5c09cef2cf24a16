// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// A command line, read by the rules that everybody knows: `--name value`, `--name=value`,
/// unambiguous beginnings of names, letters behind one hyphen, and `--` before words that look like
/// options.
package struct CommandLineOptions: Equatable {
  /// An option that a command knows.
  package struct Flag: Equatable, Sendable {
    package let name: String
    package let needsValue: Bool
    /// The letter that means the same behind a single hyphen.
    package let letter: UInt8?

    /// An option; that for help and that for the version have their usual letters.
    package init(_ name: String, needsValue: Bool = false, letter: UInt8? = nil) {
      self.name = name
      self.needsValue = needsValue
      self.letter = letter ?? Self.letters[name]
    }

    private static let letters = ["help": UInt8(ascii: "h"), "version": UInt8(ascii: "v")]
  }

  /// An option that was given; `value` is empty where it takes none.
  package struct Given: Equatable, Sendable {
    package let name: String
    package let value: String
  }

  /// A command line that cannot be understood, in words for the user.
  package struct Mistake: Error, Equatable {
    package let words: String
    /// The option that is not known, as it was typed.
    package let unknown: String?

    package init(words: String, unknown: String? = nil) {
      self.words = words
      self.unknown = unknown
    }
  }

  /// The options in the order of the command line.
  package private(set) var given: [Given] = []
  /// The words that are no options.
  package private(set) var operands: [String] = []

  /// Reads the words behind the command's own name.
  package init(_ words: [String], _ flags: [Flag]) throws(Mistake) {
    let veiled = words.map(Self.veil)
    var arguments: [UnsafeMutablePointer<CChar>?] = ([""] + veiled).map(Self.copy) + [nil]
    let names = flags.map { Self.copy($0.name) }
    defer { for text in arguments + names { text?.deallocate() } }
    let known = zip(flags, names).map { flag, name in
      linux_flag(
        name: name,
        needs_value: flag.needsValue ? 1 : 0,
        letter: flag.letter.map(Int32.init) ?? 0
      )
    }
    let count = Int32(words.count + 1)
    linux_options_begin()
    defer { linux_options_finish() }
    while true {
      var value: UnsafePointer<CChar>?
      let place = max(1, Int(linux_options_place()))
      let answer = linux_next_option(count, &arguments, known, known.count, &value)
      if answer == Int32(LINUX_OPTIONS_END) { break }
      guard answer >= 0 else {
        // Operands before the wrong word have not been moved behind it yet.
        let word = arguments[place...].lazy.compactMap { $0.map { String(cString: $0) } }
          .first { $0.hasPrefix("-") && $0 != "-" }
        guard answer != Int32(LINUX_OPTION_LACKS_VALUE) else {
          throw Mistake(words: "\(word ?? "") lacks its value")
        }
        throw Mistake(words: "\(word ?? "") is no option of this command", unknown: word)
      }
      given.append(
        Given(name: flags[Int(answer)].name, value: value.map { Self.unveil($0) } ?? "")
      )
    }
    // getopt has moved the operands behind the options.
    for text in arguments[Int(linux_options_place())..<Int(count)] {
      if let text { operands.append(Self.unveil(text)) }
    }
  }

  /// Stands before a negative number, which getopt would take for an option.
  private static let mark: Character = "\u{1}"

  private static func veil(_ word: String) -> String {
    let isNegative =
      word.hasPrefix("-") && word.count > 1 && word.dropFirst().allSatisfy(\.isNumber)
    return isNegative ? "\(mark)\(word)" : word
  }

  private static func unveil(_ text: UnsafePointer<CChar>) -> String {
    let word = String(cString: text)
    return word.first == mark ? String(word.dropFirst()) : word
  }

  private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
    let units = text.utf8CString
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: units.count)
    for (index, unit) in units.enumerated() { copy[index] = unit }
    return copy
  }
}

/// The options of a program as an enum, whose raw values stand behind the two hyphens.
package protocol CommandLineFlag: RawRepresentable<String>, CaseIterable {
  var needsValue: Bool { get }
}

extension CommandLineOptions {
  /// Reads the words of a program that takes options alone, so that it can switch over them.
  package static func parse<Flag: CommandLineFlag>(
    _ words: [String],
    as flag: Flag.Type
  ) throws(Mistake) -> [(flag: Flag, given: Given)] {
    let flags = Flag.allCases.map {
      CommandLineOptions.Flag($0.rawValue, needsValue: $0.needsValue)
    }
    let line = try CommandLineOptions(words, flags)
    if let word = line.operands.first { throw Mistake(words: "\(word) is not expected here") }
    return line.given.compactMap { given in Flag(rawValue: given.name).map { ($0, given) } }
  }
}

extension CommandLineOptions.Given {
  /// The value as a whole number within bounds.
  package func number<Number: FixedWidthInteger>(
    in bounds: ClosedRange<Number> = .min ... .max
  ) throws(CommandLineOptions.Mistake) -> Number {
    if let number = Number(value), bounds.contains(number) { return number }
    let expected =
      switch (bounds.lowerBound, bounds.upperBound) {
      case (.min, .max): "a whole number"
      case (let least, .max): "a number from \(least) on"
      case (let least, let most): "a number from \(least) to \(most)"
      }
    throw CommandLineOptions.Mistake(words: "--\(name) expects \(expected); got \(value)")
  }
}
