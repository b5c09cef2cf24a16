// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yLog

/// The state within the segment that is appended to: borne out by its entries, or as good as not
/// there.
@Suite struct LatestStateTests {
  let disk = MemoryDisk()

  /// One that no entry has brought, so that it tells where a state comes from.
  private static func sign(_ number: Int) -> UsedKey {
    UsedKey(uid: 1, app: "sign", key: "sign \(number)", seq: Seq(1), mono: 0)
  }

  /// Writes one with as many signs of this number.
  private func writeLatest(_ log: EventLog, _ number: Int = 1, signs: Int = 1) {
    beginLatest(log, number, signs: signs)
    while log.isWritingLatest { log.advanceLatest(budget: 10_000) }
  }

  private func beginLatest(_ log: EventLog, _ number: Int, signs: Int = 1) {
    log.beginLatest(KeyState(keys: Array(repeating: Self.sign(number), count: signs)))
  }

  /// Ten entries, a state, and ten more.
  private func fill() throws -> LogBench {
    let bench = try LogBench(on: disk)
    for number in 0..<10 { bench.append(["text \(number)"]) }
    writeLatest(bench.log)
    for number in 10..<20 { bench.append(["text \(number)"], dedupe: "key \(number)") }
    return bench
  }

  private func isUsed(_ found: Recovery) -> Bool { sign(found) != nil }

  /// Which of the states a start has gone on from.
  private func sign(_ found: Recovery) -> Int? {
    (0..<10).first { found.state.keys.contains(Self.sign($0)) }
  }

  /// Three states, each an entry behind the one before, and what the file that was written twice
  /// held after the first and the third.
  private func fillThrice(signs: [Int]) throws -> (first: [UInt8], third: [UInt8]) {
    let bench = try LogBench(on: disk)
    var texts: [[UInt8]] = []
    for number in 1...3 {
      bench.append(["text \(number)"])
      writeLatest(bench.log, number, signs: signs[number - 1])
      texts.append(try #require(disk[SegmentName.latest[0]]))
    }
    bench.append(["the last"], dedupe: "the last")
    return (texts[0], texts[2])
  }

  @Test func `a start goes on from there`() throws {
    let bench = try fill()

    let found = try LogBench.recover(disk.copy())

    #expect(isUsed(found))
    #expect(found.checkpoint.after == bench.log.last)
    #expect(found.state.keys.count == 11, "those behind it count too")
  }

  @Test func `it stays where it is when the next segment has begun`() throws {
    let bench = try fill()
    bench.log.roll(mono: bench.mono)
    bench.append(["the next"])

    #expect(!isUsed(try LogBench.recover(disk.copy())))
  }

  @Test func `it is not believed where an entry before it is damaged`() throws {
    _ = try fill()
    let name = SegmentName.entries(Seq(1))
    let lines = LogBench.split(disk.text(name))
    for line in 1...20 {
      let copy = disk.copy()
      let place = lines[..<line].reduce(0) { $0 + $1.utf8.count } + 40
      copy[name]?[place] ^= 4

      let found = try LogBench.recover(copy)

      #expect(isUsed(found) == (line > 10), "line \(line)")
      #expect(found.checkpoint.after == Seq(line == 20 ? 19 : 20))
    }
  }

  @Test func `it is not believed where the entries end before it`() throws {
    _ = try fill()
    let name = SegmentName.entries(Seq(1))
    let lines = LogBench.split(disk.text(name))
    for kept in 1...20 {
      let copy = disk.copy()
      copy[name] = Array(lines[...kept].joined().utf8)
      copy[Watermark.name] = nil

      #expect(isUsed(try LogBench.recover(copy)) == (kept >= 10), "\(kept) entries")
    }
  }

  @Test func `whatever byte of it is damaged, the one beside the segment does`() throws {
    _ = try fill()
    let whole = try #require(disk[SegmentName.latest[0]])
    for byte in stride(from: 0, to: whole.count, by: max(1, whole.count / 150)) {
      let copy = disk.copy()
      copy[SegmentName.latest[0]]?[byte] ^= 4

      let found = try LogBench.recover(copy)

      #expect(!isUsed(found), "byte \(byte)")
      #expect(found.state.keys.count == 10, "byte \(byte)")
    }
  }

  // MARK: In turn

  @Test func `of two the newer one counts`() throws {
    let bench = try LogBench(on: disk)
    for number in 1...5 {
      bench.append(["text \(number)"])
      writeLatest(bench.log, number)

      #expect(sign(try LogBench.recover(disk.copy())) == number)
    }
  }

  @Test func `wherever writing has ended, one of them is whole`() throws {
    let (first, third) = try fillThrice(signs: [3, 3, 3])
    #expect(first.count == third.count)
    let end = third.count - 60
    for cut in Array(stride(from: 0, to: end, by: 13)) + Array(end...third.count) {
      let text = Array(third[..<cut] + first[cut...])
      disk[SegmentName.latest[0]] = text

      let found = try LogBench.recover(disk.copy())

      #expect(sign(found) == (text == third ? 3 : 2), "cut at \(cut)")
      #expect(found.state.keys.last?.key == "the last")
    }
  }

  @Test func `lines of two states are none, be each of them whole and their number right`() throws {
    let (first, third) = try fillThrice(signs: [3, 3, 3])
    let old = first.split(separator: UInt8(ascii: "\n"))
    let new = third.split(separator: UInt8(ascii: "\n"))
    #expect(old.map(\.count) == new.map(\.count))
    var dice = Dice()
    for _ in 0..<300 {
      let isNew = new.map { _ in dice.once(in: 2) }
      let lines = zip(isNew, zip(old, new)).map { $0 ? $1.1 : $1.0 }
      disk[SegmentName.latest[0]] = Array(lines.map { $0 + [UInt8(ascii: "\n")] }.joined())

      let found = try LogBench.recover(disk.copy())

      #expect(sign(found) == (lines == new ? 3 : 2), "seed \(dice.seed): \(isNew)")
    }
  }

  @Test func `where the newer one is not borne out, the older one may be`() throws {
    _ = try fillThrice(signs: [1, 1, 1])
    let name = SegmentName.entries(Seq(1))
    let lines = LogBench.split(disk.text(name))
    disk[Watermark.name] = nil
    for (kept, expected) in [(4, 3), (3, 3), (2, 2), (1, nil)] {
      disk[name] = Array(lines[...kept].joined().utf8)

      #expect(sign(try LogBench.recover(disk.copy())) == expected, "\(kept) entries")
    }
  }

  @Test func `nothing of a longer one stays behind a shorter one`() throws {
    let bench = try LogBench(on: disk)
    for (number, signs) in [(1, 900), (2, 1), (3, 1), (4, 1)] {
      bench.append(["text \(number)"])
      writeLatest(bench.log, number, signs: signs)
      #expect(sign(try LogBench.recover(disk.copy())) == number)
    }

    for name in SegmentName.latest { #expect(!disk.text(name).contains("sign 1")) }
  }

  @Test func `nor of what another process has left there`() throws {
    writeLatest(try fill().log, 1, signs: 900)
    let bench = try LogBench(on: disk)
    for number in 2...3 {
      bench.append(["text"])
      writeLatest(bench.log, number)
    }

    for name in SegmentName.latest { #expect(!disk.text(name).contains("sign 1")) }
  }

  @Test func `they are written in place, in slices`() throws {
    let bench = try LogBench(on: disk)
    for number in 1...2 {
      bench.append(["text \(number)"])
      writeLatest(bench.log, number, signs: 900)
    }
    disk.refusal = { call, _ in call == .create || call == .rename ? .noSpace : nil }
    let before = disk.writes.count
    for number in 3...4 {
      bench.append(["text \(number)"])
      // The rest of the longer one is blanked in slices, too.
      beginLatest(bench.log, number)
      while bench.log.isWritingLatest { bench.log.advanceLatest(budget: 10_000) }
    }
    let writes = disk.writes.dropFirst(before).filter { SegmentName.latest.contains($0.name) }

    #expect(sign(try LogBench.recover(disk.copy())) == 4)
    #expect(writes.count > 10)
    #expect(writes.allSatisfy { $0.bytes < 20_000 })
  }

  @Test func `one that could not be written to its end leaves the other alone`() throws {
    let bench = try LogBench(on: disk)
    for number in 1...2 {
      bench.append(["text \(number)"])
      writeLatest(bench.log, number, signs: 900)
    }
    for number in 3...5 {
      bench.append(["text \(number)"])
      beginLatest(bench.log, number, signs: 900)
      bench.log.advanceLatest(budget: 10_000)
      disk.refusal = { call, _ in call == .write ? .inputOutput : nil }
      bench.log.advanceLatest(budget: 10_000)
      disk.refusal = { _, _ in nil }

      #expect(!bench.log.isWritingLatest)
      #expect(sign(try LogBench.recover(disk.copy())) == 2)
    }
  }

  @Test func `what is not a file is put aside`() throws {
    let bench = try LogBench(on: disk)
    for name in SegmentName.latest { disk.putFolder(name) }
    for number in 1...2 {
      bench.append(["text \(number)"])
      writeLatest(bench.log, number)
    }

    #expect(sign(try LogBench.recover(disk.copy())) == 2)
  }

  // MARK: When

  @Test func `it is wanted again and again, and not before it is worth it`() throws {
    var policy = LogBench.endless
    policy.segmentBytes = 640_000
    let bench = try LogBench(on: disk, policy: policy)
    var wishes = 0
    var size: Int64 = bench.log.active.end
    while bench.log.active.end < 400_000 {
      bench.append(["some text"])
      guard bench.log.wantsLatest else { continue }
      #expect(bench.log.active.end - size >= 20_000)
      size = bench.log.active.end
      wishes += 1
      writeLatest(bench.log)
    }
    #expect(wishes > 5)
  }

  @Test func `forgetting takes them away before anything else`() throws {
    let bench = try fill()
    _ = bench.log.prepareForgetting(mono: bench.mono)
    writeLatest(bench.log)
    beginLatest(bench.log, 2, signs: 900)
    bench.log.advanceLatest(budget: 1_000)
    for name in SegmentName.latest { #expect(disk[name] != nil) }

    _ = bench.log.beginForgetting(
      Selection(apps: ["bench"], uids: nil, before: nil),
      in: KeyState.self
    )

    for name in SegmentName.latest { #expect(disk[name] == nil) }
    #expect(!bench.log.isWritingLatest)
    writeLatest(bench.log, 3)
    #expect(!disk.text(SegmentName.latest[0]).contains("sign 2"))
  }
}
