// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

// The way of a reader through a window: depth first, from one accessible element to the next.
extension Tree {
  /// Whether the way stops at an element.
  ///
  /// One that does not say so itself is accessible unless something in it is.
  func isStop(_ slot: Slot) -> Bool {
    guard let element = self[slot].element, !isHidden(slot) else { return false }
    return element.isAccessible ?? (open(below: slot) == nil)
  }

  /// As many steps as there can be from an element to the window: all elements, one that is only named
  /// as a parent, and the window.
  var wayUp: Range<Int> { 0..<count + 2 }

  /// Whether it, or something around it, is hidden.
  func isHidden(_ slot: Slot) -> Bool {
    var at = slot
    // Elements that are each other's parents hang below nothing: whoever goes round has met none.
    for _ in wayUp {
      guard at != .root, at != .none else { return false }
      if self[at].element?.isHidden ?? false { return true }
      at = self[at].parent
    }
    return true
  }

  /// The first element below a shown one that does not say that it is no stop.
  ///
  /// Where there is one, there is a stop: it is one itself, or something in it is.
  private func open(below top: Slot) -> Slot? {
    var at = firstShown(below: top)
    while let slot = at {
      if isOpen(slot) { return slot }
      at = nextShown(behind: slot, within: top)
    }
    return nil
  }

  private func isOpen(_ slot: Slot) -> Bool { self[slot].element?.isAccessible ?? true }

  /// Where a way begins: at an element or, if it is hidden, at the outermost that hides it.
  private struct Departure {
    var slot: Slot
    var isHidden = false
  }

  /// nil where no way leads from: what is bounded by something hidden, or hangs below itself.
  private func departure(_ slot: Slot, within top: Slot) -> Departure? {
    var departure = Departure(slot: slot)
    var isWithin = true
    var at = slot
    for _ in wayUp {
      if at == .root || at == .none { return departure }
      if at == top { isWithin = false }
      if self[at].element?.isHidden ?? false {
        // Within what nobody sees there is nowhere to go.
        guard isWithin else { return nil }
        departure = Departure(slot: at, isHidden: true)
      }
      at = self[at].parent
    }
    return nil
  }

  private func firstShown(below slot: Slot) -> Slot? {
    shown(from: self[slot].firstChild) { self[$0].after }
  }

  private func lastShown(below slot: Slot) -> Slot? {
    shown(from: self[slot].lastChild) { self[$0].before }
  }

  private func shown(from first: Slot, _ next: (Slot) -> Slot) -> Slot? {
    var at = first
    while at != .none {
      if let element = self[at].element, !element.isHidden { return at }
      at = next(at)
    }
    return nil
  }

  /// The next element that is not hidden, depth first, without leaving `top`.
  func nextShown(behind slot: Slot, within top: Slot) -> Slot? {
    firstShown(below: slot) ?? nextShown(outOf: slot, within: top)
  }

  /// The next one that does not stand in this one.
  private func nextShown(outOf slot: Slot, within top: Slot) -> Slot? {
    var at = slot
    while at != top, at != .none, at != .root {
      if let sibling = shown(from: self[at].after, { self[$0].after }) { return sibling }
      at = self[at].parent
    }
    return nil
  }

  // MARK: Stops

  /// The first stop within an element or, without one, of the window.
  func firstStop(within top: Slot) -> Slot? {
    guard count > 0 else { return nil }
    if top != .root, isStop(top) { return top }
    return nextStop(behind: top, within: top)
  }

  func lastStop(within top: Slot) -> Slot? {
    guard count > 0, departure(top, within: top) != nil else { return nil }
    guard var at = lastShown(below: top) else { return top != .root && isStop(top) ? top : nil }
    while let child = lastShown(below: at) { at = child }
    if isStop(at) { return at }
    return previousStop(before: at, within: top)
  }

  /// The stop behind an element; what lies between is looked at once.
  func nextStop(behind slot: Slot, within top: Slot) -> Slot? {
    guard let start = departure(slot, within: top) else { return nil }
    var at =
      start.isHidden
      ? nextShown(outOf: start.slot, within: top) : nextShown(behind: slot, within: top)
    while let candidate = at {
      guard let isAccessible = self[candidate].element?.isAccessible else {
        // Between it and the first open one in it nothing is a stop.
        guard let inner = open(below: candidate) else { return candidate }
        at = inner
        continue
      }
      if isAccessible { return candidate }
      at = nextShown(behind: candidate, within: top)
    }
    return nil
  }

  /// The stop before an element; what lies between is looked at once.
  ///
  /// Of an element that is met from behind all that stands in it has been passed: it is a stop
  /// unless it says otherwise. Only around the place where the way began there is more in it.
  func previousStop(before slot: Slot, within top: Slot) -> Slot? {
    guard slot != top, let start = departure(slot, within: top) else { return nil }
    var at = start.slot
    // What stands around the beginning.
    var spine = start.slot
    var holdsStop = !start.isHidden && isOpen(slot)
    while true {
      if let sibling = shown(from: self[at].before, { self[$0].before }) {
        at = sibling
        while let child = lastShown(below: at) { at = child }
        if isOpen(at) { return at }
        continue
      }
      let isSpine = self[at].parent == self[spine].parent
      at = self[at].parent
      guard at != .root, at != .none else { return nil }
      if isSpine { spine = at }
      switch self[at].element?.isAccessible {
      case true?: return at
      case false?: break
      case nil where self[at].element == nil: break
      case nil:
        if isSpine, !holdsStop { holdsStop = open(below: at) != nil }
        if !isSpine || !holdsStop { return at }
      }
      guard at != top else { return nil }
    }
  }

  /// Whether an element is another one or stands in it.
  func contains(_ slot: Slot, within top: Slot) -> Bool {
    if top == .root { return true }
    var at = slot
    for _ in wayUp {
      if at == top { return true }
      guard at != .root, at != .none else { return false }
      at = self[at].parent
    }
    return false
  }

  /// The element that covers the rest, if one around this one says that it does.
  func modal(around slot: Slot) -> Slot? {
    var at = slot
    for _ in wayUp {
      guard at != .root, at != .none else { return nil }
      if self[at].element?.isModal ?? false { return at }
      at = self[at].parent
    }
    return nil
  }

  /// The elements that cover the rest, those that are shown: an outer one before those in it.
  ///
  /// Where more than a few say so it says nothing, and none of them does.
  var shownModals: [Name] {
    guard !modals.isEmpty, modals.count <= Self.mostModals else { return [] }
    var shown: [(name: Name, depth: Int)] = []
    for name in modals {
      guard let slot = find(name), !isHidden(slot) else { continue }
      shown.append((name, depth(of: slot)))
    }
    shown.sort { $0.depth != $1.depth ? $0.depth < $1.depth : $0.name.text < $1.name.text }
    return shown.map(\.name)
  }

  private static let mostModals = 32

  private func depth(of slot: Slot) -> Int {
    var at = slot
    for step in wayUp {
      guard at != .root, at != .none else { return step }
      at = self[at].parent
    }
    return count
  }

  /// The front-most stop whose frame holds a point: what is drawn last lies in front.
  func hit(_ x: Int64, _ y: Int64, within top: Slot) -> Slot? {
    var at = lastStop(within: top)
    while let slot = at {
      if self[slot].element?.holds(x, y) ?? false { return slot }
      at = previousStop(before: slot, within: top)
    }
    return nil
  }
}
