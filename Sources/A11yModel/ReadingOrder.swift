// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

// The way of a reader through a window: depth first, from one accessible element to the next.
extension Tree {
  /// Whether the way stops at an element.
  ///
  /// One that does not say so itself is accessible unless something in it is.
  func isStop(_ slot: Slot, _ steps: inout Steps) -> Bool {
    guard self[slot].isThere, !isHidden(slot, &steps) else { return false }
    return isShownStop(slot, &steps)
  }

  /// The same of an element that is known to be shown.
  func isShownStop(_ slot: Slot, _ steps: inout Steps) -> Bool {
    self[slot].isAccessible ?? (open(below: slot, &steps) == nil)
  }

  // MARK: Outwards

  /// Where the way from an element outwards ends.
  enum Outward: Equatable {
    case found(Slot)
    /// At the window, or at a parent that nobody has heard of.
    case window
    /// Nowhere: elements are each other's parents, or the steps are spent.
    case nowhere
  }

  /// Goes from an element to its parent, and on, until something is found.
  func outward(
    from slot: Slot,
    _ steps: inout Steps,
    to isWanted: (Slot) -> Bool
  ) -> Outward {
    var at = slot
    // Who goes round in a circle comes by a place again that was noted on the way.
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

  /// Whether it, or something around it, is hidden.
  ///
  /// Elements that are each other's parents hang below nothing, and nobody sees them.
  func isHidden(_ slot: Slot, _ steps: inout Steps) -> Bool {
    outward(from: slot, &steps) { self[$0].isHidden } != .window
  }

  /// Whether an element is another one or stands in it.
  func contains(_ slot: Slot, within top: Slot, _ steps: inout Steps) -> Bool {
    top == .root || outward(from: slot, &steps) { $0 == top } == .found(top)
  }

  /// The element that covers the rest, if one around this one says that it does.
  func modal(around slot: Slot, _ steps: inout Steps) -> Slot? {
    guard case .found(let modal) = outward(from: slot, &steps, to: { self[$0].isModal }) else {
      return nil
    }
    return modal
  }

  /// Where a way begins: at an element or, if it is hidden, at the outermost that hides it.
  private struct Departure {
    var slot: Slot
    var isHidden = false
  }

  /// nil where no way leads from: what is bounded by something hidden, or hangs below itself.
  private func departure(_ slot: Slot, within top: Slot, _ steps: inout Steps) -> Departure? {
    var departure = Departure(slot: slot)
    var isWithin = true
    let end = outward(from: slot, &steps) { at in
      if at == top { isWithin = false }
      guard self[at].isHidden else { return false }
      departure = Departure(slot: at, isHidden: true)
      // Within what nobody sees there is nowhere to go.
      return !isWithin
    }
    return end == .window ? departure : nil
  }

  // MARK: What is shown

  /// The first element below a shown one that does not say that it is no stop.
  ///
  /// Where there is one, there is a stop: it is one itself, or something in it is.
  private func open(below top: Slot, _ steps: inout Steps) -> Slot? {
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

  /// The next one that does not stand in this one.
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

  /// The stop behind an element; what lies between is looked at once.
  func nextStop(behind slot: Slot, within top: Slot, _ steps: inout Steps) -> Slot? {
    guard let start = departure(slot, within: top, &steps) else { return nil }
    var at =
      start.isHidden
      ? nextShown(outOf: start.slot, within: top, &steps)
      : nextShown(behind: slot, within: top, &steps)
    while let candidate = at {
      guard let isAccessible = self[candidate].isAccessible else {
        // Between it and the first open one in it nothing is a stop.
        guard let inner = open(below: candidate, &steps) else { return candidate }
        at = inner
        continue
      }
      if isAccessible { return candidate }
      at = nextShown(behind: candidate, within: top, &steps)
    }
    return nil
  }

  /// The stop before an element; what lies between is looked at once.
  ///
  /// Of an element that is met from behind all that stands in it has been passed: it is a stop
  /// unless it says otherwise. Only around the place where the way began there is more in it.
  func previousStop(before slot: Slot, within top: Slot, _ steps: inout Steps) -> Slot? {
    guard slot != top, let start = departure(slot, within: top, &steps) else { return nil }
    var at = start.slot
    // What stands around the beginning.
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
        if isSpine, !holdsStop { holdsStop = open(below: at, &steps) != nil }
        if !isSpine || !holdsStop { return at }
      }
      guard at != top else { return nil }
    }
    return nil
  }

  /// The elements that cover the rest, those that are shown: an outer one before those in it.
  ///
  /// Where more than a few say so it says nothing, and none of them does.
  var shownModals: [Name] {
    guard !modals.isEmpty, modals.count <= Self.mostModals else { return [] }
    var shown: [(name: Name, depth: Int)] = []
    var steps = Steps()
    // In an order that does not depend on places, as the steps may not last for all of them.
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

  /// The front-most stop whose frame holds a point: what is drawn last lies in front.
  ///
  /// One way backwards through all of it, on which it is counted what is open: an element that does
  /// not say whether it is a stop is one if nothing in it was.
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

  /// The first stops with some flag, in reading order.
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
