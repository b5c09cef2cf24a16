// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// By what a table tells its rows apart.
protocol Marked: Equatable, Sendable {
  /// Equal keys have equal ones, and nobody outside of this process can choose two others that
  /// have.
  var mark: Int { get }
}

/// A table that never has more rows than its bound: the one that was not used for longest goes.
///
/// Rows that still have something to say, such as a source that has used up its rate for a while,
/// stay as long as there are others: a flooding app cannot make itself forgotten by flooding under
/// many names.
struct BoundedTable<Key: Marked, Value: Sendable>: Sendable {
  struct Row: Sendable {
    var key: Key
    var value: Value
    fileprivate var mark: Int
    /// The next row whose mark ends alike.
    fileprivate var next = -1
    fileprivate var older: Int
    fileprivate var newer: Int
    fileprivate var isTaken = true
  }

  let bound: Int
  private var rows: [Row] = []
  /// For each way in which a mark can end, the first row whose mark does.
  private var chains = [Int](repeating: -1, count: 16)
  private(set) var count = 0
  private var oldest = -1
  private var newest = -1
  private var vacant: [Int] = []

  /// Rows that are looked at for one that can go without loss.
  private static var looks: Int { 32 }

  init(bound: Int) { self.bound = bound }

  func place(of key: Key) -> Int? {
    guard count > 0 else { return nil }
    let mark = key.mark
    // In place: a row that is asked for its key by the array would be copied.
    return unsafe rows.withUnsafeBufferPointer { rows in
      var place = chains[chain(of: mark)]
      while place >= 0 {
        if unsafe rows[place].mark == mark, unsafe rows[place].key == key { return place }
        place = unsafe rows[place].next
      }
      return nil
    }
  }

  subscript(place: Int) -> Value {
    get { rows[place].value }
    _modify { yield &rows[place].value }
  }

  /// Whether there is a row where one was once.
  func holds(_ place: Int) -> Bool { rows[place].isTaken }

  func key(at place: Int) -> Key { rows[place].key }

  /// The value under a key, for reading alone.
  subscript(key: Key) -> Value? { place(of: key).map { rows[$0].value } }

  /// Marks a row as used just now.
  mutating func touch(_ place: Int) {
    guard place != newest else { return }
    unlink(place)
    link(place)
  }

  /// Takes back a row from a record, unless there is one or the table is full.
  mutating func restore(_ key: Key, _ value: Value) {
    guard place(of: key) == nil, count < bound else { return }
    _ = insert(key, value)
  }

  /// Puts a row in, under a key that has none, and says where it is.
  mutating func insert(_ key: Key, _ value: Value) -> Int {
    precondition(count < bound, "there is room for a new key")
    assert(place(of: key) == nil, "the key is new")
    count += 1
    if count > chains.count { lengthen() }
    let row = Row(key: key, value: value, mark: key.mark, older: -1, newer: -1)
    let place = vacant.popLast() ?? rows.count
    if place == rows.count { rows.append(row) } else { rows[place] = row }
    enchain(place)
    link(place)
    return place
  }

  /// The row that has to go before another can come, if any has to.
  func leaving(isSpent: (Value) -> Bool) -> Int? {
    guard count >= bound else { return nil }
    var place = oldest
    for _ in 0..<Self.looks {
      guard place >= 0 else { break }
      if isSpent(rows[place].value) { return place }
      place = rows[place].newer
    }
    return oldest
  }

  mutating func remove(at place: Int) {
    count -= 1
    unchain(place)
    unlink(place)
    rows[place].isTaken = false
    vacant.append(place)
  }

  /// Takes out the rows under these keys, and says where they were.
  mutating func remove(where isMeant: (Key) -> Bool) -> [Int] {
    let places = inOrder.filter { isMeant(rows[$0].key) }
    for place in places { remove(at: place) }
    return places
  }

  /// The places of all rows, the one that was not used for longest first.
  var inOrder: [Int] {
    var order: [Int] = []
    order.reserveCapacity(count)
    var place = oldest
    while place >= 0 {
      order.append(place)
      place = rows[place].newer
    }
    return order
  }

  // MARK: Chains

  private func chain(of mark: Int) -> Int { mark & (chains.count - 1) }

  private mutating func enchain(_ place: Int) {
    let chain = chain(of: rows[place].mark)
    rows[place].next = chains[chain]
    chains[chain] = place
  }

  private mutating func unchain(_ place: Int) {
    let chain = chain(of: rows[place].mark)
    guard chains[chain] != place else {
      chains[chain] = rows[place].next
      return
    }
    var before = chains[chain]
    while rows[before].next != place { before = rows[before].next }
    rows[before].next = rows[place].next
  }

  /// Doubles the ways that are told apart, so that chains stay short.
  private mutating func lengthen() {
    chains = [Int](repeating: -1, count: 2 * chains.count)
    for place in rows.indices where rows[place].isTaken { enchain(place) }
  }

  // MARK: Age

  private mutating func link(_ place: Int) {
    rows[place].older = newest
    rows[place].newer = -1
    if newest >= 0 { rows[newest].newer = place } else { oldest = place }
    newest = place
  }

  private mutating func unlink(_ place: Int) {
    let (older, newer) = (rows[place].older, rows[place].newer)
    if older >= 0 { rows[older].newer = newer } else { oldest = newer }
    if newer >= 0 { rows[newer].older = older } else { newest = older }
  }
}
