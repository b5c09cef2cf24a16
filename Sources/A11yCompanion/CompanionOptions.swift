// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
import A11yWire

/// The command line of the programs around the bus.
///
/// All share a socket, a file of settings, help and version; each may add options of its own.
package struct CompanionOptions {
  /// An option of one program.
  package struct Extra: Sendable {
    package let name: String
    /// A word for the value; nil where the option takes none.
    package let value: String?
    package let help: String

    package init(_ name: String, _ value: String?, _ help: String) {
      self.name = name
      self.value = value
      self.help = help
    }
  }

  /// The task of the process.
  package enum Task: Equatable {
    case run
    /// Prints a text and ends.
    case print(String)
  }

  package private(set) var task = Task.run
  /// The path of the bus's socket, where the command line names it.
  package private(set) var socket: String?
  /// The only file of settings, where the command line names it.
  package private(set) var configuration: String?
  private var values: [String: String] = [:]

  /// Reads the words behind the program's own name.
  package init(
    _ words: [String],
    of program: String,
    summary: String,
    extras: [Extra]
  ) throws(CommandLineOptions.Mistake) {
    let all = Self.common + extras
    let line = try CommandLineOptions(
      words,
      all.map { .init($0.name, needsValue: $0.value != nil) }
    )
    if let word = line.operands.first { throw .init(words: "\(word) is not expected here") }
    for given in line.given {
      switch given.name {
      case "help": task = .print(Self.help(program, summary, all))
      case "version": task = .print("\(program) \(Protocol.release)\n")
      case "socket": socket = given.value
      case "config": configuration = given.value
      default: values[given.name] = given.value
      }
    }
  }

  /// The value of a program's own option; empty where it takes none, nil where it is not given.
  package func value(_ name: String) -> String? { values[name] }

  private static let common = [
    Extra("socket", "PATH", "the socket of the bus; the session's, if not given"),
    Extra("config", "FILE", "read this file of settings in place of the usual ones"),
    Extra("version", nil, "print the version"),
    Extra("help", nil, "print this text"),
  ]

  private static func help(_ program: String, _ summary: String, _ all: [Extra]) -> String {
    var text = "usage: \(program) [OPTION]...\n\(summary)\n\nOptions:\n"
    for option in all {
      let head = "--\(option.name)" + (option.value.map { " \($0)" } ?? "")
      text += "  \(head): \(option.help)\n"
    }
    return text
  }
}
