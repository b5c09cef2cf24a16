// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient

/// All that the ears know of an object.
package struct SourceFacts: Equatable, Sendable {
  package let role: AtspiRole
  package var name: String
  /// The attributes about live regions and fields, and no others.
  package let attributes: [String: String]
  /// Its language, if it is another than that of the session.
  package var language: String?
  /// The objects around it that make it news; nil where it stands for itself.
  package var region: LiveRegion?
  /// The count of changes between busy and free of its program when it was asked.
  var busyTurn = 0

  // Read off the attributes once: they are asked for with every signal.

  /// Whether inserted text is news, and how urgent; nil where it is none.
  let isAssertive: Bool?
  /// Whether text that comes is among the changes that the region tells.
  let tellsInsertions: Bool
  /// Whether names that change are among them.
  let tellsNames: Bool
  /// Whether text that goes is among them.
  let tellsRemovals: Bool
  package let isBusy: Bool
  /// Whether it is an object of a page.
  package let isOfPage: Bool
  /// Whether its page names it itself, and the text in it is not what it says.
  let hidesText: Bool
  /// Whether the region is told as a whole; nil where its role decides.
  private let atomicMark: Bool?
  private let isAlert: Bool
  /// The kind of news by the word for its region, or by its own role.
  private let ownKind: AnnouncementClass?

  package init(
    role: AtspiRole = .unknown,
    name: String = "",
    attributes: [String: String] = [:],
    language: String? = nil,
    region: LiveRegion? = nil
  ) {
    self.language = language
    self.role = name == "GtkSwitch" ? .switch : role
    self.name = Self.isClass(name) ? "" : Self.once(AtspiSignal.plain(name))
    self.attributes = attributes.filter {
      Self.known.contains($0.key) && $0.value.utf8.count <= Self.mostBytes
    }
    self.region = region
    isAssertive = Self.urgency(role, attributes)
    let relevant = attributes["container-relevant"]?.split(separator: " ")
    tellsInsertions = relevant.map { !Self.additions.isDisjoint(with: $0) } ?? true
    tellsNames = relevant.map { !Self.texts.isDisjoint(with: $0) } ?? true
    let tells = relevant.map { !Self.removals.isDisjoint(with: $0) } ?? false
    tellsRemovals = tells && isAssertive != nil
    isBusy = attributes["container-busy"] == "true"
    isOfPage = attributes["tag"] != nil
    hidesText = attributes["explicit-name"] == "true" && role.isNamed && !name.isEmpty
    atomicMark = attributes["container-atomic"].map { $0 == "true" }
    isAlert = role == .alert || attributes["container-live-role"] == "alert"
    ownKind = Self.kinds[attributes["container-live-role"] ?? ""] ?? role.regionKind
  }

  /// The bytes of an attribute that are kept of each of thousands of sources; words in a field are
  /// fewer.
  private static let mostBytes = 1_024

  private static let known: Set = [
    "live", "container-live", "container-atomic", "container-busy", "container-relevant",
    "container-live-role", "atomic", "busy", "tag", "placeholder", "placeholder-text",
    "xml-roles", "posinset", "setsize", "valuetext", "explicit-name",
  ]

  /// A name that GTK 4 gives twice, with the mark of its key and without it, as in “_Save Save”.
  private static func once(_ name: String) -> String {
    let words = name.suffix(max(0, (name.count - 2) / 2))
    guard name.contains("_"), name == "\(name.prefix(words.count + 1)) \(words)",
      name.prefix(words.count + 1).replacing("_", with: "") == words
    else { return name }
    return String(words)
  }

  /// The same facts about an object in which the user types: that is no news.
  package var ofTypedText: SourceFacts {
    let live: Set = ["live", "container-live"]
    return SourceFacts(
      role: role,
      name: name,
      attributes: attributes.filter { !live.contains($0.key) },
      language: language
    )
  }

  /// The same facts of a switch.
  package var ofSwitch: SourceFacts {
    SourceFacts(role: .switch, name: name, attributes: attributes, language: language)
  }

  /// Whether a name is that of a class: GTK 4 gives it where a program gives no name.
  package static func isClass(_ name: String) -> Bool {
    guard let prefix = ["Gtk", "Adw"].first(where: name.hasPrefix) else { return false }
    let rest = name.dropFirst(prefix.count)
    return rest.first?.isUppercase ?? false && rest.allSatisfy { $0.isASCII && $0.isLetter }
  }

  private static let additions: Set<Substring> = ["additions", "text", "all"]
  private static let texts: Set<Substring> = ["text", "all"]
  private static let removals: Set<Substring> = ["removals", "all"]
  private static let kinds: [String: AnnouncementClass] = [
    "status": .status, "log": .chat, "timer": .timer,
  ]

  private static func urgency(_ role: AtspiRole, _ attributes: [String: String]) -> Bool? {
    // What is typed is the reader's to echo, and secrets never get in, whatever surrounds them.
    guard role != .passwordText, !role.isField else { return nil }
    if role == .terminal { return false }
    switch attributes["container-live"] ?? attributes["live"] {
    case "assertive": return true
    case "polite": return role == .alert
    case "off": return nil
    // Firefox marks an alert by its role alone.
    default: return role.isNews ? role == .alert : nil
    }
  }

  /// The kind of element that it is, if readers have a word for it.
  package var kind: AppElement.Role? { role.kind(attributes["xml-roles"]) }

  /// Whether it is a window or a part of a page that asks or tells something.
  package var isDialog: Bool {
    isOfPage ? kind == .dialog || kind == .alertDialog : role.isDialog
  }

  /// The place among those that it belongs to, as its page tells it.
  package var place: SetPlace? {
    guard let index = attributes["posinset"].flatMap(Int64.init),
      let count = attributes["setsize"].flatMap(Int64.init)
    else { return nil }
    return SetPlace(index, of: count)
  }

  /// The words in a field that is empty, by Chromium's name or by Firefox's.
  var placeholder: String? { attributes["placeholder"] ?? attributes["placeholder-text"] }

  /// Whether it stands in a region that is live.
  package var isLive: Bool { isAssertive != nil }

  /// Whether it begins a region by itself.
  package var isRegion: Bool { attributes["live"] != nil || role.regionKind != nil }

  /// Whether a change in it is told by the whole text of a region.
  ///
  /// A status and an alert of a page are atomic unless it says otherwise; Firefox does not tell it.
  package var isAtomic: Bool {
    atomicMark ?? (isLive && (regionKind == .status || isAlert && isOfPage))
  }

  /// The kind of news of its region, by the role of the region.
  var regionKind: AnnouncementClass? { ownKind ?? region?.role.regionKind }
}

/// The objects that make an object of a page news.
package struct LiveRegion: Equatable, Sendable {
  /// The object that begins the region, and its role.
  package var root: SourceObject
  package var role: AtspiRole
  /// The object whose whole text tells a change, where the region is atomic.
  package var atomic: SourceObject?
  /// The object that is busy.
  package var busy: SourceObject?

  package init(
    root: SourceObject,
    role: AtspiRole = .unknown,
    atomic: SourceObject? = nil,
    busy: SourceObject? = nil
  ) {
    self.root = root
    self.role = role
    self.atomic = atomic
    self.busy = busy
  }
}

/// An object of a foreign program: its connection, and its path there.
package struct SourceObject: Hashable, Sendable {
  package let sender: String
  package let path: String

  package init(_ sender: String, _ path: String) {
    self.sender = sender
    self.path = path
  }

  /// The object by which a toolkit introduces a program.
  package static func root(of sender: String) -> SourceObject {
    SourceObject(sender, "/org/a11y/atspi/accessible/root")
  }

  private static let usualPrefix = "/org/a11y/atspi/accessible/"
  private static let mostBytes = 128

  /// The element of the bus that stands for it, by its connection and the end of its path.
  ///
  /// D-Bus allows ASCII alone in both, and a daemon's names of connections are short.
  package var element: String {
    let name =
      path.hasPrefix(Self.usualPrefix) ? path.dropFirst(Self.usualPrefix.count) : path[...]
    // The end of a long path tells its objects apart.
    return "\(sender)/\(name.suffix(Self.mostBytes - 1 - sender.utf8.count))"
  }
}

/// The language of an object, by the locale that its program tells.
package enum SourceLanguage {
  private static let mostBytes = 35

  /// The tag of a locale, as in `de-AT`, if its language is another than that of the session.
  package static func foreign(_ locale: String, in session: String?) -> String? {
    let own = session.flatMap { Self.tag($0) } ?? "en"
    guard let tag = tag(locale), primary(tag[...]) != primary(own[...]) else { return nil }
    return tag
  }

  /// The tag of a locale such as `de_AT.UTF-8`; nil where it names no language.
  private static func tag(_ locale: String) -> String? {
    let name = locale.prefix { $0 != "." && $0 != "@" }.replacing("_", with: "-")
    let language = primary(name[...])
    guard (2...3).contains(language.utf8.count), name.utf8.count <= mostBytes,
      language.allSatisfy({ $0.isASCII && $0.isLetter }),
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }),
      !name.hasSuffix("-")
    else { return nil }
    return String(name)
  }

  private static func primary(_ tag: Substring) -> String {
    tag.prefix { $0 != "-" }.lowercased()
  }
}

/// Facts about sources, of which the one unused for longest goes at the bound.
struct SourceTable {
  private struct Row {
    var facts: SourceFacts
    var use: UInt64
  }

  /// More than a session's programs change between two restarts of theirs.
  static let most = 4_096
  /// Rows that go at once, so that the search for the oldest ones is rare.
  private static let sweep = 512

  private var rows: [SourceObject: Row] = [:]
  private var uses: UInt64 = 0

  var count: Int { rows.count }

  subscript(source: SourceObject) -> SourceFacts? {
    mutating get {
      uses += 1
      rows[source]?.use = uses
      return rows[source]?.facts
    }
    set {
      uses += 1
      rows[source] = newValue.map { Row(facts: $0, use: uses) }
      if rows.count > Self.most { forgetOldest() }
    }
  }

  mutating func removeAll(of sender: String) {
    rows = rows.filter { $0.key.sender != sender }
  }

  private mutating func forgetOldest() {
    let bound = rows.values.map(\.use).sorted()[Self.sweep]
    rows = rows.filter { $0.value.use >= bound }
  }
}

/// A question to a foreign program about one of its objects.
package struct SourceQuestion: Hashable, Sendable {
  /// The thing that is asked for.
  package enum Topic: Hashable, Sendable {
    /// The name of the program, by its root.
    case program
    /// Role, attributes and name, and the region around it.
    case facts
    /// Role and name of an object that has become active, which may be a window.
    case window
    /// The facts with everything that is spoken of the control with the focus.
    case control
    /// The same of a page that has loaded.
    case page
    /// The whole text of an object, with the texts of the objects in it.
    case text
    /// The texts of the objects in an inserted text, whose place in the object is known.
    case parts(of: String, at: Int64)
    /// The live regions among the objects in an inserted text.
    case regions(of: String, at: Int64)
    /// The texts of the objects in an object, one by one.
    case members
    /// The texts within an alert.
    case labels
    /// The present value with its bounds.
    case value
    /// The choice in a combo box.
    case choice
    /// The title and the texts of a dialog.
    case dialog

    /// Whether it is about a text that comes or goes.
    var isOfText: Bool {
      switch self {
      case .facts, .text, .parts, .regions, .members: true
      case .program, .window, .control, .page, .labels, .value, .choice, .dialog: false
      }
    }
  }

  package let topic: Topic
  package let source: SourceObject

  package init(_ topic: Topic, _ source: SourceObject) {
    self.topic = topic
    self.source = source
  }
}

/// The answer to a question; each kind has its topic.
package enum SourceAnswer: Equatable, Sendable {
  case program(name: String, process: Int64? = nil)
  case facts(SourceFacts)
  case control(ControlFacts)
  /// The text of an object, and the label that its page gives it.
  case text(String, label: String = "")
  /// The texts of objects: the answer for parts and for members.
  case parts([TextPart])
  case objects([SourceObject])
  case value(present: Double, lowest: Double, highest: Double, text: String? = nil)
  case dialog(title: String, text: String)
  /// The program has refused, or has not answered in time.
  case none
}

/// The text of an object, and the objects in which it was found.
package struct TextPart: Equatable, Sendable {
  package let source: SourceObject
  package let text: String
  /// The objects within it, itself not among them.
  package let inner: [SourceObject]

  package init(_ source: SourceObject, _ text: String, inner: [SourceObject] = []) {
    self.source = source
    self.text = text
    self.inner = inner
  }
}
