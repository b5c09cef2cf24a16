// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A table that never has more rows than its bound: the one that was not used for longest goes.
///
/// Rows that still have something to say, such as a source that has used up its rate for a while, stay
/// as long as there are others: whoever floods cannot make itself forgotten by flooding under many
/// names.
struct BoundedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  struct Row: Sendable {
    var key: Key
    var value: Value
    fileprivate var older: Int
    fileprivate var newer: Int
    fileprivate var isTaken = true
  }

  let bound: Int
  private var rows: [Row] = []
  private var places: [Key: Int] = [:]
  private var oldest = -1
  private var newest = -1
  private var vacant: [Int] = []

  /// Rows that are looked at for one that can go without loss.
  private static var looks: Int { 32 }

  init(bound: Int) { self.bound = bound }

  var count: Int { places.count }

  func place(of key: Key) -> Int? { places[key] }

  subscript(place: Int) -> Value {
    get { rows[place].value }
    _modify { yield &rows[place].value }
  }

  /// Whether there is a row where one was once.
  func holds(_ place: Int) -> Bool { rows[place].isTaken }

  func key(at place: Int) -> Key { rows[place].key }

  /// The value under a key, for reading alone.
  subscript(key: Key) -> Value? { places[key].map { rows[$0].value } }

  /// Marks a row as used just now.
  mutating func touch(_ place: Int) {
    guard place != newest else { return }
    unlink(place)
    link(place)
  }

  /// Puts a row in, under a key that has none, and says where it is.
  mutating func insert(_ key: Key, _ value: Value) -> Int {
    let row = Row(key: key, value: value, older: -1, newer: -1)
    let place: Int
    if let free = vacant.popLast() {
      place = free
      rows[place] = row
    } else {
      place = rows.count
      rows.append(row)
    }
    let isNew = places.updateValue(place, forKey: key) == nil
    precondition(isNew && count <= bound, "there is room for a new key")
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
    places[rows[place].key] = nil
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

  private mutating func link(_ place: Int) {
    rows[place].older = newest
    rows[place].newer = -1
    if newest >= 0 { rows[newest].newer = place } else { oldest = place }
    newest = place
  }

  private mutating func unlink(_ place: Int) {
    let row = rows[place]
    if row.older >= 0 { rows[row.older].newer = row.newer } else { oldest = row.newer }
    if row.newer >= 0 { rows[row.newer].older = row.older } else { newest = row.older }
  }
}
