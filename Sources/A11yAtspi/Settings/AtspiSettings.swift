// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yToml
import A11yWire

/// The settings of the bridge, as `atspi.toml` has them.
package struct AtspiSettings: CompanionSettings, Equatable, Sendable {
  /// Programs that are not listened to, by their names on the bus.
  package private(set) var silentApps: Set<String> = []
  /// Programs whose notifications are left alone.
  package private(set) var silentNotifiers: Set<String> = []

  /// The time in which Orca speaks a character; its rate is not known here.
  package private(set) var millisecondsPerCharacter: Int64 = 50

  /// The same in microseconds.
  package var perCharacter: Int64 { millisecondsPerCharacter * 1_000 }

  private static let mostApps = 256

  package init() {}

  package static var all: [Setting<Self>] {
    let names = SettingForm<[String]>.texts(
      "expected a list of names",
      upTo: mostApps,
      tooMany: { _ in "expected at most \(mostApps) names" },
      item: { SettingMisfit(saying: "expected the name of an app, at most 128 bytes; got \($0)") },
      where: { AppName.of($0) == $0 }
    ).unordered()
    return [
      Setting("ears", "leave_alone", \.silentApps, names),
      Setting("notifications", "leave_alone", \.silentNotifiers, names),
      Setting(
        "mouth",
        "ms_per_char",
        \.millisecondsPerCharacter,
        .count(1...1_000, "expected milliseconds from 1 to 1000")
      ),
    ]
  }
}

/// Names of foreign programs as the bus takes them.
package enum AppName {
  private static let mostBytes = 128

  /// The name without what nobody sees, cut to its bound; nil where nothing is left, or what no
  /// program may be called.
  package static func of(_ name: String) -> String? {
    var seen = String.UnicodeScalarView()
    seen.append(contentsOf: name.unicodeScalars.lazy.map { Self.isVisible($0) ? $0 : " " })
    var cut = ""
    for character in PlainText.collapsed(String(seen)) {
      guard cut.utf8.count + character.utf8.count <= mostBytes else { break }
      cut.append(character)
    }
    while cut.last?.isWhitespace ?? false { cut.removeLast() }
    return cut.isEmpty || AppLabel.fault(cut, uid: .max) != nil ? nil : cut
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool { !AppLabel.isHidden(scalar) }
}
