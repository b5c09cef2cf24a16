// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
