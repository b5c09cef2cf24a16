// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The place that a subscription has come to.
///
/// Entries carry their seq, but not their epoch. The reply to the subscription names the present
/// epoch, in which the seqs of earlier epochs are valid too. A new epoch begins only with a start
/// of the bus, and so with a new connection.
struct Position: Equatable {
  private(set) var cursor: LogCursor?

  init(_ cursor: LogCursor?) { self.cursor = cursor }

  /// Goes to the cursor of a mark, or of the reply to a subscription.
  mutating func move(to cursor: LogCursor) { self.cursor = cursor }

  /// Goes behind an entry.
  mutating func move(behind seq: Int64) {
    cursor = LogCursor(epoch: cursor?.epoch ?? "", seq: seq)
  }

  /// Goes behind the entry, and returns it with its cursor.
  mutating func locate(_ entry: Entry) -> SubscriptionItem {
    move(behind: entry.seq)
    var entry = entry
    if let cursor { entry.cursor = cursor }
    return .entry(entry)
  }

  /// Goes to the place of the mark, if it names one.
  mutating func locate(_ mark: SubscriptionMark) -> SubscriptionItem {
    if let cursor = mark.cursor { move(to: cursor) }
    return .mark(mark)
  }
}
