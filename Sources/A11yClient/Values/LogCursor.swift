// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A place in the log: right behind an entry.
///
/// An app that stores the cursor of the last entry it has dealt with can go on behind that entry
/// later, in another process or after a restart of the bus, without missing or repeating one. The
/// text of a cursor may be stored as it is.
public struct LogCursor: Hashable, Sendable, LosslessStringConvertible {
  /// The epoch of the numbering that `seq` belongs to, in hex.
  public let epoch: String
  /// The seq of the last entry before this place; 0 before the first.
  public let seq: Int64

  /// Reads a cursor from its text, `epoch:seq`; nil if the text is none.
  public init?(_ text: String) {
    guard let cursor = A11yWire.Cursor(text) else { return nil }
    self.init(epoch: cursor.epoch.hex, seq: cursor.seq.number)
  }

  init(epoch: String, seq: Int64) {
    self.epoch = epoch
    self.seq = seq
  }

  /// The cursor as it stands on the wire, `epoch:seq`.
  public var description: String { "\(epoch):\(seq)" }
}
