// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yPosix
import A11yTestKit
import A11yWire
import Foundation
import Testing

@testable import A11yCore
@testable import A11yDaemon

@Suite struct EventLogTests {
  let directory = try? ScratchDirectory()

  private func open(
    segment: Int? = nil,
    bytes: Int? = nil,
    entries: Int? = nil,
    age: Duration? = nil
  ) throws -> LogOnDisk {
    var policy = Settings().log
    if let segment { policy.segmentBytes = ByteCount(segment) }
    policy.retainBytes = bytes.map { ByteCount($0) }
    policy.retainEntries = entries
    policy.retainAge = age
    return try LogOnDisk(in: try #require(directory), policy: policy)
  }

  private var files: LogFiles {
    get throws { LogFiles(path: try #require(directory).path) }
  }

  private func first(_ segment: SegmentFile?) -> Int64? { segment?.first.number }

  // MARK: Appending

  @Test func `a new log has one segment with a header and no entry`() throws {
    let disk = try open()

    #expect(disk.log.first == Seq(1))
    #expect(disk.log.last == .none)
    #expect(disk.log.segmentCount == 1)
    #expect(try files.names == ["00000000000000000001.ndjson"])
    #expect(try files.lines("00000000000000000001.ndjson").count == 1)
    #expect(try files.mode("00000000000000000001.ndjson") == 0o600)
  }

  @Test func `a turn's lines stand in the file as they were decided`() throws {
    let disk = try open()
    try disk.append("a", "b")
    let first = disk.start
    try disk.append("c")

    let file = try files.bytes("00000000000000000001.ndjson")

    #expect(disk.lines.count == 4)
    #expect(String(decoding: file[Int(first)...], as: UTF8.self) == disk.lines.joined())
    #expect(disk.start == first + Int64(disk.lines.prefix(3).joined().utf8.count))
    #expect(disk.log.last == Seq(4))
    #expect(disk.log.bytes == Int64(file.count))
  }

  @Test func `a full segment is closed and the next one begun`() throws {
    let disk = try open(segment: 2_000)
    for number in 0..<40 { try disk.append("number \(number)", "and more") }

    let names = try files.names
    #expect(names.count > 3)
    #expect(disk.log.segmentCount == names.count)
    #expect(try files.entries == disk.lines)
    var before: String?
    for name in names {
      let lines = try files.lines(name)
      let first = try JSON(lines[1])["seq"].integer
      #expect(SegmentHeader.first(fileName: name)?.number == first)
      #expect(try JSON(lines[0])["first"].integer == first)
      #expect(try files.bytes(name).count <= 2_000 + 200, "the closing line may stand above it")
      if let before { #expect(try JSON(lines[0])["previous"] == JSON(before)["closed"]) }
      before = name == names.last ? nil : lines[lines.count - 1]
      if let before {
        #expect(try JSON(before)["closed"]["count"].integer == Int64(lines.count - 2))
      }
    }
  }

  @Test func `a turn larger than a segment has one of its own`() throws {
    let disk = try open(segment: 1_000)
    try disk.append("small")
    try disk.append([String](repeating: String(repeating: "x", count: 500), count: 9))
    try disk.append("small")

    #expect(try files.names.count == 3)
    #expect(try files.entries == disk.lines)
  }

  @Test func `closing ends the last segment`() throws {
    let disk = try open()
    try disk.append("a")
    try disk.log.close()

    let lines = try files.lines("00000000000000000001.ndjson")

    #expect(try JSON(lines[lines.count - 1])["closed"]["last"].integer == 2)
    #expect(disk.log.bytes == Int64(lines.joined().utf8.count))
  }

  // MARK: Finding places

  @Test func `every entry is found in the segment that holds it, and at its place`() throws {
    let disk = try open(segment: 2_000)
    for number in 0..<30 { try disk.append("number \(number)") }

    for (index, line) in disk.lines.enumerated() {
      let (segment, offset) = try disk.log.place(of: Seq(Int64(index + 1)))
      var found: [UInt8] = [UInt8](repeating: 0, count: line.utf8.count)
      let count = try found.withUnsafeMutableBytes {
        try segment.descriptor.read(into: $0, at: UInt64(offset))
      }

      #expect(count == line.utf8.count)
      #expect(String(decoding: found, as: UTF8.self) == line)
    }
    let behind = try disk.log.place(of: disk.log.last.next)
    #expect(behind.file === disk.log.active)
    #expect(behind.offset == behind.file.end)
  }

  @Test func `segments follow each other up to the one that is appended to`() throws {
    let disk = try open(segment: 2_000)
    for number in 0..<30 { try disk.append("number \(number)") }
    var firsts: [Int64] = []
    var segment: SegmentFile? = try disk.log.segment(holding: Seq(1))
    while let current = segment {
      firsts.append(current.first.number)
      segment = try disk.log.segment(after: current)
    }

    #expect(firsts == (try files.names.compactMap { SegmentHeader.first(fileName: $0)?.number }))
  }

  @Test func `a segment is opened once for all its readers`() throws {
    let disk = try open(segment: 2_000)
    for number in 0..<30 { try disk.append("number \(number)") }

    let one = try disk.log.segment(holding: Seq(1))
    let other = try disk.log.segment(holding: Seq(2))

    #expect(one === other)
  }

  @Test func `after years of crashes, with a header full of epochs, all segments can be read`()
    throws
  {
    let directory = try #require(directory)
    var epochs = (1...200).map { number in
      EpochStart(epoch: Epoch(hex: String(format: "%032x", number))!, first: Seq(1))
    }
    var previous: SegmentEnd?
    for first in [1, 3] {
      let disk = try LogOnDisk(in: try ScratchDirectory())
      try disk.append("a")
      var out = ByteBuffer(capacity: 0)
      SegmentHeader(
        first: Seq(Int64(first)),
        epochs: epochs,
        boot: "another",
        began: 0,
        clockOffset: 0,
        previous: previous
      )
      .write(into: &out)
      let header = out.bytes.array
      let body = try renumbered(disk.lines, from: first)
      try LogFiles(path: directory.path)
        .write(header + body.flatMap(\.utf8), to: SegmentHeader.fileName(first: Seq(Int64(first))))
      previous = SegmentEnd(
        count: 2,
        last: Seq(Int64(first + 1)),
        hash: 0,
        bytes: Int64(header.count + body.joined().utf8.count),
        keys: 0
      )
      epochs.append(epochs[0])
    }

    let disk = try open()

    #expect(disk.log.epochs.count > 200)
    #expect(first(try disk.log.segment(holding: Seq(1))) == 1)
    #expect(first(try disk.log.segment(holding: Seq(3))) == 3)
  }

  // MARK: Retention

  @Test func `the oldest segments go when the log is too large`() throws {
    let disk = try open(segment: 2_000, bytes: 5_000)
    for number in 0..<60 {
      let before = disk.log.segmentCount
      try disk.append("number \(number)")
      if disk.log.segmentCount != before { _ = disk.retain() }
    }

    let kept = try files.entries
    #expect(disk.log.bytes <= 5_000 + 2_000, "it is looked at when a segment is begun")
    #expect(disk.log.first > Seq(1))
    #expect(kept == Array(disk.lines.suffix(kept.count)))
    #expect(try JSON(kept[0])["seq"].integer == disk.log.first.number)
    #expect(first(try disk.log.segment(holding: Seq(1))) == disk.log.first.number)
  }

  @Test(arguments: [1, 5, 20, 1_000])
  func `so many entries are kept at least`(count: Int) throws {
    let disk = try open(segment: 1_500, entries: count)
    for number in 0..<60 {
      try disk.append("number \(number)")
      let before = disk.log.first
      let told = disk.retain()

      #expect(told == (disk.log.first > before))
      #expect(
        disk.log.last.number - disk.log.first.number + 1 >= min(Int64(count), disk.log.last.number)
      )
    }

    #expect(try files.entries.count == disk.log.last.number - disk.log.first.number + 1)
    #expect(count >= 1_000 || disk.log.first > Seq(1))
  }

  @Test func `segments go when the last entry in them is too old`() throws {
    let disk = try open(segment: 1_500, age: .seconds(3_600))
    for number in 0..<20 { try disk.append("number \(number)") }
    let wall = Int64(Date().timeIntervalSince1970 * 1_000_000)

    #expect(!disk.retain(now: wall))
    #expect(disk.retain(now: wall + 3_700 * 1_000_000))

    #expect(disk.log.segmentCount == 1)
    #expect(disk.log.first == disk.log.active.first)
  }

  @Test func `the segment that is appended to stays, however small the bounds`() throws {
    let disk = try open(segment: 500, bytes: 1, entries: 1, age: .zero)
    for number in 0..<5 { try disk.append("number \(number)") }
    _ = disk.retain(now: .max / 2)

    #expect(try files.names.count == 1)
    try disk.append("more")
    #expect(try files.entries.last == disk.lines.last)
  }

  @Test func `a segment that somebody else has removed is gone, no more`() throws {
    let disk = try open(segment: 1_500, entries: 1)
    for number in 0..<20 { try disk.append("number \(number)") }
    let oldest = try #require(try files.names.first)
    try FileManager.default.removeItem(atPath: "\(try files.path)/\(oldest)")

    #expect(disk.retain())
    #expect(disk.log.segmentCount == 1)
  }

  private func renumbered(_ lines: [String], from first: Int) throws -> [String] {
    lines.enumerated().map { index, line in
      let old = "{\"seq\":\(index + 1),"
      let body = "{\"seq\":\(first + index)," + line.dropFirst(old.count).dropLast(19)
      return body + ",\"crc\":\"\(Checksum.text(of: body.utf8))\"}\n"
    }
  }
}
