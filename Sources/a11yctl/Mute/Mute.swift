// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yRules
import A11yToml
import A11yWire

/// The user's wish that an app announces nothing by itself: a file with one rule.
///
/// The rule takes announcements alone, and none that answers to the user: the focus, and the effect
/// of what is done in the app, are heard as before. Urgent announcements are kept silent as well,
/// for that an app calls itself urgent is the very reason why some are muted; `letsUrgent` has them
/// heard.
struct Mute: Equatable {
  /// The name of the rule, by which explanations tell it.
  static let rule = "mute"

  /// The app's name, in which `*` stands for anything.
  let app: String
  /// The end, in microseconds since 1970; nil until further notice.
  let end: Int64?
  let letsUrgent: Bool

  private static let prefix = "mute-"
  private static let ending = ".toml"
  /// The line of a file that tells the end.
  private static let endMark = "# ends "
  /// Far more than such a file has.
  private static let largest = 65_536

  init(app: String, end: Int64?, letsUrgent: Bool) {
    self.app = app
    // Timers know whole seconds.
    self.end = end.map { ($0 + 999_999) / 1_000_000 * 1_000_000 }
    self.letsUrgent = letsUrgent
  }

  // MARK: The file

  /// The name of the file: that of the app, with other signs than letters and digits in hexadecimal
  /// digits.
  var fileName: String {
    var name = Self.prefix
    for scalar in app.unicodeScalars {
      if scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "._-".unicodeScalars.contains(scalar)
      {
        name.unicodeScalars.append(scalar)
      } else {
        name += String(scalar).utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }
          .joined()
      }
    }
    return name + Self.ending
  }

  static func isFileName(_ name: String) -> Bool {
    name.hasPrefix(prefix) && name.hasSuffix(ending)
  }

  /// The content of the file.
  var text: String {
    let quoted = "\"" + app.map { "\\\"".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "\""
    var lines = ["# Made by a11yctl mute; a11yctl unmute takes it away."]
    if let end { lines.append(Self.endMark + ClockTime.universal(end)) }
    lines += ["[[rule]]", "name = \"\(Self.rule)\"", "app = \(quoted)", "type = \"announcement\""]
    lines.append("cause = \"auto\"")
    if letsUrgent { lines.append("priority = [\"low\", \"default\"]") }
    return (lines + ["present = \"log\"", ""]).joined(separator: "\n")
  }

  /// Reads a file; nil where it holds no mute.
  init?(file path: String) {
    guard let bytes = try? File.read(path, limit: Self.largest),
      let rules = try? Rule.read(text: bytes, fileName: path),
      let rule = rules.first(where: { $0.name == Self.rule && $0.settings.present == .log }),
      let app = rule.matchers.apps?.first?.text
    else { return nil }
    let mark = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix(Self.endMark) }
    self.app = app
    end = mark.flatMap { Moment.parse(String($0.dropFirst(Self.endMark.count)), now: 0) }
    letsUrgent = rule.matchers.priorities.map { !$0.contains(.high) } ?? false
  }
}
