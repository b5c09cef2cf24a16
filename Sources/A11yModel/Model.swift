// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// The state of apps, windows, elements, readers and the focus, as the entries of the log tell it.
///
/// A fold: entries go in, one after the other, and nothing else does. So the model of the live
/// stream, that of a replay and one restored in the middle of the log are equal. Entries are
/// applied as they are stored, so that a text withheld from the log is withheld from the model.
///
/// A copy costs nothing and shares everything; see `Tree`.
public struct Model: Sendable {
  private let sizeless = Sizeless()
  var clients: [Int64: KnownClient] = [:]
  var reader = Reader()
  var doNotDisturb: Int64 = 0
  var focus: Focus?
  /// The place where an app would have the focus.
  public internal(set) var suggestion: Suggestion?
  /// The one window that the user works in, if any.
  var active: WindowPlace?
  /// The users whose windows may be the active one, and whose readers speak.
  public internal(set) var seat: Seat {
    get { reader.seat }
    set { reader.seat = newValue }
  }
  /// The windows that would be active if their users were at the seat, one of each user, the latest
  /// last.
  var claims: [WindowPlace] = []
  /// The windows that lock the sessions of their users.
  var locks: [WindowPlace] = []
  var apps: [AppKey: KnownApp] = [:]
  /// The bytes of all apps of each user.
  var shares: [UInt32: Int] = [:]
  /// The bytes of all apps.
  public internal(set) var bytes = 0
  /// Numbers given so far to apps, windows and covers by their arrival.
  var arrivals: Int64 = 0
  /// Removed parts whose memory is not given back yet.
  var deferredFree = DeferredFree()
  /// The instant at which the next app is to go, if any.
  var nextDue: Instant?

  /// The time for which the windows of an app outlive its last connection: an app that restarts or
  /// reconnects finds them as they were.
  public static let grace = TimeSpan.seconds(5)

  public init() {}

  // MARK: Asking

  /// Whether the value of an element is a secret.
  public func isSecure(_ place: ElementPlace) -> Bool { element(at: place)?.isSecure ?? false }

  /// Whether the names of an element's actions must not stand on the log.
  public func hidesActions(_ place: ElementPlace) -> Bool {
    element(at: place)?.hidesActions ?? false
  }

  /// Whether an element has a value that was withheld from the log.
  public func isValueWithheld(_ place: ElementPlace) -> Bool {
    element(at: place)?.showing.redacted != nil
  }

  /// Whether an element has said what it is, by its traits.
  public func isDescribed(_ place: ElementPlace) -> Bool {
    element(at: place)?.isDescribed ?? false
  }

  private func element(at place: ElementPlace) -> KnownElement? {
    apps[place.app]?.windows[place.window]?.tree[place.element]
  }

  /// A bound of the wire that an event would exceed.
  public enum Overflow: Equatable {
    /// The app would have too many windows.
    case windows
    /// The app would have too many elements, by those in this field.
    case elements(StaticString)
    /// The ids and texts of its windows and elements would have too many bytes.
    case bytes
    /// The ids and texts of all apps of its user would have too many bytes.
    case userBytes

    public static func == (a: Overflow, b: Overflow) -> Bool {
      switch (a, b) {
      case (.windows, .windows): true
      case (.elements(let a), .elements(let b)): a.description == b.description
      case (.bytes, .bytes), (.userBytes, .userBytes): true
      case (.windows, _), (.elements, _), (.bytes, _), (.userBytes, _): false
      }
    }
  }
}

/// Equal models answer every question alike, and stay equal under the same entries.
extension Model: Equatable {
  public static func == (a: Model, b: Model) -> Bool {
    a.clients == b.clients && a.reader == b.reader && a.doNotDisturb == b.doNotDisturb
      && a.focus == b.focus && a.suggestion == b.suggestion && a.active == b.active
      && a.claims == b.claims && a.locks == b.locks
      && a.arrivals == b.arrivals
      && a.apps == b.apps
  }
}

// Questions that the presenter and the checks of publishers ask the model.
extension Model {
  /// The app of the window that the user works in.
  public var activeApp: AppKey? { active?.app }

  public func activeWindow(of app: AppKey) -> Name? { active?.app == app ? active?.window : nil }

  /// Whether the focus is on an element; without `window`, in any window of the app.
  public func hasFocus(_ element: Name, window: Name?, app: AppKey) -> Bool {
    guard let focus, focus.place.app == app, focus.element == element else { return false }
    return window == nil || window == focus.place.window
  }

  /// The app of this name: the one that the user works in, else the one of this user, else the
  /// first that came.
  public func app(named name: Name, near uid: UInt32) -> AppKey {
    if let active = active?.app, active.app == name { return active }
    let own = AppKey(uid: uid, app: name)
    if apps[own] != nil { return own }
    let others = apps.filter { $0.key.app == name }
    return others.min { $0.value.arrival < $1.value.arrival }?.key ?? own
  }

  /// The traits of an element, one bit each in the schema's order.
  public func traits(of element: Name, window: Name?, app: AppKey) -> UInt32 {
    guard let known = apps[app] else { return 0 }
    if let window { return known.windows[window]?.tree[element]?.traitBits ?? 0 }
    // An app that does not name the window seldom has more than one.
    guard known.windows.count == 1 else { return 0 }
    return known.windows.first?.value.tree[element]?.traitBits ?? 0
  }

  /// The parts of an element that change while the user is at it.
  public struct Showing: Equatable, Sendable {
    public var label: [UInt8]?
    public let value: [UInt8]?
    public let role: [UInt8]?
    public let states: States
    /// The length of a value that the log does not have.
    public let redacted: LengthClass?

    /// The same with another label: that of an element without the focus is no news.
    public func called(_ label: [UInt8]?) -> Showing {
      var showing = self
      showing.label = label
      return showing
    }
  }

  public func showing(_ element: Name, window: Name, app: AppKey) -> Showing? {
    apps[app]?.windows[window]?.tree[element]?.showing
  }

  /// The language that an element's app has named, as JSON has it between its quotes.
  public func language(of element: Name, window: Name, app: AppKey) -> [UInt8]? {
    apps[app]?.windows[window]?.tree[element]?.language
  }

  /// The facts that decide whether an element needs a label, and in which language its texts are.
  public struct Naming: Equatable, Sendable {
    /// True for a label that the log does not have, too.
    public var hasLabel = false
    public var hasValue = false
    /// One bit each in the schema's order.
    public var traits: UInt32 = 0
    public var isAccessible: Bool?
    public var isHidden = false
    public var hasChildren = false
    public var lang: String?

    public init() {}
  }

  public func naming(of element: Name, window: Name, app: AppKey) -> Naming? {
    guard let tree = apps[app]?.windows[window]?.tree, var naming = tree[element]?.naming else {
      return nil
    }
    naming.hasChildren = tree.hasChildren(element)
    return naming
  }

  /// The window where the focus of an app is, and the element there.
  public func focusPlace(of app: AppKey) -> (window: Name, element: Name)? {
    guard let focus, focus.place.app == app else { return nil }
    return (focus.place.window, focus.element)
  }

  /// Whether a place in an app is covered: outside of the window or element that covers the rest.
  public func isCovered(window: Name?, element: Name?, app: AppKey) -> Bool {
    guard let window, let top = cover(of: app) else { return false }
    guard top.window == window else { return true }
    guard let cover = top.element, let element,
      let tree = apps[app]?.windows[window]?.tree, let outer = tree.find(cover),
      let slot = tree.find(element)
    else { return false }
    var steps = Steps()
    return !tree.contains(slot, within: outer, &steps)
  }

  /// The window or element that covers the rest of an app; the newest of several.
  public func cover(of app: AppKey) -> (window: Name, element: Name?)? {
    guard let known = apps[app] else { return nil }
    var top: (window: Name, cover: KnownWindow.Cover)?
    for (name, window) in known.windows {
      guard let cover = window.covers.last, cover.at > top?.cover.at ?? .min else { continue }
      top = (name, cover)
    }
    return top.map { ($0.window, $0.cover.element) }
  }

  /// All covers of an app, the oldest first: the number of each, and the place to which the focus
  /// returns when it ends.
  public func covers(of app: AppKey) -> [(at: Int64, back: Spot?)] {
    guard let known = apps[app] else { return [] }
    return known.windows.values.flatMap(\.covers).sorted { $0.at < $1.at }.map { cover in
      let back = cover.returnTo.map {
        Spot(app: $0.place.app, window: $0.place.window, element: $0.element)
      }
      return (cover.at, back)
    }
  }

  /// The connection of the reader that was the last to say whether it runs.
  public var readerStatusConn: Int64? { reader.status?.conn }

  public var disturbanceLevel: Int64 { doNotDisturb }
}

// The weight of apps: the bytes of the ids and texts of their windows and elements.
extension Model {
  /// The bytes of an app.
  public func bytes(of app: AppKey) -> Int { apps[app]?.bytes ?? 0 }

  /// The bytes of all apps of a user.
  public func bytes(of uid: UInt32) -> Int { shares[uid] ?? 0 }

  /// The heaviest app of a user among those with a connected client.
  public func heaviestApp(of uid: UInt32) -> AppKey? {
    var heaviest: (key: AppKey, bytes: Int)?
    for (key, app) in apps where key.uid == uid && app.connections > 0 {
      if let heaviest, (heaviest.bytes, heaviest.key.app.text) >= (app.bytes, key.app.text) {
        continue
      }
      heaviest = (key, app.bytes)
    }
    return heaviest?.key
  }

  /// Counts `more` bytes to an app, to its user and to the model.
  mutating func weigh(_ key: AppKey, _ more: Int) {
    guard more != 0 else { return }
    apps[key]?.bytes += more
    bytes += more
    let share = (shares[key.uid] ?? 0) + more
    shares[key.uid] = share == 0 ? nil : share
  }

  /// The most bytes that an event would add by its ids and texts.
  func growth(
    of event: JSONIndex,
    _ type: EventType,
    in entry: JSONDocument,
    _ known: KnownWindow?
  ) -> Int {
    if type == .window {
      guard let title = entry.member("title", of: event) else { return 0 }
      return entry.byteCount(title) - (known?.title?.utf8.count ?? 0)
    }
    var growth = 0
    var tree = known?.tree
    for field in ["replace", "upsert"] as [StaticString] {
      guard let list = entry.list(field, of: event) else { continue }
      if field.description == "replace" {
        growth -= tree?.bytes ?? 0
        tree = nil
      }
      var item = list + 1
      while item < entry.end(list) {
        if let id = entry.name("id", of: item) {
          let element = tree?[id]
          if element == nil { growth += id.text.utf8.count }
          growth += (element ?? KnownElement()).growth(item, of: entry)
        }
        if let parent = entry.name("parent", of: item), tree?.find(parent) == nil {
          growth += parent.text.utf8.count
        }
        item = entry.end(item)
      }
    }
    return growth
  }
}
