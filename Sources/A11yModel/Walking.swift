// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

// Where the focus can go.
extension Model {
  public enum Step: Sendable {
    case next, previous, first, last
  }

  /// A place for the focus.
  public struct Spot: Equatable, Sendable {
    public let app: AppKey
    public let window: Name
    public let element: Name

    public init(app: AppKey, window: Name, element: Name) {
      self.app = app
      self.window = window
      self.element = element
    }
  }

  public var focusSpot: Spot? { focus?.spot }

  public var focusSeq: Seq? { focus?.seq }

  /// The window that is meant where an app names none: the one with this element, the one that the
  /// user works in, the one that came last.
  public func window(with element: Name?, app: AppKey) -> Name? {
    guard let known = apps[app] else { return nil }
    if let active, active.app == app {
      let isThere = element.map { known.windows[active.window]?.tree.contains($0) ?? false }
      if isThere ?? true { return active.window }
    }
    if let element {
      let holding = known.windows.filter { $0.value.tree.contains(element) }
      if let found = holding.max(by: { $0.value.arrival < $1.value.arrival }) { return found.key }
    }
    if let active, active.app == app { return active.window }
    return known.windows.max { $0.value.arrival < $1.value.arrival }?.key
  }

  /// Whether the focus can be on an element: it is there, shown, and one that is stopped at.
  public func isStop(_ spot: Spot) -> Bool {
    guard let tree = tree(spot.app, spot.window), let slot = tree.find(spot.element) else {
      return false
    }
    return tree.isStop(slot)
  }

  public func exists(_ spot: Spot) -> Bool {
    guard let tree = tree(spot.app, spot.window), let slot = tree.find(spot.element),
      tree[slot].element != nil
    else { return false }
    return !tree.isHidden(slot)
  }

  /// The stop that an element stands for: itself, or the first one in it.
  public func stop(at spot: Spot) -> Spot? {
    guard let tree = tree(spot.app, spot.window), let slot = tree.find(spot.element),
      tree[slot].element != nil, !tree.isHidden(slot)
    else { return nil }
    return tree.firstStop(within: slot).map { self.spot(spot.app, spot.window, tree[$0].name) }
  }

  /// The stop that is reached from an element, or without one from outside.
  public func step(_ step: Step, from element: Name?, window: Name, app: AppKey) -> Spot? {
    guard let tree = tree(app, window) else { return nil }
    let top = bounds(of: window, app, tree)
    // From outside of what covers the rest, the way leads into it.
    let here = element.flatMap { tree.find($0) }.flatMap {
      tree.contains($0, within: top) ? $0 : nil
    }
    let slot: Tree.Slot? =
      switch step {
      case .first: tree.firstStop(within: top)
      case .last: tree.lastStop(within: top)
      case .next:
        here.map { tree.nextStop(behind: $0, within: top) } ?? tree.firstStop(within: top)
      case .previous:
        here.map { tree.previousStop(before: $0, within: top) } ?? tree.lastStop(within: top)
      }
    return slot.map { spot(app, window, tree[$0].name) }
  }

  /// The front-most stop at a point of the screen.
  public func hit(_ x: Int64, _ y: Int64, window: Name, app: AppKey) -> Spot? {
    guard let tree = tree(app, window) else { return nil }
    return tree.hit(x, y, within: bounds(of: window, app, tree)).map {
      spot(app, window, tree[$0].name)
    }
  }

  /// Where the focus of a window was last, if that is still there.
  public func lastSpot(window: Name, app: AppKey) -> Spot? {
    guard let element = apps[app]?.windows[window]?.focus else { return nil }
    let last = spot(app, window, element)
    return isStop(last) ? last : nil
  }

  /// Elements from this one outwards that want to hear of a gesture.
  public func responders(to gesture: StaticString, from spot: Spot) -> [Name] {
    guard let tree = tree(spot.app, spot.window), var at = tree.find(spot.element) else {
      return []
    }
    var names: [Name] = []
    for _ in tree.wayUp where at != .root && at != .none {
      if tree[at].element?.responds(to: gesture) ?? false { names.append(tree[at].name) }
      at = tree[at].parent
    }
    return names
  }

  /// The names of the containers around an element, the outermost first.
  public func path(to spot: Spot) -> [Name] {
    guard let tree = tree(spot.app, spot.window), let slot = tree.find(spot.element) else {
      return []
    }
    var names: [Name] = []
    var at = tree[slot].parent
    for _ in tree.wayUp where at != .root && at != .none {
      names.append(tree[at].name)
      at = tree[at].parent
    }
    return names.reversed()
  }

  // MARK: Repair

  /// Where the focus goes when its element is gone: the next sibling, else the previous one, the
  /// parent, the first of what covers the rest or of the window.
  ///
  /// Always the same answer.
  /// `before` is the model when the element was still there.
  public func repair(_ spot: Spot, before: Model) -> Spot? {
    guard let tree = tree(spot.app, spot.window) else { return nil }
    let top = bounds(of: spot.window, spot.app, tree)
    if let old = before.tree(spot.app, spot.window), var at = old.find(spot.element) {
      for _ in old.wayUp where at != .root && at != .none {
        if let found = neighbour(of: at, old, tree, top) {
          return self.spot(spot.app, spot.window, tree[found].name)
        }
        at = old[at].parent
        if at != .root, at != .none, let slot = tree.find(old[at].name), tree.isStop(slot),
          tree.contains(slot, within: top)
        {
          return self.spot(spot.app, spot.window, old[at].name)
        }
      }
    }
    return tree.firstStop(within: top).map { self.spot(spot.app, spot.window, tree[$0].name) }
  }

  /// The nearest sibling that was there and still is, behind it or else before it.
  private func neighbour(
    of slot: Tree.Slot,
    _ old: Tree,
    _ new: Tree,
    _ top: Tree.Slot
  ) -> Tree.Slot? {
    var at = old[slot].after
    while at != .none {
      if let found = stop(old[at].name, new, top) { return found }
      at = old[at].after
    }
    at = old[slot].before
    while at != .none {
      if let found = stop(old[at].name, new, top) { return found }
      at = old[at].before
    }
    return nil
  }

  private func stop(_ name: Name, _ tree: Tree, _ top: Tree.Slot) -> Tree.Slot? {
    guard let slot = tree.find(name), tree[slot].element != nil, !tree.isHidden(slot),
      tree.contains(slot, within: top)
    else { return nil }
    return tree.firstStop(within: slot)
  }

  /// When the next app is let go of, if any.
  public var nextExpiry: Int64? { nextDue == .max ? nil : nextDue }

  private func tree(_ app: AppKey, _ window: Name) -> Tree? { apps[app]?.windows[window]?.tree }

  /// What the way does not leave: the element that covers the rest, or the window.
  private func bounds(of window: Name, _ app: AppKey, _ tree: Tree) -> Tree.Slot {
    guard let top = cover(of: app), top.window == window, let element = top.element else {
      return .root
    }
    return tree.find(element) ?? .root
  }

  private func spot(_ app: AppKey, _ window: Name, _ element: Name) -> Spot {
    Spot(app: app, window: window, element: element)
  }
}
