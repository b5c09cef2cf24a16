// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
package import A11yWire

/// Goes through the log from one entry to another, a slice at a time.
///
/// Between two slices only the next seq is known, and no place in a file: segments may be dropped,
/// written anew or given up meanwhile.
package final class LogScan {
  private unowned let log: EventLog
  private var next: Seq
  private let through: Seq
  /// The segment that was read last.
  ///
  /// A segment that nobody holds is closed, and its reading through would begin anew in each slice.
  private var held: Segment?
  private var chunk = ByteBuffer(capacity: 0)
  /// The bytes that are read at once: few for a single entry, more for a long run.
  private var room = 8_192
  private static let mostRoom = Limits.answerBytes + 1

  package init(from: Seq, through: Seq, in log: EventLog) {
    next = from
    self.through = through
    self.log = log
  }

  /// Gives entries to `each`, without their newlines, for as long as that is true and the budget of
  /// bytes lasts; true when there is nothing more to come.
  package func advance(budget: inout Int, _ each: (Span<UInt8>, Seq) -> Bool) -> Bool {
    while budget > 0 {
      guard next <= through else { return true }
      let segment = log.segment(holding: next)
      held = segment
      guard log.check(segment, budget: budget) else {
        budget = 0
        return false
      }
      do throws(Errno) {
        guard let place = try segment.place(of: next) else {
          guard skip(segment) else { return true }
          continue
        }
        guard try readChunk(segment, from: place, budget: &budget, each) else { return true }
      } catch {
        // The rest of the segment is skipped this time; the next reading may get further.
        log.doubt(segment)
        guard skip(segment) else { return true }
      }
    }
    return false
  }

  /// Skips to the next segment; false where there is none.
  private func skip(_ segment: Segment) -> Bool {
    guard let successor = log.segment(after: segment) else { return false }
    next = max(next.next, successor.first)
    return true
  }

  /// Reads a chunk from a place on; false where no more entries are wanted.
  private func readChunk(
    _ segment: Segment,
    from place: Segment.Place,
    budget: inout Int,
    _ each: (Span<UInt8>, Seq) -> Bool
  ) throws(Errno) -> Bool {
    let extent = segment.extents[place.extent]
    chunk.clear()
    let wanted = Int(min(Int64(room), extent.end - place.offset))
    let count = try segment.read(into: &chunk, at: place.offset, room: wanted)
    guard count > 0 else { throw .inputOutput }
    budget -= count
    if extent.lacksNewline, place.offset + Int64(count) == extent.end {
      chunk.append(byte: UInt8(ascii: "\n"))
    }
    let before = next
    let goesOn = Self.entries(of: chunk, &next, through: through, each)
    // A chunk of the greatest length without a newline cannot be part of a log.
    if goesOn, next == before, room >= Self.mostRoom { throw .inputOutput }
    room = min(room * 4, Self.mostRoom)
    return goesOn
  }

  /// Gives the entries of a chunk to `each`; false where no more are wanted.
  private static func entries(
    of chunk: borrowing ByteBuffer,
    _ next: inout Seq,
    through: Seq,
    _ each: (Span<UInt8>, Seq) -> Bool
  ) -> Bool {
    let lines = chunk.bytes
    var start = 0
    while let newline = lines.firstIndex(of: UInt8(ascii: "\n"), from: start) {
      let line = lines.extracting(start..<newline)
      start = newline + 1
      guard let seq = Seq(of: line) else { continue }
      guard seq <= through else { return false }
      guard seq >= next else { continue }
      next = seq.next
      guard each(line, seq) else { return false }
    }
    return true
  }
}
