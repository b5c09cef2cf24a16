// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

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
