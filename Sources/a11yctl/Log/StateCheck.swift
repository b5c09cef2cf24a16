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
  /// The segment that it stands beside; nil where it says so itself.
  private let first: Seq?
  private let reader = JSONReader(limit: Limits.answerBytes)
  private var end = StateEnd()
  private var isWhole = false
  private var offset: Int64 = 0

  private init(first: Seq?) { self.first = first }

  /// What is wrong with the file beside the segment that begins with `first`, or within any; nil for
  /// nothing.
  static func fault(of file: any DiskFile, first: Seq?) throws(Errno) -> Fault? {
    var check = StateCheck(first: first)
    var window = ByteBuffer(capacity: piece)
    while window.count <= Limits.answerBytes {
      let before = window.count
      let at = check.offset + Int64(before)
      try window.append(room: piece) { target throws(Errno) in try file.read(into: target, at: at) }
      let isEnd = window.count == before
      var start = 0
      while let newline = window.bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) {
        if let fault = check.take(window.bytes.extracting(start..<newline)) { return fault }
        start = newline + 1
        // What stands behind it was part of a larger one.
        if check.isWhole, first == nil { return nil }
      }
      window.removeFirst(start)
      if isEnd { break }
    }
    let end = check.offset + Int64(window.count)
    if window.count > 0 || !check.isWhole {
      return Fault(kind: .notWhole, bytes: check.offset..<end)
    }
    return nil
  }

  private mutating func take(_ line: Span<UInt8>) -> Fault? {
    let place = offset..<offset + Int64(line.count) + 1
    guard let checksum = LineChecksum.verified(line), !isWhole, accepts(line) else {
      return Fault(kind: .line, bytes: place)
    }
    end.count(checksum)
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
