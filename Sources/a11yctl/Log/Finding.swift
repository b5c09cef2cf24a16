// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// Something that is not as it should be, or that is worth knowing, somewhere in the log.
struct Finding: Equatable {
  enum Weight: String {
    /// The log is not what it was when it was written.
    case damage
    /// It is as the log's own rules allow.
    case note
  }

  enum Kind: Equatable {
    /// Bytes that are no intact line.
    case spoiltBytes
    /// The same at the end of the log, where nothing says what they were.
    case spoiltEnd
    /// The end of a line whose bytes are all right otherwise.
    case spoiltNewline
    /// The first line of a segment.
    case spoiltHeader
    /// Seqs that follow each other are not there, and nothing stands in their place.
    case missingEntries
    /// A whole segment is gone.
    case missingSegment
    /// Entries that were delivered while the disk could not be written.
    case neverWritten
    /// An unfinished line at the very end.
    case tornTail
    /// What a segment or its successor states of it is not what is there.
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
    /// What earlier starts have put aside.
    case quarantine(files: Int64, bytes: Int64)
  }

  /// What is wrong with a file that holds the presenter's state.
  enum StateFault: Equatable {
    case line
    case notWhole
    case stranger
  }

  let weight: Weight
  let kind: Kind
  let file: String?
  /// Where in the file, both ends included; nil where it is about all of it.
  var bytes: Range<Int64>?
  /// Which entries it has cost.
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
