// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A table that never has more rows than its bound: the oldest row makes room.
struct Recent<Key: Hashable, Value> {
  private var values: [Key: (value: Value, ticket: Int)] = [:]
  /// The keys in the order of arrival; those of rows that are gone are skipped.
  private var order: [(key: Key, ticket: Int)] = []
  private var tickets = 0
  private let bound: Int

  init(bound: Int) { self.bound = bound }

  /// The keys of all rows, the oldest first.
  var keys: [Key] { order.filter { values[$0.key]?.ticket == $0.ticket }.map(\.key) }

  subscript(key: Key) -> Value? {
    get { values[key]?.value }
    set {
      guard let newValue else {
        values[key] = nil
        return
      }
      if values[key] == nil { insert(key, newValue) } else { values[key]?.value = newValue }
    }
  }

  /// Changes a row, or adds one.
  mutating func change(
    _ key: Key,
    _ fresh: @autoclosure () -> Value,
    _ body: (inout Value) -> Void
  ) {
    var value = self[key] ?? fresh()
    body(&value)
    self[key] = value
  }

  private mutating func insert(_ key: Key, _ value: Value) {
    // Rows that are gone are swept out now and then, so that each row costs the same.
    if order.count >= 2 * bound { order.removeAll { values[$0.key]?.ticket != $0.ticket } }
    if values.count >= bound,
      let first = order.firstIndex(where: { values[$0.key]?.ticket == $0.ticket })
    {
      values[order[first].key] = nil
    }
    tickets += 1
    values[key] = (value, tickets)
    order.append((key, tickets))
  }
}
