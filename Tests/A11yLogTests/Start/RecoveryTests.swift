// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yLog

/// A start, on the files that the last end has left.
@Suite struct RecoveryTests {
  private static let name = "00000000000000000001.ndjson"
  private static let second = LogBench.second
  private static let other = "another boot"

  let disk = MemoryDisk()

  /// Five entries, and one more at a clean stop.
  private func write(isClosed: Bool) throws -> LogBench {
    let bench = try LogBench(on: disk)
    bench.append("a", "b")
    bench.append("c")
    bench.append("d", "e")
    if isClosed { try bench.stop() }
    return bench
  }

  @Test func `an empty directory is a new log`() throws {
    let found = try LogBench.recover(disk, epoch: 7)

    #expect(found.older.isEmpty)
    #expect(found.newest == nil)
    #expect(found.last == .none)
    #expect(
      found.epochs == [
        EpochStart(epoch: LogBench.epoch(7), first: Seq(1), ordinal: 1, began: LogBench.wall)
      ]
    )
    #expect(found.opening == LogOpening())
    #expect(found.clock.mono(uptime: 5) >= 0)
  }

  @Test(arguments: [LogBench.boot, other])
  func `after a clean stop it goes on behind the last entry, in the same epoch`(
    boot: String
  ) throws {
    let before = try write(isClosed: true)

    let again = try LogBench(on: disk, boot: boot)
    var opening = LogOpening()
    opening.isSameBoot = boot == LogBench.boot
    #expect(again.found.opening == opening)
    #expect(again.log.epochs == before.log.epochs)
    #expect(again.log.first == Seq(1))
    #expect(again.log.last == Seq(6))
    #expect(again.log.synced == Seq(6))
    again.append("f")

    #expect(try again.log.everything() == (before.lines + again.lines).map { .line($0) })
    #expect(try JSON(again.lines[0])["seq"].integer == 7)
    let name = SegmentName.entries(Seq(7))
    let header = try JSON(LogBench.split(disk.text(name))[0])
    let closing = try #require(LogBench.split(disk.text(Self.name)).last)
    #expect(try header["previous"] == JSON(closing)["closed"])
    #expect(header["boot"].string == boot)
  }

  @Test func `after a crash of the daemon alone nothing is lost and the epoch goes on`() throws {
    let before = try write(isClosed: false)

    let again = try LogBench(on: disk)
    #expect(!again.found.opening.isClean)
    #expect(again.found.opening.tornBytes == 0)
    #expect(!again.found.opening.isNewEpoch)
    #expect(again.log.epochs == before.log.epochs)
    again.append("f")

    #expect(try again.log.everything() == (before.lines + again.lines).map { .line($0) })
  }

  @Test func `after a crash of the machine a new epoch begins behind what is on disk`() throws {
    let before = try write(isClosed: false)

    let again = try LogBench(on: disk, boot: Self.other)

    #expect(again.found.opening.isNewEpoch)
    #expect(!again.found.opening.isClean)
    #expect(again.log.epochs.map(\.first) == [Seq(1), Seq(6)])
    #expect(again.log.epochs[0] == before.log.epochs[0])
    #expect(again.log.epochs[1].epoch != before.log.epochs[0].epoch)
    #expect(again.log.last == Seq(5))
  }

  // MARK: Torn tails

  @Test func `of a torn tail the whole entries count, wherever it is torn`() throws {
    let before = try write(isClosed: false)
    let whole = try #require(disk[Self.name])
    let last = before.lines[before.lines.count - 1].utf8.count

    for length in whole.count - last..<whole.count - 1 {
      let copy = disk.copy()
      copy[Self.name] = Array(whole.prefix(length))

      let again = try LogBench(on: copy)

      #expect(again.log.last == Seq(4), "torn at \(length)")
      #expect(again.found.opening.tornBytes == Int64(length - (whole.count - last)))
      #expect(again.found.opening.damaged == [])
      #expect(!again.found.opening.isClean)
      #expect(again.log.epochs == before.log.epochs)
    }
  }

  @Test(arguments: [
    Junk(0, times: 1), Junk(0, times: 5_000), Junk("junk"), Junk("{\"seq\":7,\"time\""),
    Junk(97, times: 600_000),
  ])
  func `junk behind the last entry is a torn tail, and never read`(junk: Junk) throws {
    let before = try write(isClosed: false)
    disk[Self.name]? += junk.bytes

    let again = try LogBench(on: disk)
    again.append("f")

    #expect(again.found.opening.tornBytes == Int64(junk.bytes.count))
    #expect(again.found.opening.damaged == [])
    #expect(again.found.opening.quarantined == 0)
    #expect(again.log.epochs == before.log.epochs)
    #expect(try again.log.everything() == (before.lines + again.lines).map { .line($0) })
  }

  @Test func `junk that has been a line may have been an entry, so that a new epoch begins`() throws
  {
    let before = try write(isClosed: false)
    disk[Self.name]? += Array("junk\n".utf8)

    let again = try LogBench(on: disk)

    #expect(again.found.opening.tornBytes == 5)
    #expect(again.found.opening.isNewEpoch)
    #expect(again.found.opening.quarantined == 1)
    #expect(try again.log.everything() == before.lines.map { .line($0) })
  }

  // MARK: Segments that hold nothing

  @Test(arguments: [0, 1, 50, 10_000])
  func `a last segment that was only begun goes, and its number is used`(bytes: Int) throws {
    let before = try write(isClosed: true)
    _ = try LogBench(on: disk)
    let name = SegmentName.entries(Seq(7))
    disk[name] = Array(try #require(disk[name]).prefix(bytes))

    let again = try LogBench(on: disk)
    again.append("f")

    #expect(again.log.last == Seq(7))
    #expect(again.log.epochs == before.log.epochs)
    #expect(try again.log.everything() == (before.lines + again.lines).map { .line($0) })
    #expect(again.found.opening.quarantined == 0)
  }

  @Test func `a segment that was only begun knows of the entries that are gone before it`() throws {
    let before = try write(isClosed: true)
    let between = try LogBench(on: disk)
    between.append("f", "g")
    try between.stop()
    _ = try LogBench(on: disk)
    disk[SegmentName.entries(Seq(7))] = Array("nothing that is an entry\n".utf8)
    // Which may not have been written since.
    disk[Watermark.name] = nil

    let again = try LogBench(on: disk)
    again.append("h")

    #expect(again.found.opening.damaged == [Seq(7)...Seq(9)])
    #expect(again.log.epochs == before.log.epochs)
    #expect(again.log.last == Seq(10), "no number is given twice")
  }

  @Test func `a log whose only segment was only begun is new`() throws {
    _ = try LogBench(on: disk)

    let again = try LogBench(on: disk)
    again.append("a")

    #expect(disk.names.filter { $0.hasSuffix(".ndjson") } == [Self.name])
    #expect(try JSON(again.lines[0])["seq"].integer == 1)
  }

  @Test func `other files in the directory are left alone`() throws {
    _ = try write(isClosed: true)
    let names = [
      "notes.txt", "notes.new", "1.ndjson", "1.ndjson.new", "00000000000000000001.ndjson.old",
      "lock", "some.moved",
    ]
    for name in names { disk[name] = [1, 2, 3] }

    let found = try LogBench.recover(disk)

    #expect(found.older.isEmpty)
    for name in names { #expect(disk[name] == [1, 2, 3], "\(name)") }
  }

  @Test func `files that were never finished go`() throws {
    let before = try write(isClosed: true)
    let names = [SegmentName.entries(Seq(9)), SegmentName.state(Seq(1))].map {
      SegmentName.unfinished($0)
    }
    for name in names { disk[name] = [1, 2, 3] }

    let again = try LogBench(on: disk)

    for name in names { #expect(disk[name] == nil, "\(name)") }
    #expect(try again.log.everything() == before.lines.map { .line($0) })
  }

  @Test func `a clean end behind which more was safe was not the end`() throws {
    let before = try write(isClosed: true)
    let behind = try LogBench(on: disk)
    behind.append("behind it")
    behind.syncAll()
    disk[SegmentName.entries(behind.log.active.first)] = nil

    let again = try LogBench(on: disk)

    #expect(!again.found.opening.isClean)
    #expect(again.found.opening.isNewEpoch)
    #expect(again.log.last == behind.log.last)
    let lost = behind.log.last.number...behind.log.last.number
    #expect(
      try again.log.everything()
        == before.lines.map { .line($0) } + [.gap(lost, isStorage: false)]
    )
  }

  // MARK: The clock

  @Test func `in the same boot the bus clock goes on exactly`() throws {
    let bench = try LogBench(on: disk, uptime: 100 * Self.second)
    bench.append("a")
    let mono = try #require(try JSON(bench.lines[0])["mono"].integer)
    // The entry was written a millisecond after the start.
    let uptime = 100 * Self.second + 1_000

    let found = try LogBench.recover(disk, uptime: uptime + 7 * Self.second, wall: 0)

    #expect(found.clock.mono(uptime: uptime + 7 * Self.second) == mono + 7 * Self.second)
  }

  @Test func `in another boot the wall clock says how long it was`() throws {
    let bench = try LogBench(on: disk, uptime: 100 * Self.second)
    bench.append("a")
    let entry = try JSON(bench.lines[0])
    let mono = try #require(entry["mono"].integer)
    let time = try #require(entry["time"].integer)

    let found = try LogBench.recover(
      disk,
      Self.other,
      uptime: 3 * Self.second,
      wall: time + 60 * Self.second
    )

    #expect(found.clock.mono(uptime: 3 * Self.second) == mono + 60 * Self.second)
  }

  @Test func `where the power took the last entries it is not behind what was known by then`()
    throws
  {
    let bench = try LogBench(on: disk, uptime: 100 * Self.second)
    bench.append("a")
    bench.append(["long after"], after: 50 * Self.second)
    bench.log.roll(mono: bench.mono)
    bench.append("lost")
    let begun = try #require(bench.log.active.header?.began)
    let name = SegmentName.entries(bench.log.active.first)
    let first = SegmentName.entries(Seq(1))
    // Of the newest segment the header is there, of the one before it the first entry.
    disk[name] = disk[name].map { Array($0.prefix { $0 != UInt8(ascii: "\n") }) + [10] }
    disk[first] = disk[first].map {
      Array($0.split(separator: 10)[..<2].joined(separator: [10])) + [10]
    }

    let found = try LogBench.recover(disk, Self.other, uptime: 3 * Self.second, wall: 0)

    #expect(found.clock.mono(uptime: 3 * Self.second) >= begun)
  }
}

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
