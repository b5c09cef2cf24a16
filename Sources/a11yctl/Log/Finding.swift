// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// A damage in the log, or a fact about it that is worth knowing.
struct Finding: Equatable {
  enum Weight: String {
    /// The log is not what it was when it was written.
    case damage
    /// The log's own rules allow it.
    case note
  }

  enum Kind: Equatable {
    /// Bytes without an intact line.
    case spoiltBytes
    /// Spoilt bytes at the end of the log, where nothing tells their former content.
    case spoiltEnd
    /// The newline of a line that is intact otherwise.
    case spoiltNewline
    /// The first line of a segment.
    case spoiltHeader
    /// A run of entries is missing, with nothing in its place.
    case missingEntries
    /// A whole segment is gone.
    case missingSegment
    /// Entries that were delivered while the disk could not be written.
    case neverWritten
    /// An unfinished line at the very end.
    case tornTail
    /// A segment, or its successor, states something about it that is not so.
    case contradiction(String)
    /// The file has the name of another segment.
    case misnamed(first: Seq)
    case doubled(first: Seq)
    case notAFile
    case unreadable(String)
    case givenUp
    case unknownName
    case state(StateFault)
    case watermark
    /// One of the two lines of the watermark.
    case watermarkSlot
    /// Files that earlier starts have put aside.
    case quarantine(files: Int64, bytes: Int64)
  }

  /// The faults of a file with the presenter's state.
  enum StateFault: Equatable {
    case line
    case notWhole
    case stranger
  }

  let weight: Weight
  let kind: Kind
  let file: String?
  /// The place in the file; nil where the finding is about the whole file.
  var bytes: Range<Int64>?
  /// The entries that it has cost.
  var entries: ClosedRange<Seq>?

  init(
    _ weight: Weight,
    _ kind: Kind,
    in file: String?,
    bytes: Range<Int64>? = nil,
    entries: ClosedRange<Seq>? = nil
  ) {
    self.weight = weight
    self.kind = kind
    self.file = file
    self.bytes = bytes
    self.entries = entries
  }
}
