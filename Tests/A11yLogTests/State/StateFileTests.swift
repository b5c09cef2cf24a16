// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yLog

/// The file beside a segment: whole, or as good as not there.
@Suite struct StateFileTests {
  let disk = MemoryDisk()
  private let reader = JSONReader(limit: Limits.answerBytes)

  /// Four segments with keys in each of them.
  private func fill(boot: String = LogBench.boot, key: String = "key") throws -> LogBench {
    var policy = LogBench.endless
    policy.segmentBytes = 9_000
    let bench = try LogBench(on: disk, policy: policy, boot: boot)
    var number = 0
    while bench.log.segmentCount < 4 {
      number += 1
      bench.append(["some text"], dedupe: number % 5 == 0 ? "\(key) \(number)" : nil)
    }
    bench.append(["the last"], dedupe: "last")
    return bench
  }

  private var segments: [String] { disk.names.filter { SegmentName.first(entries: $0) != nil } }
  private var states: [String] { disk.names.filter { SegmentName.first(state: $0) != nil } }

  @Test func `each segment has what was known at its beginning`() throws {
    let bench = try fill()

    #expect(states == segments.map { $0.replacing(".ndjson", with: ".state") })
    for name in states {
      let first = try #require(SegmentName.first(state: name))
      let found = try #require(Checkpoint<KeyState>.read(beside: first, on: disk, with: reader))
      #expect(found.after == first.previous)
      #expect(found.state.keys == bench.keys.filter { $0.seq < first })
    }
  }

  @Test(arguments: [(1, true), (2, false)])
  func `a state of another version is none`(version: Int, isRead: Bool) throws {
    _ = try fill()
    let name = try #require(states.last)
    let first = try #require(SegmentName.first(state: name))
    let lines = LogBench.split(disk.text(name))
    #expect(lines[0].contains("\"version\":1,"))
    disk[name] = Array(Self.stating(version, in: lines).utf8)

    let found = Checkpoint<KeyState>.read(beside: first, on: disk, with: reader)

    #expect((found != nil) == isRead)
    #expect(try LogBench.recover(disk).state.keys.map(\.key).last == "last")
  }

  /// The lines of a state with another version in the first, and checksums that fit.
  private static func stating(_ version: Int, in lines: [String]) -> String {
    var (end, text) = (StateEnd(), "")
    for line in lines.dropLast() {
      let body = line.dropLast(19)
        .replacing("\"version\":1,", with: "\"version\":\(version),")
      end.include(Checksum.value(of: body.utf8))
      text += body + ",\"crc\":\"\(Checksum.text(of: body.utf8))\"}\n"
    }
    var last = ByteBuffer(capacity: 128)
    end.write(into: &last)
    return text + last.bytes.string
  }

  @Test func `its first line repeats the segment's header, and its last one counts the others`()
    throws
  {
    _ = try fill()
    for (state, segment) in zip(states, segments) {
      let lines = try LogBench.split(disk.text(state)).map { try JSON($0) }
      let header = try JSON(LogBench.split(disk.text(segment))[0])

      for name in header.names.subtracting(["crc"]) {
        #expect(lines[0]["header"][name] == header[name], "\(name)")
      }
      #expect(lines[0]["after"].integer == (header["first"].integer ?? 0) - 1)
      #expect(lines[lines.count - 1]["end"].integer == Int64(lines.count - 1))
    }
  }

  @Test func `a start knows the keys without reading older segments`() throws {
    let bench = try fill()
    let copy = disk.copy()

    let found = try LogBench.recover(copy)

    #expect(found.state.keys == bench.keys)
    #expect(found.checkpoint.after == bench.log.last)
    for name in segments.dropLast() {
      #expect(copy.bytesRead[name] ?? 0 <= 4_096, "more than its header was read of \(name)")
    }
    for name in states.dropLast() { #expect(copy.bytesRead[name] == nil) }
  }

  @Test func `whatever byte of it is damaged, an earlier one and the entries behind it do`() throws
  {
    let bench = try fill()
    let whole = try #require(disk[states[3]])
    let step = max(1, whole.count / 150)
    for byte in stride(from: 0, to: whole.count, by: step) {
      let copy = disk.copy()
      copy[states[3]]?[byte] ^= 4

      let found = try LogBench.recover(copy)

      #expect(found.state.keys == bench.keys, "byte \(byte)")
      #expect(found.opening.damaged == [])
    }
  }

  @Test func `wherever it is cut off, an earlier one and the entries behind it do`() throws {
    let bench = try fill()
    let whole = try #require(disk[states[3]])
    let step = max(1, whole.count / 150)
    for length in Array(stride(from: 0, to: whole.count, by: step)) + [whole.count - 1] {
      let copy = disk.copy()
      copy[states[3]] = Array(whole.prefix(length))

      #expect(
        Checkpoint<KeyState>.read(beside: bench.log.active.first, on: copy, with: reader) == nil,
        "\(length)"
      )
      #expect(try LogBench.recover(copy).state.keys == bench.keys, "cut at \(length)")
    }
  }

  @Test func `one that lacks a line of its middle is none`() throws {
    _ = try fill()
    let name = try #require(states.last)
    let first = try #require(SegmentName.first(state: name))
    var lines = LogBench.split(disk.text(name))
    let key = try #require(lines.firstIndex { $0.hasPrefix(#"{"key":"#) })
    lines.remove(at: key)
    disk[name] = Array(lines.joined().utf8)

    #expect(Checkpoint<KeyState>.read(beside: first, on: disk, with: reader)?.after == nil)
  }

  @Test func `keys of entries that are gone with all of their segment are free`() throws {
    let bench = try LogBench(on: disk)
    bench.append(["a"], dedupe: "key")
    bench.log.roll(mono: bench.mono)
    bench.log.beginState(KeyState(keys: bench.keys))
    bench.log.finishState()
    let name = SegmentName.entries(Seq(1))
    disk[name] = Array(LogBench.split(disk.text(name))[0].utf8)

    let found = try LogBench.recover(disk)

    #expect(found.opening.damaged == [Seq(1)...Seq(1)])
    #expect(found.state.keys == [])
  }

  @Test func `without any of them the whole log is gone through`() throws {
    let bench = try fill()
    for missing in 1...4 {
      for name in states.suffix(missing) { disk[name] = nil }

      #expect(try LogBench.recover(disk.copy()).state.keys == bench.keys)
      // As damaged as gone.
      for name in states { disk[name]?.removeLast() }
    }
  }

  @Test func `the file is not there before it is whole, and nobody waits for it`() throws {
    let log = try LogBench(on: disk).log
    let keys = (0..<5_000).map { number in
      UsedKey(uid: 1, app: "x", key: "key \(number)", seq: Seq(Int64(number + 1)), mono: 0)
    }
    let name = SegmentName.state(Seq(1))
    disk[name] = nil
    log.beginState(KeyState(keys: keys))
    let before = disk.writes.count
    var slices = 0
    while log.isWritingState {
      #expect(disk[name] == nil)
      log.advanceState(budget: 10_000)
      slices += 1
    }

    #expect(slices > 20)
    #expect(disk.writes.dropFirst(before).allSatisfy { $0.bytes < 10_300 })
    #expect(disk[SegmentName.unfinished(name)] == nil)
    #expect(Checkpoint<KeyState>.read(beside: Seq(1), on: disk, with: reader)?.state.keys == keys)
  }

  @Test func `it has its name when the medium has it, and not before`() throws {
    let bench = try LogBench(on: disk)
    let name = SegmentName.state(Seq(1))
    disk[name] = nil
    bench.syncing.holdsBesides = true
    bench.log.beginState(KeyState())
    for _ in 0..<10 { bench.log.advanceState(budget: 10_000) }
    #expect(bench.log.isStateOut)
    #expect(disk[name] == nil)

    bench.syncing.holdsBesides = false
    bench.log.advanceState(budget: 10_000)

    #expect(!bench.log.isWritingState)
    #expect(disk[name] != nil)
  }

  @Test func `what happens while it is written is not in it, and the start takes it from the log`()
    throws
  {
    let bench = try LogBench(on: disk)
    let keys = (0..<50).map { number in
      UsedKey(uid: 1_000, app: "bench", key: "\(number)", seq: Seq(Int64(number + 1)), mono: 0)
    }
    bench.log.beginState(KeyState(keys: keys))
    bench.log.advanceState(budget: 1_000)
    bench.append(["a"], dedupe: "new")

    #expect(!bench.log.isWritingState)
    #expect(Checkpoint<KeyState>.read(beside: Seq(1), on: disk, with: reader)?.state.keys == keys)
    #expect(try LogBench.recover(disk).state.keys.map(\.key) == keys.map(\.key) + ["new"])
  }

  @Test(arguments: [MemoryDisk.Call.create, .write, .rename])
  func `a disk that does not take it costs nothing else`(call: MemoryDisk.Call) throws {
    disk.refusal = { asked, name in asked == call && name.contains(".state") ? .noSpace : nil }
    let bench = try fill()

    #expect(states == [])
    #expect(bench.log.trouble == nil)
    #expect(disk.names.filter { $0.hasSuffix(".new") } == [])
    disk.refusal = { _, _ in nil }
    #expect(try LogBench.recover(disk).state.keys == bench.keys)
  }

  @Test func `one that stands beside another segment of its name is not believed`() throws {
    let bench = try fill()
    let other = StateFileTests()
    _ = try other.fill(boot: String(repeating: "c", count: 32), key: "odd")
    for name in states {
      #expect(other.disk.text(name).contains("odd") || name == states[0])
      disk[name] = other.disk[name]
    }

    #expect(try LogBench.recover(disk).state.keys == bench.keys)
  }
}
