// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yToml

/// The times for which messages stay on the display, as the table `[braille]` of `braille.toml` has
/// them.
package struct BrailleSettings: CompanionSettings, Equatable, Sendable {
  /// The time for each character, in milliseconds: about eighty words a minute, a calm pace.
  package private(set) var millisecondsPerCharacter: Int64 = 150
  /// The shortest time, in which a hand finds its way to the display.
  package private(set) var shortest: Duration = .seconds(4)
  /// The longest time without a key.
  package private(set) var longest: Duration = .seconds(30)

  private static let table = "braille"
  private static let slowest: Int64 = 10_000
  private static let longestOfAll: Duration = .seconds(3_600)

  package init() {}

  /// The time for a text of so many characters, in microseconds.
  package func time(forCharacters count: Int) -> Int64 {
    let wanted = Int64(clamping: count)
      .multipliedReportingOverflow(by: millisecondsPerCharacter * 1_000)
    let reading = wanted.overflow ? .max : wanted.partialValue
    return max(shortest.wholeMicroseconds, min(longest.wholeMicroseconds, reading))
  }

  package mutating func apply(_ entry: TomlEntry) -> String? {
    if entry.path.isEmpty, entry.key == Self.table, entry.value == .table { return nil }
    guard entry.path == Self.table else { return "expected the table [\(Self.table)]" }
    switch entry.key {
    case "ms_per_character":
      guard let count = entry.value.asInteger, (0...Self.slowest).contains(Int64(count)) else {
        return "expected a number of milliseconds from 0 to \(Self.slowest); got \(entry.value)"
      }
      millisecondsPerCharacter = Int64(count)
      return nil
    case "shortest": return Self.set(entry.value, into: &shortest)
    case "longest": return Self.set(entry.value, into: &longest)
    default: return "expected one of \(Self.keys.joined(separator: ", "))"
    }
  }

  /// The names that the table may hold.
  package static let keys = ["ms_per_character", "shortest", "longest"]

  private static func set(_ value: TomlValue, into time: inout Duration) -> String? {
    guard let given = value.asDuration(integersIn: .milliseconds(1)), given <= longestOfAll else {
      return "expected a time of at most an hour, as in \"4 s\"; got \(value)"
    }
    time = given
    return nil
  }
}

extension Duration {
  /// Whole microseconds; all times of this room are far below the bound.
  fileprivate var wholeMicroseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
