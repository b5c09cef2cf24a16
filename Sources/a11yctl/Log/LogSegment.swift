// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yWire

/// A file of the log that holds entries, as its first line and its name show it.
struct LogSegment {
  let name: String
  /// The seq that it begins with, in the words of its header, else of its name.
  let first: Seq
  /// nil where the first line is damaged.
  let header: SegmentHeader?
  let size: Int64

  /// Whether it bears the name of another segment.
  var isMisnamed: Bool { name != SegmentName.entries(first) }
}

/// Something in the log's directory that is not read.
enum Stray: Equatable {
  /// It has a segment's name, but is a folder, a pipe, a link.
  case notAFile(name: String, first: Seq)
  /// A second copy of a segment.
  case doubled(name: String, first: Seq)
  /// A segment whose entries were written anew, after the disk had failed to keep them.
  case givenUp(name: String)
  /// The log has no such name.
  case unknown(name: String)
}

/// Entries that are not there, both ends included.
struct Gap: Equatable {
  let from: Seq
  let to: Seq
  let reason: Mark.GapReason
}
