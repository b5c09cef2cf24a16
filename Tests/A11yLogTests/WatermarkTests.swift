// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yLog

/// The mark up to which entries are safe, in two slots of which one is always whole.
@Suite struct WatermarkTests {
  let disk = MemoryDisk()

  private func mark(_ round: Int64, synced: Int64, unkept: Int64? = nil) -> Watermark {
    Watermark(
      epoch: LogBench.epoch(7),
      synced: Seq(synced),
      unkept: unkept.map(Seq.init),
      mono: 0,
      round: round
    )
  }

  private func file() throws -> any DiskFile {
    if disk[Watermark.name] == nil { disk[Watermark.name] = [] }
    return try disk.openInPlace(Watermark.name)
  }

  @Test func `what was written last is read`() throws {
    let file = try file()
    #expect(try Watermark.read(file) == nil)
    for round in 1...9 {
      let mark = mark(Int64(round), synced: Int64(round * 10), unkept: round % 3 == 0 ? 5 : nil)
      try mark.write(to: file)

      #expect(try Watermark.read(file) == mark)
    }
    #expect(disk[Watermark.name]?.count == 1_024, "it needs no more room")
  }

  @Test func `a slot is a line that people can read`() throws {
    let file = try file()
    try mark(2, synced: 20, unkept: 3).write(to: file)
    try mark(3, synced: 30).write(to: file)

    let lines = disk.text(Watermark.name).split(separator: "\n")

    #expect(lines.allSatisfy { $0.utf8.count == 511 })
    #expect(try JSON(String(lines[0]))["synced"] == 20)
    #expect(try JSON(String(lines[0]))["unkept"] == 3)
    #expect(try JSON(String(lines[1]))["synced"] == 30)
  }

  @Test func `where one slot is torn the other one counts, torn wherever`() throws {
    let file = try file()
    for round in 1...3 { try mark(Int64(round), synced: Int64(round * 10)).write(to: file) }
    let whole = try #require(disk[Watermark.name])
    for count in 0..<180 {
      // The next write goes to the older slot, and only its beginning arrives.
      var torn = whole
      disk[Watermark.name] = whole
      try mark(4, synced: 40).write(to: self.file())
      let written = try #require(disk[Watermark.name])
      torn[0..<count] = written[0..<count]
      disk[Watermark.name] = torn

      let found = try Watermark.read(self.file())

      let isWhole = torn[0..<512] == written[0..<512]
      #expect(found == (isWhole ? mark(4, synced: 40) : mark(3, synced: 30)), "\(count)")
    }
  }

  @Test func `a bit that is flipped in the newer slot leaves the older one`() throws {
    let file = try file()
    for round in 1...2 { try mark(Int64(round), synced: Int64(round * 10)).write(to: file) }
    let whole = try #require(disk[Watermark.name])
    let length = try #require(whole.firstIndex(of: 32))
    for byte in 0..<length {
      var damaged = whole
      damaged[byte] ^= 2
      disk[Watermark.name] = damaged

      #expect(try Watermark.read(self.file()) == mark(1, synced: 10), "byte \(byte)")
    }
  }

  @Test func `every write of a log leaves the one before it whole`() throws {
    var before: Watermark?
    var slots: [Int] = []
    for _ in 0..<6 {
      let bench = try LogBench(on: disk)
      let file = try file()
      for _ in 0..<3 {
        let bytes = try #require(disk[Watermark.name])
        let now = try #require(try Watermark.read(file))
        if let before, now != before { #expect(now.round == before.round + 1) }
        before = now
        bench.append("a")
        #expect(bench.sync() == .progress)
        let after = try #require(disk[Watermark.name])
        let changed = (0..<1_024).filter { index in
          index >= bytes.count || bytes[index] != after[index]
        }
        slots.append(changed.allSatisfy { $0 < 512 } ? 0 : changed.allSatisfy { $0 > 511 } ? 1 : 2)
      }
      before = try Watermark.read(file)
    }
    #expect(slots.allSatisfy { $0 < 2 })
  }

  @Test func `what is safe is marked, and nothing beyond it`() throws {
    let bench = try LogBench(on: disk)
    bench.append("a", "b")
    bench.log.synchronize()
    bench.append("c")
    #expect(try Watermark.read(file())?.synced == Seq.none)

    bench.syncing.complete()
    _ = bench.log.takeSyncAnswer(mono: bench.mono)

    #expect(try Watermark.read(file())?.synced == Seq(2))
    #expect(bench.log.synced == Seq(2))
    bench.syncAll()
    #expect(try Watermark.read(file())?.synced == Seq(3))
  }

  @Test func `something else under its name is put aside`() throws {
    disk.putFolder(Watermark.name)

    let bench = try LogBench(on: disk)
    bench.append("a")
    bench.syncAll()

    #expect(try Watermark.read(disk.openInPlace(Watermark.name))?.synced == Seq(1))
  }

  @Test func `a mark of another log says nothing`() throws {
    try mark(9, synced: 1_000, unkept: 7).write(to: file())
    let foreign = disk[Watermark.name]
    disk[Watermark.name] = nil
    let bench = try LogBench(on: disk)
    bench.append("a", "b")
    disk[Watermark.name] = foreign

    let again = try LogBench(on: disk)

    #expect(again.log.last == Seq(2))
    #expect(again.found.opening.damaged == [])
    again.append("c")
    again.syncAll()
    #expect(try Watermark.read(file())?.synced == Seq(3))
  }
}
