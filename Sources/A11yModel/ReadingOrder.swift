// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

// The way of a reader through a window: depth first, from one stop to the next.
extension Tree {
  /// Whether the way stops at an element.
  ///
  /// An element that does not say whether it is accessible is a stop unless something in it is.
  func isStop(_ slot: Slot, _ steps: inout Steps) -> Bool {
    guard self[slot].isThere, !isHidden(slot, &steps) else { return false }
    return isShownStop(slot, &steps)
  }

  /// Whether the way stops at an element that is known to be shown.
  func isShownStop(_ slot: Slot, _ steps: inout Steps) -> Bool {
    self[slot].isAccessible ?? (firstOpen(below: slot, &steps) == nil)
  }

  // MARK: Outwards

  /// The end of the way from an element outwards.
  enum Outward: Equatable {
    case found(Slot)
    /// The window, or a parent that has not arrived.
    case window
    /// No end: elements are each other's parents, or the steps are spent.
    case nowhere
  }

  /// Goes from an element to its parent, and on, until an element is wanted.
  func outward(
    from slot: Slot,
    _ steps: inout Steps,
    to isWanted: (Slot) -> Bool
  ) -> Outward {
    var at = slot
    // A way in a circle comes back to a place that was noted at a power of two.
    var noted = slot
    var stretch = 1
    var length = 0
    while at != .root, at != .none {
      if isWanted(at) { return .found(at) }
      guard steps.spend() else { return .nowhere }
      at = self[at].parent
      if at == noted { return .nowhere }
      length += 1
      if length == stretch {
        noted = at
        stretch *= 2
        length = 0
      }
    }
    return .window
  }

  /// Whether an element, or one around it, is hidden.
  ///
  /// Elements that are each other's parents hang below nothing, and count as hidden.
  func isHidden(_ slot: Slot, _ steps: inout Steps) -> Bool {
    outward(from: slot, &steps) { self[$0].isHidden } != .window
  }

  /// Whether an element is `top` or stands in it.
  func contains(_ slot: Slot, within top: Slot, _ steps: inout Steps) -> Bool {
    top == .root || outward(from: slot, &steps) { $0 == top } == .found(top)
  }

  /// The innermost element around `slot`, itself included, that says that it covers the rest.
  func modal(around slot: Slot, _ steps: inout Steps) -> Slot? {
    guard case .found(let modal) = outward(from: slot, &steps, to: { self[$0].isModal }) else {
      return nil
    }
    return modal
  }

  /// The beginning of a way: an element or, if it is hidden, the outermost one that hides it.
  private struct Departure {
    var slot: Slot
    var isHidden = false
  }

  /// The beginning of the way from an element; nil if `top` is hidden or the element hangs below
  /// itself.
  private func departure(_ slot: Slot, within top: Slot, _ steps: inout Steps) -> Departure? {
    var departure = Departure(slot: slot)
    var isWithin = true
    let end = outward(from: slot, &steps) { at in
      if at == top { isWithin = false }
      guard self[at].isHidden else { return false }
      departure = Departure(slot: at, isHidden: true)
      // `top`, or one around it, is hidden: there is nowhere to go.
      return !isWithin
    }
    return end == .window ? departure : nil
  }

  // MARK: Shown elements

  /// The first shown element below `top` that may be a stop.
  ///
  /// If there is one, there is a stop: the element itself, or one in it.
  private func firstOpen(below top: Slot, _ steps: inout Steps) -> Slot? {
    var at = firstShown(below: top, &steps)
    while let slot = at {
      if self[slot].isOpen { return slot }
      at = nextShown(behind: slot, within: top, &steps)
    }
    return nil
  }

  private func firstShown(below slot: Slot, _ steps: inout Steps) -> Slot? {
    var at = self[slot].firstChild
    while at != .none, steps.spend() {
      if self[at].isShown { return at }
      at = self[at].after
    }
    return nil
  }

  private func lastShown(below slot: Slot, _ steps: inout Steps) -> Slot? {
    shown(backFrom: self[slot].lastChild, &steps)
  }

  private func shown(backFrom last: Slot, _ steps: inout Steps) -> Slot? {
    var at = last
    while at != .none, steps.spend() {
      if self[at].isShown { return at }
      at = self[at].before
    }
    return nil
  }

  /// The next element that is not hidden, depth first, without leaving `top`.
  func nextShown(behind slot: Slot, within top: Slot, _ steps: inout Steps) -> Slot? {
    firstShown(below: slot, &steps) ?? nextShown(outOf: slot, within: top, &steps)
  }

  /// The next element that is not hidden and does not stand in `slot`.
  private func nextShown(outOf slot: Slot, within top: Slot, _ steps: inout Steps) -> Slot? {
    var at = slot
    while at != top, at != .none, at != .root, steps.spend() {
      var sibling = self[at].after
      while sibling != .none, steps.spend() {
        if self[sibling].isShown { return sibling }
        sibling = self[sibling].after
      }
      at = self[at].parent
    }
    return nil
  }

  // MARK: Stops

  /// The first stop within an element or, without one, of the window.
  func firstStop(within top: Slot, _ steps: inout Steps) -> Slot? {
    guard count > 0 else { return nil }
    if top != .root, isStop(top, &steps) { return top }
    return nextStop(behind: top, within: top, &steps)
  }

  func lastStop(within top: Slot, _ steps: inout Steps) -> Slot? {
    guard count > 0, departure(top, within: top, &steps) != nil else { return nil }
    guard var at = lastShown(below: top, &steps) else {
      return top != .root && isStop(top, &steps) ? top : nil
    }
    while let child = lastShown(below: at, &steps) { at = child }
    if isShownStop(at, &steps) { return at }
    return previousStop(before: at, within: top, &steps)
  }

  /// The stop behind an element; every element between is looked at once.
  func nextStop(behind slot: Slot, within top: Slot, _ steps: inout Steps) -> Slot? {
    guard let start = departure(slot, within: top, &steps) else { return nil }
    var at =
      start.isHidden
      ? nextShown(outOf: start.slot, within: top, &steps)
      : nextShown(behind: slot, within: top, &steps)
    while let candidate = at {
      guard let isAccessible = self[candidate].isAccessible else {
        // No stop lies between the candidate and the first open element in it.
        guard let inner = firstOpen(below: candidate, &steps) else { return candidate }
        at = inner
        continue
      }
      if isAccessible { return candidate }
      at = nextShown(behind: candidate, within: top, &steps)
    }
    return nil
  }

  /// The stop before an element; every element between is looked at once.
  ///
  /// The way backwards meets an element after all that stands in it, without a stop: so the element
  /// is a stop unless it says otherwise. Only the elements around the beginning (the spine) hold
  /// more, which lies behind it.
  func previousStop(before slot: Slot, within top: Slot, _ steps: inout Steps) -> Slot? {
    guard slot != top, let start = departure(slot, within: top, &steps) else { return nil }
    var at = start.slot
    // The innermost element around the beginning that the way has reached.
    var spine = start.slot
    var holdsStop = !start.isHidden && self[slot].isOpen
    while !steps.isSpent {
      if let sibling = shown(backFrom: self[at].before, &steps) {
        at = sibling
        while let child = lastShown(below: at, &steps) { at = child }
        if self[at].isOpen { return at }
        continue
      }
      let isSpine = self[at].parent == self[spine].parent
      at = self[at].parent
      guard at != .root, at != .none else { return nil }
      if isSpine { spine = at }
      switch self[at].isAccessible {
      case true?: return at
      case false?: break
      case nil where !self[at].isThere: break
      case nil:
        if isSpine, !holdsStop { holdsStop = firstOpen(below: at, &steps) != nil }
        if !isSpine || !holdsStop { return at }
      }
      guard at != top else { return nil }
    }
    return nil
  }

  /// The shown elements that say that they cover the rest, an outer one before those in it.
  ///
  /// If more than a few say so, the claim means nothing, and none of them counts.
  var shownModals: [Name] {
    guard !modals.isEmpty, modals.count <= Self.mostModals else { return [] }
    var shown: [(name: Name, depth: Int)] = []
    var steps = Steps()
    // By name, not by place: the steps may not last for all, and every replay must stop at the
    // same.
    for slot in modals.sorted(by: { name($0).text < name($1).text }) {
      var depth = 0
      let end = outward(from: slot, &steps) { at in
        depth += 1
        return self[at].isHidden
      }
      if end == .window { shown.append((name(slot), depth)) }
    }
    shown.sort { $0.depth != $1.depth ? $0.depth < $1.depth : $0.name.text < $1.name.text }
    return shown.map(\.name)
  }

  private static let mostModals = 32

  // MARK: Finding

  /// The front-most stop whose frame holds a point: the element drawn last lies in front.
  ///
  /// The way goes backwards through all elements once and counts the open ones, so that an element
  /// which does not say whether it is accessible is known to be a stop if none was counted in it.
  func hit(_ x: Int64, _ y: Int64, within top: Slot, _ steps: inout Steps) -> Slot? {
    guard count > 0, departure(top, within: top, &steps) != nil else { return nil }
    var around = [(slot: top, opens: 0)]
    var opens = 0
    func enter(_ slot: Slot) {
      var at = slot
      while let child = lastShown(below: at, &steps) {
        around.append((child, opens))
        at = child
      }
    }
    enter(top)
    while let (slot, before) = around.popLast(), slot != .root {
      let link = self[slot]
      if link.isAccessible ?? (opens == before), link.flags.contains(.framed),
        element(slot)?.holds(x, y) ?? false
      {
        return slot
      }
      if link.isOpen { opens += 1 }
      guard slot != top, let sibling = shown(backFrom: link.before, &steps) else { continue }
      around.append((sibling, opens))
      enter(sibling)
    }
    return nil
  }

  /// The first stops that have `flag`, in reading order.
  func stops(with flag: Link.Flags, atMost most: Int) -> [Slot] {
    var found: [Slot] = []
    var steps = Steps()
    var at = nextShown(behind: .root, within: .root, &steps)
    while let slot = at, found.count < most {
      if self[slot].flags.contains(flag), isShownStop(slot, &steps) { found.append(slot) }
      at = nextShown(behind: slot, within: .root, &steps)
    }
    return found
  }
}
