// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// Reads the presenter's state from the file beside a segment, a slice at a time.
package struct StateReader: ~Copyable {
  private let file: any DiskFile
  private var window = ByteBuffer(capacity: 0)
  private var offset: Int64 = 0
  private var lines: Lines

  /// Opens the state beside the segment that begins with `first`.
  package init(_ first: Seq, on disk: any Disk, with reader: JSONReader) throws(Errno) {
    lines = Lines(first: first, reader: reader)
    file = try disk.open(SegmentName.state(first))
  }

  /// Opens a state within whichever segment it says.
  init(latest name: String, on disk: any Disk, with reader: JSONReader) throws(Errno) {
    lines = Lines(first: nil, reader: reader)
    file = try disk.open(name)
  }

  /// Reads no more than where it belongs and after which entry it is; nil where it does not say so.
  mutating func beginning() -> PresenterState? {
    while lines.state == nil, case .more = advance(budget: 1) {}
    return lines.state
  }

  package enum Progress {
    case more
    case state(PresenterState)
    /// The file is not whole: it has to be done without.
    case nothing
  }

  /// Reads about `budget` bytes more.
  package mutating func advance(budget: Int) -> Progress {
    var left = budget
    while left > 0 {
      let before = window.count
      do throws(Errno) {
        let (file, at) = (file, offset)
        try window.append(room: max(4_096, min(262_144, left))) { target throws(Errno) in
          try file.read(into: target, at: at)
        }
      } catch {
        return .nothing
      }
      let count = window.count - before
      if count == 0 || window.count > Limits.answerBytes * 2 { return .nothing }
      offset += Int64(count)
      left -= count
      let taken = Self.take(window, &lines)
      if lines.isBad { return .nothing }
      if lines.isWhole, let state = lines.state { return .state(state) }
      window.removeFirst(taken)
    }
    return .more
  }

  private static func take(_ window: borrowing ByteBuffer, _ lines: inout Lines) -> Int {
    var start = 0
    while let newline = window.bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) {
      lines.take(window.bytes.extracting(start..<newline))
      start = newline + 1
    }
    return start
  }

  /// What the lines so far have said.
  private struct Lines {
    /// The segment that it is to stand beside, if that is known.
    let first: Seq?
    let reader: JSONReader
    var end = StateEnd()
    var state: PresenterState?
    var isWhole = false
    var isBad = false

    init(first: Seq?, reader: JSONReader) {
      self.first = first
      self.reader = reader
    }

    mutating func take(_ line: Span<UInt8>) {
      guard !isWhole, !isBad else { return }
      isBad = true
      guard let checksum = LineChecksum.verified(line) else { return }
      let reader = self.reader
      do throws(JSONFault) { try reader.read(line) } catch { return }
      let document = reader.document
      if end.lines == 0 {
        begin(document)
        isBad = state == nil
      } else if let isStated = end.isStated(by: document) {
        isWhole = isStated
        isBad = !isWhole
      } else {
        isBad = !(state?.restore(document) ?? false)
      }
      end.take(checksum)
    }

    private mutating func begin(_ document: JSONDocument) {
      guard let after = document.seq("after", of: document.root),
        let place = document.member("header", of: document.root),
        let header = SegmentHeader(document, in: place), header.first == first ?? header.first,
        after >= header.first.previous
      else { return }
      state = PresenterState(after: after)
      state?.header = header
    }
  }
}

/// The file beside a segment.
package enum StateFile {
  /// Waits until the medium has it.
  static func secure(_ first: Seq, on disk: any Disk) throws(Errno) {
    try disk.open(SegmentName.state(first)).synchronize()
    try disk.synchronizeNames()
  }

  /// The state, or nil where the file is not there or not whole: it can be done without.
  package static func read(
    _ first: Seq,
    on disk: any Disk,
    with reader: JSONReader
  ) -> PresenterState? {
    do throws(Errno) {
      return finish(try StateReader(first, on: disk, with: reader))
    } catch {
      return nil
    }
  }

  /// The states within a segment, the newest first, each read when it is asked for; none that is
  /// another's or not whole.
  static func latest(
    within segment: FoundSegment,
    on disk: any Disk,
    with reader: JSONReader
  ) -> some Sequence<PresenterState> {
    var found: [(name: String, after: Seq)] = []
    for name in SegmentName.latest {
      // Without its header nobody can tell whose they are.
      guard let header = segment.header,
        let known = beginning(name, on: disk, with: reader), known.header?.first == segment.first,
        known.belongs(to: header, through: known.after)
      else { continue }
      found.append((name, known.after))
    }
    found.sort { $0.after > $1.after }
    return found.lazy.compactMap { name, _ in readLatest(name, on: disk, with: reader) }
  }

  private static func beginning(
    _ name: String,
    on disk: any Disk,
    with reader: JSONReader
  ) -> PresenterState? {
    do throws(Errno) {
      var file = try StateReader(latest: name, on: disk, with: reader)
      return file.beginning()
    } catch {
      return nil
    }
  }

  private static func readLatest(
    _ name: String,
    on disk: any Disk,
    with reader: JSONReader
  ) -> PresenterState? {
    do throws(Errno) {
      return finish(try StateReader(latest: name, on: disk, with: reader))
    } catch {
      return nil
    }
  }

  /// Takes away what may speak of what is to be forgotten, so that the medium does not have it.
  static func removeLatest(on disk: any Disk) throws(Errno) {
    for name in SegmentName.latest {
      do throws(Errno) { try disk.remove(name) } catch .noSuchFile {}
    }
    // Even where there was none: an earlier attempt may have come only so far.
    try disk.synchronizeNames()
  }

  private static func finish(_ reader: consuming StateReader) -> PresenterState? {
    while true {
      switch reader.advance(budget: .max) {
      case .more: continue
      case .state(let state): return state
      case .nothing: return nil
      }
    }
  }
}
