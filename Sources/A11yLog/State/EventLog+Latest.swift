// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
package import A11yWire

/// The state within the segment that is appended to, so that a start need not go over all of it.
///
/// Beside each segment stands the state at its beginning; from there on a start would have a whole
/// segment to decide anew. So the state is written down again and again. A start that finds it borne
/// out by the entries goes on from there.
extension EventLog {
  /// A segment has so many parts of which a start goes over one: 1 MiB, or a few thousand entries,
  /// which are decided in about five milliseconds.
  private static let parts: Int64 = 16
  /// As long as the log has not grown by so many times what the state weighs, reading the one costs
  /// as much as going over the other.
  private static let worth: Int64 = 2

  /// So much was appended that the presenter's state is to be written down.
  package var wantsLatest: Bool {
    trouble == nil && !isHeavy(stateWeight) && active.file != nil && !wantsState && !isWritingState
      && !isWritingLatest
      && active.end - stateEnd >= max(policy.segmentBytes / Self.parts, Self.worth * stateWeight)
  }

  package var isWritingLatest: Bool { latest.isWriting }

  /// Begins to write the state as it is now, behind the last entry.
  package func beginLatest(_ source: borrowing some StateSource & ~Copyable) {
    guard let header = active.header else { return }
    stateEnd = active.end
    latest.begin(source, within: header, after: last)
  }

  /// Writes on; the medium may get it later, since what is not whole says so of itself.
  package func advanceLatest(budget: Int) {
    guard let weight = latest.advance(budget: budget) else { return }
    stateWeight = weight
    besides.measureLatest(in: disk)
  }
}
