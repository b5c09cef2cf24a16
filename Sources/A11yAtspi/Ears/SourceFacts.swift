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
