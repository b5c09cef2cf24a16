// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
package import A11yWire

/// Goes through the log from one entry to another, a slice at a time.
///
/// Between two slices it knows the next seq and no place: segments may be dropped, written anew or
/// given up meanwhile, and it goes on with what is there then.
package final class LogScan {
  private unowned let log: EventLog
  private var next: Seq
  private let through: Seq
  /// The segment that was read last.
  ///
  /// A segment closes when nobody holds it, and one that is read
  /// through in slices would be read through from its beginning in each of them.
  private var held: Segment?
  private var window = ByteBuffer(capacity: 0)
  /// What is read at once: little for a single entry, more for whoever goes on.
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
        guard try read(segment, from: place, budget: &budget, each) else { return true }
      } catch {
        // What cannot be read is not known; it may be told better the next time.
        log.doubt(segment)
        guard skip(segment) else { return true }
      }
    }
    return false
  }

  /// Goes on behind a segment; false where nothing is.
  private func skip(_ segment: Segment) -> Bool {
    guard let successor = log.segment(after: segment) else { return false }
    next = max(next.next, successor.first)
    return true
  }

  /// Reads on from a place; false where no more is wanted.
  private func read(
    _ segment: Segment,
    from place: Segment.Place,
    budget: inout Int,
    _ each: (Span<UInt8>, Seq) -> Bool
  ) throws(Errno) -> Bool {
    let extent = segment.extents[place.extent]
    window.clear()
    let wanted = Int(min(Int64(room), extent.end - place.offset))
    let count = try segment.read(into: &window, at: place.offset, room: wanted)
    guard count > 0 else { throw .inputOutput }
    budget -= count
    if extent.lacksNewline, place.offset + Int64(count) == extent.end {
      window.append(byte: UInt8(ascii: "\n"))
    }
    let before = next
    let goesOn = Self.take(window, &next, through: through, each)
    // Not a line as long as a line can be: this is no log any more.
    if goesOn, next == before, room >= Self.mostRoom { throw .inputOutput }
    room = min(room * 4, Self.mostRoom)
    return goesOn
  }

  private static func take(
    _ window: borrowing ByteBuffer,
    _ next: inout Seq,
    through: Seq,
    _ each: (Span<UInt8>, Seq) -> Bool
  ) -> Bool {
    let lines = window.bytes
    var start = 0
    while let newline = lines.firstIndex(of: UInt8(ascii: "\n"), from: start) {
      let line = lines.extracting(start..<newline)
      start = newline + 1
      guard let seq = LineSeq.of(line) else { continue }
      guard seq <= through else { return false }
      guard seq >= next else { continue }
      next = seq.next
      guard each(line, seq) else { return false }
    }
    return true
  }
}
