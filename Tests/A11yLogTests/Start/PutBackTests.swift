// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yLog

/// An older state of a log in the place of the log: its numbers were given already.
@Suite struct PutBackTests {
  /// A log that was stopped with five entries, and one more of its stop.
  private let disk: MemoryDisk
  private let left: Cursor

  init() throws {
    disk = MemoryDisk()
    let bench = try LogBench(on: disk, epoch: 1)
    bench.append("a", "b", "c", "d", "e")
    try bench.stop()
    left = bench.log.cursor
  }

  private func starts(_ bench: LogBench) -> [Seq] { bench.log.epochs.map(\.first) }

  @Test func `files of another birth are a copy, in this boot and in the next`() throws {
    for boot in [LogBench.boot, "another"] {
      let again = try LogBench(on: disk.backup(), boot: boot)

      #expect(again.found.opening.isCopy)
      #expect(again.found.opening.isNewEpoch)
      #expect(starts(again) == [Seq(1), Seq(7)])
    }
  }

  @Test func `the same files go on in their epoch`() throws {
    for boot in [LogBench.boot, "another"] {
      let again = try LogBench(on: disk.copy(), boot: boot)

      #expect(!again.found.opening.isCopy)
      #expect(starts(again) == [Seq(1)])
    }
  }

  @Test func `a copy that was taken over is a log like any other`() throws {
    let backup = disk.backup()
    let first = try LogBench(on: backup, left: left)
    first.append("f")

    let second = try LogBench(on: backup, left: first.log.cursor)

    #expect(!second.found.opening.isCopy)
    #expect(starts(second) == [Seq(1), Seq(7)])
  }

  @Test func `a copy of a log that has begun a segment and no entry is one as well`() throws {
    _ = try LogBench(on: disk)

    #expect(try LogBench.recover(disk.backup()).opening.isCopy)
  }

  @Test func `a segment that was written anew to forget is no copy`() throws {
    let all = Selection(apps: ["bench"], uids: nil, before: nil)
    let work = try #require(try Forgetting<KeyState>(all, onUnused: disk))
    while try !work.advance(budget: 300) {}

    let again = try LogBench(on: disk, left: left)

    #expect(!disk.text(SegmentName.entries(Seq(1))).contains("announcement"))
    #expect(!again.found.opening.isCopy)
  }

  @Test func `content that was put back into the same files ends before what has left`() throws {
    let older = disk.copy()
    let bench = try LogBench(on: disk, left: left)
    bench.append("f")

    let again = try LogBench(on: older, left: bench.log.cursor)

    #expect(!again.found.opening.isCopy)
    #expect(starts(again) == [Seq(1), Seq(7)])
  }

  @Test func `numbers that another epoch has given are not given again, be they fewer`() throws {
    let other = Cursor(epoch: LogBench.epoch(2), seq: Seq(3))

    #expect(starts(try LogBench(on: disk, left: other)) == [Seq(1), Seq(7)])
  }

  @Test func `all that has left is there, and nothing begins anew`() throws {
    #expect(starts(try LogBench(on: disk, left: left)) == [Seq(1)])
  }

  @Test func `a log that is not there yet begins, whatever was there before`() throws {
    let bench = try LogBench(on: MemoryDisk(), left: left)

    #expect(!bench.found.opening.isNewEpoch)
    #expect(starts(bench) == [Seq(1)])
  }
}
