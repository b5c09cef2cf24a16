// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The size of segments, and how much of the log is kept.
package struct LogPolicy: Equatable, Sendable {
  /// The size at which a segment ends, with the turn that has filled it.
  package var segmentBytes: Int64
  /// The age in microseconds at which segments go; nil keeps them, as with the other bounds.
  package var retainAge: Int64?
  package var retainBytes: Int64?
  package var retainEntries: Int64?

  package init(
    segmentBytes: Int64,
    retainAge: Int64?,
    retainBytes: Int64?,
    retainEntries: Int64?
  ) {
    self.segmentBytes = segmentBytes
    self.retainAge = retainAge
    self.retainBytes = retainBytes
    self.retainEntries = retainEntries
  }
}
