// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// How far a subscription has come.
///
/// Entries carry their seq, but not the life of the numbering that it belongs to. That is known from
/// the reply to the subscription, then from marks, then from the entries with which the bus tells
/// that it was started.
struct Position: Equatable {
  private(set) var cursor: Cursor?

  init(_ cursor: Cursor?) { self.cursor = cursor }

  /// The life of the numbering at present; empty before the first reply.
  var epoch: String { cursor?.epoch ?? "" }

  /// Goes to where the reply to a subscription, or a mark, says.
  mutating func move(to cursor: Cursor) { self.cursor = cursor }

  /// Goes behind an entry, which may begin a life of the numbering.
  mutating func move(behind seq: Int64, beginning begun: String?) {
    cursor = Cursor(epoch: begun ?? epoch, seq: seq)
  }

  /// The item with its place, to which this goes.
  mutating func place(_ entry: Entry, beginning begun: String?) -> Item {
    move(behind: entry.seq, beginning: begun)
    var entry = entry
    entry.cursor = Cursor(epoch: epoch, seq: entry.seq)
    return .entry(entry)
  }

  /// The item, to whose place this goes if it names one.
  mutating func place(_ mark: Mark) -> Item {
    if let cursor = mark.cursor { self.cursor = cursor }
    return .mark(mark)
  }
}
