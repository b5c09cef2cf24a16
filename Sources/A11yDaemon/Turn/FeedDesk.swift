// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yWire

/// The buffers and the reader of lines that all feeds use in turn.
final class FeedDesk {
  /// Bytes that one subscriber may get from the file in one turn, so that none holds up the others.
  static let share = 1_048_576
  /// Longer than any line.
  static let windowBytes = Limits.answerBytes + 1

  let json = JSONReader(limit: Limits.answerBytes)
  /// Lines as they were read from a file.
  var window = ByteBuffer(capacity: 0)
  /// The filters of all feeds, and the latest lines that pass them.
  let sieve = Sieve()
  /// Lines that are wanted.
  var chosen = ByteBuffer(capacity: 0)
  /// Some subscriber was left out of an entry and may have to hear how far it is.
  var hasLeftOut = false
  /// How far the source was gone through when `chosen` was so long.
  private var progress: [(chosen: Int, source: Int)] = []
  private let epoch: Epoch
  private var mark = ByteBuffer(capacity: 256)

  init(epoch: Epoch) { self.epoch = epoch }

  func cursor(_ seq: Seq) -> Cursor { Cursor(epoch: epoch, seq: seq) }

  func say(_ what: Mark, to connection: ClientConnection) {
    mark.clear()
    what.write(into: &mark)
    connection.send(mark)
  }

  /// Reads a line of the log into the reader's document; false where the line is not JSON.
  func reads(_ line: Span<UInt8>) -> Bool {
    do throws(JSONFault) {
      try json.read(line)
      return true
    } catch {
      return false
    }
  }

  // MARK: Collecting

  func clear() {
    chosen.clear()
    progress.removeAll(keepingCapacity: true)
  }

  /// Overwrites the lines that are left in the buffers.
  func wipe() {
    chosen.wipe()
    window.wipe()
  }

  /// Notes that the source was gone through so far.
  func markProgress(through source: Int) { progress.append((chosen.count, source)) }

  /// How far the source is done with when so much of `chosen` has been sent.
  func source(of sent: Int) -> Int { progress.last { $0.chosen <= sent }?.source ?? 0 }
}
