// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
import A11yPosix
package import A11yWire

/// Reads the engine's state from the file beside a segment.
package enum StateFile {
  /// The state, or nil where the file is not there or not whole: it can be done without.
  package static func read(
    _ first: Seq,
    on disk: any Disk,
    with reader: JSONReader
  ) -> EngineState? {
    var reading = Reading(first: first, reader: reader)
    do throws(Errno) {
      let file = try disk.open(SegmentName.state(first))
      try reading.take(file)
    } catch {
      return nil
    }
    return reading.isWhole ? reading.state : nil
  }

  /// What has become of the file so far.
  private struct Reading {
    let first: Seq
    let reader: JSONReader
    var state: EngineState?
    var lines: Int64 = 0
    var isWhole = false
    var isBad = false

    init(first: Seq, reader: JSONReader) {
      self.first = first
      self.reader = reader
    }

    mutating func take(_ file: any DiskFile) throws(Errno) {
      var window = ByteBuffer(capacity: 0)
      var offset: Int64 = 0
      while !isBad, !isWhole, window.count <= Limits.answerBytes {
        let before = window.count
        try window.append(room: 262_144) { target throws(Errno) in
          try file.read(into: target, at: offset)
        }
        if window.count == before { break }
        offset += Int64(window.count - before)
        var start = 0
        while let newline = window.bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) {
          take(window.bytes.extracting(start..<newline))
          start = newline + 1
        }
        window.removeFirst(start)
      }
    }

    private mutating func take(_ line: Span<UInt8>) {
      guard !isWhole, !isBad else { return }
      isBad = LineChecksum.verified(line) == nil
      if isBad { return }
      let reader = self.reader
      do throws(JSONFault) {
        try reader.read(line)
      } catch {
        isBad = true
        return
      }
      let document = reader.document
      if lines == 0 {
        begin(document)
      } else if let stated = document.integer("end", of: document.root) {
        isWhole = stated == lines
        isBad = !isWhole
      } else {
        isBad = !(state?.restore(document) ?? false)
      }
      lines += 1
    }

    private mutating func begin(_ document: JSONDocument) {
      guard let after = document.integer("after", of: document.root),
        let place = document.member("header", of: document.root),
        let header = SegmentHeader(document, in: place), header.first == first,
        after >= first.number - 1
      else {
        isBad = true
        return
      }
      state = EngineState(after: Seq(after))
      state?.header = header
    }
  }
}
