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

  package static var all: [Setting<Self>] {
    let time = SettingForm<Duration>.time(
      "expected a time of at most an hour, as in \"4 s\"",
      in: .zero...longestOfAll,
      unit: .milliseconds(1),
      write: { TomlEdit.quoted("\($0.components.seconds) s") }
    )
    return [
      Setting(
        "braille",
        "ms_per_character",
        \.millisecondsPerCharacter,
        .count(0...slowest, "expected a number of milliseconds from 0 to \(slowest)")
      ),
      Setting("braille", "shortest", \.shortest, time),
      Setting("braille", "longest", \.longest, time),
    ]
  }
}

extension Duration {
  /// Whole microseconds; all times of this room are far below the bound.
  fileprivate var wholeMicroseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
