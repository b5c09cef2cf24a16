// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The state that is folded out of the log's entries.
///
/// The log writes it down beside its segments and brings it up to date at a start; its meaning is
/// the broker's.
package protocol LoggedState: StateSource {
  /// The state before the first entry.
  init()

  /// Applies the next entry, a line without its newline.
  mutating func apply(_ line: Span<UInt8>, with reader: JSONReader)

  /// Drops all that has run out at an instant of the bus clock.
  mutating func expire(through mono: Int64)

  /// Drops the duplicate keys of entries from `first` on, which are lost: used again, they are new.
  mutating func forgetKeys(from first: Seq)

  /// Forgets all that is known of the selected apps, but for which values to withhold; false where
  /// nothing was known.
  mutating func forget(_ selection: Selection) -> Bool

  /// Restores one line of a `.state` file; false where it is none.
  mutating func restore(_ line: JSONDocument) -> Bool
}

/// The owner of a state that can be written down while it goes on changing.
package protocol StateSource: ~Copyable {
  /// Appends the lines that cannot wait, and returns the others as they are now.
  borrowing func beginLines(into out: inout ByteBuffer) -> any StateLines
}

/// The lines of a state that are still to be written, each sealed and with its newline.
package protocol StateLines {
  /// Appends lines until `out` has about `budget` bytes; true when none is left.
  mutating func appendLines(into out: inout ByteBuffer, budget: Int) -> Bool
}

/// The condition of the log at a start.
package struct LogOpening: Equatable, Sendable {
  /// The last bus closed the log.
  package var isClean = true
  /// The bytes of a last line that was begun and never ended.
  package var tornBytes: Int64 = 0
  package var isNewEpoch = false
  /// The files are not those that the last bus wrote: the log was put back from a copy.
  package var isCopy = false
  /// The machine has not been started anew since the log was written last.
  package var isSameBoot = false
  /// The entries that were there once and cannot be read any more.
  package var damaged: [ClosedRange<Seq>] = []
  /// The pieces of damage that were put aside as evidence.
  package var quarantined: Int64 = 0
  /// The first entry that the state is made from, where earlier ones are gone and no checkpoint
  /// could be read.
  package var knownFrom: Seq?

  package init() {}

  /// The damaged ranges that the entry lists at most; subscribers are told of each in its place.
  package static let listed = 64
}
