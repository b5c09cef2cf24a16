// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yPosix
import A11yWire

/// What there is to tell of one segment that was read through.
///
/// Every byte of the file is accounted for: as part of an intact line, of the newline behind one,
/// or of damage.
struct SegmentInspection {
  private(set) var findings: [Finding] = []
  /// The entry that should come behind it.
  private(set) var next: Seq
  private let segment: LogSegment
  private let content: LogReader.Content
  private let disk: any Disk
  /// The last entry that was there, by what others say of it; nil where nobody says.
  private let known: Seq?
  private let isLast: Bool
  /// Damage that is not told yet.
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
      tell(.damage, .unreadable("\(fault)"), rest, known.flatMap { $0 >= next ? next...$0 : nil })
    } else {
      inspectTail()
      inspectClosing()
    }
    if let known { next = max(next, known.next) }
  }

  private mutating func tell(
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
    // Behind the line's end entries may be spoilt as well.
    let end = min(endOfFirstLine ?? damage.upperBound, damage.upperBound)
    tell(.damage, .spoiltHeader, 0..<end)
    spoilt = spoilt.dropFirst()
    if end < damage.upperBound { spoilt.insert(end..<damage.upperBound, at: spoilt.startIndex) }
  }

  /// Where the first line ends, if it is not too long to be one.
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
      tell(.damage, .spoiltBytes, first.lowerBound..<last.upperBound, lost)
    } else if let lost {
      tell(.damage, .missingEntries, extent.start..<extent.start, lost)
    }
    next = extent.last.next
    if extent.lacksNewline, extent.end < content.scan.offset {
      tell(.damage, .spoiltNewline, extent.end..<extent.end + 1)
    }
  }

  // MARK: The end

  /// Tells what stands behind the last intact entry, and what should.
  private mutating func inspectTail() {
    let scan = content.scan
    let lost = known.flatMap { $0 >= next ? next...$0 : nil }
    switch scan.tail {
    case .whole: break
    case .bad(let place):
      if spoilt.last != place, place.lowerBound > 0 || scan.header != nil { spoilt.append(place) }
    case .torn(let place):
      // Below what is known to have been there, the beginning of a line was a line once.
      if lost != nil || place.lowerBound == 0 && !isLast {
        spoilt.append(place)
      } else {
        tell(.note, .tornTail, place)
      }
    }
    if let first = spoilt.first, let last = spoilt.last {
      let isKnown = lost != nil || known != nil
      let kind = isKnown ? Finding.Kind.spoiltBytes : .spoiltEnd
      tell(.damage, kind, first.lowerBound..<last.upperBound, lost)
    } else if let lost {
      tell(.damage, .missingEntries, scan.offset..<scan.offset, lost)
    }
    spoilt = []
  }

  private mutating func inspectClosing() {
    guard let closing = content.closing, content.scan.tail == .whole else { return }
    if let last = byte(at: content.scan.offset - 1), last != UInt8(ascii: "\n") {
      // The line may also end without it, where the file was cut.
      let place = content.scan.offset - (last == UInt8(ascii: "}") ? 0 : 1)
      tell(.damage, .spoiltNewline, place..<place + 1)
    }
    if findings.isEmpty, closing != content.scan.end {
      tell(.damage, .contradiction(Self.words(closing, content.scan.end)), nil)
    }
  }

  private static func words(_ stated: SegmentEnd, _ found: SegmentEnd) -> String {
    if stated.count == found.count, stated.last == found.last {
      return "Its entries are not those that its last line was written for."
    }
    return "Its last line states \(SeqWords.count(stated.count, "entry", "entries")) up to"
      + " \(stated.last.number); there are \(found.count) up to \(found.last.number)."
  }

  // MARK: Single bytes

  private mutating func expectNewline(at offset: Int64) {
    guard offset < content.scan.offset, let found = byte(at: offset),
      found != UInt8(ascii: "\n")
    else { return }
    tell(.damage, .spoiltNewline, offset..<offset + 1)
  }

  private func byte(at offset: Int64) -> UInt8? {
    var window = ByteBuffer(capacity: 64)
    do throws(Errno) {
      let file = try disk.open(segment.name)
      try window.append(room: 1) { target throws(Errno) in
        try file.read(into: target, at: offset)
      }
    } catch {
      return nil
    }
    return window.isEmpty ? nil : window.bytes[0]
  }
}
