// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yLog

/// A disk that has failed to keep what it took is not believed when it says so the next time.
@Suite struct RescueTests {
  let disk = MemoryDisk()

  private func open(segment: Int64 = .max / 2) throws -> LogBench {
    var policy = LogBench.endless
    policy.segmentBytes = segment
    return try LogBench(on: disk, policy: policy)
  }

  private func lines(_ bench: LogBench) -> [Delivery] { bench.lines.map { .line($0) } }

  private var segments: [String] { disk.names.filter { SegmentName.first(entries: $0) != nil } }

  /// Every entry is there once, now and after a start.
  private func expectWhole(_ bench: LogBench, _ note: Comment? = nil) throws {
    #expect(try bench.log.everything() == lines(bench), note)
    let again = try LogBench(on: disk.copy())
    #expect(try again.log.everything() == lines(bench), note)
    #expect(again.found.opening.damaged == [], note)
  }

  // MARK: Once

  @Test func `entries that the medium has not kept are in another file, the same bytes`() throws {
    let bench = try open()
    bench.append("a", "b")
    bench.append("c")

    #expect(bench.sync(.inputOutput) == .rescued(.inputOutput))

    #expect(bench.log.trouble == nil)
    #expect(bench.log.synced == .none)
    #expect(bench.log.last == Seq(3))
    try expectWhole(bench)
    #expect(segments == [SegmentName.entries(Seq(1))], "nothing of the old one was safe")
    bench.append("d")
    #expect(bench.sync() == .progress)
    #expect(bench.sync() == .progress)
    #expect(bench.log.synced == Seq(4))
    #expect(try LogBench(on: disk.afterPowerLoss()).log.everything() == lines(bench))
  }

  @Test func `they are taken from memory, whatever the medium gives back`() throws {
    let bench = try open()
    for text in ["a", "b", "c"] { bench.append(text) }
    let name = SegmentName.entries(Seq(1))
    for offset in 0..<disk.text(name).utf8.count { disk.flip(name, at: offset) }

    #expect(bench.sync(.inputOutput) == .rescued(.inputOutput))

    try expectWhole(bench)
  }

  @Test func `a file that somebody has removed is written anew, with what was safe`() throws {
    for afterSync in [false, true] {
      let bench = try open()
      bench.append("a", "b")
      if afterSync { bench.syncAll() }
      disk[SegmentName.entries(bench.log.active.first)] = nil
      bench.append("c")

      #expect(bench.sync() == .rescued(.noSuchFile))

      try expectWhole(bench)
      #expect(bench.sync() == .progress)
      #expect(bench.log.synced == bench.log.last)
      #expect(try LogBench(on: disk.afterPowerLoss()).log.everything() == lines(bench))
      for name in disk.names { disk[name] = nil }
    }
  }

  @Test func `an end that finds the file removed writes it anew`() throws {
    let bench = try open()
    bench.append("a")
    bench.syncAll()
    disk[SegmentName.entries(Seq(1))] = nil
    disk[Watermark.name] = nil

    try bench.stop()

    let again = try LogBench(on: disk.afterPowerLoss(), boot: "another")
    #expect(again.found.opening.isClean)
    #expect(try again.log.everything() == lines(bench))
  }

  @Test func `what retention has removed need not be safe`() throws {
    let bench = try open(segment: 400)
    bench.append("a", "b", "c", "d")
    #expect(bench.log.segmentCount == 2)
    bench.log.policy.retainEntries = 0

    #expect(bench.log.retain(now: 0))

    #expect(bench.sync() == .progress)
    bench.append("e")
    bench.syncAll()
    #expect(bench.log.synced == Seq(5))
    #expect(bench.log.trouble == nil)
  }

  @Test func `what was safe stays where it is`() throws {
    let bench = try open()
    bench.append("a", "b")
    #expect(bench.sync() == .progress)
    bench.append("c", "d")

    #expect(bench.sync(.inputOutput) == .rescued(.inputOutput))

    #expect(segments == [Seq(1), Seq(3)].map { SegmentName.entries($0) })
    #expect(bench.log.active.first == Seq(3))
    try expectWhole(bench)
    bench.append("e")
    bench.syncAll()
    #expect(bench.log.synced == Seq(5))
    try expectWhole(bench)
  }

  @Test func `what came while the disk was asked is rescued too`() throws {
    let bench = try open()
    bench.append("a")
    bench.log.synchronize()
    bench.append("b")
    bench.syncing.fail(.inputOutput)

    #expect(bench.log.takeSyncAnswer(mono: bench.mono) == .rescued(.inputOutput))
    try expectWhole(bench)
  }

  @Test(arguments: 0...4)
  func `several segments that were filled faster than the disk are one afterwards`(
    asked: Int
  ) throws {
    let bench = try open(segment: 700)
    for number in 0..<asked {
      bench.append("first \(number)")
      bench.syncAll()
    }
    while bench.log.segmentCount < asked / 3 + 4 { bench.append("a", "b") }
    bench.append("c")
    let synced = bench.log.synced

    #expect(bench.sync(.inputOutput) == .rescued(.inputOutput))

    #expect(bench.log.active.first == synced.next)
    #expect(segments.last == SegmentName.entries(synced.next))
    try expectWhole(bench)
    bench.append("d")
    bench.syncAll()
    bench.append("e")
    try expectWhole(bench)
    #expect(bench.log.synced == bench.log.last.previous)
  }

  @Test func `the header of the new one hangs on what is left of the old one`() throws {
    let bench = try open()
    bench.append("a", "b")
    _ = bench.sync()
    bench.append("c")
    _ = bench.sync(.inputOutput)

    let header = try JSON(LogBench.split(disk.text(SegmentName.entries(Seq(3))))[0])

    #expect(header["previous"]["last"] == 2)
    #expect(header["previous"]["count"] == 2)
    #expect(header["rescued"] == 3)
    #expect(header["first"] == 3)
  }

  // MARK: Not twice

  @Test func `the second time it is trouble, until the disk has kept something`() throws {
    let bench = try open()
    bench.append("a")
    #expect(bench.sync(.inputOutput) == .rescued(.inputOutput))
    #expect(bench.sync(.inputOutput) == .failed(.inputOutput))
    #expect(bench.log.trouble == .inputOutput)
    bench.append("b")
    #expect(try bench.log.everything() == lines(bench))

    // It takes what it is given; only when it has kept it, it is believed.
    #expect(!bench.log.heal())
    #expect(bench.log.trouble == .inputOutput)
    #expect(bench.sync(.inputOutput) == .failed(.inputOutput))
    #expect(!bench.log.heal())
    #expect(bench.sync() == .progress)

    #expect(bench.log.trouble == nil)
    bench.append("c")
    bench.syncAll()
    #expect(bench.log.synced == bench.log.last)
    try expectWhole(bench)
    // From now on it is believed once more.
    bench.append("d")
    #expect(bench.sync(.inputOutput) == .rescued(.inputOutput))
    try expectWhole(bench)
  }

  @Test func `where the new file cannot be written either, there is trouble at once`() throws {
    let bench = try open(segment: 700)
    bench.append("a")
    bench.syncAll()
    for _ in 0..<5 { bench.append("b", "c") }
    disk.refusal = { call, _ in call == .create ? .noSpace : nil }

    #expect(bench.sync(.inputOutput) == .failed(.noSpace))
    #expect(bench.log.trouble == .noSpace)
    bench.append("d")
    #expect(try bench.log.everything() == lines(bench))

    disk.refusal = { _, _ in nil }
    _ = bench.log.heal()
    bench.syncAll()
    #expect(bench.log.trouble == nil)
    #expect(bench.log.synced == bench.log.last)
    bench.append("e")
    try expectWhole(bench)
    let first = try #require(segments.firstIndex(of: SegmentName.entries(bench.log.known[1].first)))
    #expect(segments.count - first <= 2, "those that were given up are gone")
  }

  @Test func `a file that alone has what is in memory is not dropped to make room`() throws {
    let bench = try open()
    bench.append("a", "b")
    bench.syncAll()
    bench.append("c", "d")
    disk.refusal = { call, _ in call == .create ? .noSpace : nil }
    #expect(bench.sync(.noSpace) == .failed(.noSpace))
    bench.append("e")

    bench.log.policy.retainEntries = 1
    #expect(!bench.log.retain(now: 0))

    #expect(try LogBench(on: disk.copy()).log.everything().suffix(2) == lines(bench)[2...3])
    disk.refusal = { _, _ in nil }
    _ = bench.log.heal()
    bench.syncAll()
    bench.append("f")
    #expect(bench.log.retain(now: 0))
    #expect(try bench.log.everything() == lines(bench).suffix(4))
  }

  @Test func `nor is it where several segments are in memory behind it`() throws {
    let bench = try open()
    bench.append("a", "b")
    bench.syncAll()
    bench.append("c", "d")
    disk.refusal = { call, _ in call == .create ? .noSpace : nil }
    #expect(bench.sync(.noSpace) == .failed(.noSpace))
    while bench.log.segmentCount < 4 { bench.append(String(repeating: "e", count: 100_000)) }

    bench.log.policy.retainEntries = 1
    #expect(!bench.log.retain(now: 0))

    #expect(try LogBench(on: disk.copy()).log.everything().suffix(2) == lines(bench)[2...3])
  }

  // MARK: At the end

  @Test func `a stop whose medium has lost something writes it anew, and is clean`() throws {
    let bench = try open(segment: 700)
    for _ in 0..<6 { bench.append("a", "b") }
    var isFirst = true
    disk.refusal = { call, _ in
      guard call == .synchronize, isFirst else { return nil }
      isFirst = false
      return .inputOutput
    }

    try bench.stop()

    #expect(!isFirst)
    #expect(bench.log.synced == bench.log.last)
    let again = try LogBench(on: disk.afterPowerLoss(), boot: "another")
    #expect(again.found.opening == LogOpening())
    #expect(try again.log.everything() == lines(bench))
  }

  @Test func `a stop hears of the failure that was on its way`() throws {
    let bench = try open()
    bench.append("a", "b")
    bench.log.synchronize()
    bench.syncing.fail(.inputOutput)

    try bench.stop()

    #expect(bench.log.active.header?.rescued == Seq(3))
    #expect(try LogBench(on: disk.afterPowerLoss()).log.everything() == lines(bench))
  }

  @Test func `a stop whose medium keeps nothing is no clean one`() throws {
    let bench = try open()
    bench.append("a", "b")
    disk.refusal = { call, _ in call == .synchronize ? .inputOutput : nil }

    #expect(throws: Errno.inputOutput) { try bench.stop() }

    #expect(!disk.text(SegmentName.entries(Seq(1))).contains("\"closed\":{"))
    disk.refusal = { _, _ in nil }
    #expect(!(try LogBench.recover(disk.copy()).opening.isClean))
    #expect(bench.log.synced == .none)
    #expect(try LogBench.recover(disk.afterPowerLoss(), "another").opening.isNewEpoch)
  }

  // MARK: In odd moments

  @Test func `what the daemon before has left is not given up with what is new`() throws {
    let before = try open()
    before.append("a", "b")

    let bench = try open()
    bench.append("c")
    #expect(bench.sync(.inputOutput) == .rescued(.inputOutput))

    #expect(try bench.log.everything() == lines(before) + lines(bench))
    #expect(try LogBench(on: disk.copy()).log.everything() == lines(before) + lines(bench))
  }

  @Test func `what the daemon before has left with a damaged end keeps its gap`() throws {
    let before = try open()
    before.append("a", "b", "c")
    before.syncAll()
    let name = SegmentName.entries(Seq(1))
    disk[name]?.removeLast(200)
    let kept = disk.text(name).split(separator: "\n").count { $0.hasPrefix("{\"seq\":") } - 1

    let bench = try open()
    bench.append("d")
    bench.append("e")
    let expected = try bench.log.everything()
    let gap = Delivery.gap(Int64(kept + 1)...3, isStorage: false)
    #expect(expected == lines(before).prefix(kept) + [gap] + lines(bench))
    #expect(bench.sync(.inputOutput) == .rescued(.inputOutput))

    #expect(try bench.log.everything() == expected)
    for (index, line) in bench.lines.enumerated() {
      let seq = Seq(Int64(4 + index))
      let segment = bench.log.segment(holding: seq)
      var found = ByteBuffer(capacity: 0)
      let place = try #require(try segment.place(of: seq))
      _ = try segment.read(into: &found, at: place.offset, room: line.utf8.count)
      let text = found.bytes.string
      #expect(text == line)
    }
    bench.syncAll()
    #expect(try LogBench(on: disk.copy()).log.everything() == expected)
  }

  @Test func `what memory had no room for stays a gap of the storage`() throws {
    let bench = try open()
    bench.append("a")
    bench.log.synchronize()
    disk.refusal = { call, _ in call == .write || call == .create ? .noSpace : nil }
    let text = String(repeating: "x", count: 63_000)
    for _ in 0..<330 { bench.append(text) }
    let expected = try bench.log.everything()
    #expect(expected.count { if case .gap(_, isStorage: true) = $0 { true } else { false } } == 1)

    bench.syncing.fail(.inputOutput)
    _ = bench.log.takeSyncAnswer(mono: bench.mono)
    #expect(try bench.log.everything() == expected)

    disk.refusal = { _, _ in nil }
    _ = bench.log.heal()
    bench.syncAll()
    #expect(bench.log.trouble == nil)
    #expect(try bench.log.everything() == expected)
    #expect(try LogBench(on: disk.copy()).log.everything() == expected)
  }

  @Test func `what was in memory before, and is on disk now, is rescued like the rest`() throws {
    let bench = try open()
    bench.append("a")
    bench.syncAll()
    disk.refusal = { call, _ in call == .write || call == .create ? .noSpace : nil }
    bench.append("b")
    bench.append("c")
    disk.refusal = { _, _ in nil }
    #expect(bench.log.heal())
    bench.append("d")

    #expect(bench.sync(.inputOutput) == .rescued(.inputOutput))

    try expectWhole(bench)
    bench.syncAll()
    #expect(bench.log.synced == Seq(4))
    try expectWhole(bench)
  }

  @Test func `where more has been written than is kept, the rest is taken from the file`() throws {
    let bench = try open()
    let text = String(repeating: "x", count: 63_000)
    for _ in 0..<300 { bench.append(text) }

    #expect(bench.sync(.inputOutput) == .rescued(.inputOutput))

    #expect(segments.count == 1)
    #expect(bench.log.active.header?.rescued == Seq(300))
    try expectWhole(bench)
  }

  // MARK: A crash in between

  @Test func `a crash between any two steps leaves every entry there once`() throws {
    for failures in 1...2 {
      for asked in [0, 2] {
        let disk = MemoryDisk()
        var policy = LogBench.endless
        policy.segmentBytes = 700
        let bench = try LogBench(on: disk, policy: policy)
        for _ in 0..<asked {
          bench.append("a")
          bench.syncAll()
        }
        for _ in 0..<6 { bench.append("b", "c") }
        for _ in 1..<failures { _ = bench.sync(.inputOutput) }
        var moments: [MemoryDisk] = []
        disk.refusal = { [unowned disk] _, _ in
          moments.append(disk.copy())
          return nil
        }
        _ = bench.sync(.inputOutput)
        _ = bench.log.heal()
        disk.refusal = { _, _ in nil }
        moments.append(disk.copy())

        #expect(moments.count > 3)
        for (index, moment) in moments.enumerated() {
          let note = Comment(rawValue: "before step \(index), after \(failures) failures")
          let again = try LogBench(on: moment, policy: policy)
          #expect(try again.log.everything() == lines(bench), note)
          #expect(again.log.last == bench.log.last, note)
          again.append("more")
          again.append("and more")
          let once = try LogBench(on: moment.copy())
          #expect(try once.log.everything() == lines(bench) + lines(again), note)
        }
      }
    }
  }
}
