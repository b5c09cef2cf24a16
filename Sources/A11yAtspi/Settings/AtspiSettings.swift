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

  /// The time in which Orca speaks a character, in microseconds; its rate is not known here.
  package private(set) var perCharacter: Int64 = 50_000

  private static let mostApps = 256

  package init() {}

  package mutating func apply(_ entry: TomlEntry) -> String? {
    switch (entry.path, entry.key) {
    case ("", "ears"), ("", "notifications"), ("", "mouth"):
      return entry.value == .table ? nil : "expected a table; got \(entry.value)"
    case ("ears", "leave_alone"): return Self.replace(by: entry.value, in: &silentApps)
    case ("notifications", "leave_alone"):
      return Self.replace(by: entry.value, in: &silentNotifiers)
    case ("ears", _), ("notifications", _): return "expected leave_alone, a list of names of apps"
    case ("mouth", "ms_per_char"): return adoptPace(entry.value)
    case ("mouth", _): return "expected ms_per_char"
    default: return "expected the table [ears], [notifications] or [mouth]"
    }
  }

  private mutating func adoptPace(_ value: TomlValue) -> String? {
    guard case .integer(let time) = value, (1...1_000).contains(time) else {
      return "expected milliseconds from 1 to 1000; got \(value)"
    }
    perCharacter = time * 1_000
    return nil
  }

  private static func replace(by value: TomlValue, in apps: inout Set<String>) -> String? {
    guard case .array(let items) = value else { return "expected a list of names; got \(value)" }
    guard items.count <= mostApps else { return "expected at most \(mostApps) names" }
    var read: Set<String> = []
    for item in items {
      guard case .string(let name) = item.value, AppName.of(name) == name else {
        return "expected the name of an app, at most 128 bytes; got \(item.value)"
      }
      read.insert(name)
    }
    apps = read
    return nil
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
