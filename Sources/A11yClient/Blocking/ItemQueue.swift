// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Items in the order of their arrival, until somebody takes them.
struct ItemQueue {
  private var items: [SubscriptionItem] = []
  private var taken = 0

  mutating func enqueue(_ item: SubscriptionItem) { items.append(item) }

  mutating func dequeue() -> SubscriptionItem? {
    guard taken < items.count else { return nil }
    defer {
      taken += 1
      if taken == items.count {
        items.removeAll(keepingCapacity: true)
        taken = 0
      }
    }
    return items[taken]
  }
}
