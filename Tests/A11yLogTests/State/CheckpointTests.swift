// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yLog

/// A start restores the state from the file beside a segment and the entries behind it.
@Suite struct CheckpointTests {
  let disk = MemoryDisk()

  private func open(segment: Int64 = 2_000) throws -> LogBench {
    var policy = LogBench.endless
    policy.segmentBytes = segment
    return try LogBench(on: disk, policy: policy)
  }

  /// The keys that a start remembers, each with its entry's seq.
  private func remembered() throws -> [String] {
    try LogBench.recover(disk).state.keys.map { "\($0.uid) \($0.app) \($0.key) \($0.seq.number)" }
  }

  @Test(arguments: [true, false])
  func `a start remembers keys of all segments, oldest first`(isClosed: Bool) throws {
    let bench = try open()
    for number in 0..<12 {
      bench.append(["some text that takes room in its segment"])
      bench.append(["a"], dedupe: "key \(number)")
    }
    if isClosed { try bench.stop() }

    #expect(bench.log.segmentCount > 2)
    #expect(try remembered() == (0..<12).map { "1000 bench key \($0) \(2 + 2 * $0)" })
  }

  @Test(arguments: [0, 1, 2])
  func `where no state of the past can be read, a start says from where on it knows`(
    kept: Int
  ) throws {
    let bench = try open(segment: 600)
    for number in 0..<12 { bench.append(["text \(number)"], dedupe: "key \(number)") }
    try bench.stop()
    let segments = disk.names.filter { $0.hasSuffix(".ndjson") }
    let first = try #require(SegmentName.first(entries: segments[segments.count - 2]))
    // As retention would have it, and then somebody who takes state files for superfluous.
    for name in disk.names where name < SegmentName.entries(first) { try disk.remove(name) }
    let states = disk.names.filter { $0.hasSuffix(".state") }
    #expect(states.count == 2)
    for name in states.dropFirst(kept) { try disk.remove(name) }

    let found = try LogBench.recover(disk)

    #expect(found.opening.knownFrom == (kept == 0 ? first : nil))
    #expect(found.state.keys.count == (kept == 0 ? 12 - Int(first.previous.number) : 12))
  }

  @Test func `a state belongs to the segment that it was written beside, to no other of its name`()
  {
    func header(_ epochs: Int..., boot: String = LogBench.boot, began: Int64 = 7) -> SegmentHeader {
      SegmentHeader(
        first: Seq(5),
        epochs: epochs.map { EpochStart(epoch: LogBench.epoch($0), first: Seq(1)) },
        boot: boot,
        began: began,
        clockOffset: 0,
        previous: nil
      )
    }
    let checkpoint = Checkpoint<KeyState>(after: Seq(9), beside: header(1, 2))

    #expect(checkpoint.belongs(to: header(1, 2), through: Seq(9)))
    #expect(checkpoint.belongs(to: header(1, 2, 3), through: Seq(9)), "a later start has begun it")
    #expect(checkpoint.belongs(to: nil, through: Seq(9)), "nothing says that it does not")
    #expect(!checkpoint.belongs(to: header(1, 2), through: Seq(8)))
    #expect(!checkpoint.belongs(to: header(1, 3), through: Seq(9)))
    #expect(!checkpoint.belongs(to: header(1), through: Seq(9)))
    #expect(!checkpoint.belongs(to: header(1, 2, boot: "c"), through: Seq(9)))
    #expect(!checkpoint.belongs(to: header(1, 2, began: 8), through: Seq(9)))
  }

  @Test func `a log with all its entries needs no state to know everything`() throws {
    let bench = try open(segment: 600)
    for number in 0..<12 { bench.append(["text \(number)"], dedupe: "key \(number)") }
    try bench.stop()
    for name in disk.names where name.hasSuffix(".state") { try disk.remove(name) }

    let found = try LogBench.recover(disk)

    #expect(found.opening.knownFrom == nil)
    #expect(found.state.keys.count == 12)
  }
}
