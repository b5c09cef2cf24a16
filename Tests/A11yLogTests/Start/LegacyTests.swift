// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yLog

/// Segments that a killed daemon has left in the machine's memory are written anew, and delivered
/// from there.
@Suite struct LegacyTests {
  let disk = MemoryDisk()

  private func open(segment: Int64 = .max / 2, boot: String = LogBench.boot) throws -> LogBench {
    var policy = LogBench.endless
    policy.segmentBytes = segment
    return try LogBench(on: disk, policy: policy, boot: boot)
  }

  private func lines(_ benches: LogBench...) -> [Delivery] {
    benches.flatMap(\.lines).map { .line($0) }
  }

  private var segments: [String] { disk.names.filter { SegmentName.first(entries: $0) != nil } }

  private func names(_ firsts: Int64...) -> [String] { firsts.map { SegmentName.entries(Seq($0)) } }

  @Test func `what the medium had not confirmed is in the new segment, and safe`() throws {
    let before = try open()
    before.append("a", "b")
    before.syncAll()
    before.append("c", "d")

    let bench = try open()
    #expect(bench.log.synced == Seq(4))
    #expect(bench.log.active.first == Seq(3))
    bench.append("e")

    #expect(segments == names(1, 3))
    #expect(try bench.log.everything() == lines(before, bench))
    let safe = try LogBench(on: disk.afterPowerLoss(), boot: "another")
    #expect(try safe.log.everything() == lines(before))
    #expect(safe.log.last == Seq(4))
  }

  @Test func `its header hangs on what stays of the one before`() throws {
    let before = try open()
    before.append("a", "b")
    before.syncAll()
    let end = before.log.active.state
    before.append("c", "d")

    let header = try open().log.active.header

    #expect(header?.previous == end)
    #expect(header?.rescued == Seq(4))
  }

  @Test func `every entry stands in one place`() throws {
    let before = try open()
    before.append("a", "b")
    before.syncAll()
    before.append("c", "d")
    #expect(before.sync(.inputOutput) == .rescued(.inputOutput))

    let bench = try open()
    bench.append("e")

    #expect(try bench.log.everything() == lines(before, bench))
    let stored = segments.flatMap { LogBench.split(disk.text($0)) }
    #expect(stored.filter { $0.hasPrefix("{\"seq\":") } == before.lines + bench.lines)
  }

  @Test func `where nothing was confirmed the new segment takes the place of the old one`() throws {
    let before = try open(segment: 700)
    for _ in 0..<6 { before.append("a", "b") }
    #expect(segments.count > 2)

    let bench = try open()

    #expect(segments == names(1))
    #expect(bench.log.synced == bench.log.last)
    #expect(try bench.log.everything() == lines(before))
    #expect(try LogBench(on: disk.copy()).log.everything() == lines(before))
  }

  @Test func `another boot finds what the medium has, and takes nothing over`() throws {
    let before = try open()
    before.append("a", "b")

    let bench = try open(boot: "another")
    bench.append("c")

    #expect(segments == names(1, 3))
    #expect(bench.log.active.header?.rescued == nil)
    #expect(bench.log.synced == Seq(2))
    #expect(try bench.log.everything() == lines(before, bench))
  }

  @Test func `after a clean stop there is nothing to be taken over`() throws {
    let before = try open()
    before.append("a", "b")
    try before.stop()

    let bench = try open()

    #expect(segments == names(1, 4))
    #expect(bench.log.active.header?.rescued == nil)
  }

  @Test(arguments: [MemoryDisk.Call.create, .write, .synchronize, .rename, .synchronizeNames])
  func `a start that cannot write it has it in memory, and replaces nothing that was safe`(
    failing: MemoryDisk.Call
  ) throws {
    let before = try open()
    before.append("a", "b")
    before.syncAll()
    before.append("c", "d")
    disk.refusal = { call, _ in call == failing ? .inputOutput : nil }

    let bench = try open()
    #expect(bench.log.trouble == .inputOutput)
    #expect(bench.log.synced == Seq(2))
    bench.append("e")
    #expect(try bench.log.everything() == lines(before, bench))
    #expect(try LogBench(on: disk.copy()).log.last >= Seq(4))
    let safe = try LogBench(on: disk.afterPowerLoss(), boot: "another")
    #expect(try safe.log.everything().prefix(2) == lines(before).prefix(2))

    disk.refusal = { _, _ in nil }
    #expect(bench.log.heal())
    bench.syncAll()
    #expect(try bench.log.everything() == lines(before, bench))
    let again = try LogBench(on: disk.afterPowerLoss(), boot: "another")
    #expect(try again.log.everything() == lines(before, bench))
  }

  @Test func `what a start delivers that the medium knows nothing of has an epoch of its own`()
    throws
  {
    let before = try open()
    before.append("a")
    try before.stop()
    disk.refusal = { call, _ in call == .create || call == .write ? .readOnlyFileSystem : nil }

    let bench = try open(boot: "another")
    bench.append("b")

    #expect(bench.log.opening.isNewEpoch)
    #expect(bench.log.epochs.last?.first == Seq(3))
    disk.refusal = { _, _ in nil }
    let again = try LogBench(on: disk.afterPowerLoss(), boot: "a third")
    #expect(again.log.epochs == before.log.epochs)
    #expect(again.log.last == Seq(2))
    // And where the disk takes it in the end, it is part of the log.
    #expect(bench.log.heal())
    bench.syncAll()
    let healed = try LogBench(on: disk.afterPowerLoss(), boot: "a third")
    #expect(healed.log.epochs.starts(with: bench.log.epochs))
    #expect(try healed.log.everything() == lines(before, bench))
  }

  @Test func `what is damaged of it is a gap, and put aside`() throws {
    let before = try open()
    before.append("a", "b", "c", "d", "e")
    let name = names(1)[0]
    let place = try #require(disk.text(name).firstRange(of: #""text":"c""#))
    let offset = disk.text(name).utf8.distance(
      from: disk.text(name).startIndex,
      to: place.lowerBound
    )
    disk.flip(name, at: offset + 9)

    let bench = try open()
    bench.append("f")

    let expected = lines(before).prefix(2) + [.gap(3...3, isStorage: false)]
    #expect(try bench.log.everything() == expected + lines(before).suffix(2) + lines(bench))
    #expect(try LogBench(on: disk.copy()).log.everything() == bench.log.everything())
    #expect(disk.names(below: Quarantine.folder).count == 1)
  }

  @Test func `what cannot be read now stays where it is`() throws {
    let before = try open()
    before.append("a", "b")
    let name = names(1)[0]
    var reads = 0
    disk.refusal = { call, asked in
      guard call == .read, asked == name else { return nil }
      reads += 1
      return reads > 4 ? .inputOutput : nil
    }

    let bench = try open()
    bench.append("c")

    #expect(disk.text(name).contains(before.lines[0] + before.lines[1]))
    disk.refusal = { _, _ in nil }
    let again = try LogBench(on: disk.copy()).log.everything()
    #expect(Array(again.prefix(2)) == lines(before))
  }

  @Test func `a start that was killed in between is made up for by the next`() throws {
    let before = try open(segment: 700)
    for _ in 0..<4 { before.append("a") }
    before.syncAll()
    for _ in 0..<6 { before.append("b", "c") }
    var moments: [MemoryDisk] = []
    disk.refusal = { [unowned disk] _, _ in
      moments.append(disk.snapshot())
      return nil
    }
    _ = try open()

    #expect(moments.count > 6)
    for (index, moment) in moments.enumerated() {
      let note = Comment(rawValue: "before step \(index)")
      let again = try LogBench(on: moment)
      #expect(try again.log.everything() == lines(before), note)
      let safe = try LogBench(on: moment.afterPowerLoss(), boot: "another")
      #expect(try safe.log.everything().prefix(4) == lines(before).prefix(4), note)
    }
  }

  @Test func `what is to be forgotten goes from where it stands unseen, too`() throws {
    let before = try open()
    before.append("a", "b")
    before.syncAll()
    before.append("hidden")
    disk.refusal = { call, _ in call == .truncate ? .inputOutput : nil }
    let bench = try open()
    disk.refusal = { _, _ in nil }
    bench.append("c")
    #expect(disk.text(names(1)[0]).contains("hidden"))

    _ = try bench.forget(Selection(apps: ["bench"], uids: nil, before: nil))

    #expect(!segments.contains { disk.text($0).contains("hidden") })
  }
}
