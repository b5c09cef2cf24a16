// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yLog

/// How much of a directory the log takes, and how long it keeps what is in it.
@Suite struct RetentionTests {
  private let disk = MemoryDisk()

  private func open(segment: Int64, bytes: Int64? = nil, age: Int64? = nil) throws -> LogBench {
    try LogBench(
      on: disk,
      policy: LogPolicy(
        segmentBytes: segment,
        retainAge: age,
        retainBytes: bytes,
        retainEntries: nil
      )
    )
  }

  /// Every byte in the directory.
  private var weight: Int64 {
    disk.names.reduce(0) { $0 + Int64(disk[$1]?.count ?? 0) }
  }

  private var states: [Seq] { disk.names.compactMap { SegmentName.first(state: $0) } }

  /// Fills segments with entries that each have a key, which the states have to keep.
  private func fill(_ bench: LogBench, _ count: Int, retains: Bool = true) {
    for number in 0..<count {
      let before = bench.log.segmentCount
      bench.append(["number \(number)"], dedupe: "key-\(number)")
      if retains, bench.log.segmentCount != before { _ = bench.log.retain(now: 0) }
    }
  }

  @Test func `the states beside the segments count`() throws {
    let bench = try open(segment: 4_000, bytes: 40_000)

    fill(bench, 150)

    #expect(bench.log.first > Seq(1))
    #expect(bench.log.bytes == weight)
    #expect(weight <= 40_000 + 4_500, "it is looked at when a segment is begun")
  }

  @Test func `what a start finds in the directory counts`() throws {
    var bench = try open(segment: 4_000, bytes: nil)
    fill(bench, 150, retains: false)
    disk["something"] = [UInt8](repeating: 0, count: 10_000)

    bench = try open(segment: 4_000, bytes: 60_000)
    _ = bench.log.retain(now: 0)

    #expect(bench.log.bytes == weight)
    #expect(weight <= 60_000)
  }

  @Test func `heavy states are kept beside the oldest segment and the newest, not beside each`()
    throws
  {
    let bench = try open(segment: 2_000, bytes: 400_000)
    for number in 0..<1_500 {
      bench.append(["number \(number)"], dedupe: "key-\(number)")
      _ = bench.log.retain(now: 0)
      let heavy = states.filter { (disk[SegmentName.state($0)]?.count ?? 0) > 100_000 }
      #expect(heavy.count <= 2)
      #expect(states.contains(bench.log.active.first))
      #expect(bench.log.first == Seq(1) || states.contains(bench.log.first))
      #expect(weight <= 400_000 || bench.log.segmentCount == 1)
    }

    #expect(states.contains { (disk[SegmentName.state($0)]?.count ?? 0) > 100_000 })
  }

  @Test func `states that grow take a part of the room together, and push out no entries`() throws {
    let bench = try open(segment: 2_000, bytes: 400_000)
    for number in 0..<500 {
      bench.append(["number \(number)"], dedupe: "key-\(number)")
      _ = bench.log.retain(now: 0)
      let between = states.filter { $0 != bench.log.first && $0 != bench.log.active.first }
      let sum = between.reduce(0) { $0 + (disk[SegmentName.state($1)]?.count ?? 0) }
      #expect(sum <= 100_000)
    }

    #expect(bench.log.first == Seq(1))
    #expect(weight <= 400_000)
    // They are spread over the log, so that it shortens by steps.
    let held = (states + [Seq(501)]).sorted { $0.number < $1.number }
    #expect(zip(held, held.dropFirst()).allSatisfy { $1.number - $0.number < 250 })
  }

  @Test func `a state larger than the bound is kept once, with the segment that is appended to`()
    throws
  {
    let bench = try open(segment: 2_000, bytes: 5_000)

    fill(bench, 300)

    #expect(states == [bench.log.active.first])
    #expect(bench.log.segmentCount == 1)
    #expect(!bench.log.wantsLatest)
  }

  @Test func `what was known after an entry follows from the nearest state before it`() throws {
    let bench = try open(segment: 2_000, bytes: 400_000)
    fill(bench, 100)
    // As retention leaves it where states are heavy.
    for first in states where first != bench.log.active.first && first != Seq(1) {
      disk[SegmentName.state(first)] = nil
    }

    for seq in [bench.log.first, Seq((bench.log.first.number + 100) / 2), Seq(100)] {
      let past = bench.log.pastState(KeyState.self, at: seq)
      var state: KeyState?
      while state == nil { state = past.advance(budget: 1_000)?.state }
      #expect(state?.keys.count == Int(seq.number), "after \(seq.number)")
    }
  }

  @Test func `a start goes on from the newest state though others are gone`() throws {
    let bench = try open(segment: 2_000, bytes: nil)
    fill(bench, 100)
    for first in states where first != bench.log.active.first && first != Seq(1) {
      disk[SegmentName.state(first)] = nil
    }

    #expect(try LogBench.recover(disk).state.keys.count == 100)
    disk[SegmentName.state(bench.log.active.first)] = nil
    #expect(try LogBench.recover(disk).state.keys.count == 100)
  }

  @Test func `evidence of damage counts, and its oldest pieces go before any entry`() throws {
    try disk.makeFolder(Quarantine.folder)
    for number in 0..<4 {
      let file = try disk.create("\(Quarantine.folder)/piece-\(number)")
      try file.writeAll([UInt8](repeating: 0, count: 10_000).span, at: 0)
    }

    let bench = try open(segment: 2_000, bytes: 27_000)
    bench.append("a")
    #expect(bench.log.bytes > 40_000)
    _ = bench.log.retain(now: 0)

    #expect(bench.log.bytes <= 27_000)
    #expect(bench.log.first == Seq(1))
    #expect(bench.log.droppedEvidence == 2)
    #expect(try disk.names(in: Quarantine.folder).count == 2)
  }

  @Test func `a wall clock that steps forward makes nothing old`() throws {
    let week = 7 * 86_400 * LogBench.second
    let bench = try open(segment: 2_000, age: week)
    fill(bench, 50, retains: false)
    let (wall, mono) = (LogBench.wall + LogBench.second, bench.mono)

    #expect(!bench.log.retain(now: wall + 8 * week, mono: mono))
    #expect(bench.log.first == Seq(1))
    #expect(!bench.log.retain(now: wall - 8 * week, mono: mono + 2 * week), "nor does one back")
    #expect(bench.log.first == Seq(1))

    #expect(bench.log.retain(now: wall + 2 * week, mono: mono + 2 * week))
    #expect(bench.log.segmentCount == 1)
  }
}
