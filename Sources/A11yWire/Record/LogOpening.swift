// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// How the log was found at the start.
package struct LogOpening: Equatable, Sendable {
  /// It was closed when it was last in use.
  package var isClean = true
  /// Bytes of a last line that was begun and never ended.
  package var tornBytes: Int64 = 0
  package var isNewEpoch = false
  /// Entries that were there once and cannot be read any more.
  package var damaged: [ClosedRange<Seq>] = []
  /// Pieces of damage that were put aside as evidence.
  package var quarantined: Int64 = 0
  /// The first entry that anything is known of, where earlier ones are gone and what they had led to
  /// could not be read.
  package var knownFrom: Seq?

  package init() {}

  /// Damaged ranges that the entry lists; subscribers are told of each where it lies.
  package static let listed = 64
}
