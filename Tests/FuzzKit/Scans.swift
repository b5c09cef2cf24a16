// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yWire

/// Any bytes as one segment's file, read at once and in small windows.
enum Scans {
  static func take(_ file: [UInt8]) throws(Broken) {
    for first in [Seq(1), Seq(7)] {
      let whole = try Pass(file, window: file.count, first: first)
      let pieces = try Pass(file, window: 64, first: first)
      try demand(whole.lines == pieces.lines, "other entries are found in pieces")
      try demand(whole.scan.extents == pieces.scan.extents, "other extents are found in pieces")
      try demand(whole.scan.end == pieces.scan.end, "another end is found in pieces")
      try demand(whole.scan.header == pieces.scan.header, "another header is found in pieces")
      try demand(whole.scan.damage == pieces.scan.damage, "other damage is found in pieces")
      try demand(whole.scan.tail == pieces.scan.tail, "another tail is found in pieces")
      try whole.check(file)
    }
  }

  /// One reading of the file.
  private struct Pass {
    var scan: SegmentScan
    var lines: [[UInt8]] = []
    let first: Seq

    init(_ file: [UInt8], window: Int, first: Seq) throws(Broken) {
      self.first = first
      scan = SegmentScan(first: first, before: nil)
      var (start, end) = (0, 0)
      while start < file.count || end == 0 {
        end = min(file.count, end + max(window, 1))
        let isEnd = end == file.count
        var found: [[UInt8]] = []
        let taken = scan.scan(file.span.extracting(start..<end), isEnd: isEnd) { line, _ in
          found.append(line.array)
        }
        lines += found
        try demand(taken >= 0 && taken <= end - start, "more is taken than there is")
        start += taken
        if isEnd { break }
      }
      try demand(scan.offset == Int64(file.count), "the end is at \(scan.offset)")
    }

    func check(_ file: [UInt8]) throws(Broken) {
      var seqs: [Int64] = []
      for line in lines {
        try demand(LineChecksum.verified(line.span) != nil, "a wrong checksum is believed")
        guard let seq = Seq(of: line.span) else { throw Broken("what is no entry is given") }
        try demand(seq.number > seqs.last ?? first.number - 1, "entries go back to \(seq.number)")
        seqs.append(seq.number)
      }
      var inExtents: [Int64] = []
      var behind: Int64 = 0
      for extent in scan.extents {
        try demand(
          extent.start >= behind && extent.end > extent.start && extent.end <= scan.offset,
          "an extent from \(extent.start) to \(extent.end)"
        )
        behind = extent.end
        let count = extent.last.number - extent.first.number
        try demand(count >= 0 && count < lines.count, "an extent of \(count + 1) entries")
        inExtents += Array(extent.first.number...extent.last.number)
      }
      try demand(inExtents == seqs, "the extents hold other entries")
      try demand(scan.end.count == Int64(seqs.count), "\(scan.end.count) entries are counted")
      for place in scan.damage {
        try demand(
          !place.isEmpty && place.lowerBound >= 0 && place.upperBound <= scan.offset,
          "damage at \(place)"
        )
      }
    }
  }
}
