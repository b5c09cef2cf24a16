// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The elements of one window, each below its parent, in the order in which they came there.
///
/// An element may name a parent that nobody has heard of yet; that one has a place without being
/// there, until it comes or the last of those below it goes. Elements may name each other as
/// parents, too: then they hang below nothing, and are elements all the same.
///
/// Places are handed out from chunks, and ids find them through shards. A copy of a tree shares all
/// of these, and a change after it copies only the chunks and shards that it touches: a hundred
/// thousand elements can be written down from a copy while the tree goes on.
struct Tree: Sendable {
  /// The elements that are there.
  private(set) var count = 0
  /// Those that tell in short what is in the window.
  private(set) var summaries = 0
  /// Those of them that cover the rest of their app, as they say.
  private(set) var modals: Set<Name> = []
  private var chunks: [[Node]] = []
  private var shards: [[Name: Slot]] = []
  /// Places that were given back, each of which knows the next.
  private var vacant = Slot.none
  /// All elements in the order of their coming; one that moves below another parent comes anew.
  private(set) var earliest = Slot.none
  private var latest = Slot.none

  /// A place in the chunks.
  struct Slot: Hashable, Sendable {
    let number: Int32

    /// No place.
    static let none = Slot(number: -1)
    /// Above all elements that have no parent.
    static let root = Slot(number: 0)

    var chunk: Int { Int(UInt32(bitPattern: number) / UInt32(Tree.chunkSize)) }
    var place: Int { Int(UInt32(bitPattern: number) % UInt32(Tree.chunkSize)) }
  }

  struct Node: Sendable {
    fileprivate(set) var name: Name
    /// What is known of it; nil for one that was only named as a parent.
    fileprivate(set) var element: Element?
    fileprivate(set) var parent = Slot.none
    fileprivate(set) var firstChild = Slot.none
    fileprivate(set) var lastChild = Slot.none
    fileprivate(set) var childCount: Int32 = 0
    fileprivate(set) var before = Slot.none
    fileprivate(set) var after = Slot.none
    fileprivate var earlier = Slot.none
    fileprivate(set) var later = Slot.none
  }

  /// Where an element is to hang.
  enum Parent {
    /// Where it hangs already; a new one below the root.
    case asBefore
    case root
    case element(Name)
  }

  /// Small enough that the first change after a copy costs little, large enough that a hundred
  /// thousand elements make only some thousand of them.
  fileprivate static let chunkSize = 32
  private static let shardCount = 256
  /// Chunks, or shards, that go at once.
  private static let crumb = 16

  init() {}

  // MARK: Asking

  subscript(name: Name) -> Element? { find(name).flatMap { self[$0].element } }

  func contains(_ name: Name) -> Bool { self[name] != nil }

  /// Whether anything hangs below an element.
  func hasChildren(_ name: Name) -> Bool {
    find(name).map { self[$0].firstChild != .none } ?? false
  }

  private(set) subscript(slot: Slot) -> Node {
    _read { yield chunks[slot.chunk][slot.place] }
    // In place: a node that is taken out and put back would count its references up and down.
    _modify { yield &chunks[slot.chunk][slot.place] }
  }

  /// The parent that an element has named, if any.
  func parent(of node: Node) -> Name? {
    node.parent == .root || node.parent == .none ? nil : self[node.parent].name
  }

  func find(_ name: Name) -> Slot? {
    shards.isEmpty ? nil : shards[Self.shard(of: name)][name]
  }

  /// Any spread will do; within a shard names are found by a hash that nobody can foresee.
  private static func shard(of name: Name) -> Int {
    var spread: UInt32 = 2_166_136_261
    let bytes = name.text.utf8.span
    for index in bytes.indices { spread = (spread ^ UInt32(bytes[index])) &* 16_777_619 }
    return Int(spread ^ spread >> 16) & (shardCount - 1)
  }

  // MARK: Changing

  /// Puts what is known of an element now where it was, or lets it come.
  ///
  /// Given an index, it stands there among its siblings; without one, it comes last or stays.
  mutating func put(_ name: Name, _ element: Element, below parent: Parent, at index: Int?) {
    put(name, in: find(name), element, below: parent, at: index)
  }

  /// The same for whoever has looked for its place, and may have found none.
  mutating func put(
    _ name: Name,
    in place: Slot?,
    _ element: Element,
    below parent: Parent,
    at index: Int?
  ) {
    let slot = place ?? settle(name)
    let isNew = self[slot].element == nil
    if let old = self[slot].element { count(old, name, -1) }
    count(element, name, 1)
    self[slot].element = element
    let target: Slot
    switch parent {
    case .asBefore: target = isNew ? .root : self[slot].parent
    case .root: target = .root
    case .element(let name): target = claim(name)
    }
    if isNew {
      count += 1
    } else {
      if target == self[slot].parent {
        if let index { move(slot, to: index) }
        return
      }
      unlink(slot)
      leaveOrder(slot)
    }
    link(slot, below: target)
    joinOrder(slot)
    if let index { move(slot, to: index) }
  }

  private mutating func count(_ element: Element, _ name: Name, _ step: Int) {
    if element.isSummary { summaries += step }
    guard element.isModal else { return }
    if step > 0 { modals.insert(name) } else { modals.remove(name) }
  }

  /// Moves an element among its siblings.
  private mutating func move(_ slot: Slot, to index: Int) {
    let parent = self[slot].parent
    guard self[parent].childCount > 1 else { return }
    take(slot, from: parent)
    let count = Int(self[parent].childCount)
    // From whichever end is nearer: most come last.
    var next = Slot.none
    if index < count / 2 {
      next = self[parent].firstChild
      for _ in 0..<max(0, index) { next = self[next].after }
    } else {
      for _ in 0..<max(0, count - index) {
        next = next == .none ? self[parent].lastChild : self[next].before
      }
    }
    put(slot, before: next, below: parent)
    // Whoever writes the elements down in the order of their coming keeps that of siblings, too.
    leaveOrder(slot)
    joinOrder(slot, before: next)
  }

  private mutating func put(_ slot: Slot, before next: Slot, below parent: Slot) {
    let previous = next == .none ? self[parent].lastChild : self[next].before
    self[slot].parent = parent
    self[slot].before = previous
    self[slot].after = next
    if previous == .none { self[parent].firstChild = slot } else { self[previous].after = slot }
    if next == .none { self[parent].lastChild = slot } else { self[next].before = slot }
    self[parent].childCount += 1
  }

  /// Takes an element away, and all that hangs below it.
  mutating func remove(_ name: Name) {
    guard let top = find(name) else { return }
    var pending = [top]
    while let slot = pending.popLast() {
      var child = self[slot].firstChild
      while child != .none {
        let next = self[child].after
        // Elements that are each other's parents are met once only.
        if child != slot {
          release(child)
          pending.append(child)
        }
        child = next
      }
      drop(slot)
    }
    if count == 0, shards.allSatisfy(\.isEmpty) { self = Tree() }
  }

  private mutating func drop(_ slot: Slot) {
    if self[slot].parent != .none { unlink(slot) }
    self[slot].firstChild = .none
    self[slot].childCount = 0
    if let element = self[slot].element {
      leaveOrder(slot)
      count -= 1
      count(element, self[slot].name, -1)
    }
    free(slot)
  }

  /// Lets go of some elements of a tree that nobody is going to look into any more, and says
  /// whether that were the last.
  mutating func crumble() -> Bool {
    if chunks.count > Self.crumb {
      chunks.removeLast(Self.crumb)
      return false
    }
    chunks = []
    if count > Self.crumb * Self.chunkSize, shards.count > Self.crumb {
      shards.removeLast(Self.crumb)
      return false
    }
    self = Tree()
    return true
  }

  // MARK: Places

  /// The place of an element, whether it is there or not.
  private mutating func claim(_ name: Name) -> Slot { find(name) ?? settle(name) }

  /// A place for an element that has none.
  private mutating func settle(_ name: Name) -> Slot {
    if shards.isEmpty {
      shards = Array(repeating: [:], count: Self.shardCount)
      chunks = [[Node(name: Name(""))]]
    }
    let node = Node(name: name)
    let slot = vacant
    if slot != .none {
      vacant = self[slot].later
      self[slot] = node
      shards[Self.shard(of: name)][name] = slot
      return slot
    }
    let number = (chunks.count - 1) * Self.chunkSize + chunks[chunks.count - 1].count
    if number % Self.chunkSize == 0 {
      chunks.append([node])
    } else {
      chunks[chunks.count - 1].append(node)
    }
    let fresh = Slot(number: Int32(number))
    shards[Self.shard(of: name)][name] = fresh
    return fresh
  }

  private mutating func free(_ slot: Slot) {
    let name = self[slot].name
    shards[Self.shard(of: name)][name] = nil
    var node = Node(name: Name(""))
    node.later = vacant
    self[slot] = node
    vacant = slot
  }

  // MARK: Links

  private mutating func link(_ slot: Slot, below parent: Slot) {
    put(slot, before: .none, below: parent)
  }

  /// Takes a place from below its parent; one that is only named as a parent goes with its last
  /// child.
  private mutating func unlink(_ slot: Slot) {
    let parent = self[slot].parent
    release(slot)
    if parent != .root, self[parent].element == nil, self[parent].firstChild == .none {
      free(parent)
    }
  }

  private mutating func release(_ slot: Slot) { take(slot, from: self[slot].parent) }

  private mutating func take(_ slot: Slot, from parent: Slot) {
    let node = self[slot]
    self[parent].childCount -= 1
    if node.before == .none {
      self[node.parent].firstChild = node.after
    } else {
      self[node.before].after = node.after
    }
    if node.after == .none {
      self[node.parent].lastChild = node.before
    } else {
      self[node.after].before = node.before
    }
    self[slot].parent = .none
    self[slot].before = .none
    self[slot].after = .none
  }

  private mutating func joinOrder(_ slot: Slot) { joinOrder(slot, before: .none) }

  private mutating func joinOrder(_ slot: Slot, before next: Slot) {
    let previous = next == .none ? latest : self[next].earlier
    self[slot].earlier = previous
    self[slot].later = next
    if previous == .none { earliest = slot } else { self[previous].later = slot }
    if next == .none { latest = slot } else { self[next].earlier = slot }
  }

  private mutating func leaveOrder(_ slot: Slot) {
    let node = self[slot]
    if node.earlier == .none {
      earliest = node.later
    } else {
      self[node.earlier].later = node.later
    }
    if node.later == .none {
      latest = node.earlier
    } else {
      self[node.later].earlier = node.earlier
    }
  }
}

/// Two trees are equal if they have the same elements below the same parents in the same order;
/// in which places these stand says nothing.
extension Tree: Equatable {
  static func == (a: Tree, b: Tree) -> Bool {
    guard a.count == b.count else { return false }
    var mine = a.earliest
    var theirs = b.earliest
    while mine != .none, theirs != .none {
      let one = a[mine]
      let other = b[theirs]
      guard one.name == other.name, one.element == other.element,
        a.parent(of: one) == b.parent(of: other)
      else { return false }
      mine = one.later
      theirs = other.later
    }
    return true
  }
}
