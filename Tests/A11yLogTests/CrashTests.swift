// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yLog

/// A crash at any moment: what was acknowledged is there, and no number means two things.
@Suite struct CrashTests {
  /// The log and the disk at a moment in which the log asked the disk for something.
  private struct Moment {
    let disk: MemoryDisk
    let lines: [String]
    /// Entries up to this one were acknowledged as written.
    let written: Int64
    let synced: Int64
    /// The last entry that has left.
    let left: Cursor?
    let epoch: EpochStart?
    /// Entries from this one on have to be there.
    let first: Int64
  }

  /// A log that works, and all the moments at which it might have been stopped.
  private final class Story {
    let disk = MemoryDisk()
    private(set) var moments: [Moment] = []
    private var bench: LogBench?
    /// The entries of earlier starts that were found by the last one.
    private var earlier: [String] = []
    private var written: Int64 = 0
    private var synced: Int64 = 0
    private var isFailing = false
    /// Where the log began at the end of the last start.
    private var first: Int64 = 1
    /// Older entries go.
    private var isRetaining = false

    private var lines: [String] { earlier + (bench?.lines ?? []) }

    func play(_ dice: inout Dice, policy: LogPolicy) throws {
      disk.refusal = { [unowned self] call, _ in
        switch call {
        case .names, .measure, .open, .read, .size: return nil
        case .create, .rename, .remove, .makeFolder, .synchronizeNames, .write, .truncate,
          .synchronize:
          remember()
          return isFailing && call != .remove ? .inputOutput : nil
        }
      }
      for _ in 0..<dice.roll(1...2) {
        let before = lines
        let left = bench?.log.cursor
        first = bench?.log.first.number ?? 1
        bench = nil
        earlier = before
        let bench = try LogBench(on: disk, policy: policy, left: left)
        #expect(bench.found.last.number >= written)
        earlier = Array(before.prefix(Int(bench.found.last.number)))
        self.bench = bench
        synced = max(synced, bench.log.synced.number)
        for _ in 0..<dice.roll(5...40) { try step(bench, &dice) }
        isFailing = false
        guard dice.once(in: 2) else { continue }
        _ = bench.log.heal()
        bench.syncAll()
        if bench.log.trouble == nil {
          try bench.stop()
          written = bench.log.last.number
          synced = written
        }
      }
      remember()
      disk.refusal = { _, _ in nil }
    }

    private func step(_ bench: LogBench, _ dice: inout Dice) throws {
      switch dice.roll(1...12) {
      case 1...6:
        bench.append((0..<dice.roll(1...3)).map { _ in "number \(bench.log.last.number)" })
        if bench.log.trouble == nil { written = bench.log.last.number }
      case 7, 8: sync(bench, nil)
      case 9: sync(bench, dice.once(in: 3) ? .inputOutput : nil)
      case 10: isFailing = dice.once(in: 3)
      case 11:
        if bench.log.heal() { written = bench.log.last.number }
      default:
        isRetaining = true
        if dice.once(in: 3) { _ = bench.log.retain(now: 0) }
        isRetaining = false
      }
    }

    private func sync(_ bench: LogBench, _ error: Errno?) {
      _ = bench.sync(error)
      synced = max(synced, bench.log.synced.number)
    }

    private func remember() {
      let log = bench?.log
      moments.append(
        Moment(
          disk: disk.snapshot(),
          lines: lines,
          written: written,
          synced: synced,
          left: log?.cursor,
          epoch: log?.epochs.last,
          first: isRetaining ? .max : log?.first.number ?? first
        )
      )
    }
  }

  private static let policy = LogPolicy(
    segmentBytes: 900,
    retainAge: nil,
    retainBytes: 12_000,
    retainEntries: nil
  )

  @Test func `whenever the daemon is killed, what was written is there, once and in order`() throws
  {
    var dice = Dice()
    for _ in 0..<8 {
      let story = Story()
      try story.play(&dice, policy: Self.policy)
      for (index, moment) in story.moments.enumerated() {
        let note = Comment(rawValue: "moment \(index), seed \(dice.seed)")
        let disk = moment.disk.copy()
        let bench = try LogBench(on: disk, left: moment.left)
        try expect(bench, moment, through: moment.written, note)
      }
    }
  }

  @Test func `whenever the power goes, what was safe is there, once and in order`() throws {
    var dice = Dice()
    for _ in 0..<8 {
      let story = Story()
      try story.play(&dice, policy: Self.policy)
      for (index, moment) in story.moments.enumerated() {
        let note = Comment(rawValue: "moment \(index), seed \(dice.seed)")
        let bench = try LogBench(on: moment.disk.afterPowerLoss(), boot: "another boot")
        try expect(bench, moment, through: moment.synced, note)
      }
    }
  }

  @Test(arguments: [0, 1, 2, 9])
  func `a start that is killed at any step has changed nothing for the next one`(more: Int) throws {
    for isKept in [true, false] {
      let disk = MemoryDisk()
      var policy = Self.policy
      policy.retainBytes = nil
      let bench = try LogBench(on: disk, policy: policy)
      // A full segment whose successor is empty, or has so many entries.
      while bench.log.segmentCount < 4 {
        bench.append(["some text"], dedupe: "\(bench.lines.count)")
      }
      for _ in 0..<more { bench.append(["behind it"], dedupe: "\(bench.lines.count)") }
      if !isKept {
        policy.retainEntries = 0
        bench.log.policy = policy
        _ = bench.log.retain(now: 0)
        #expect(bench.log.segmentCount == 1)
      }
      let before = try bench.log.everything()
      var moments: [MemoryDisk] = []
      disk.refusal = { [unowned disk] _, _ in
        moments.append(disk.snapshot())
        return nil
      }
      _ = try LogBench(on: disk, policy: policy)
      disk.refusal = { _, _ in nil }

      for (index, moment) in moments.enumerated() {
        let note = Comment(rawValue: "before call \(index)")
        let again = try LogBench(on: moment, policy: policy)
        #expect(again.log.epochs == bench.log.epochs, note)
        #expect(again.log.last == bench.log.last, note)
        #expect(again.found.opening.damaged == [], note)
        #expect(try again.log.everything() == before, note)
        #expect(again.found.state.keys == bench.keys, note)
      }
    }
  }

  private func expect(
    _ bench: LogBench,
    _ moment: Moment,
    through acknowledged: Int64,
    _ note: Comment
  ) throws {
    let found = bench.found
    bench.append("behind the crash")
    var next = bench.log.first.number
    if moment.first <= acknowledged { #expect(next <= moment.first, note) }
    for delivery in try bench.log.everything().dropLast() {
      switch delivery {
      case .line(let line):
        #expect(moment.lines.indices.contains(Int(next) - 1), note)
        guard moment.lines.indices.contains(Int(next) - 1) else { return }
        #expect(line == moment.lines[Int(next) - 1], note)
        next += 1
      case .gap(let range, _):
        #expect(range.lowerBound == next, note)
        #expect(range.lowerBound > acknowledged, note)
        next = range.upperBound + 1
      }
    }
    #expect(next == found.last.number + 1, note)
    #expect(found.last.number >= acknowledged, note)
    // A number that a subscriber has heard and the log has lost never comes again in its epoch.
    if found.last.number < moment.lines.count, let epoch = moment.epoch {
      #expect(bench.log.epochs.last != epoch, note)
      #expect(bench.log.epochs.last?.first == found.last.next, note)
    }
  }
}
