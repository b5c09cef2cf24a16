// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yLog

/// Forgotten entries are nowhere any more, whatever happened meanwhile; their numbers stay taken.
@Suite struct ForgettingTests {
  let disk: MemoryDisk

  init() { disk = MemoryDisk() }

  private init(_ disk: MemoryDisk) { self.disk = disk }

  private static let mail = Selection(apps: ["mail"], uids: nil, before: nil)
  private static let policy = LogPolicy(
    segmentBytes: 900,
    retainAge: nil,
    retainBytes: nil,
    retainEntries: nil
  )

  /// Entries of two apps in five segments, with keys, so that the states know of them as well.
  private func fill() throws -> LogBench {
    let bench = try LogBench(on: disk, policy: Self.policy)
    while bench.log.segmentCount < 5 {
      let number = bench.lines.count
      bench.append(["harmless \(number)"], from: "files", dedupe: "open \(number)")
      if number % 4 == 0 {
        bench.append(["private \(number)"], from: "mail", dedupe: "private \(number)")
      }
    }
    return bench
  }

  /// Where on the disk there is a word of what was forgotten.
  private func traces(_ disk: MemoryDisk) -> [String] {
    let quarantined = disk.names(below: Quarantine.folder).map { Quarantine.folder + "/" + $0 }
    return (disk.names + quarantined).filter { disk.text($0).contains("private") }
  }

  /// The tombstone of a line.
  private func tombstone(_ line: String) throws -> String {
    let entry = try JSON(line)
    let (seq, time, mono) = (entry["seq"].integer, entry["time"].integer, entry["mono"].integer)
    return try #"{"seq":\#(#require(seq)),"time":\#(#require(time)),"mono":\#(#require(mono)),"#
      + #""event":{"type":"forgotten"},"crc":"#
  }

  /// Expects each line as it was or, if it was to be forgotten, what is left of one.
  private func expect(
    _ delivered: [Delivery],
    _ lines: [String],
    mayBeLeft: Bool,
    _ note: Comment? = nil
  ) throws {
    #expect(delivered.count >= lines.count, note)
    for (delivery, line) in zip(delivered, lines) {
      if !line.contains(#""app":"mail""#) || mayBeLeft && delivery == .line(line) {
        #expect(delivery == .line(line), note)
      } else if case .line(let left) = delivery {
        let isTombstone = try left.hasPrefix(tombstone(line))
        #expect(isTombstone, "\(note ?? ""): \(left)")
      } else {
        Issue.record(note ?? "an entry is missing")
      }
    }
  }

  @Test func `what an app has sent goes, and its numbers and its times stay`() throws {
    let bench = try fill()
    let meant = bench.lines.count { $0.contains(#""app":"mail""#) }
    disk.putFolder(Quarantine.folder)
    disk[Quarantine.folder + "/\(SegmentName.entries(Seq(1)))@77"] = Array("private".utf8)

    #expect(try bench.forget(Self.mail) == meant)

    try expect(bench.log.everything(), bench.lines, mayBeLeft: false)
    #expect(traces(disk) == [])
    #expect(bench.log.findings == [])
    #expect(try bench.forget(Self.mail) == 0)
  }

  @Test func `a start after it knows the keys that are left, and takes nothing for damage`() throws
  {
    let bench = try fill()
    _ = try bench.forget(Self.mail)
    try bench.stop()

    let again = try LogBench(on: disk)

    #expect(again.found.opening.isClean)
    #expect(again.found.opening.damaged == [])
    #expect(again.log.epochs == bench.log.epochs)
    #expect(again.found.state.keys == bench.keys)
    try expect(again.log.everything(), bench.lines, mayBeLeft: false)
  }

  @Test func `what cannot be read any more is not searched, and goes as well`() throws {
    let bench = try LogBench(on: disk)
    bench.append(["harmless"], from: "files")
    bench.append(["private"], from: "mail")
    bench.append(["harmless"], from: "files")
    try bench.stop()
    let name = SegmentName.entries(Seq(1))
    let before = disk.text(name).split(separator: "\n").prefix(2).joined(separator: "\n")
    // In its stamp: the text is as it was.
    disk.flip(name, at: before.utf8.count + #" {"seq":2,"time":"#.utf8.count)
    let again = try LogBench(on: disk)
    #expect(again.found.opening.damaged == [Seq(2)...Seq(2)])
    #expect(disk.names(below: Quarantine.folder) != [])

    _ = try again.forget(Self.mail)

    #expect(traces(disk) == [])
    #expect(
      try again.log.everything().prefix(3) == [
        .line(bench.lines[0]), .gap(2...2, isStorage: false), .line(bench.lines[2]),
      ]
    )
  }

  @Test func `a segment that retention drops meanwhile does not come back`() throws {
    for steps in 0..<12 {
      let bench = try Self(MemoryDisk()).fill()
      let disk = try #require(bench.log.disk as? MemoryDisk)
      _ = bench.log.prepareForgetting(mono: 1_000_000)
      let forgetting = try #require(bench.log.beginForgetting(Self.mail, in: KeyState.self))
      for _ in 0..<steps where try !forgetting.advance(budget: 300) {}
      for name in disk.names where name < SegmentName.entries(bench.log.active.first) {
        try disk.remove(name)
      }

      while try !forgetting.advance(budget: 300) {}

      let left = disk.names.filter { $0 < SegmentName.entries(bench.log.active.first) }
      #expect(left == [], "after \(steps) steps")
    }
  }

  @Test func `a state whose segment is gone goes as well`() throws {
    let bench = try fill()
    bench.syncAll()
    let states = disk.names.filter { disk.text($0).contains("private") && $0.hasSuffix("state") }
    let first = try #require(states.first.flatMap { SegmentName.first(state: $0) })
    disk[SegmentName.entries(first)] = nil

    _ = try bench.forget(Self.mail)

    #expect(traces(disk) == [])
  }

  @Test func `a segment that never came to its place goes as well`() throws {
    let bench = try fill()
    disk[SegmentName.moved(SegmentName.entries(Seq(3)))] = Array("private".utf8)

    _ = try bench.forget(Self.mail)

    #expect(traces(disk) == [])
  }

  @Test func `the medium has the newest state before the first step`() throws {
    let bench = try fill()
    _ = bench.log.prepareForgetting(mono: bench.mono)
    let state = SegmentName.state(bench.log.active.first)
    var isSafe = false
    var early: [String] = []
    disk.refusal = { call, name in
      if call == .synchronize, name == state { isSafe = true }
      if call == .rename, name != SegmentName.unfinished(state), !isSafe { early.append(name) }
      return nil
    }

    _ = try bench.forget(Self.mail)

    #expect(isSafe)
    #expect(early == [])
  }

  @Test func `what was put aside goes also where no entry is left to forget`() throws {
    let bench = try fill()
    _ = try bench.forget(Self.mail)
    disk.putFolder(Quarantine.folder)
    disk[Quarantine.folder + "/\(SegmentName.entries(Seq(1)))@77"] = Array("private".utf8)
    disk.putFolder(Quarantine.folder + "/\(SegmentName.entries(Seq(9)))")

    #expect(try bench.forget(Self.mail) == 0)

    #expect(traces(disk) == [])
  }

  @Test func `a number that damage has cost stays given, where its line goes as the last one`()
    throws
  {
    let bench = try LogBench(on: disk)
    bench.append(["harmless"], from: "files")
    bench.append(["private"], from: "mail")
    bench.syncAll()
    let name = SegmentName.entries(Seq(1))
    disk.flip(name, at: disk.text(name).utf8.count - 30)
    // The watermark would know of it, too.
    disk[Watermark.name] = nil

    let work = try #require(try Forgetting<KeyState>(Self.mail, onUnused: disk))
    while try !work.advance(budget: 300) {}

    #expect(traces(disk) == [])
    let again = try LogBench(on: disk)
    #expect(again.found.opening.isNewEpoch, "its number may be known as something else")
    #expect(try again.log.everything() == [.line(bench.lines[0])])
  }

  @Test func `a segment that cannot be read stays as it is, and that is told at the end`() throws {
    let bench = try fill()
    let name = SegmentName.entries(Seq(1))
    let before = disk[name]
    disk.refusal = { call, file in call == .read && file == name ? .inputOutput : nil }

    #expect(throws: Errno.inputOutput) { try bench.forget(Self.mail) }

    #expect(disk[name] == before)
    #expect(traces(disk) == [name], "all others are done")
    disk.refusal = { _, _ in nil }
    _ = try bench.forget(Self.mail)
    #expect(traces(disk) == [])
    try expect(bench.log.everything(), bench.lines, mayBeLeft: false)
  }

  @Test func `what is kept for the case that the disk fails does not bring it back`() throws {
    let bench = try fill()
    bench.append(["private"], from: "mail")
    #expect(bench.log.hasUnsynced)

    _ = try bench.forget(Self.mail)
    bench.append(["harmless"], from: "files")
    #expect(bench.sync(.inputOutput) == .rescued(.inputOutput))

    #expect(traces(disk) == [])
    try expect(bench.log.everything(), bench.lines, mayBeLeft: false)
    #expect(bench.log.synced >= Seq(Int64(bench.lines.count) - 1))
  }

  @Test func `a reader that comes between two steps gets what is there by then`() throws {
    let bench = try fill()
    _ = bench.log.prepareForgetting(mono: bench.mono)
    let work = try #require(bench.log.beginForgetting(Self.mail, in: KeyState.self))
    var steps = 0
    while try !work.advance(budget: 300) {
      _ = bench.log.adoptChanges(of: work)
      try expect(bench.log.everything(), bench.lines, mayBeLeft: true, "after step \(steps)")
      steps += 1
    }
    #expect(steps > 10)
  }

  @Test func `each file that is replaced is so on the medium before the next one`() throws {
    let bench = try fill()
    _ = bench.log.prepareForgetting(mono: bench.mono)
    let work = try #require(bench.log.beginForgetting(Self.mail, in: KeyState.self))
    var renamed: [String] = []
    var count = 0
    disk.refusal = { call, name in
      if call == .synchronizeNames { renamed = [] }
      if call == .rename {
        renamed.append(name)
        count += 1
      }
      return renamed.count > 1 ? .inputOutput : nil
    }

    while try !work.advance(budget: 300) {}

    #expect(count > 5)
    #expect(renamed == [])
  }

  /// The disk before each call that changes something on it.
  private func moments(_ forget: () throws -> Void) rethrows -> [MemoryDisk] {
    var moments: [MemoryDisk] = []
    disk.refusal = { [unowned disk] call, _ in
      switch call {
      case .names, .measure, .open, .read, .size: break
      case .create, .rename, .remove, .makeFolder, .synchronizeNames, .write, .truncate,
        .synchronize:
        moments.append(disk.snapshot())
      }
      return nil
    }
    defer { disk.refusal = { _, _ in nil } }
    try forget()
    return moments
  }

  @Test(arguments: [false, true])
  func `an end between any two steps leaves each entry as it was or forgotten, and the rest can go`(
    withThePower: Bool
  ) throws {
    let bench = try fill()
    bench.syncAll()
    try disk.synchronizeNames()

    let moments = try moments { _ = try bench.forget(Self.mail) }

    for (index, moment) in moments.enumerated() {
      let note = Comment(rawValue: "before call \(index)")
      let left = withThePower ? moment.afterPowerLoss() : moment
      let again = try LogBench(on: left, boot: withThePower ? "another boot" : LogBench.boot)
      #expect(again.found.opening.damaged == [], note)
      try expect(again.log.everything(), bench.lines, mayBeLeft: true, note)
      _ = try again.forget(Self.mail)
      try expect(again.log.everything(), bench.lines, mayBeLeft: false, note)
      #expect(traces(left) == [], note)
    }
    #expect(moments.count > 20)
  }

  @Test func `whichever call fails, each entry is as it was or forgotten, and the rest can go`()
    throws
  {
    var failing = 0
    var hasFailed = true
    while hasFailed {
      let disk = MemoryDisk()
      let bench = try ForgettingTests(disk).fill()
      var calls = 0
      disk.refusal = { call, _ in
        switch call {
        case .names, .measure, .open, .read, .size: return nil
        case .create, .rename, .remove, .makeFolder, .synchronizeNames, .write, .truncate,
          .synchronize:
          calls += 1
          return calls - 1 == failing ? .inputOutput : nil
        }
      }
      _ = try? bench.forget(Self.mail)
      hasFailed = calls > failing
      disk.refusal = { _, _ in nil }
      let note = Comment(rawValue: "call \(failing) fails")
      _ = bench.log.heal()
      try expect(bench.log.everything(), bench.lines, mayBeLeft: true, note)

      _ = try bench.forget(Self.mail)

      try expect(bench.log.everything(), bench.lines, mayBeLeft: false, note)
      #expect(traces(disk) == [], note)
      failing += 1
    }
    #expect(failing > 20)
  }
}
