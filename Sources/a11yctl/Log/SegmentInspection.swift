// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yPosix
import A11yWire

/// The findings in one segment that was read through.
///
/// Every byte of the file is accounted for: as part of an intact line, as a newline, or as damage.
struct SegmentInspection {
  private(set) var findings: [Finding] = []
  /// The entry that should come next.
  private(set) var next: Seq
  private let segment: LogSegment
  private let content: LogReader.Content
  private let disk: any Disk
  /// The last entry of the segment by other sources, if there are any.
  private let known: Seq?
  private let isLast: Bool
  /// Damage that is not reported yet.
  private var spoilt: ArraySlice<Range<Int64>>

  init(
    _ segment: LogSegment,
    _ content: LogReader.Content,
    known: Seq?,
    isLast: Bool,
    on disk: any Disk
  ) {
    self.segment = segment
    self.content = content
    self.known = known
    self.isLast = isLast
    self.disk = disk
    next = segment.first
    spoilt = content.scan.innerDamage[...]
    inspectHeader()
    for extent in content.scan.extents { inspect(extent) }
    if let fault = content.fault {
      let rest = content.scan.offset..<max(segment.size, content.scan.offset + 1)
      report(.damage, .unreadable("\(fault)"), rest, known.flatMap { $0 >= next ? next...$0 : nil })
    } else {
      inspectTail()
      inspectClosing()
    }
    if let known { next = max(next, known.next) }
  }

  private mutating func report(
    _ weight: Finding.Weight,
    _ kind: Finding.Kind,
    _ bytes: Range<Int64>?,
    _ entries: ClosedRange<Seq>? = nil
  ) {
    findings.append(Finding(weight, kind, in: segment.name, bytes: bytes, entries: entries))
  }

  // MARK: The first line

  private mutating func inspectHeader() {
    if let header = content.scan.header {
      expectNewline(at: Int64(header.count))
      return
    }
    if spoilt.isEmpty, case .bad(let place) = content.scan.tail { spoilt.append(place) }
    guard let damage = spoilt.first, damage.lowerBound == 0 else { return }
    // Entries behind the first line may be spoilt as well.
    let end = min(endOfFirstLine ?? damage.upperBound, damage.upperBound)
    report(.damage, .spoiltHeader, 0..<end)
    spoilt = spoilt.dropFirst()
    if end < damage.upperBound { spoilt.insert(end..<damage.upperBound, at: spoilt.startIndex) }
  }

  /// The end of the first line, unless it is too long to be one.
  private var endOfFirstLine: Int64? {
    var line = ByteBuffer(capacity: 65_536)
    do throws(Errno) {
      let file = try disk.open(segment.name)
      try line.append(room: 65_536) { target throws(Errno) in try file.read(into: target, at: 0) }
    } catch {
      return nil
    }
    return line.bytes.firstIndex(of: UInt8(ascii: "\n")).map { Int64($0) + 1 }
  }

  // MARK: Entries

  private mutating func inspect(_ extent: Extent) {
    let here = spoilt.prefix { $0.lowerBound < extent.start }
    spoilt = spoilt.dropFirst(here.count)
    let lost = extent.first > next ? next...extent.first.previous : nil
    if let first = here.first, let last = here.last {
      report(.damage, .spoiltBytes, first.lowerBound..<last.upperBound, lost)
    } else if let lost {
      report(.damage, .missingEntries, extent.start..<extent.start, lost)
    }
    next = extent.last.next
    if extent.lacksNewline, extent.end < content.scan.offset {
      report(.damage, .spoiltNewline, extent.end..<extent.end + 1)
    }
  }

  // MARK: The end

  /// Reports damage and missing entries behind the last intact entry.
  private mutating func inspectTail() {
    let scan = content.scan
    let lost = known.flatMap { $0 >= next ? next...$0 : nil }
    switch scan.tail {
    case .whole: break
    case .bad(let place):
      if spoilt.last != place, place.lowerBound > 0 || scan.header != nil { spoilt.append(place) }
    case .torn(let place):
      // Before the last known entry, an unfinished line was a whole one once.
      if lost != nil || place.lowerBound == 0 && !isLast {
        spoilt.append(place)
      } else {
        report(.note, .tornTail, place)
      }
    }
    if let first = spoilt.first, let last = spoilt.last {
      let isKnown = lost != nil || known != nil
      let kind = isKnown ? Finding.Kind.spoiltBytes : .spoiltEnd
      report(.damage, kind, first.lowerBound..<last.upperBound, lost)
    } else if let lost {
      report(.damage, .missingEntries, scan.offset..<scan.offset, lost)
    }
    spoilt = []
  }

  private mutating func inspectClosing() {
    guard let closing = content.closing, content.scan.tail == .whole else { return }
    if let last = byte(at: content.scan.offset - 1), last != UInt8(ascii: "\n") {
      // A cut file may lack the newline altogether.
      let place = content.scan.offset - (last == UInt8(ascii: "}") ? 0 : 1)
      report(.damage, .spoiltNewline, place..<place + 1)
    }
    if findings.isEmpty, closing != content.scan.end {
      report(.damage, .contradiction(Self.contradiction(closing, content.scan.end)), nil)
    }
  }

  private static func contradiction(_ stated: SegmentEnd, _ found: SegmentEnd) -> String {
    if stated.count == found.count, stated.last == found.last {
      return "Its entries are not those that its last line was written for."
    }
    return "Its last line states \(stated.count.counted("entry")) up to"
      + " \(stated.last.number); there are \(found.count) up to \(found.last.number)."
  }

  // MARK: Single bytes

  private mutating func expectNewline(at offset: Int64) {
    guard offset < content.scan.offset, let found = byte(at: offset),
      found != UInt8(ascii: "\n")
    else { return }
    report(.damage, .spoiltNewline, offset..<offset + 1)
  }

  private func byte(at offset: Int64) -> UInt8? {
    var found = ByteBuffer(capacity: 64)
    do throws(Errno) {
      let file = try disk.open(segment.name)
      try found.append(room: 1) { target throws(Errno) in
        try file.read(into: target, at: offset)
      }
    } catch {
      return nil
    }
    return found.isEmpty ? nil : found.bytes[0]
  }
}
