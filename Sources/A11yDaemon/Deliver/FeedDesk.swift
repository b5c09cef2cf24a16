// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
import A11yWire

/// What all feeds use in turn: room to read into and to collect in, and a reader of lines.
final class FeedDesk {
  /// What one subscriber may get from the file in one turn, so that none holds up the others.
  static let share = 1_048_576
  /// Longer than any line.
  static let windowBytes = Limits.answerBytes

  private let epoch: Epoch
  let reader = JSONReader(limit: Limits.answerBytes)
  var window = ByteBuffer(capacity: 0)
  var chosen = ByteBuffer(capacity: 0)
  private var mark = ByteBuffer(capacity: 256)
  /// Some subscriber was left out of an entry and may have to hear how far it is.
  var hasLeftOut = false

  init(epoch: Epoch) { self.epoch = epoch }

  func cursor(_ seq: Seq) -> Cursor { Cursor(epoch: epoch, seq: seq) }

  func say(_ what: Mark, to connection: Connection) {
    mark.clear()
    what.write(into: &mark)
    connection.send(mark)
  }

  /// Reads a line of the log; the reader's document is what it says.
  func reads(_ line: Span<UInt8>) -> Bool {
    do throws(JSONFault) {
      try reader.read(line)
      return true
    } catch {
      return false
    }
  }
}
