// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import DBus

/// A program's request that the desktop show a notification.
package struct NoticeCall: Equatable, Sendable {
  /// The urgency that the desktop's specification knows.
  package enum Urgency: Int64, Sendable {
    case low = 0
    case normal = 1
    case critical = 2
  }

  /// The connection of the program, and the number of its call there.
  package let sender: String
  package let serial: UInt64
  package let app: String
  /// The id of the notification in whose place it stands; 0 for none.
  package let replaces: UInt32
  package let text: String
  package let urgency: Urgency
  /// A name that the program has for a row of notifications that replace each other.
  package let tag: String?
  /// Whether the program calls the words private.
  package let isSensitive: Bool

  /// The most bytes of a tag within a key.
  private static let mostTagBytes = 96

  /// Reads the arguments of `Notify`; nil where they are not as the specification has them.
  package init?(sender: String, serial: UInt64, _ values: [DBusValue]) {
    guard values.count == 8, let app = values[0].text, let replaces = values[1].number,
      let summary = values[3].text, let body = values[4].text
    else { return nil }
    let hints = values[6]
    self.sender = sender
    self.serial = serial
    self.app =
      AppName.of(app) ?? hints["desktop-entry"]?.text.flatMap(AppName.of) ?? "notification"
    self.replaces = UInt32(clamping: replaces)
    text = Self.sentence(PlainText.collapsed(summary), PlainText.of(markup: body))
    urgency = hints["urgency"]?.number.flatMap(Urgency.init) ?? .normal
    tag = Self.tagHints.lazy.compactMap { hints[$0]?.text }
      .first { !$0.isEmpty && $0.utf8.count <= Self.mostTagBytes }
    isSensitive = Self.isSensitive(hints)
  }

  /// Hints by which programs replace a notification without knowing its id.
  private static let tagHints = [
    "x-canonical-private-synchronous", "x-dunst-stack-tag", "private-synchronous",
  ]

  private static func sentence(_ summary: String, _ body: String) -> String {
    guard !body.isEmpty, body != summary else { return summary }
    guard let last = summary.last else { return body }
    return last.isPunctuation ? "\(summary) \(body)" : "\(summary). \(body)"
  }

  // MARK: Private words

  /// Parts of a category that stand for a code.
  private static let secretWords: Set = ["otp", "2fa", "one-time-code", "passcode", "password"]

  /// Whether a hint says so: a visibility of KDE (`x-kde-visibility`) or of phones, GNOME's scope
  /// of privacy, a flag of a program, or a category of codes.
  private static func isSensitive(_ hints: DBusValue) -> Bool {
    hints.entries.contains { hint in
      switch hint.name {
      case "category":
        return hint.value.text?.split(separator: ".").contains {
          secretWords.contains($0.lowercased())
        } ?? false
      case "x-gnome-privacy-scope": return hint.value.text == "user"
      case let name where name.hasPrefix("x-") && name.hasSuffix("-visibility"):
        return ["private", "secret"].contains(hint.value.text?.lowercased())
      case "sensitive", "x-sensitive", "x-private": return isOn(hint.value)
      case let name where name.hasPrefix("x-") && name.hasSuffix("-sensitive"):
        return isOn(hint.value)
      default: return false
      }
    }
  }

  private static func isOn(_ value: DBusValue) -> Bool {
    value.flag ?? value.number.map { $0 != 0 } ?? (value.text == "true")
  }
}
