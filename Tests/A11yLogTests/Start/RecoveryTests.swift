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

/// What a start makes of what the last end has left.
@Suite struct FoundLogTests {
  private static let name = "00000000000000000001.ndjson"
  private static let second: Int64 = 1_000_000
  private static let wall: Int64 = 1_795_242_000 * second

  let directory: ScratchDirectory
  let files: LogFiles

  init() throws {
    directory = try ScratchDirectory()
    files = LogFiles(path: directory.path)
  }

  private func found(uptime: Int64 = 2 * second, wall: Int64 = wall) throws -> FoundLog {
    try FoundLog(in: directory.path, uptime: uptime, wall: wall)
  }

  /// Six entries, the first of which says who has come.
  private func write(isClosed: Bool) throws -> (lines: [String], epoch: Epoch) {
    let disk = try LogOnDisk(in: directory)
    try disk.append("a", "b")
    try disk.append("c")
    try disk.append("d", "e")
    if isClosed { try disk.log.close() }
    return (disk.lines, disk.epoch)
  }

  /// Puts another boot into the header, as if the machine had been started again.
  private func rebootMachine() throws {
    var lines = try files.lines(Self.name)
    let boot = try Machine.bootID()
    let body = lines[0].dropLast(19).replacing(boot, with: String(repeating: "0", count: 32))
    lines[0] = body + ",\"crc\":\"\(Checksum.text(of: body.utf8))\"}\n"
    // A closing line holds for as long as the header's length is the same, and it is.
    try files.write(Array(lines.joined().utf8), to: Self.name)
  }

  @Test func `an empty directory is a new log`() throws {
    let found = try found()

    #expect(found.segments.isEmpty)
    #expect(found.previous == nil)
    #expect(found.epochs.count == 1)
    #expect(found.epochs[0].first == Seq(1))
    #expect(found.opening.isClean)
    #expect(!found.opening.isNewEpoch)
    #expect(found.clock.mono(uptime: 5) >= 0)
  }

  @Test func `two new logs have different epochs`() throws {
    #expect(try found().epochs[0].epoch != found().epochs[0].epoch)
  }

  @Test func `after a clean stop it goes on behind the last entry, in the same epoch`() throws {
    let (lines, epoch) = try write(isClosed: true)

    let again = try LogOnDisk(in: directory)
    #expect(again.opening.isClean)
    #expect(again.opening.tornBytes == 0)
    #expect(!again.opening.isNewEpoch)
    #expect(again.epoch == epoch)
    #expect(again.log.first == Seq(1))
    #expect(again.log.last == Seq(6))
    try again.append("f")

    #expect(try files.entries == lines + again.lines)
    #expect(try JSON(again.lines[0])["seq"].integer == 7)
    #expect(try files.names == [Self.name, "00000000000000000007.ndjson"])
    let header = try JSON(try files.lines("00000000000000000007.ndjson")[0])
    let closing = try #require(try files.lines(Self.name).last)
    #expect(try header["previous"] == JSON(closing)["closed"])
  }

  @Test func `after a crash of the daemon alone nothing is lost and the epoch goes on`() throws {
    let (lines, epoch) = try write(isClosed: false)
    let before = try files.bytes(Self.name)

    let again = try LogOnDisk(in: directory)
    #expect(!again.opening.isClean)
    #expect(again.opening.tornBytes == 0)
    #expect(!again.opening.isNewEpoch)
    #expect(again.epoch == epoch)
    try again.append("f")

    #expect(try files.entries == lines + again.lines)
    #expect(try files.bytes(Self.name) == before, "nothing is appended behind a doubtful tail")
  }

  @Test func `after a crash of the machine a new epoch begins behind what is on disk`() throws {
    let (_, epoch) = try write(isClosed: false)
    try rebootMachine()

    let again = try LogOnDisk(in: directory)

    #expect(again.opening.isNewEpoch)
    #expect(!again.opening.isClean)
    #expect(again.log.epochs.map(\.first) == [Seq(1), Seq(7)])
    #expect(again.log.epochs[0].epoch == epoch)
    #expect(again.epoch != epoch)
    #expect(again.log.last == Seq(6))
  }

  @Test func `after a clean stop and another boot the epoch is the same`() throws {
    let (_, epoch) = try write(isClosed: true)
    try rebootMachine()

    let again = try LogOnDisk(in: directory)

    #expect(again.opening.isClean)
    #expect(!again.opening.isNewEpoch)
    #expect(again.epoch == epoch)
  }

  // MARK: Torn tails

  @Test func `of a torn tail the whole entries count, wherever it is torn`() throws {
    let (lines, epoch) = try write(isClosed: false)
    let whole = try files.bytes(Self.name)
    let last = lines[lines.count - 1].utf8.count

    for length in whole.count - last..<whole.count {
      let path = try ScratchDirectory()
      try LogFiles(path: path.path).write(Array(whole.prefix(length)), to: Self.name)

      let again = try LogOnDisk(in: path)

      #expect(again.log.last == Seq(5), "torn at \(length)")
      #expect(again.opening.tornBytes == Int64(length - (whole.count - last)))
      #expect(!again.opening.isClean)
      #expect(again.epoch == epoch)
    }
  }

  @Test(arguments: [
    [0], [UInt8](repeating: 0, count: 5_000), Array("junk".utf8), Array("junk\n".utf8),
    Array("{\"seq\":7,\"time\"".utf8), [UInt8](repeating: 97, count: 300_000),
  ])
  func `junk behind the last entry is a torn tail`(junk: [UInt8]) throws {
    let (lines, _) = try write(isClosed: false)
    try files.write(try files.bytes(Self.name) + junk, to: Self.name)

    let again = try LogOnDisk(in: directory)
    try again.append("f")

    #expect(again.opening.tornBytes == Int64(junk.count))
    #expect(again.log.last == Seq(8), "who has come, and what it had to say")
    let read = try again.log.segment(holding: Seq(1))
    #expect(read.end - read.start == Int64(lines.joined().utf8.count), "junk is never read")
  }

  @Test func `an entry torn in the middle of a large segment is found`() throws {
    let disk = try LogOnDisk(in: directory)
    for _ in 0..<40 {
      try disk.append([String](repeating: String(repeating: "x", count: 3_000), count: 5))
    }
    let whole = try files.bytes(Self.name)
    try files.write(whole.dropLast(10), to: Self.name)

    let found = try found()

    #expect(found.previous?.last == disk.log.last.previous)
    #expect(found.opening.tornBytes > 3_000)
  }

  // MARK: Segments that hold nothing

  @Test(arguments: [0, 1, 50, 10_000])
  func `a last segment that was only begun goes, and its number is used`(bytes: Int) throws {
    let (lines, epoch) = try write(isClosed: true)
    let begun = try LogOnDisk(in: directory)
    let name = "00000000000000000007.ndjson"
    try files.write(Array(try files.bytes(name).prefix(bytes)), to: name)
    _ = begun

    let again = try LogOnDisk(in: directory)
    try again.append("f")

    #expect(again.log.last == Seq(8))
    #expect(again.epoch == epoch)
    #expect(try files.entries == lines + again.lines)
    #expect(try files.names == [Self.name, name])
  }

  @Test func `a log whose only segment was only begun is new`() throws {
    _ = try LogOnDisk(in: directory)

    let again = try LogOnDisk(in: directory)
    try again.append("a")

    #expect(try files.names == [Self.name])
    #expect(try JSON(again.lines[0])["seq"].integer == 1)
  }

  @Test func `other files in the directory are left alone`() throws {
    _ = try write(isClosed: true)
    for name in ["notes.txt", "1.ndjson", "00000000000000000001.ndjson.old"] {
      try files.write([1, 2, 3], to: name)
    }

    let found = try found()

    #expect(found.segments.count == 1)
    #expect(try files.bytes("notes.txt") == [1, 2, 3])
  }

  @Test func `a damaged header costs no entry`() throws {
    let (lines, _) = try write(isClosed: false)
    var bytes = try files.bytes(Self.name)
    bytes[20] ^= 1
    try files.write(bytes, to: Self.name)

    let again = try LogOnDisk(in: directory)
    try again.append("f")

    #expect(again.log.first == Seq(1))
    #expect(again.log.last == Seq(8), "who has come, and what it had to say")
    #expect(try files.entries == lines + again.lines)
  }

  // MARK: Damage

  @Test(arguments: [0, 2, 5])
  func `no number is given twice, whatever entry is damaged, and nothing is thrown away`(
    damaged: Int
  ) throws {
    let (lines, _) = try write(isClosed: true)
    var bytes = try files.bytes(Self.name)
    let offset = try files.lines(Self.name).prefix(damaged + 1).joined().utf8.count
    bytes[offset + 30] ^= 1
    try files.write(bytes, to: Self.name)

    let found = try found()

    #expect(found.last == Seq(Int64(lines.count)))
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(names.contains { $0.hasPrefix(Self.name) })
  }

  // MARK: The clock

  @Test func `in the same boot the bus clock goes on exactly`() throws {
    let disk = try LogOnDisk(in: directory, uptime: 100 * Self.second)
    try disk.append("a")
    let mono = try #require(try JSON(disk.lines[0])["mono"].integer)
    // The entry was written a millisecond after the start.
    let uptime = 100 * Self.second + 1_000

    let found = try found(uptime: uptime + 7 * Self.second, wall: 0)

    #expect(found.clock.mono(uptime: uptime + 7 * Self.second) == mono + 7 * Self.second)
  }

  @Test func `in another boot the wall clock says how long it was`() throws {
    let disk = try LogOnDisk(in: directory, uptime: 100 * Self.second)
    try disk.append("a")
    let entry = try JSON(disk.lines[disk.lines.count - 1])
    let mono = try #require(entry["mono"].integer)
    let time = try #require(entry["time"].integer)
    try rebootMachine()

    let found = try found(uptime: 3 * Self.second, wall: time + 60 * Self.second)

    #expect(found.clock.mono(uptime: 3 * Self.second) == mono + 60 * Self.second)
  }
}
