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
    return element.isAccessible ?? !hasStop(below: slot)
  }

  /// Whether it, or something around it, is hidden.
  func isHidden(_ slot: Slot) -> Bool {
    var at = slot
    // Elements that are each other's parents hang below nothing: whoever goes round has met none.
    for _ in 0...count {
      guard at != .root, at != .none else { return false }
      if self[at].element?.isHidden ?? false { return true }
      at = self[at].parent
    }
    return true
  }

  /// Whether there is a stop below an element that is not hidden itself.
  private func hasStop(below top: Slot) -> Bool {
    var at = firstShown(below: top)
    while let slot = at {
      if let element = self[slot].element, element.isAccessible ?? isLeaf(slot) { return true }
      at = nextShown(behind: slot, within: top)
    }
    return false
  }

  private func isLeaf(_ slot: Slot) -> Bool { firstShown(below: slot) == nil }

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
    if let child = firstShown(below: slot) { return child }
    var at = slot
    while at != top, at != .none, at != .root {
      if let sibling = shown(from: self[at].after, { self[$0].after }) { return sibling }
      at = self[at].parent
    }
    return nil
  }

  private func previous(before slot: Slot, within top: Slot) -> Slot? {
    guard slot != top else { return nil }
    guard var at = shown(from: self[slot].before, { self[$0].before }) else {
      let parent = self[slot].parent
      return parent == top || parent == .root || parent == .none ? nil : parent
    }
    while let child = lastShown(below: at) { at = child }
    return at
  }

  // MARK: Stops

  /// The first stop within an element or, without one, of the window.
  func firstStop(within top: Slot) -> Slot? {
    guard count > 0 else { return nil }
    if top != .root, isStop(top) { return top }
    return nextStop(behind: top, within: top)
  }

  func lastStop(within top: Slot) -> Slot? {
    guard count > 0 else { return nil }
    guard var at = lastShown(below: top) else { return top != .root && isStop(top) ? top : nil }
    while let child = lastShown(below: at) { at = child }
    if isStop(at) { return at }
    return previousStop(before: at, within: top)
  }

  func nextStop(behind slot: Slot, within top: Slot) -> Slot? {
    var at = nextShown(behind: slot, within: top)
    while let candidate = at {
      if isStop(candidate) { return candidate }
      at = nextShown(behind: candidate, within: top)
    }
    return nil
  }

  func previousStop(before slot: Slot, within top: Slot) -> Slot? {
    var at = previous(before: slot, within: top)
    while let candidate = at {
      if isStop(candidate) { return candidate }
      at = previous(before: candidate, within: top)
    }
    return top != .root && slot != top && isStop(top) ? top : nil
  }

  /// Whether an element is another one or stands in it.
  func contains(_ slot: Slot, within top: Slot) -> Bool {
    if top == .root { return true }
    var at = slot
    for _ in 0...count {
      if at == top { return true }
      guard at != .root, at != .none else { return false }
      at = self[at].parent
    }
    return false
  }

  /// The element that covers the rest, if one around this one says that it does.
  func modal(around slot: Slot) -> Slot? {
    var at = slot
    for _ in 0...count {
      guard at != .root, at != .none else { return nil }
      if self[at].element?.isModal ?? false { return at }
      at = self[at].parent
    }
    return nil
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
