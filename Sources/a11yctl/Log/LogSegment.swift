// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yWire

/// A segment of the log, as its first line and its name show it.
struct LogSegment {
  let name: String
  /// The first seq, by its header, else by its name.
  let first: Seq
  /// The header; nil where the first line is damaged.
  let header: SegmentHeader?
  let size: Int64

  /// Whether it bears the name of another segment.
  var isMisnamed: Bool { name != SegmentName.entries(first) }
}

/// A file in the log's directory that is not read.
enum Stray: Equatable {
  /// A folder, pipe or link with a segment's name.
  case notAFile(name: String, first: Seq)
  /// A second copy of a segment.
  case doubled(name: String, first: Seq)
  /// A segment whose entries were written anew, after the disk had failed to keep them.
  case givenUp(name: String)
  /// A file with a name that the log does not use.
  case unknown(name: String)
}

/// A run of missing entries, both ends included.
struct Gap: Equatable {
  let from: Seq
  let to: Seq
  let reason: Mark.GapReason
}
