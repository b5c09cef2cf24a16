// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

// How lines come into a segment, and when the next one begins.
extension EventLog {
  /// Appends a turn's lines in one write, and returns where they begin in the active segment;
  /// unless there is `trouble`, they survive this process.
  package func append(
    _ lines: Span<UInt8>,
    _ checksums: [UInt32],
    last: Seq,
    mono: Int64
  ) -> Int64 {
    if let file = active.file {
      do throws(Errno) {
        try file.writeAll(lines, at: active.end)
      } catch {
        // Nothing is appended behind half a line.
        appendElsewhere(because: error, lines, mono: mono)
      }
    } else {
      makeRoom(for: lines.count, mono: mono)
    }
    // The one that has taken the lines, asked for once.
    let active = self.active
    let start = active.end
    var end = active.state
    for checksum in checksums { end.include(end.last.next, checksum) }
    precondition(end.last == last, "the entries of a turn follow each other")
    watermark.mono = mono
    boundKept(by: lines.count)
    active.append(lines, through: end)
    known[known.count - 1].size = active.end
    if active.file != nil { durability.enqueue(active) }
    return start
  }

  /// Leaves the active segment as it is, and begins another for lines that its file could not take:
  /// on the disk if possible, else in memory.
  private func appendElsewhere(because error: Errno, _ lines: Span<UInt8>, mono: Int64) {
    let header = nextHeader(mono: mono)
    do throws(Errno) {
      let segment = try beginOnDisk(header)
      do throws(Errno) {
        try segment.file?.writeAll(lines, at: segment.end)
      } catch {
        try? disk.remove(SegmentName.entries(segment.first))
        throw error
      }
      replaceActive(with: segment)
    } catch {
      replaceActive(with: Self.beginInMemory(header, spare))
      beginTrouble(error)
    }
  }

  /// Appends to `segment` from now on.
  func replaceActive(with segment: Segment) {
    if active.first == segment.first, active.file != nil {
      // The old segment holds no entry, and its name is now the new one's.
      let run = Segment.Move.Run(start: active.end, end: active.end, base: segment.end)
      active.move = Segment.Move(from: active.end, target: segment, runs: [run])
      known.removeLast()
    } else {
      known[known.count - 1].held = active.file == nil ? active : nil
    }
    active = segment
    addKnown(segment)
    requestState()
  }

  /// The header of the segment that comes next.
  func nextHeader(mono: Int64) -> SegmentHeader {
    SegmentHeader(
      first: active.state.last.next,
      epochs: epochs,
      boot: boot,
      began: mono,
      clockOffset: clock.offset,
      previous: active.state
    )
  }

  private func beginOnDisk(_ header: SegmentHeader) throws(Errno) -> Segment {
    let segment = Self.beginInMemory(header, spare)
    segment.file = try Self.writeFile(segment, isSafe: false, on: disk)
    segment.release(through: segment.end, segment.state)
    return segment
  }

  static func beginInMemory(_ header: SegmentHeader, _ spare: SparePieces) -> Segment {
    var line = ByteBuffer(capacity: 512)
    header.writeLine(into: &line)
    let segment = Segment(header: header, start: Int64(line.count), keepingIn: spare)
    segment.keepHeader(line)
    return segment
  }

  /// Whether the active segment has its size, and the next one can be begun.
  package var isFull: Bool {
    active.state.count > 0 && active.end >= policy.segmentBytes && stateWriter == nil
      && trouble == nil
  }

  /// Begins the next segment, and only then ends this one.
  ///
  /// The closing line repeats the next header, so it may fail; and a segment that grows beyond its
  /// size is better than none.
  package func roll(mono: Int64) {
    let header = nextHeader(mono: mono)
    do throws(Errno) {
      let next = try beginOnDisk(header)
      try? writeClosing()
      known[known.count - 1].held = nil
      replaceActive(with: next)
    } catch {
      return
    }
  }

  private func writeClosing() throws(Errno) {
    guard let file = active.file else { return }
    var line = ByteBuffer(capacity: 256)
    active.state.writeClosing(into: &line)
    try file.writeAll(line.bytes, at: active.end)
    known[known.count - 1].size = active.end + Int64(line.count)
  }

  /// Ends the log for this process, with everything on the medium.
  ///
  /// The closing line comes after that: behind lost entries it would vouch for them.
  package func close(mono: Int64) throws(Errno) {
    if let trouble { throw trouble }
    do throws(Errno) {
      try durability.finish()
    } catch {
      guard case .rescued = rescue(from: error, mono: mono) else { throw error }
      try durability.finish()
    }
    try writeClosing()
    durability.enqueue(active)
    try durability.finish()
    try disk.synchronizeNames()
    writeWatermark()
    do throws(Errno) {
      try watermarkFile?.synchronize()
    } catch .noSuchFile {
      // The watermark was removed behind our back.
      watermarkFile = nil
      writeWatermark()
      try watermarkFile?.synchronize()
      try disk.synchronizeNames()
    }
  }
}
