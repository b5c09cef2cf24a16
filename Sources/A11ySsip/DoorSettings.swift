// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yToml

/// The settings of the door, as `ssip.toml` has them, which has no tables.
package struct DoorSettings: CompanionSettings, Equatable, Sendable {
  /// The name of the file, without its end.
  package static let fileName = "ssip"

  /// Whether what a screen reader reads is in the log with its words.
  package private(set) var keepsReading = false
  /// The programs whose words are the person's own reading.
  package private(set) var screenReaders: Set<String> = [
    "orca", "brltty", "emacspeak", "emacs", "speechd-el", "fenrir", "speakup", "speechd-up",
  ]

  /// Names of screen readers; more are a mistake.
  private static let mostReaders = 64

  package init() {}

  package mutating func apply(_ entry: TomlEntry) -> String? {
    guard entry.path.isEmpty, entry.value != .table else { return "expected no table" }
    switch entry.key {
    case "keep_reading":
      guard case .boolean(let isKept) = entry.value else {
        return "expected true or false; got \(entry.value)"
      }
      keepsReading = isKept
      return nil
    case "screen_readers":
      guard case .array(let items) = entry.value, items.count <= Self.mostReaders else {
        return "expected a list of at most \(Self.mostReaders) names; got \(entry.value)"
      }
      var names: Set<String> = []
      for item in items {
        guard case .string(let name) = item.value, !name.isEmpty else {
          return "expected names of programs; got \(item.value)"
        }
        names.insert(name.lowercased())
      }
      screenReaders = names
      return nil
    default: return "expected one of \(Self.keys.joined(separator: ", "))"
    }
  }

  /// The names that the file may hold.
  package static let keys = ["keep_reading", "screen_readers"]
}
