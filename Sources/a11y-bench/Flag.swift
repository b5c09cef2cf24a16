// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The options that the command line may hold.
///
/// They are written as getopt_long takes them, `--name value` or `--name=value`; the header that
/// declares it is in no module of Glibc, and long names without abbreviations need little else.
enum Flag: String, CaseIterable {
  case daemon
  case only
  case rounds
  case quick
  case seconds
  case relayOnly = "relay-only"
  case help
  case version
  // What the benchmark says to itself when it starts the relay.
  case relay
  case blast
  case length

  var takesValue: Bool {
    switch self {
    case .daemon, .only, .rounds, .seconds, .relay, .blast, .length: true
    case .quick, .relayOnly, .help, .version: false
    }
  }

  /// An argument as it was understood.
  enum Reading {
    case option(Flag, String)
    case wrong(String)
  }

  /// Takes the next option from the front of `arguments`; nil after the last.
  static func next(from arguments: inout ArraySlice<String>) -> Reading? {
    guard let word = arguments.popFirst() else { return nil }
    guard word.hasPrefix("--") else { return .wrong("\"\(word)\" is no option") }
    let parts = word.dropFirst(2).split(
      separator: "=",
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    guard let flag = parts.first.flatMap({ Flag(rawValue: String($0)) }) else {
      return .wrong("there is no option \(word)")
    }
    if !flag.takesValue {
      return parts.count == 1 ? .option(flag, "") : .wrong("--\(flag.rawValue) takes no value")
    }
    guard let value = parts.count == 2 ? String(parts[1]) : arguments.popFirst() else {
      return .wrong("--\(flag.rawValue) needs a value")
    }
    return .option(flag, value)
  }
}
