// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yEngine
import A11yModel
import A11yRules
import A11yTestKit
import A11yWire
import Testing

@testable import A11yCore
@testable import A11yLog

/// The state within the segment that is appended to: borne out by its entries, or as good as not there.
@Suite struct LatestStateTests {
  let disk = MemoryDisk()

  /// One that no entry has brought, so that it tells where a state comes from.
  private static let sign = UsedKey(uid: 1, app: "sign", key: "sign", seq: Seq(1), mono: 0)

  private func writeLatest(_ log: EventLog) {
    log.beginLatest(
      engine: Engine(rules: RuleSet()),
      keys: [Self.sign][...],
      secrets: ForgottenSecrets()
    )
    while log.isWritingLatest { log.advanceLatest(budget: 10_000) }
  }

  /// Ten entries, a state, and ten more.
  private func fill() throws -> LogBench {
    let bench = try LogBench(on: disk)
    for number in 0..<10 { bench.append(["text \(number)"]) }
    writeLatest(bench.log)
    for number in 10..<20 { bench.append(["text \(number)"], dedupe: "key \(number)") }
    return bench
  }

  private func isUsed(_ found: Recovery) -> Bool { found.state.keys.contains(Self.sign) }

  @Test func `a start goes on from there`() throws {
    let bench = try fill()

    let found = try LogBench.recover(disk.copy())

    #expect(isUsed(found))
    #expect(found.state.after == bench.log.last)
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
      #expect(found.state.after == Seq(line == 20 ? 19 : 20))
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
    let whole = try #require(disk[SegmentName.latest])
    for byte in stride(from: 0, to: whole.count, by: max(1, whole.count / 150)) {
      let copy = disk.copy()
      copy[SegmentName.latest]?[byte] ^= 4

      let found = try LogBench.recover(copy)

      #expect(!isUsed(found), "byte \(byte)")
      #expect(found.state.keys.count == 10, "byte \(byte)")
    }
  }

  @Test func `it is wanted again and again, and not before it is worth it`() throws {
    var policy = LogBench.endless
    policy.segmentBytes = 640_000
    let bench = try LogBench(on: disk, policy: policy)
    var wishes = 0
    var size: Int64 = bench.log.active.end
    while bench.log.active.end < 200_000 {
      bench.append(["some text"])
      guard bench.log.wantsLatest else { continue }
      #expect(bench.log.active.end - size >= 10_000)
      size = bench.log.active.end
      wishes += 1
      writeLatest(bench.log)
    }
    #expect(wishes > 5)
  }

  @Test func `forgetting takes it away before anything else`() throws {
    let bench = try fill()
    _ = bench.log.prepareForgetting(mono: bench.mono)
    writeLatest(bench.log)
    bench.log.beginLatest(
      engine: Engine(rules: RuleSet()),
      keys: [Self.sign][...],
      secrets: ForgottenSecrets()
    )

    _ = bench.log.beginForgetting(Selection(apps: ["bench"], uids: nil, before: nil))

    #expect(disk[SegmentName.latest] == nil)
    #expect(!bench.log.isWritingLatest)
  }
}
