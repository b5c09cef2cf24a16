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

  package static var all: [Setting<Self>] {
    let names = SettingForm<[String]>.texts(
      "expected a list of at most \(mostReaders) names",
      upTo: mostReaders,
      tooMany: { _ in "expected a list of at most \(mostReaders) names" },
      item: { SettingMisfit(saying: "expected names of programs; got \($0)") },
      where: { !$0.isEmpty }
    )
    return [
      Setting("", "keep_reading", \.keepsReading, .flag),
      Setting("", "screen_readers", \.screenReaders, names.unordered { $0.lowercased() }),
    ]
  }
}
