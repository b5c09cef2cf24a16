// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// The children of one parent: a list, and a search tree over it that finds a child by its number.
//
// An event may move two thousand elements to the middle of a hundred thousand siblings; counting up
// to there each time would take seconds. So siblings are a treap as well: a search tree by their
// order, a heap by a number that nobody can foretell, and thus as shallow as a shuffled tree.
extension Tree {
  /// The child with this number, counted from 0; it must exist.
  func child(_ index: Int, of parent: Slot) -> Slot {
    var at = self[parent].middle
    var rest = Int32(index)
    while true {
      let left = size(self[at].left)
      if rest == left { return at }
      if rest < left {
        at = self[at].left
      } else {
        rest -= left + 1
        at = self[at].right
      }
    }
  }

  /// Puts a place below a parent, before one of its children or behind all of them.
  mutating func attach(_ slot: Slot, before next: Slot, below parent: Slot) {
    let previous = next == .none ? self[parent].lastChild : self[next].before
    rank(slot, between: previous, and: next, below: parent)
    self[slot].parent = parent
    self[slot].before = previous
    self[slot].after = next
    if previous == .none { self[parent].firstChild = slot } else { self[previous].after = slot }
    if next == .none { self[parent].lastChild = slot } else { self[next].before = slot }
    self[parent].childCount += 1
  }

  /// Detaches a place from its parent.
  mutating func detach(_ slot: Slot, from parent: Slot) {
    unrank(slot, below: parent)
    let link = self[slot]
    self[parent].childCount -= 1
    if link.before == .none {
      self[parent].firstChild = link.after
    } else {
      self[link.before].after = link.after
    }
    if link.after == .none {
      self[parent].lastChild = link.before
    } else {
      self[link.after].before = link.before
    }
    self[slot].parent = .none
    self[slot].before = .none
    self[slot].after = .none
  }

  // MARK: The search tree

  private func size(_ slot: Slot) -> Int32 { slot == .none ? 0 : self[slot].size }

  private static let secret = UInt64.random(in: .min ... .max)

  private static func priority(_ slot: Slot) -> UInt64 {
    var mixed = UInt64(UInt32(bitPattern: slot.number)) &+ secret
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  private mutating func rank(
    _ slot: Slot,
    between previous: Slot,
    and next: Slot,
    below parent: Slot
  ) {
    self[slot].left = .none
    self[slot].right = .none
    self[slot].size = 1
    // One of the two neighbours has no child on the side of the new node.
    if next != .none, self[next].left == .none {
      self[next].left = slot
      self[slot].up = next
    } else if previous != .none {
      self[previous].right = slot
      self[slot].up = previous
    } else {
      self[parent].middle = slot
      self[slot].up = .none
    }
    var at = self[slot].up
    while at != .none {
      self[at].size += 1
      at = self[at].up
    }
    let priority = Self.priority(slot)
    while self[slot].up != .none, Self.priority(self[slot].up) < priority {
      lift(slot, below: parent)
    }
  }

  private mutating func unrank(_ slot: Slot, below parent: Slot) {
    while true {
      let (left, right) = (self[slot].left, self[slot].right)
      if left == .none, right == .none { break }
      let isLeft =
        right == .none || left != .none && Self.priority(left) > Self.priority(right)
      lift(isLeft ? left : right, below: parent)
    }
    let up = self[slot].up
    if up == .none {
      self[parent].middle = .none
    } else if self[up].left == slot {
      self[up].left = .none
    } else {
      self[up].right = .none
    }
    var at = up
    while at != .none {
      self[at].size -= 1
      at = self[at].up
    }
    self[slot].up = .none
    self[slot].size = 0
  }

  /// Rotates a node above its parent in the search tree.
  private mutating func lift(_ slot: Slot, below parent: Slot) {
    let over = self[slot].up
    let top = self[over].up
    let inner: Slot
    if self[over].left == slot {
      inner = self[slot].right
      self[over].left = inner
      self[slot].right = over
    } else {
      inner = self[slot].left
      self[over].right = inner
      self[slot].left = over
    }
    if inner != .none { self[inner].up = over }
    self[over].up = slot
    self[slot].up = top
    self[slot].size = self[over].size
    self[over].size = 1 + size(self[over].left) + size(self[over].right)
    if top == .none {
      self[parent].middle = slot
    } else if self[top].left == over {
      self[top].left = slot
    } else {
      self[top].right = slot
    }
  }
}
