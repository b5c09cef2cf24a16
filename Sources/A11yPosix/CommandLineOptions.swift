// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// A command line, read by the rules that everybody knows: `--name value`, `--name=value`,
/// unambiguous beginnings of names, and `--` before words that look like options.
package struct CommandLineOptions: Equatable {
  /// An option that a command knows.
  package struct Flag: Equatable, Sendable {
    package let name: String
    package let needsValue: Bool

    package init(_ name: String, needsValue: Bool = false) {
      self.name = name
      self.needsValue = needsValue
    }
  }

  /// An option that was given; `value` is empty where it takes none.
  package struct Given: Equatable, Sendable {
    package let name: String
    package let value: String
  }

  /// What is wrong, in the words for the user.
  package struct Mistake: Error, Equatable {
    package let words: String
  }

  /// In the order of the command line.
  package private(set) var given: [Given] = []
  /// The words that are no options.
  package private(set) var operands: [String] = []

  /// Reads the words behind the command's own name.
  package init(_ words: [String], _ flags: [Flag]) throws(Mistake) {
    var arguments: [UnsafeMutablePointer<CChar>?] = ([""] + words).map(Self.copy) + [nil]
    let names = flags.map { Self.copy($0.name) }
    defer { for text in arguments + names { text?.deallocate() } }
    let known = zip(flags, names).map { flag, name in
      linux_flag(name: name, needs_value: flag.needsValue ? 1 : 0)
    }
    let count = Int32(words.count + 1)
    linux_options_begin()
    while true {
      var value: UnsafePointer<CChar>?
      let place = max(1, Int(linux_options_place()))
      let answer = linux_next_option(count, &arguments, known, known.count, &value)
      if answer == Int32(LINUX_OPTIONS_END) { break }
      guard answer >= 0 else {
        // Operands that stand before it have not been moved yet.
        let word = arguments[place...].lazy.compactMap { $0.map { String(cString: $0) } }
          .first { $0.hasPrefix("-") && $0 != "-" }
        throw Mistake(
          words: (word ?? "")
            + (answer == Int32(LINUX_OPTION_LACKS_VALUE)
              ? " lacks its value" : " is no option of this command")
        )
      }
      given.append(
        Given(name: flags[Int(answer)].name, value: value.map { String(cString: $0) } ?? "")
      )
    }
    // getopt has moved the operands behind the options.
    for text in arguments[Int(linux_options_place())..<Int(count)] {
      if let text { operands.append(String(cString: text)) }
    }
  }

  private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
    let units = text.utf8CString
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: units.count)
    for (index, unit) in units.enumerated() { copy[index] = unit }
    return copy
  }
}
