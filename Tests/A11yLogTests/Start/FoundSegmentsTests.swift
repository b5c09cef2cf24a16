// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Foundation
import Testing

@testable import A11yLog

/// Segments that are gone, in the wrong place, there twice, or something else.
@Suite struct FoundSegmentsTests {
  /// Five segments with entries, on some disk.
  private static func fill(_ disk: any Disk) throws -> LogBench {
    var policy = LogBench.endless
    policy.segmentBytes = 1_000
    let bench = try LogBench(on: disk, policy: policy)
    while bench.log.segmentCount < 5 { bench.append("some text that takes room") }
    bench.append("the last")
    bench.syncAll()
    return bench
  }

  private func segments(_ disk: any Disk) throws -> [String] {
    try disk.names(in: nil).filter { SegmentName.first(entries: $0) != nil }
  }

  private func seqs(of names: [String], _ bench: LogBench, _ index: Int) -> ClosedRange<Int64> {
    let firsts = names.compactMap { SegmentName.first(entries: $0)?.number }
    let end = index + 1 < firsts.count ? firsts[index + 1] - 1 : bench.log.last.number
    return firsts[index]...end
  }

  /// The deliveries where these entries are missing.
  private func expected(_ bench: LogBench, without lost: ClosedRange<Int64>) -> [Delivery] {
    var expected = bench.lines.map { Delivery.line($0) }
    let gap = Delivery.gap(lost, isStorage: false)
    expected.replaceSubrange(Int(lost.lowerBound) - 1..<Int(lost.upperBound), with: [gap])
    return expected
  }

  private func whole(_ bench: LogBench) -> [Delivery] { bench.lines.map { .line($0) } }

  // MARK: Gone

  @Test(arguments: 1...3)
  func `a segment that is gone is a gap with its bounds`(index: Int) throws {
    let disk = MemoryDisk()
    let bench = try Self.fill(disk)
    let names = try segments(disk)
    let lost = seqs(of: names, bench, index)
    disk[names[index]] = nil

    let again = try LogBench(on: disk)

    #expect(try again.log.everything() == expected(bench, without: lost))
    #expect(again.log.last == bench.log.last)
    #expect(again.found.state.keys == bench.keys)
  }

  @Test func `the oldest one that is gone is as good as retained`() throws {
    let disk = MemoryDisk()
    let bench = try Self.fill(disk)
    let names = try segments(disk)
    let lost = seqs(of: names, bench, 0)
    disk[names[0]] = nil

    let again = try LogBench(on: disk)

    #expect(again.log.first == Seq(lost.upperBound + 1))
    #expect(try again.log.everything() == Array(whole(bench).dropFirst(Int(lost.upperBound))))
  }

  @Test(arguments: [true, false])
  func `the last one that is gone costs its entries and no number`(isSafe: Bool) throws {
    let disk = MemoryDisk()
    let bench = try Self.fill(disk)
    let names = try segments(disk)
    let lost = seqs(of: names, bench, 4)
    disk[names[4]] = nil
    if !isSafe { disk[Watermark.name] = nil }

    let again = try LogBench(on: disk)

    if isSafe {
      #expect(again.log.last == bench.log.last)
      #expect(again.found.opening.damaged == [Seq(lost.lowerBound)...Seq(lost.upperBound)])
      again.append("more")
      #expect(
        try again.log.everything() == expected(bench, without: lost) + whole(again)
      )
    } else {
      // Nobody knows how many there were.
      #expect(again.log.last == Seq(lost.lowerBound - 1))
    }
    #expect(again.found.opening.isNewEpoch)
    #expect(again.log.epochs.last?.first == again.found.last.next)
  }

  @Test func `where all are gone the watermark knows how many there were`() throws {
    let disk = MemoryDisk()
    let bench = try Self.fill(disk)
    for name in try segments(disk) { disk[name] = nil }

    let again = try LogBench(on: disk)
    again.append("more")

    #expect(again.found.opening.damaged == [Seq(1)...bench.log.last])
    #expect(again.found.opening.isNewEpoch)
    #expect(try again.log.everything() == whole(again))
    #expect(again.log.first == bench.log.last.next)
  }

  // MARK: In the wrong place

  @Test func `segments that bear each other's names go back to their places`() throws {
    for (one, other) in [(0, 1), (1, 3), (0, 4), (3, 4)] {
      let disk = MemoryDisk()
      let bench = try Self.fill(disk)
      let names = try segments(disk)
      let before = names.map { disk[$0] }
      (disk[names[one]], disk[names[other]]) = (disk[names[other]], disk[names[one]])

      let again = try LogBench(on: disk)

      #expect(try again.log.everything() == whole(bench), "\(one) and \(other)")
      #expect(names.map { disk[$0] } == before)
      #expect(again.found.opening.damaged == [])
      #expect(again.found.opening.quarantined == 0)
    }
  }

  @Test func `segments that were moved round go back, wherever that was cut off`() throws {
    let disk = MemoryDisk()
    let bench = try Self.fill(disk)
    let names = try segments(disk)
    let contents = names.map { disk[$0] }
    for index in 0..<3 { disk[names[index]] = contents[(index + 1) % 3] }
    var moments: [MemoryDisk] = []
    disk.refusal = { [unowned disk] call, name in
      if call == .rename, name.hasPrefix("0"), !name.hasSuffix(".new") {
        moments.append(disk.copy())
      }
      return nil
    }
    #expect(try LogBench(on: disk).log.everything() == whole(bench))

    #expect(moments.count == 6)
    for moment in moments {
      #expect(try LogBench(on: moment).log.everything() == whole(bench))
      #expect(names.map { moment[$0] } == contents)
    }
  }

  @Test func `a segment under a name that nobody has goes back`() throws {
    let disk = MemoryDisk()
    let bench = try Self.fill(disk)
    let names = try segments(disk)
    disk[SegmentName.entries(Seq(1_000))] = disk[names[2]]
    disk[names[2]] = nil

    let again = try LogBench(on: disk)

    #expect(try again.log.everything() == whole(bench))
    #expect(again.log.last == bench.log.last)
  }

  // MARK: Twice

  @Test(arguments: [2, 3, 1_000])
  func `one that is there twice counts once, and the other is put aside`(first: Int64) throws {
    let disk = MemoryDisk()
    let bench = try Self.fill(disk)
    let names = try segments(disk)
    let name = SegmentName.entries(Seq(first))
    disk[name] = disk[names[1]]

    let again = try LogBench(on: disk)

    #expect(try again.log.everything() == whole(bench))
    #expect(disk.names(below: Quarantine.folder) == [name])
    #expect(disk[Quarantine.folder + "/" + name] == disk[names[1]])
    #expect(again.found.opening.quarantined == 1)
    #expect(again.log.last == bench.log.last)
  }

  @Test func `what is put aside gets a name of its own`() throws {
    let disk = MemoryDisk()
    _ = try Self.fill(disk)
    let names = try segments(disk)
    let name = SegmentName.entries(Seq(1_000))
    for _ in 0..<3 {
      disk[name] = disk[names[1]]
      _ = try LogBench.recover(disk)
    }

    #expect(disk.names(below: Quarantine.folder) == [name, name + ".2", name + ".3"])
  }

  // MARK: Something else

  /// A thing that may bear a segment's name without being a file.
  enum Thing: CaseIterable {
    case folder, link, danglingLink, pipe

    func put(at path: String, _ target: String) throws {
      let manager = FileManager.default
      try? manager.removeItem(atPath: path)
      switch self {
      case .folder:
        try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
        try Data("precious".utf8).write(to: URL(filePath: path + "/inside"))
      case .link: try manager.createSymbolicLink(atPath: path, withDestinationPath: target)
      case .danglingLink:
        try manager.createSymbolicLink(atPath: path, withDestinationPath: "/nowhere/at/all")
      case .pipe: try #require(mkfifo(path, 0o600) == 0)
      }
    }
  }

  @Test(.timeLimit(.minutes(hangs)), arguments: Thing.allCases, [1, 3, 4])
  func `what is no file in a segment's place is put aside, and its entries are a gap`(
    thing: Thing,
    index: Int
  ) throws {
    let directory = try ScratchDirectory()
    let elsewhere = try ScratchDirectory()
    let disk = try KernelDisk(directory.path)
    let bench = try Self.fill(disk)
    let names = try segments(disk)
    let lost = seqs(of: names, bench, index)
    try FileManager.default.copyItem(atPath: directory(names[index]), toPath: elsewhere("copy"))
    let copy = try Data(contentsOf: URL(filePath: elsewhere("copy")))
    try thing.put(at: directory(names[index]), elsewhere("copy"))

    let again = try LogBench(on: disk)
    again.append("more")

    #expect(try again.log.everything() == expected(bench, without: lost) + whole(again))
    #expect(again.found.opening.quarantined == 1)
    #expect(try disk.names(in: Quarantine.folder) == [names[index]])
    #expect(
      again.found.opening.damaged == (index == 4 ? [Seq(lost.lowerBound)...bench.log.last] : [])
    )
    #expect(try Data(contentsOf: URL(filePath: elsewhere("copy"))) == copy)
  }

  @Test(.timeLimit(.minutes(hangs)), arguments: Thing.allCases)
  func `what is no file in the place of a derived one does no harm`(thing: Thing) throws {
    let directory = try ScratchDirectory()
    let elsewhere = try ScratchDirectory()
    try Data("precious".utf8).write(to: URL(filePath: elsewhere("file")))
    let disk = try KernelDisk(directory.path)
    let bench = try Self.fill(disk)
    let states = try disk.names(in: nil).filter { SegmentName.first(state: $0) != nil }
    for name in states + [Watermark.name, Quarantine.folder] {
      try thing.put(at: directory(name), elsewhere("file"))
    }

    let again = try LogBench(on: disk)
    again.append("more")
    while again.log.hasUnsynced, again.sync() == .progress {}

    #expect(again.log.trouble == nil)
    #expect(try again.log.everything() == whole(bench) + whole(again))
    #expect(try Data(contentsOf: URL(filePath: elsewhere("file"))) == Data("precious".utf8))
  }

  // MARK: Without entries

  @Test(arguments: [[], [0], Array("junk".utf8), Array("junk\n".utf8)] as [[UInt8]])
  func `what holds no entry hides none of another segment`(content: [UInt8]) throws {
    let disk = MemoryDisk()
    let bench = try Self.fill(disk)
    let range = seqs(of: try segments(disk), bench, 1)
    let name = SegmentName.entries(Seq(range.lowerBound + 1))
    disk[name] = content

    let again = try LogBench(on: disk)

    #expect(try again.log.everything() == whole(bench))
    #expect(disk[name] == nil)
    #expect(disk[Quarantine.folder + "/" + name] == (content.isEmpty ? nil : content))
  }

  @Test func `a segment with nothing intact in it is put aside, and is a gap`() throws {
    let disk = MemoryDisk()
    let bench = try Self.fill(disk)
    let names = try segments(disk)
    let count = try #require(disk[names[2]]).count
    disk[names[2]] = [UInt8](repeating: 90, count: count)

    let again = try LogBench(on: disk)

    #expect(
      try again.log.everything() == expected(bench, without: seqs(of: names, bench, 2))
    )
    #expect(disk[Quarantine.folder + "/" + names[2]]?.count == count)
  }

  @Test(arguments: [1, 2])
  func `of last segments that cannot be read no number is used again`(count: Int) throws {
    let disk = MemoryDisk()
    let bench = try Self.fill(disk)
    disk[Watermark.name] = nil
    let names = try segments(disk)
    let first = try #require(SegmentName.first(entries: names[4]))
    for name in names.suffix(count) { disk[name] = Array("junk\n".utf8) }

    let again = try LogBench(on: disk)

    // Of the last one it is known only where it began.
    #expect(again.log.last == first)
    #expect(again.found.opening.isNewEpoch)
    #expect(again.log.epochs.last?.first == first.next)
    let lost = seqs(of: names, bench, 5 - count).lowerBound
    #expect(again.found.opening.damaged == [Seq(lost)...first])
  }

  @Test func `a last segment whose name is borne by something else leaves its number to nobody`()
    throws
  {
    let disk = MemoryDisk()
    let bench = try Self.fill(disk)
    disk[Watermark.name] = nil
    let names = try segments(disk)
    let first = try #require(SegmentName.first(entries: names[4]))
    disk[names[4]] = nil
    disk.putFolder(names[4])

    let again = try LogBench(on: disk)

    #expect(again.log.last == first)
    #expect(again.found.opening.isNewEpoch)
    #expect(again.found.opening.quarantined == 1)
    #expect(again.log.epochs.last?.first == first.next)
    #expect(again.found.opening.damaged == [first...first])
    let gap = Delivery.gap(first.number...first.number, isStorage: false)
    #expect(try again.log.everything() == whole(bench).prefix(Int(first.number) - 1) + [gap])
  }

  @Test func `where the last segment is gone and the watermark knows of it, a new epoch begins`()
    throws
  {
    let disk = MemoryDisk()
    let bench = try LogBench(on: disk)
    try bench.stop()
    let second = try LogBench(on: disk)
    second.append("a", "b")
    second.syncAll()
    disk[SegmentName.entries(Seq(2))] = nil

    let again = try LogBench(on: disk)

    #expect(again.found.opening.damaged == [Seq(2)...Seq(3)])
    #expect(!again.found.opening.isClean)
    #expect(again.log.epochs.last?.first == Seq(4))
  }

  @Test func `a segment that cannot be opened is a gap, and stays where it is`() throws {
    let disk = MemoryDisk()
    let bench = try Self.fill(disk)
    let names = try segments(disk)
    disk.refusal = { call, name in call == .open && name == names[2] ? .inputOutput : nil }

    let again = try LogBench(on: disk)

    #expect(
      try again.log.everything() == expected(bench, without: seqs(of: names, bench, 2))
    )
    #expect(again.log.findings.map(\.fault) == [.inputOutput])
    #expect(disk[names[2]] != nil)
    disk.refusal = { _, _ in nil }
    #expect(try LogBench(on: disk).log.everything() == whole(bench))
  }

  @Test(arguments: [MemoryDisk.Call.open, .read], [0, 3])
  func `entries of a last segment that cannot be read now are there when it can`(
    failing: MemoryDisk.Call,
    reads: Int
  ) throws {
    let disk = MemoryDisk()
    let bench = try Self.fill(disk)
    let name = try #require(try segments(disk).last)
    let entries = try bench.log.everything()
    // Not even the watermark can tell which entries were there.
    var done = 0
    disk.refusal = { call, asked in
      guard call == failing, asked == name || asked == Watermark.name else { return nil }
      done += 1
      return done > reads ? .inputOutput : nil
    }

    let meanwhile = try LogBench(on: disk)
    meanwhile.append("meanwhile")

    disk.refusal = { _, _ in nil }
    let again = try LogBench(on: disk).log.everything()
    #expect(Array(again.prefix(entries.count)) == entries)
    #expect(again.last == .line(meanwhile.lines[0]))
  }

  // MARK: Headers

  @Test func `damaged headers cost no entry and no epoch`() throws {
    let disk = MemoryDisk()
    let bench = try Self.fill(disk)
    for name in try segments(disk) { disk[name]?[20] ^= 1 }

    let again = try LogBench(on: disk)

    #expect(try again.log.everything() == whole(bench))
    #expect(again.log.epochs == bench.log.epochs, "they are beside the segment too")
    #expect(again.found.opening.damaged == [])
  }

  @Test func `where the last segment does not say its epoch, that before is not gone on with`()
    throws
  {
    let disk = MemoryDisk()
    let bench = try LogBench(on: disk)
    bench.append("a", "b")
    let second = try LogBench(on: disk, boot: "another")
    second.append("c")
    try second.stop()
    disk[SegmentName.entries(Seq(3))]?[20] ^= 1
    disk[SegmentName.state(Seq(3))] = nil

    let again = try LogBench(on: disk, boot: "another", epoch: 99)

    let fresh = again.log.epochs.last
    #expect(fresh?.epoch == LogBench.epoch(99))
    #expect(fresh?.first == Seq(5))
    #expect(try again.log.everything() == whole(bench) + whole(second))
  }

  @Test func `a header that only lacks its newline is one`() throws {
    let disk = MemoryDisk()
    let bench = try LogBench(on: disk)
    bench.append("a")
    let name = SegmentName.entries(Seq(1))
    let end = try #require(disk[name]?.firstIndex(of: 10))
    disk[name]?[end] ^= 1
    disk[SegmentName.state(Seq(1))] = nil

    let again = try LogBench(on: disk)

    #expect(again.log.epochs == bench.log.epochs)
    #expect(!again.found.opening.isNewEpoch)
    #expect(try again.log.everything() == whole(bench))
  }

  @Test(arguments: [true, false])
  func `without any header a new epoch begins, and that is told`(isMarked: Bool) throws {
    let disk = MemoryDisk()
    let bench = try LogBench(on: disk)
    bench.append("a", "b")
    disk[SegmentName.entries(Seq(1))]?[20] ^= 1
    disk[SegmentName.state(Seq(1))] = nil
    if !isMarked { disk[Watermark.name] = nil }

    let again = try LogBench(on: disk, epoch: 99)

    #expect(again.found.opening.isNewEpoch)
    let before = isMarked ? bench.log.epochs : []
    #expect(again.log.epochs.dropLast().map(\.epoch) == before.map(\.epoch))
    #expect(again.log.epochs.last?.epoch == LogBench.epoch(99))
    #expect(again.log.epochs.last?.first == Seq(3))
    #expect(try again.log.everything() == whole(bench))
  }
}
