// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yPosix
import A11yWire

/// Reads a file that holds the presenter's state, line by line.
struct StateCheck {
  struct Fault: Equatable {
    let kind: Finding.StateFault
    let bytes: Range<Int64>
  }

  private static let piece = 262_144
  /// The first seq of the segment beside it; nil where the file names it.
  private let first: Seq?
  private let reader = JSONReader(limit: Limits.answerBytes)
  private var end = StateEnd()
  private var isWhole = false
  private var offset: Int64 = 0

  private init(first: Seq?) { self.first = first }

  /// The fault of a state file beside the segment that begins with `first`, or of one that names
  /// its segment itself; nil for none.
  static func fault(of file: any DiskFile, first: Seq?) throws(Errno) -> Fault? {
    var check = StateCheck(first: first)
    var buffer = ByteBuffer(capacity: piece)
    while buffer.count <= Limits.answerBytes {
      let before = buffer.count
      let at = check.offset + Int64(before)
      try buffer.append(room: piece) { target throws(Errno) in try file.read(into: target, at: at) }
      let isEnd = buffer.count == before
      var start = 0
      while let newline = buffer.bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) {
        if let fault = check.fault(in: buffer.bytes.extracting(start..<newline)) { return fault }
        start = newline + 1
        // Later bytes belong to an older, longer state.
        if check.isWhole, first == nil { return nil }
      }
      buffer.removeFirst(start)
      if isEnd { break }
    }
    let end = check.offset + Int64(buffer.count)
    if buffer.count > 0 || !check.isWhole {
      return Fault(kind: .notWhole, bytes: check.offset..<end)
    }
    return nil
  }

  private mutating func fault(in line: Span<UInt8>) -> Fault? {
    let place = offset..<offset + Int64(line.count) + 1
    guard let checksum = LineChecksum.verified(line), !isWhole, accepts(line) else {
      return Fault(kind: .line, bytes: place)
    }
    end.include(checksum)
    offset = place.upperBound
    return nil
  }

  private mutating func accepts(_ line: Span<UInt8>) -> Bool {
    do throws(JSONFault) { try reader.read(line) } catch { return false }
    if end.lines == 0 { return isBeginning(reader.document) }
    let isStated = end.isStated(by: reader.document)
    isWhole = isStated ?? false
    return isStated ?? true
  }

  /// Whether this is the first line of the file beside this segment.
  private func isBeginning(_ line: JSONDocument) -> Bool {
    guard let header = line.member("header", of: line.root),
      let after = line.integer("after", of: line.root),
      let stated = line.integer("first", of: header)
    else { return false }
    return stated == first?.number ?? stated && after >= stated - 1
  }
}
