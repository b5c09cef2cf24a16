// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// How far a subscription has come.
///
/// Entries carry their seq, but not the life of the numbering that it belongs to. The reply to the
/// subscription names the present one, and in that all earlier seqs are valid too, whichever life
/// they were given in. A new life begins only with a start of the bus, and so with a new connection.
struct Position: Equatable {
  private(set) var cursor: LogCursor?

  init(_ cursor: LogCursor?) { self.cursor = cursor }

  /// Goes to where the reply to a subscription, or a mark, says.
  mutating func move(to cursor: LogCursor) { self.cursor = cursor }

  /// Goes behind an entry.
  mutating func move(behind seq: Int64) {
    cursor = LogCursor(epoch: cursor?.epoch ?? "", seq: seq)
  }

  /// The item with its place, to which this goes.
  mutating func place(_ entry: Entry) -> SubscriptionItem {
    move(behind: entry.seq)
    var entry = entry
    if let cursor { entry.cursor = cursor }
    return .entry(entry)
  }

  /// The item, to whose place this goes if it names one.
  mutating func place(_ mark: SubscriptionMark) -> SubscriptionItem {
    if let cursor = mark.cursor { move(to: cursor) }
    return .mark(mark)
  }
}
