// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yLog

/// A disk that takes nothing ends nothing: entries are in memory until it takes them.
@Suite struct TroubleTests {
  static let errors: [Errno] = [
    .noSpace, .inputOutput, .readOnlyFileSystem, .fileTooLarge, .diskQuotaExceeded,
  ]

  let disk = MemoryDisk()

  private func open(segment: Int64 = .max / 2) throws -> LogBench {
    var policy = LogBench.endless
    policy.segmentBytes = segment
    return try LogBench(on: disk, policy: policy)
  }

  /// Every change of the medium fails, from now on.
  private func fail(_ error: Errno) {
    disk.refusal = { call, _ in
      switch call {
      case .names, .measure, .open, .read, .size, .makeFolder: nil
      case .create, .rename, .remove, .synchronizeNames, .write, .truncate, .synchronize: error
      }
    }
  }

  private func recover() { disk.refusal = { _, _ in nil } }

  /// All entries of all files, as `jq 'select(.event)'` finds them.
  private var stored: [String] {
    disk.names.filter { SegmentName.first(entries: $0) != nil }
      .flatMap { LogBench.split(disk.text($0)).filter { $0.hasPrefix("{\"seq\":") } }
  }

  private func lines(_ bench: LogBench) -> [Delivery] { bench.lines.map { .line($0) } }

  // MARK: Into memory and back

  @Test(arguments: errors)
  func `entries are read from memory while the disk takes nothing, and written when it does`(
    error: Errno
  ) throws {
    let bench = try open()
    bench.append("a")
    fail(error)
    for number in 0..<20 { bench.append("number \(number)", "and more") }

    #expect(bench.log.trouble == error)
    #expect(bench.log.last == Seq(41))
    #expect(try bench.log.everything() == lines(bench))
    #expect(bench.log.recall(Seq(40)).entry?.app == "bench")
    #expect(stored.count == 1)
    #expect(!bench.log.heal())
    #expect(bench.log.trouble == error)

    recover()
    #expect(bench.log.heal())
    bench.append("b")

    #expect(bench.log.trouble == nil)
    #expect(stored == bench.lines, "the same bytes")
    #expect(try bench.log.everything() == lines(bench))
    #expect(try LogBench(on: disk.copy()).log.everything() == lines(bench))
    bench.syncAll()
    #expect(bench.log.synced == bench.log.last)
    #expect(try LogBench(on: disk.afterPowerLoss()).log.everything() == lines(bench))
  }

  @Test func `half a line that was written is not in the way`() throws {
    for room in stride(from: 0, through: 540, by: 10) {
      let disk = MemoryDisk()
      let bench = try LogBench(on: disk)
      bench.append("a")
      disk.room = room
      bench.append("b", "c", "d")
      bench.append("e")

      #expect(bench.log.trouble == .noSpace, "with \(room) bytes left")
      #expect(try bench.log.everything() == lines(bench))
      disk.room = nil
      #expect(bench.log.heal())
      bench.append("f")
      #expect(try bench.log.everything() == lines(bench))
      let again = try LogBench(on: disk)
      #expect(try again.log.everything() == lines(bench), "with \(room) bytes left")
      #expect(again.found.opening.damaged == [])
      #expect(again.log.findings == [])
    }
  }

  @Test func `a file that takes no more gives way to another`() throws {
    let bench = try open()
    bench.append("a", "b")
    let first = SegmentName.entries(Seq(1))
    disk.refusal = { call, name in call == .write && name == first ? .fileTooLarge : nil }

    bench.append("c")

    #expect(bench.log.trouble == nil)
    #expect(bench.log.active.first == Seq(3))
    #expect(stored == bench.lines)
    #expect(try bench.log.everything() == lines(bench))
  }

  @Test func `a segment without an entry gives way to another of its name`() throws {
    let bench = try open()
    let name = SegmentName.entries(Seq(1))
    var isFirst = true
    disk.refusal = { call, asked in
      guard call == .write, asked == name, isFirst else { return nil }
      isFirst = false
      return .inputOutput
    }

    bench.append("a", "b")

    #expect(!isFirst)
    #expect(bench.log.trouble == nil)
    #expect(bench.log.segmentCount == 1)
    #expect(stored == bench.lines)
    #expect(try bench.log.everything() == lines(bench))
  }

  @Test func `a segment that could not be begun leaves no name in the way`() throws {
    let bench = try open(segment: 700)
    disk.refusal = { [unowned disk] call, name in
      (call == .write || call == .remove) && disk[name]?.isEmpty ?? false ? .inputOutput : nil
    }
    while bench.log.active.end < 700 { bench.append("a") }
    bench.append("b")
    #expect(bench.log.segmentCount == 1)
    bench.append("c")

    recover()
    bench.append("d")

    #expect(bench.log.segmentCount == 2)
    #expect(stored == bench.lines)
    #expect(disk.names.count { SegmentName.first(entries: $0) != nil } == 2)
    #expect(try LogBench(on: disk).log.everything() == lines(bench))
  }

  @Test(arguments: errors)
  func `a log can be begun without a disk`(error: Errno) throws {
    fail(error)
    let bench = try open()
    bench.append("a", "b")

    #expect(bench.log.trouble == error)
    #expect(try bench.log.everything() == lines(bench))
    #expect(disk.names == [])
    recover()
    #expect(bench.log.heal())
    #expect(stored == bench.lines)
    bench.syncAll()
    bench.append("c")
    #expect(try LogBench(on: disk).log.everything() == lines(bench))
  }

  @Test func `in memory the segments are many and small`() throws {
    let bench = try open()
    fail(.noSpace)
    for _ in 0..<70 { bench.append(String(repeating: "x", count: 60_000)) }

    #expect(bench.log.segmentCount == 3)
    #expect(try bench.log.everything() == lines(bench))
    recover()
    #expect(bench.log.heal())
    #expect(try bench.log.everything() == lines(bench))
    #expect(try LogBench(on: disk).log.everything() == lines(bench))
  }

  @Test func `a disk that takes some of it again is given the rest later`() throws {
    let bench = try open()
    fail(.noSpace)
    for _ in 0..<70 { bench.append(String(repeating: "x", count: 60_000)) }
    recover()
    for room in [2_500_000, 1_000_000, 0] {
      disk.room = room
      #expect(!bench.log.heal())
      #expect(bench.log.trouble == .noSpace)
      bench.append("more")
      #expect(try bench.log.everything() == lines(bench))
      #expect(disk.names.filter { $0.hasSuffix(".new") } == [])
    }
    disk.room = nil
    #expect(bench.log.heal())
    bench.append("more")

    #expect(stored == bench.lines)
    #expect(try bench.log.everything() == lines(bench))
  }

  // MARK: The bound

  @Test func `what is too much for memory goes, the oldest first, and that is told for ever`()
    throws
  {
    let bench = try open()
    bench.append("before")
    fail(.noSpace)
    let text = String(repeating: "x", count: 63_000)
    for _ in 0..<330 { bench.append(text) }

    let delivered = try bench.log.everything()
    let first = try #require(bench.log.known.dropFirst().first?.first.number)
    #expect(first > 20)
    let expected =
      [.line(bench.lines[0]), .gap(2...first - 1, isStorage: true)]
      + bench.lines.dropFirst(Int(first) - 1).map { Delivery.line($0) }
    #expect(delivered == expected)
    let held = bench.lines.dropFirst(Int(first) - 1).reduce(0) { $0 + $1.utf8.count }
    #expect(held <= EventLog.memory)
    #expect(held > EventLog.memory * 3 / 4)

    recover()
    #expect(bench.log.heal())
    #expect(try bench.log.everything() == expected)
    let again = try LogBench(on: disk)
    #expect(try again.log.everything() == expected)
    #expect(again.log.findings == [], "no disk has lost them")
    #expect(again.found.opening.damaged == [])
  }

  // MARK: Every call

  /// Some of everything that a log does.
  private func work(_ bench: LogBench, _ disk: MemoryDisk) {
    for number in 0..<24 {
      bench.append(["number \(number)", "more"], dedupe: number % 5 == 0 ? "\(number)" : nil)
      if number % 4 == 3 { _ = bench.sync() }
      _ = bench.log.heal()
    }
  }

  @Test(arguments: errors.prefix(3), [true, false])
  func `whichever call fails, nothing is lost and nobody notices`(
    error: Errno,
    isForEver: Bool
  ) throws {
    var failing = 0
    var isBeyond = false
    while !isBeyond {
      let disk = MemoryDisk()
      var policy = LogBench.endless
      policy.segmentBytes = 1_500
      var calls = 0
      disk.refusal = { call, _ in
        switch call {
        case .names, .measure, .open, .read, .size, .makeFolder: return nil
        case .create, .rename, .remove, .synchronizeNames, .write, .truncate, .synchronize:
          calls += 1
          return calls == failing || isForEver && calls > failing ? error : nil
        }
      }
      let bench = try LogBench(on: disk, policy: policy)
      work(bench, disk)
      isBeyond = failing > calls
      let note = Comment(rawValue: "call \(failing)")

      #expect(try bench.log.everything() == lines(bench), note)
      disk.refusal = { _, _ in nil }
      for _ in 0..<10 where bench.log.trouble != nil || bench.log.hasUnsynced {
        _ = bench.log.heal()
        _ = bench.sync()
      }
      #expect(bench.log.trouble == nil, note)
      #expect(bench.log.synced == bench.log.last, note)
      bench.append("at the end")
      #expect(try bench.log.everything() == lines(bench), note)
      bench.syncAll()

      let again = try LogBench(on: disk.afterPowerLoss())
      #expect(try again.log.everything() == lines(bench), note)
      #expect(again.found.state.keys == bench.keys, note)
      #expect(again.found.opening.damaged == [], note)
      #expect(again.found.opening.quarantined == 0, note)
      failing += isForEver ? 3 : 1
    }
    #expect(failing > 60)
  }

  // MARK: What is told to the next start

  @Test func `a stop in trouble is told, and what left is never taken for something else`() throws {
    let bench = try open()
    bench.append("a", "b")
    bench.syncAll()
    // As the brief says of a full disk: what is there can be written in place.
    disk.room = 0
    bench.append("c", "d")
    #expect(throws: Errno.noSpace) { try bench.stop() }
    disk.room = nil

    let again = try LogBench(on: disk)

    #expect(again.found.opening.isNewEpoch)
    #expect(again.log.epochs.map(\.first) == [Seq(1), Seq(3)])
    #expect(try again.log.everything() == Array(lines(bench).prefix(2)))
    // That is told once.
    again.append("e")
    again.syncAll()
    #expect(!(try LogBench.recover(disk.copy()).opening.isNewEpoch))
  }

  @Test func `a runtime directory that remembers is as good`() throws {
    let bench = try open()
    bench.append("a", "b")

    let left = Cursor(epoch: bench.log.cursor.epoch, seq: Seq(3))
    let again = try LogBench(on: disk, left: left)

    #expect(again.found.opening.isNewEpoch)
    #expect(again.log.epochs.map(\.first) == [Seq(1), Seq(3)])
    #expect(try again.log.everything() == lines(bench))
  }

  @Test func `a disk that was healed leaves no mark`() throws {
    let bench = try open()
    bench.append("a")
    disk.room = 0
    bench.append("b")
    #expect(try Watermark.read(disk.open(Watermark.name))?.unkept != nil)
    disk.room = nil
    #expect(bench.log.heal())

    #expect(try Watermark.read(disk.open(Watermark.name))?.unkept == nil)
    #expect(!(try LogBench.recover(disk).opening.isNewEpoch))
  }

  @Test func `a stop takes the mark off the medium as well`() throws {
    let bench = try open()
    bench.append("a")
    disk.room = 0
    bench.append("b")
    // The kernel has brought it there by itself.
    try disk.openInPlace(Watermark.name).synchronize()
    try disk.synchronizeNames()
    disk.room = nil
    #expect(bench.log.heal())

    try bench.stop()

    let found = try LogBench.recover(disk.afterPowerLoss(), "another")
    #expect(!found.opening.isNewEpoch)
    #expect(found.opening.isClean)
  }

  @Test func `the state that was not written in trouble is written behind it`() throws {
    let bench = try open()
    fail(.noSpace)
    bench.append(["a"], dedupe: "k")
    recover()
    #expect(bench.log.heal())
    bench.append("b")

    let reader = JSONReader(limit: Limits.answerBytes)
    let state = Checkpoint<KeyState>.read(beside: bench.log.active.first, on: disk, with: reader)
    #expect(state?.state.keys == bench.keys)
  }
}
