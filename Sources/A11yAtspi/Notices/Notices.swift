// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient
import A11yWire
package import DBus

/// The desktop's notifications on their way to the bus: calls, answers and closings go in, events
/// come out.
///
/// Nobody knows the id of a first notification before the server has answered, and where there is
/// no server there is none. So an event goes out at once, with a key made of its call, and the id
/// is learnt from the answer; a replacement finds the key by the id. Programs that choose ids
/// themselves are understood too.
package struct Notices {
  /// A deed for the process.
  package enum Act: Equatable {
    case post(Event, app: String, ticket: Int64)
    case cancel(Int64, app: String)
  }

  /// A notification that may still be replaced or closed.
  private struct Row {
    let ticket: Int64
    let sender: String
    let serial: UInt64
    let app: String
    let key: String
    let tag: String?
    var id: UInt32?
    /// The connection of the server that has given the id.
    var server: String?
    var seq: Int64?
    var isClosed = false
    /// Whether its time on the screen is over.
    var hasExpired = false
  }

  /// The apps that are left alone.
  package var silentApps: Set<String> = []
  /// Rows in the order of their coming.
  private var rows: [Row] = []
  private var lastTicket: Int64 = 0
  /// Whether the session is locked, so that notifications wait.
  private var isLocked = false
  private var held: [Held] = []
  /// Notifications that were given up because too many waited.
  package private(set) var overrun = 0

  /// A notification that waits for the user to come back.
  private struct Held {
    let row: Row
    let event: Event
  }

  /// More than anybody listens to on coming back; the newest ones stay.
  private static let mostHeld = 64

  /// More than any desktop shows; the oldest goes, and can no longer be withdrawn.
  private static let mostRows = 256

  package init() {}

  package mutating func announce(_ call: NoticeCall) -> [Act] {
    guard !call.text.isEmpty, !silentApps.contains(call.app) else { return [] }
    // A call that starts a server may be seen twice.
    let isKnown = rows.contains { $0.sender == call.sender && $0.serial == call.serial }
    guard !isKnown else { return [] }
    let predecessor = rows.last { row in
      if call.replaces != 0 { return row.id == call.replaces }
      return call.tag != nil && row.tag == call.tag && row.app == call.app
    }
    lastTicket += 1
    let row = Row(
      ticket: lastTicket,
      sender: call.sender,
      serial: call.serial,
      app: call.app,
      key: predecessor?.key ?? "\(call.sender)-\(call.serial)",
      tag: call.tag,
      id: call.replaces == 0 ? nil : call.replaces
    )
    rows.append(row)
    if rows.count > Self.mostRows { rows.removeFirst() }
    let event = event(call, key: row.key)
    guard isLocked, call.urgency != .critical else {
      return [.post(event, app: row.app, ticket: row.ticket)]
    }
    held.removeAll { $0.row.key == row.key }
    if held.count == Self.mostHeld {
      held.removeFirst()
      overrun += 1
    }
    held.append(Held(row: row, event: event))
    return []
  }

  /// Has notifications wait while the session is locked, all but critical ones; what has waited
  /// goes when it is not.
  package mutating func setLocked(_ isLocked: Bool) -> [Act] {
    self.isLocked = isLocked
    guard !isLocked else { return [] }
    defer { held = [] }
    return held.map { .post($0.event, app: $0.row.app, ticket: $0.row.ticket) }
  }

  private func event(_ call: NoticeCall, key: String) -> Event {
    let priority: AnnouncementPriority =
      switch call.urgency {
      case .low: .low
      case .normal: .default
      case .critical: .high
      }
    let event = Event.announcement(
      SpeechText(call.text),
      priority: priority,
      mode: .latest,
      queue: true
    ).key(key).origin("notification")
    return call.isSensitive ? event.sensitive() : event
  }

  /// Takes the server's answer to a call, which has the id.
  package mutating func answered(sender: String, serial: UInt64, by server: String, id: UInt32) {
    guard let index = rows.lastIndex(where: { $0.sender == sender && $0.serial == serial })
    else { return }
    rows[index].id = id
    rows[index].server = server
  }

  /// The reason of a server whose time to show a notification is over.
  private static let hasExpired: Int64 = 1

  /// Takes the end of a notification that is shown, by its server's word.
  ///
  /// One whose time on the screen is over may not have been heard yet, so its words stay. Servers
  /// give such an id anew; its program alone may still mean this one.
  package mutating func closed(id: UInt32, reason: Int64, by closer: String) -> [Act] {
    let shown = known(id: id, by: closer).filter { !rows[$0].hasExpired }
    guard reason == Self.hasExpired else { return close(shown) }
    for index in shown { rows[index].hasExpired = true }
    return []
  }

  private func known(id: UInt32, by closer: String) -> [Int] {
    rows.indices.filter { rows[$0].id == id && [nil, closer].contains(rows[$0].server) }
  }

  private mutating func close(_ mine: [Int]) -> [Act] {
    guard let newest = mine.last else { return [] }
    held.removeAll { $0.row.ticket == rows[newest].ticket }
    guard let seq = rows[newest].seq else {
      rows[newest].isClosed = true
      return []
    }
    let app = rows[newest].app
    for index in mine.reversed() { rows.remove(at: index) }
    return [.cancel(seq, app: app)]
  }

  /// Takes a program's wish that its notification be closed, with or without a server.
  package mutating func withdrawn(id: UInt32) -> [Act] {
    let server = rows.last { $0.id == id }?.server
    return close(known(id: id, by: server ?? ""))
  }

  /// Takes the place of an event in the log.
  package mutating func recorded(ticket: Int64, seq: Int64) -> [Act] {
    guard let index = rows.firstIndex(where: { $0.ticket == ticket }) else { return [] }
    rows[index].seq = seq
    guard rows[index].isClosed else { return [] }
    return [.cancel(seq, app: rows.remove(at: index).app)]
  }
}

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

/// Words without the markup that the bodies of notifications may have.
///
/// The desktop's specification allows a few tags and the entities of XML, and many programs send
/// plain text all the same; so a sign that begins no tag and no entity stays as it is.
package enum PlainText {
  /// The longest text that is looked at; readers cut far earlier.
  private static let mostCharacters = 16_384
  /// The longest tag in bytes, with the address of a link in it.
  private static let longestTag = 2_048
  /// Tags that stand between words.
  private static let breaks: Set = [
    "br", "p", "div", "li", "tr", "td", "ul", "ol", "h1", "h2", "h3",
  ]

  /// The words of a text with markup.
  package static func of(markup: String) -> String {
    var words = ""
    var rest = markup.prefix(mostCharacters)
    // The next sign that ends a tag: looked for once, however many signs begin one.
    var end = rest.startIndex
    while let sign = rest.first {
      switch sign {
      case "<":
        if end <= rest.startIndex { end = rest.firstIndex(of: ">") ?? rest.endIndex }
        guard let (tag, after) = tag(in: rest, upTo: end) else { fallthrough }
        words += substitute(for: tag)
        rest = after
      case "&":
        words.append(XMLEntity.take(&rest) ?? rest.removeFirst())
      default:
        words.append(sign)
        rest.removeFirst()
      }
    }
    return collapsed(words)
  }

  /// The text with single spaces for all runs of white space and control characters.
  package static func collapsed(_ text: String) -> String {
    if isPlain(text) { return text }
    return text.prefix(mostCharacters)
      .split { $0.isWhitespace || $0.unicodeScalars.allSatisfy(isControl) }
      .joined(separator: " ")
  }

  /// Whether a text is short ASCII with single spaces between its words, as most are.
  private static func isPlain(_ text: String) -> Bool {
    guard text.utf8.count <= mostCharacters else { return false }
    let space = UInt8(ascii: " ")
    var last = space
    for byte in text.utf8 {
      guard (space..<0x7f).contains(byte), byte != space || last != space else { return false }
      last = byte
    }
    return last != space
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
  }

  private static func tag(
    in text: Substring,
    upTo end: Substring.Index
  ) -> (tag: Substring, after: Substring)? {
    let inside = text.dropFirst()
    let name = inside.first == "/" ? inside.dropFirst() : inside
    guard let initial = name.first, initial.isASCII, initial.isLetter || initial == "!",
      end < text.endIndex, text.utf8.distance(from: text.startIndex, to: end) <= longestTag
    else { return nil }
    return (inside[..<end], inside[inside.index(after: end)...])
  }

  private static func substitute(for tag: Substring) -> String {
    let name = tag.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased()
    if name == "img" { return alternative(in: tag).map { " \($0) " } ?? "" }
    return breaks.contains(name) ? " " : ""
  }

  /// The words in place of a picture.
  private static func alternative(in tag: Substring) -> String? {
    guard let start = tag.firstRange(of: "alt=")?.upperBound, start < tag.endIndex else {
      return nil
    }
    let quote = tag[start]
    guard quote == "\"" || quote == "'" else { return nil }
    return of(markup: String(tag[tag.index(after: start)...].prefix { $0 != quote }))
  }
}
