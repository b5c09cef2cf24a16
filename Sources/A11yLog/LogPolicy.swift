// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// How the log is cut into segments, and how much of it is kept.
package struct LogPolicy: Equatable, Sendable {
  /// A segment ends with the turn that has filled it.
  package var segmentBytes: Int64
  /// Older segments go, in microseconds; nil keeps them, as with the other bounds.
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
