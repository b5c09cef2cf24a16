// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The elements of one window, each below its parent, in the order in which they came there.
///
/// Three demands shape it. An app may show a hundred thousand elements, and may send two thousand
/// changes in one line, so that no change may look at all siblings, at all descendants or at all
/// elements. The state is written down and asked about while it changes, so that a copy has to be
/// free. And an app may send anything in any order, so that nothing may be taken for granted of how
/// elements hang together.
///
/// An element is a place (`Slot`), a number that stays while the element is there. Places are
/// handed out from chunks of 32, and ids find them through 256 shards, by a hash. Chunks and shards
/// are arrays: a copy of a tree shares all of them, and a change after it copies only those that it
/// touches, so that the price of a copy is paid bit by bit, by the changes that come. How elements
/// hang together (`Link`) is kept apart from their names and texts (`Load`): walks look at links
/// alone, and a chunk of links is copied without counting references.
///
/// Children are a list, for walks in their order, and a treap over the same links, for their
/// numbers: “the 40,000th child” and “the number of this child” cost a few steps.
///
/// An element may name a parent that has not arrived; the parent has a place without being there,
/// until it arrives or the last element below it goes. Elements may name each other as parents,
/// too: then they hang below nothing, and are elements all the same. So no walk upwards may trust
/// that it ends, and walks count their steps.
///
/// What is removed at once may be half of the window. Its elements are gone for all who ask (a bit
/// for each place tells), and their places are given back by later changes, some dozens each.
struct Tree: Sendable {
  /// The elements that are there.
  private(set) var count = 0
  /// The bytes of their ids and texts.
  private(set) var bytes = 0
  /// The numbers of elements that sum up the window, and of dialogs.
  private(set) var summaries = 0
  private(set) var dialogs = 0
  /// The elements that say that they cover the rest of their app.
  private(set) var modals: Set<Slot> = []
  /// The number of trees before this one in the same window, each taken away by a `replace`.
  let replacements: UInt32
  var links: [[Link]] = []
  private var loads: [[Load]] = []
  private var shards: [[Name: Slot]] = []
  /// The first vacant place; each of them knows the next.
  private var vacant = Slot.none
  /// The ends of the list of all elements by arrival; a move below another parent is a new arrival.
  private var earliest = Slot.none
  private var latest = Slot.none
  /// Places of removed elements that are still to be given back, and one bit for each.
  private var removed: [Slot] = []
  private var removedBits: [UInt64] = []

  /// A place in the chunks.
  struct Slot: Hashable, Sendable {
    let number: Int32

    /// No place.
    static let none = Slot(number: -1)
    /// The place above all elements without a parent.
    static let root = Slot(number: 0)

    var chunk: Int { Int(UInt32(bitPattern: number) / UInt32(Tree.chunkSize)) }
    var place: Int { Int(UInt32(bitPattern: number) % UInt32(Tree.chunkSize)) }
  }

  /// The name of an element and what is known of it; nil for one that is only named as a parent.
  private struct Load: Sendable {
    var name: Name
    var element: KnownElement?
  }

  /// The parent below which an element is to hang.
  enum Parent {
    /// The parent so far; the root for a new element.
    case asBefore
    case root
    case element(Name)
  }

  /// Places in a chunk: few enough that the first change after a copy costs little, and so many
  /// that a hundred thousand elements make only some thousand chunks.
  static let chunkSize = 32
  private static let shardCount = 256
  /// Chunks, or shards, that are released at once.
  private static let piece = 16
  /// Places that each change gives back, beside two for each element that it brings: so no more of
  /// them wait than an app may have elements.
  private static let broom = 64

  init(replacements: UInt32 = 0) { self.replacements = replacements }

  // MARK: Asking

  subscript(name: Name) -> KnownElement? { find(name).flatMap { element($0) } }

  func contains(_ name: Name) -> Bool { find(name).map { self[$0].isThere } ?? false }

  /// Whether anything hangs below an element.
  func hasChildren(_ name: Name) -> Bool {
    find(name).map { self[$0].firstChild != .none } ?? false
  }

  subscript(slot: Slot) -> Link {
    _read { yield links[slot.chunk][slot.place] }
    _modify { yield &links[slot.chunk][slot.place] }
  }

  func name(_ slot: Slot) -> Name { loads[slot.chunk][slot.place].name }

  func element(_ slot: Slot) -> KnownElement? { loads[slot.chunk][slot.place].element }

  /// The parent that an element has named, if any.
  func parent(of slot: Slot) -> Name? {
    let parent = self[slot].parent
    return parent == .root || parent == .none ? nil : name(parent)
  }

  func find(_ name: Name) -> Slot? {
    guard !shards.isEmpty, let slot = shards[Self.shard(of: name)][name], !isRemoved(slot) else {
      return nil
    }
    return slot
  }

  /// The place of an element of an earlier state of this tree, if it is still there.
  func slot(of old: Slot, in before: Tree) -> Slot? {
    guard old.number > 0 else { return nil }
    if before.replacements != replacements {
      return find(before.name(old)).flatMap { self[$0].isThere ? $0 : nil }
    }
    guard old.chunk < links.count, old.place < links[old.chunk].count, self[old].isThere,
      !isRemoved(old), name(old) == before.name(old)
    else { return nil }
    return old
  }

  /// The shard of a name, by any spread: within a shard, a hash that nobody can foresee finds
  /// names.
  private static func shard(of name: Name) -> Int {
    var spread: UInt32 = 2_166_136_261
    let bytes = name.text.utf8.span
    for index in bytes.indices { spread = (spread ^ UInt32(bytes[index])) &* 16_777_619 }
    return Int(spread ^ spread >> 16) & (shardCount - 1)
  }

  // MARK: In the order of arrival

  /// The first element by arrival; none where there is no element.
  var first: Slot { remaining(from: earliest) }

  /// The element that arrived after another.
  func next(after slot: Slot) -> Slot { remaining(from: self[slot].later) }

  private func remaining(from first: Slot) -> Slot {
    var slot = first
    while slot != .none, isRemoved(slot) { slot = self[slot].later }
    return slot
  }

  // MARK: Changing

  /// Changes an element, or adds it.
  ///
  /// With an index, the element stands there among its siblings; without one, it stays or comes
  /// last.
  mutating func put(_ name: Name, _ element: KnownElement, below parent: Parent, at index: Int?) {
    put(name, in: find(name), element, below: parent, at: index)
  }

  /// Changes or adds an element whose place was looked for already; `place` is nil if there was
  /// none.
  mutating func put(
    _ name: Name,
    in place: Slot?,
    _ element: KnownElement,
    below parent: Parent,
    at index: Int?
  ) {
    let slot = place ?? allot(name)
    let isNew = !self[slot].isThere
    weigh(slot, -1)
    loads[slot.chunk][slot.place].element = element
    self[slot].describe(element, name)
    weigh(slot, 1)
    let target: Slot
    switch parent {
    case .asBefore: target = isNew ? .root : self[slot].parent
    case .root: target = .root
    case .element(let name): target = claim(name)
    }
    if !isNew {
      if target == self[slot].parent {
        if let index { moveSibling(slot, to: index) }
        return
      }
      unlink(slot)
      leaveOrder(slot)
    }
    link(slot, below: target)
    joinOrder(slot, before: .none)
    if let index { moveSibling(slot, to: index) }
  }

  /// Adds the element at a place to the tree's counts, or takes it off.
  private mutating func weigh(_ slot: Slot, _ step: Int) {
    let link = self[slot]
    bytes += step * Int(link.bytes)
    guard link.isThere else { return }
    count += step
    if link.flags.contains(.summary) { summaries += step }
    if link.flags.contains(.dialog) { dialogs += step }
    guard link.isModal else { return }
    if step > 0 { modals.insert(slot) } else { modals.remove(slot) }
  }

  /// Moves an element among its siblings.
  private mutating func moveSibling(_ slot: Slot, to index: Int) {
    let parent = self[slot].parent
    guard self[parent].childCount > 1 else { return }
    detach(slot, from: parent)
    let next = index < Int(self[parent].childCount) ? child(index, of: parent) : .none
    attach(slot, before: next, below: parent)
    // The order of arrival keeps that of siblings, because elements are written down in the former.
    leaveOrder(slot)
    joinOrder(slot, before: next)
  }

  // MARK: Removing

  /// Removes an element, and all that hangs below it.
  ///
  /// The elements are only marked: giving back places and memory takes ten times as long, and is
  /// done later (`sweep`).
  mutating func remove(_ name: Name) {
    guard let top = find(name) else { return }
    if self[top].parent != .none { unlink(top) }
    var next = removed.count
    markRemoved(top)
    while next < removed.count {
      var child = self[removed[next]].firstChild
      next += 1
      while child != .none {
        // Elements that are each other's parents would be met again.
        if !isRemoved(child) { markRemoved(child) }
        child = self[child].after
      }
    }
  }

  private mutating func markRemoved(_ slot: Slot) {
    let word = Int(slot.number) / 64
    if removedBits.count <= word {
      removedBits.append(contentsOf: repeatElement(0, count: links.count))
    }
    removedBits[word] |= 1 << UInt64(slot.number % 64)
    removed.append(slot)
    weigh(slot, -1)
  }

  func isRemoved(_ slot: Slot) -> Bool {
    guard !removed.isEmpty else { return false }
    let word = Int(slot.number) / 64
    return word < removedBits.count && removedBits[word] & 1 << UInt64(slot.number % 64) != 0
  }

  /// Whether memory of removed elements is still to be given back.
  var hasRemoved: Bool { !removed.isEmpty }

  /// Gives back the places of so many removed elements at most.
  mutating func sweep(_ most: Int) {
    guard hasRemoved else { return }
    for _ in 0..<most {
      guard let slot = removed.last else { break }
      if self[slot].isThere { leaveOrder(slot) }
      removedBits[Int(slot.number) / 64] &= ~(1 << UInt64(slot.number % 64))
      removed.removeLast()
      release(slot)
    }
    guard removed.isEmpty else { return }
    removed = []
    removedBits = []
    if count == 0, bytes == 0 { self = Tree(replacements: replacements) }
  }

  /// Gives back places before a change that brings `fresh` elements.
  mutating func sweep(before fresh: Int) { sweep(Self.broom + 2 * fresh) }

  /// The number of places in all chunks, vacant ones included.
  var places: Int { links.count * Self.chunkSize }

  /// Releases some elements of a tree that is not used any more; true when they were the last.
  mutating func freePiece() -> Bool {
    if loads.count > Self.piece {
      loads.removeLast(Self.piece)
      return false
    }
    loads = []
    if links.count > Self.piece, shards.count > Self.piece {
      shards.removeLast(Self.piece)
      return false
    }
    shards = []
    if links.count > Self.shardCount {
      links.removeLast(Self.shardCount)
      return false
    }
    self = Tree()
    return true
  }

  // MARK: Places

  /// The place of an element; a new one if it has none.
  private mutating func claim(_ name: Name) -> Slot { find(name) ?? allot(name) }

  /// Gives a place to an element that has none.
  private mutating func allot(_ name: Name) -> Slot {
    if shards.isEmpty {
      shards = Array(repeating: [:], count: Self.shardCount)
      links = [[Link()]]
      loads = [[Load(name: Name(""))]]
    }
    var link = Link()
    link.bytes = Int32(name.text.utf8.count)
    bytes += Int(link.bytes)
    let load = Load(name: name)
    let slot = vacant
    if slot != .none {
      vacant = self[slot].later
      self[slot] = link
      loads[slot.chunk][slot.place] = load
      shards[Self.shard(of: name)][name] = slot
      return slot
    }
    let number = (links.count - 1) * Self.chunkSize + links[links.count - 1].count
    if number % Self.chunkSize == 0 {
      links.append([link])
      loads.append([load])
    } else {
      links[links.count - 1].append(link)
      loads[loads.count - 1].append(load)
    }
    let fresh = Slot(number: Int32(number))
    shards[Self.shard(of: name)][name] = fresh
    return fresh
  }

  private mutating func release(_ slot: Slot) {
    let name = name(slot)
    let shard = Self.shard(of: name)
    // Another element may have come by this name since it was removed.
    if shards[shard][name] == slot { shards[shard][name] = nil }
    loads[slot.chunk][slot.place] = Load(name: Name(""))
    self[slot] = Link()
    self[slot].later = vacant
    vacant = slot
  }

  // MARK: Links

  private mutating func link(_ slot: Slot, below parent: Slot) {
    attach(slot, before: .none, below: parent)
  }

  /// Detaches a place from its parent; a parent that has not arrived goes with its last child.
  private mutating func unlink(_ slot: Slot) {
    let parent = self[slot].parent
    detach(slot, from: parent)
    if parent != .root, !self[parent].isThere, self[parent].firstChild == .none {
      bytes -= Int(self[parent].bytes)
      release(parent)
    }
  }

  private mutating func joinOrder(_ slot: Slot, before next: Slot) {
    let previous = next == .none ? latest : self[next].earlier
    self[slot].earlier = previous
    self[slot].later = next
    if previous == .none { earliest = slot } else { self[previous].later = slot }
    if next == .none { latest = slot } else { self[next].earlier = slot }
  }

  private mutating func leaveOrder(_ slot: Slot) {
    let link = self[slot]
    if link.earlier == .none {
      earliest = link.later
    } else {
      self[link.earlier].later = link.later
    }
    if link.later == .none {
      latest = link.earlier
    } else {
      self[link.later].earlier = link.earlier
    }
  }
}

/// Two trees are equal if they have the same elements below the same parents in the same order;
/// the places where these stand do not count.
extension Tree: Equatable {
  static func == (a: Tree, b: Tree) -> Bool {
    guard a.count == b.count, a.bytes == b.bytes else { return false }
    var mine = a.first
    var theirs = b.first
    while mine != .none, theirs != .none {
      guard a.name(mine) == b.name(theirs), a.element(mine) == b.element(theirs),
        a.parent(of: mine) == b.parent(of: theirs)
      else { return false }
      mine = a.next(after: mine)
      theirs = b.next(after: theirs)
    }
    return true
  }
}

extension Tree {
  /// An element's ties to other elements, and the flags that decide about the way through them.
  struct Link: Sendable {
    var parent = Slot.none
    var firstChild = Slot.none
    var lastChild = Slot.none
    var childCount: Int32 = 0
    var before = Slot.none
    var after = Slot.none
    /// The neighbours in the order of arrival; `later` of a vacant place is the next vacant one.
    var earlier = Slot.none
    var later = Slot.none
    /// `middle` is the root of the search tree over its children; the others are its own node in
    /// that of its siblings.
    var middle = Slot.none
    var left = Slot.none
    var right = Slot.none
    var up = Slot.none
    var size: Int32 = 0
    /// The bytes of its id and its texts.
    var bytes: Int32 = 0
    private(set) var flags: Flags = []

    struct Flags: OptionSet, Sendable {
      let rawValue: UInt16

      /// The element has arrived; without this flag it is only named as a parent.
      static let there = Flags(rawValue: 1)
      static let hidden = Flags(rawValue: 2)
      static let modal = Flags(rawValue: 4)
      /// The element says whether it is accessible.
      static let decided = Flags(rawValue: 8)
      static let accessible = Flags(rawValue: 16)
      static let labelled = Flags(rawValue: 32)
      static let responds = Flags(rawValue: 64)
      static let framed = Flags(rawValue: 128)
      static let summary = Flags(rawValue: 256)
      static let dialog = Flags(rawValue: 512)
    }

    var isThere: Bool { flags.contains(.there) }
    var isHidden: Bool { flags.contains(.hidden) }
    var isModal: Bool { flags.contains(.modal) }
    /// Whether it is there and not hidden itself.
    var isShown: Bool { flags.isDisjoint(with: .hidden) && isThere }

    /// Whether it is accessible; nil where it does not say so itself.
    var isAccessible: Bool? { flags.contains(.decided) ? flags.contains(.accessible) : nil }

    /// Whether it may be a stop: it does not say that it is inaccessible.
    var isOpen: Bool { isAccessible ?? true }

    /// Sets the flags and the bytes of an element that has arrived.
    mutating func describe(_ element: KnownElement, _ name: Name) {
      flags = element.flags
      flags.insert(.there)
      if element.isSummary { flags.insert(.summary) }
      if element.isDialog { flags.insert(.dialog) }
      bytes = Int32(name.text.utf8.count) + element.bytes
    }
  }
}
