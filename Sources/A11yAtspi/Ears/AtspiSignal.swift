// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import DBus

/// A signal of AT-SPI that the ears know.
package struct AtspiSignal: Equatable, Sendable {
  package enum News: Equatable, Sendable {
    case announcement(String, isAssertive: Bool)
    /// A text as it is, with the places of objects in it, and the place where it stands now.
    case inserted(String, at: Int64 = 0)
    case removed(String, at: Int64 = 0)
    case shown
    /// A live region has come with its text; the ears find it, no signal tells it.
    case appeared
    case busy(Bool)
    case focused
    /// A change of a state that is spoken.
    case state(AtspiState, Bool)
    /// The member of a list or table that has the focus within it.
    case activeDescendant(SourceObject)
    case valueChanged
    /// A change of the objects in it, which only a mirror looks at.
    case childrenChanged
    case renamed(String)
    case described
    case window(WindowChange, title: String)
    case loaded
  }

  package enum WindowChange: Equatable, Sendable {
    case created
    case activated
    case deactivated
    case destroyed
  }

  package let source: SourceObject
  package let news: News

  package init(_ source: SourceObject, _ news: News) {
    self.source = source
    self.news = news
  }

  /// The most characters of a text; the bus cuts there, too.
  private static let mostCharacters = 4_096
  private static let prefix = "org.a11y.atspi.Event."

  /// Reads a signal; nil where it says nothing that matters.
  ///
  /// The values are a detail, two numbers, any value, and then either properties or, from older Qt
  /// programs, a reference to the program.
  package init?(
    interface: String,
    member: String,
    from source: SourceObject,
    _ values: [DBusValue]
  ) throws(DBusMistake) {
    guard values.count >= 4, let detail = values[0].text, let first = values[1].number,
      values[2].number != nil, case .variant(let value) = values[3]
    else { throw .malformed }
    guard interface.hasPrefix(Self.prefix),
      let news = Self.news(
        interface.dropFirst(Self.prefix.count),
        member,
        detail[...],
        first,
        value.bare,
        source
      )
    else { return nil }
    self.init(source, news)
  }

  private static func news(
    _ kind: Substring,
    _ member: String,
    _ detail: Substring,
    _ first: Int64,
    _ value: DBusValue,
    _ source: SourceObject
  ) -> News? {
    switch (kind, member) {
    case ("Object", "Announcement"):
      let text = plain(value.text ?? "")
      let announced = text.isEmpty ? plain(String(detail)) : text
      return announced.isEmpty ? nil : .announcement(announced, isAssertive: first == 2)
    case ("Object", "TextChanged"):
      let text = cut(value.text ?? "")
      if text.isEmpty { return nil }
      if detail.hasPrefix("insert") { return .inserted(text, at: first) }
      return detail.hasPrefix("delete") ? .removed(text, at: first) : nil
    case ("Object", "StateChanged"):
      switch detail {
      case "focused": return first == 1 ? .focused : nil
      case "showing": return first == 1 ? .shown : nil
      case "busy": return .busy(first == 1)
      default: return AtspiState(word: String(detail)).map { .state($0, first == 1) }
      }
    case ("Object", "PropertyChange"):
      switch detail {
      case "accessible-value": return .valueChanged
      case "accessible-name": return .renamed(plain(value.text ?? ""))
      case "accessible-description": return .described
      default: return nil
      }
    case ("Object", "ChildrenChanged"): return .childrenChanged
    case ("Object", "ActiveDescendantChanged"):
      guard value.members.count == 2, let sender = value.members[0].text,
        let path = value.members[1].text, sender == source.sender
      else { return nil }
      return .activeDescendant(SourceObject(sender, path))
    case ("Document", "LoadComplete"): return .loaded
    // GTK 4.18 has no title there, and a zero; it tells the state of the window as well.
    case ("Window", _) where value.text == "0": return nil
    case ("Window", let member):
      return change(member).map { .window($0, title: plain(value.text ?? "")) }
    default: return nil
    }
  }

  private static func change(_ member: String) -> WindowChange? {
    switch member {
    case "Create": .created
    case "Activate": .activated
    case "Deactivate": .deactivated
    case "Destroy": .destroyed
    default: nil
    }
  }

  /// The sign for an object in a text.
  static let objectSign: Unicode.Scalar = "\u{fffc}"

  private static func cut(_ text: String) -> String {
    // By scalars: a letter may have any number of marks.
    text.utf8.count <= mostCharacters ? text : String(text.unicodeScalars.prefix(mostCharacters))
  }

  /// The signs that browsers put before the items of a list.
  private static let bullets: Set<Character> = ["•", "◦", "▪", "■", "○", "‣"]

  /// A text without the places of embedded objects, and without the sign of an item before it.
  package static func plain(_ text: String) -> String {
    let words = words(in: text)
    guard let first = words.first, bullets.contains(first) else { return words }
    let rest = words.dropFirst()
    // Several in a row are hidden letters.
    return rest.isEmpty || rest.first == " " ? String(rest.drop(while: \.isWhitespace)) : words
  }

  private static func words(in text: String) -> String {
    let cut = cut(text)
    guard cut.unicodeScalars.contains(objectSign) else { return PlainText.collapsed(cut) }
    let parts = cut.unicodeScalars.split(separator: objectSign).map(String.init)
    return PlainText.collapsed(parts.joined(separator: " "))
  }
}

/// The keys for an action, as a toolkit tells them: the sign of the item, the way to it through
/// menus, and the shortcut, divided by semicolons, as “n;<Alt>f:n;<Primary>n”.
package enum AtspiKeys {
  private static let modifiers = [
    "Primary": "Ctrl", "Control": "Ctrl", "Shift": "Shift", "Alt": "Alt", "Super": "Super",
  ]

  /// The shortcut as it stands on the keys, such as “Ctrl+N”; empty where there is none.
  package static func shortcut(in binding: String) -> String {
    let parts = binding.split(separator: ";", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return "" }
    let keys = parts[2].split(whereSeparator: { $0 == "<" || $0 == ">" }).map(String.init)
    guard let last = keys.last, keys.count > 1 || last.first == "F" else { return "" }
    let held = keys.dropLast().map { modifiers[$0] ?? $0 }
    return (held + [last.count == 1 ? last.uppercased() : last]).joined(separator: "+")
  }
}
