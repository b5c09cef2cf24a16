// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yLog

/// The row of segments, as long as the disk does what it should.
@Suite struct EventLogTests {
  let disk = MemoryDisk()

  private func open(
    segment: Int64 = .max / 2,
    bytes: Int64? = nil,
    entries: Int64? = nil,
    age: Int64? = nil
  ) throws -> LogBench {
    try LogBench(
      on: disk,
      policy: LogPolicy(
        segmentBytes: segment,
        retainAge: age,
        retainBytes: bytes,
        retainEntries: entries
      )
    )
  }

  private var segments: [String] { disk.names.filter { SegmentName.first(entries: $0) != nil } }

  /// Every byte in the directory.
  private var weight: Int64 { disk.names.reduce(0) { $0 + Int64(disk[$1]?.count ?? 0) } }

  private func lines(_ name: String) throws -> [String] {
    LogBench.split(String(decoding: try #require(disk[name]), as: UTF8.self))
  }

  /// All entries of all files, as `jq 'select(.event)'` finds them.
  private var entries: [String] {
    get throws { try segments.flatMap { try lines($0) }.filter { $0.hasPrefix("{\"seq\":") } }
  }

  // MARK: Appending

  @Test func `a new log has one segment with a header and no entry`() throws {
    let bench = try open()

    #expect(bench.log.first == Seq(1))
    #expect(bench.log.last == .none)
    #expect(bench.log.segmentCount == 1)
    #expect(segments == ["00000000000000000001.ndjson"])
    #expect(try lines(segments[0]).count == 1)
  }

  @Test func `a turn's lines stand in the file as they were decided`() throws {
    let bench = try open()
    bench.append("a", "b")
    let first = bench.start
    bench.append("c")

    let file = try #require(disk[segments[0]])

    #expect(bench.lines.count == 3)
    #expect(String(decoding: file[Int(first)...], as: UTF8.self) == bench.lines.joined())
    #expect(bench.start == first + Int64(bench.lines.prefix(2).joined().utf8.count))
    #expect(bench.log.last == Seq(3))
    #expect(bench.log.bytes == weight)
  }

  @Test func `a turn is written in one call`() throws {
    let bench = try open()
    bench.append("the first", "has the presenter's state written")
    let before = disk.calls

    bench.append("a", "b", "c")

    #expect(disk.calls == before + 1)
  }

  @Test func `a segment ends with the turn that has filled it, and the next one is begun`() throws {
    let bench = try open(segment: 2_000)
    for number in 0..<40 { bench.append("number \(number)", "and more") }

    #expect(segments.count > 3)
    #expect(bench.log.segmentCount == segments.count)
    #expect(try entries == bench.lines)
    var before: String?
    for name in segments {
      let lines = try lines(name)
      let first = try JSON(lines[1])["seq"].integer
      #expect(SegmentName.first(entries: name)?.number == first)
      #expect(try JSON(lines[0])["first"].integer == first)
      if let before { #expect(try JSON(lines[0])["previous"] == JSON(before)["closed"]) }
      before = name == segments.last ? nil : lines[lines.count - 1]
      if let before {
        #expect(try JSON(before)["closed"]["count"].integer == Int64(lines.count - 2))
        #expect(lines.dropLast().joined().utf8.count >= 2_000)
        #expect(lines.dropLast(3).joined().utf8.count < 2_000)
      }
    }
  }

  @Test func `a turn larger than a segment stays together`() throws {
    let bench = try open(segment: 1_000)
    bench.append("small")
    bench.append([String](repeating: String(repeating: "x", count: 500), count: 9))
    bench.append("small")

    #expect(segments == [1, 11].map { SegmentName.entries(Seq($0)) })
    #expect(try entries == bench.lines)
  }

  @Test func `closing ends the last segment, and everything is safe`() throws {
    let bench = try open()
    bench.append("a")
    try bench.stop()

    let lines = try lines(segments[0])

    #expect(try JSON(lines[lines.count - 1])["closed"]["last"].integer == 2)
    #expect(bench.log.bytes == weight)
    #expect(bench.log.synced == Seq(2))
    let after = disk.afterPowerLoss()
    #expect(after[segments[0]] == disk[segments[0]])
    #expect(
      try LogBench(on: after, boot: "another").log.everything() == bench.lines.map { .line($0) }
    )
  }

  @Test func `closing brings the names of segments to the medium that it was not asked for yet`()
    throws
  {
    let bench = try open(segment: 2_000)
    for number in 0..<40 { bench.append("number \(number)") }
    #expect(bench.log.segmentCount > 3)
    #expect(bench.log.synced == .none)

    try bench.stop()

    let after = try LogBench(on: disk.afterPowerLoss(), boot: "another")
    #expect(try after.log.everything() == bench.lines.map { .line($0) })
    #expect(after.found.opening.isClean)
  }

  // MARK: Finding places

  @Test func `every entry is found in the segment that holds it, and at its place`() throws {
    let bench = try open(segment: 2_000)
    for number in 0..<30 { bench.append("number \(number)") }

    for (index, line) in bench.lines.enumerated() {
      let seq = Seq(Int64(index + 1))
      let segment = bench.log.segment(holding: seq)
      #expect(bench.log.check(segment, budget: .max))
      let place = try #require(try segment.place(of: seq))
      var found = ByteBuffer(capacity: 0)
      let count = try segment.read(into: &found, at: place.offset, room: line.utf8.count)

      #expect(count == line.utf8.count)
      let text = found.bytes.string
      #expect(text == line)
      #expect(bench.log.recall(seq).entry?.app == "bench")
    }
    #expect(bench.log.segment(holding: bench.log.last.next) === bench.log.active)
    #expect(bench.log.recall(bench.log.last.next) == .gone)
    #expect(bench.log.recall(.none) == .gone)
  }

  @Test func `segments follow each other up to the one that is appended to`() throws {
    let bench = try open(segment: 2_000)
    for number in 0..<30 { bench.append("number \(number)") }
    var firsts: [Int64] = []
    var segment: Segment? = bench.log.segment(holding: Seq(1))
    while let current = segment {
      firsts.append(current.first.number)
      segment = bench.log.segment(after: current)
    }

    #expect(firsts == segments.compactMap { SegmentName.first(entries: $0)?.number })
  }

  @Test func `a segment is opened once for all its readers`() throws {
    let bench = try open(segment: 2_000)
    for number in 0..<30 { bench.append("number \(number)") }

    let one = bench.log.segment(holding: Seq(1))
    let other = bench.log.segment(holding: Seq(2))

    #expect(one === other)
  }

  @Test func `an entry that is damaged is not taken for another one`() throws {
    let bench = try open(segment: 2_000)
    for number in 0..<30 { bench.append("number \(number)") }
    bench.syncAll()
    var bytes = try #require(disk[segments[0]])
    let lines = try self.lines(segments[0])
    let place = { (seq: Int) in lines.prefix(seq).joined().utf8.count }
    bytes[place(3) + 8] ^= 1
    let fifth = lines[5]
    let name = try #require(fifth.firstRange(of: "bench")).lowerBound
    bytes[place(5) + fifth.utf8.distance(from: fifth.startIndex, to: name)] ^= 1
    disk[segments[0]] = bytes

    let again = try LogBench(on: disk)

    // The segment has not been read through yet.
    #expect(again.log.recall(Seq(5)) == .gone)
    #expect(again.log.recall(Seq(2)).entry != nil)
    #expect(again.log.recall(Seq(3)) == .gone)
    #expect(again.log.recall(Seq(4)).entry != nil)
  }

  @Test func `an entry that cannot be read now is not gone`() throws {
    let disk = MemoryDisk()
    let bench = try LogBench(on: disk)
    bench.append("a", "b")
    let again = try LogBench(on: disk, boot: "another")
    disk.refusal = { call, _ in call == .read ? .inputOutput : nil }

    #expect(again.log.recall(Seq(2)) == .unreadable)

    disk.refusal = { _, _ in nil }
    #expect(again.log.recall(Seq(2)).entry?.app == "bench")
  }

  @Test func `what the medium gives back again is read by who comes, though others could not`()
    throws
  {
    let bench = try open(segment: 600)
    for number in 0..<20 { bench.append("number \(number)") }
    bench.syncAll()
    let log = try LogBench(on: disk).log
    disk.refusal = { call, _ in call == .read ? .inputOutput : nil }
    let held = log.segment(holding: Seq(1))
    while !log.check(held, budget: .max) {}
    #expect(held.extents.isEmpty)

    disk.refusal = { _, _ in nil }
    let segment = log.segment(holding: Seq(1))
    while !log.check(segment, budget: .max) {}

    #expect(segment === held)
    #expect(segment.extents.first?.first == Seq(1))
  }

  // MARK: Retention

  @Test func `the oldest segments go when the log is too large`() throws {
    let bench = try open(segment: 2_000, bytes: 20_000)
    for number in 0..<200 {
      let before = bench.log.segmentCount
      bench.append("number \(number)")
      if bench.log.segmentCount != before { _ = bench.log.retain(now: 0) }
    }

    let kept = try entries
    #expect(bench.log.bytes <= 20_000 + 2_200, "it is looked at when a segment is begun")
    #expect(bench.log.bytes > 20_000 - 3 * 2_200, "none goes sooner than it must")
    #expect(bench.log.first > Seq(1))
    #expect(kept == Array(bench.lines.suffix(kept.count)))
    #expect(try JSON(kept[0])["seq"].integer == bench.log.first.number)
    #expect(bench.log.segment(holding: Seq(1)).first == bench.log.first)
    #expect(disk.names.filter { $0.hasSuffix(".state") }.count <= segments.count, "they go along")
  }

  @Test(arguments: [1, 5, 20, 1_000])
  func `so many entries are kept at least`(count: Int64) throws {
    let bench = try open(segment: 1_500, entries: count)
    for number in 0..<60 {
      bench.append("number \(number)")
      let before = bench.log.first
      let told = bench.log.retain(now: 0)

      #expect(told == (bench.log.first > before))
      #expect(
        bench.log.last.number - bench.log.first.number + 1 >= min(count, bench.log.last.number)
      )
    }

    #expect(try entries.count == bench.log.last.number - bench.log.first.number + 1)
    #expect(count >= 1_000 || bench.log.first > Seq(1))
  }

  @Test func `segments go when the last entry in them is too old`() throws {
    let bench = try open(segment: 1_500, age: 3_600 * LogBench.second)
    for number in 0..<20 { bench.append("number \(number)") }
    let times = try bench.lines.map { try #require(JSON($0)["time"].integer) }
    while bench.log.segmentCount > 1 {
      let next = try #require(
        segments.dropFirst().first.flatMap { SegmentName.first(entries: $0) }
      )
      let newest = times[Int(next.number) - 2]

      #expect(!bench.log.retain(now: newest + 3_600 * LogBench.second))
      #expect(bench.log.retain(now: newest + 3_600 * LogBench.second + 1))

      #expect(bench.log.first == next)
    }
    #expect(bench.log.first == bench.log.active.first)
  }

  @Test func `forgetting makes no entry younger`() throws {
    let bench = try open(segment: 1_500, age: 3_600 * LogBench.second)
    for number in 0..<20 { bench.append(["number \(number)"], from: number % 3 == 0 ? "a" : "b") }
    let newest = try #require(JSON(bench.lines[bench.lines.count - 1])["time"].integer)
    disk.modified = newest + 3_600 * LogBench.second

    _ = try bench.forget(Selection(apps: ["a"], uids: nil, before: nil))

    #expect(bench.log.retain(now: newest + 3_600 * LogBench.second + 1))
    #expect(bench.log.segmentCount == 1)
  }

  @Test func `what has no stamp that can be read is as old as its file`() throws {
    let bench = try open(segment: 1_500, age: 3_600 * LogBench.second)
    while bench.log.segmentCount < 2 { bench.append("number") }
    disk[segments[0]] = Array("no entry".utf8)
    disk.modified = 1_000 * LogBench.second

    #expect(!bench.log.retain(now: 4_600 * LogBench.second))
    #expect(bench.log.retain(now: 4_601 * LogBench.second))
  }

  @Test func `the segment that is appended to stays, however small the bounds`() throws {
    let bench = try open(segment: 500, bytes: 1, entries: 1, age: 0)
    for number in 0..<5 { bench.append("number \(number)") }
    _ = bench.log.retain(now: .max / 2)

    #expect(segments.count == 1)
    bench.append("more")
    #expect(try entries.last == bench.lines.last)
  }

  @Test func `nothing goes before the presenter's state is beside the newest segment`() throws {
    let bench = try open(segment: 1_500, entries: 1)
    for number in 0..<20 { bench.append("number \(number)") }
    let keys = (0..<500).map { number in
      UsedKey(uid: 1, app: "x", key: "\(number)", seq: Seq(1), mono: 0)
    }
    bench.log.beginState(KeyState(keys: keys))
    bench.log.advanceState(budget: 1_000)

    #expect(!bench.log.retain(now: 0))
    while bench.log.isWritingState { bench.log.advanceState(budget: 10_000) }
    #expect(bench.log.retain(now: 0))

    #expect(bench.log.segmentCount < 3)
    #expect(try LogBench.recover(disk).state.keys == keys)
  }

  @Test func `a disk that takes no state keeps no segment for that`() throws {
    disk.refusal = { call, name in
      call == .write && name.contains(".state") ? .noSpace : nil
    }
    let bench = try open(segment: 1_500, entries: 1)
    for number in 0..<20 { bench.append("number \(number)") }

    #expect(bench.log.retain(now: 0))
  }

  @Test func `a segment that somebody else has removed is gone, no more`() throws {
    let bench = try open(segment: 1_500, entries: 1)
    for number in 0..<20 { bench.append("number \(number)") }
    disk[segments[0]] = nil

    #expect(bench.log.retain(now: 0))
    #expect(bench.log.segmentCount == 1)
  }

  @Test func `after years of crashes, with a header full of epochs, the log can be read`() throws {
    var bench = try open()
    for number in 0..<70 {
      bench.append("number \(number)")
      bench = try LogBench(on: disk, boot: "boot \(number)", epoch: number + 1)
    }

    #expect(bench.log.epochs.count == 64, "the oldest are forgotten")
    #expect(bench.log.epochs.last?.epoch == LogBench.epoch(70))
    #expect(try bench.log.everything().count == 70)
  }
}
