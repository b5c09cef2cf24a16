// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

// The places to which the focus can go.
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

  /// The window that an app means which names none: the one with this element, else the one that
  /// the user works in, else the last that arrived.
  public func window(with element: Name?, app: AppKey) -> Name? {
    guard let known = apps[app] else { return nil }
    if let active, active.app == app {
      let isThere = element.map { known.windows[active.window]?.tree.contains($0) ?? false }
      if isThere ?? true { return active.window }
    }
    if let element, let found = known.newest(where: { $0.tree.contains(element) }) { return found }
    if let active, active.app == app { return active.window }
    return known.newest { _ in true }
  }

  /// Whether the focus can be on an element: it is there, shown, and a stop.
  public func isStop(_ spot: Spot) -> Bool {
    guard let tree = tree(spot.app, spot.window), let slot = tree.find(spot.element) else {
      return false
    }
    var steps = Steps()
    return tree.isStop(slot, &steps)
  }

  public func exists(_ spot: Spot) -> Bool {
    guard let tree = tree(spot.app, spot.window), let slot = tree.find(spot.element),
      tree[slot].isThere
    else { return false }
    var steps = Steps()
    return !tree.isHidden(slot, &steps)
  }

  /// The stop that an element stands for: itself, or the first one in it.
  public func stop(at spot: Spot) -> Spot? {
    var steps = Steps()
    guard let tree = tree(spot.app, spot.window), let slot = tree.find(spot.element),
      tree[slot].isThere, !tree.isHidden(slot, &steps),
      let stop = tree.firstStop(within: slot, &steps)
    else { return nil }
    return self.spot(spot.app, spot.window, tree.name(stop))
  }

  /// The stop that a step from an element reaches; without an element, from outside of the window.
  public func step(_ step: Step, from element: Name?, window: Name, app: AppKey) -> Spot? {
    guard let tree = tree(app, window) else { return nil }
    let top = bounds(of: window, app, tree)
    var steps = Steps()
    // A step from outside of the cover leads into it.
    let here = element.flatMap { tree.find($0) }.flatMap {
      tree.contains($0, within: top, &steps) ? $0 : nil
    }
    let slot: Tree.Slot?
    switch (step, here) {
    case (.next, let here?): slot = tree.nextStop(behind: here, within: top, &steps)
    case (.previous, let here?): slot = tree.previousStop(before: here, within: top, &steps)
    case (.first, _), (.next, nil): slot = tree.firstStop(within: top, &steps)
    case (.last, _), (.previous, nil): slot = tree.lastStop(within: top, &steps)
    }
    return slot.map { spot(app, window, tree.name($0)) }
  }

  /// The front-most stop at a point of the screen.
  public func hit(_ x: Int64, _ y: Int64, window: Name, app: AppKey) -> Spot? {
    guard let tree = tree(app, window) else { return nil }
    var steps = Steps()
    return tree.hit(x, y, within: bounds(of: window, app, tree), &steps).map {
      spot(app, window, tree.name($0))
    }
  }

  /// The last place of the focus in a window, if the focus can still be there.
  public func lastSpot(window: Name, app: AppKey) -> Spot? {
    guard let element = apps[app]?.windows[window]?.focus else { return nil }
    let last = spot(app, window, element)
    return isStop(last) ? last : nil
  }

  /// The most elements to which a gesture is offered; each has a second to answer.
  public static let mostResponders = 64

  /// The elements from this one outwards that want to hear of a gesture.
  public func responders(to gesture: StaticString, from spot: Spot) -> [Name] {
    guard let tree = tree(spot.app, spot.window), let start = tree.find(spot.element) else {
      return []
    }
    var names: [Name] = []
    var steps = Steps()
    _ = tree.outward(from: start, &steps) { slot in
      if tree[slot].flags.contains(.responds), tree.element(slot)?.responds(to: gesture) ?? false {
        names.append(tree.name(slot))
      }
      return names.count == Self.mostResponders
    }
    return names
  }

  /// The names of the containers around an element, the outermost first.
  public func path(to spot: Spot) -> [Name] {
    guard let tree = tree(spot.app, spot.window), let slot = tree.find(spot.element) else {
      return []
    }
    var names: [Name] = []
    var steps = Steps()
    _ = tree.outward(from: tree[slot].parent, &steps) { slot in
      names.append(tree.name(slot))
      return false
    }
    return names.reversed()
  }

  // MARK: Repair

  /// The place of the focus when its element is gone: the next sibling, else the previous one, the
  /// parent, the first stop of the cover or of the window.
  ///
  /// `before` is the model while the element was still there.
  public func repair(_ spot: Spot, before: Model) -> Spot? {
    guard let tree = tree(spot.app, spot.window) else { return nil }
    let top = bounds(of: spot.window, spot.app, tree)
    var steps = Steps()
    if let old = before.tree(spot.app, spot.window), let start = old.find(spot.element) {
      var found: Tree.Slot?
      var walk = Steps()
      _ = old.outward(from: start, &walk) { at in
        found = neighbour(of: at, old, tree, top, &steps)
        if found == nil, let parent = tree.slot(of: old[at].parent, in: old),
          tree.isStop(parent, &steps), tree.contains(parent, within: top, &steps)
        {
          found = parent
        }
        return found != nil || steps.isSpent
      }
      if let found { return self.spot(spot.app, spot.window, tree.name(found)) }
    }
    var anew = Steps()
    return tree.firstStop(within: top, &anew).map {
      self.spot(spot.app, spot.window, tree.name($0))
    }
  }

  /// The first stop in the nearest former sibling that is still there, behind the element or else
  /// before.
  private func neighbour(
    of slot: Tree.Slot,
    _ old: Tree,
    _ new: Tree,
    _ top: Tree.Slot,
    _ steps: inout Steps
  ) -> Tree.Slot? {
    // After a `replace` of the window, siblings have to be found by their names.
    let cost = old.replacements == new.replacements ? 1 : Self.lookup
    func stop(_ sibling: Tree.Slot) -> Tree.Slot? {
      guard let slot = new.slot(of: sibling, in: old), !new.isHidden(slot, &steps),
        new.contains(slot, within: top, &steps)
      else { return nil }
      return new.firstStop(within: slot, &steps)
    }
    var at = old[slot].after
    while at != .none, steps.spend(cost) {
      if let found = stop(at) { return found }
      at = old[at].after
    }
    at = old[slot].before
    while at != .none, steps.spend(cost) {
      if let found = stop(at) { return found }
      at = old[at].before
    }
    return nil
  }

  /// Finding an element by its name takes as long as so many steps.
  private static let lookup = 8

  /// When the next app is removed, if any.
  public var nextExpiry: Int64? { nextDue?.microseconds }

  private func tree(_ app: AppKey, _ window: Name) -> Tree? { apps[app]?.windows[window]?.tree }

  /// The bounds that the way does not leave: the element that covers the rest, or the window.
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

/// The number of elements that one walk may still look at.
///
/// A walk that looks at each element of an app twice needs no more. Only walks that meet the same
/// elements again and again do, as from each of forty thousand nested elements to all around it;
/// such a walk ends as if nothing more came. The number is a constant, so that a replay ends at the
/// same element.
struct Steps {
  private var left: Int

  static let most = 2 * Limits.elementsPerApp + 1_024

  init() { left = Self.most }

  /// Spends steps; false when none were left.
  mutating func spend(_ cost: Int = 1) -> Bool {
    left -= cost
    return left >= 0
  }

  var isSpent: Bool { left <= 0 }
}
