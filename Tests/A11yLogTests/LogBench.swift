// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yLog

typealias Recovery = A11yLog.Recovery<KeyState>

/// A log on some disk, whose lines, time and answers of the medium the test makes.
final class LogBench {
  let disk: any Disk
  let found: Recovery
  let log: EventLog
  let syncing: HandSyncing
  private(set) var keys: [UsedKey]
  private var uptime: Int64
  private let wall: Int64
  /// All that was appended here, each line with its newline.
  private(set) var lines: [String] = []
  /// Where the last turn begins in its segment.
  private(set) var start: Int64 = 0

  /// The machine as most tests have it.
  static let boot = String(repeating: "b", count: 32)
  static let second: Int64 = 1_000_000
  static let wall: Int64 = 1_795_242_000 * second
  /// Segments without end, and none that goes.
  static let endless = LogPolicy(
    segmentBytes: .max / 2,
    retainAge: nil,
    retainBytes: nil,
    retainEntries: nil
  )

  init(
    on disk: any Disk,
    policy: LogPolicy = endless,
    boot: String = boot,
    uptime: Int64 = second,
    wall: Int64 = wall,
    left: Cursor? = nil,
    epoch: Int = .random(in: 1..<1_000_000)
  ) throws {
    self.disk = disk
    self.uptime = uptime
    self.wall = wall
    syncing = HandSyncing(disk)
    found = try Self.recover(disk, boot, uptime: uptime, wall: wall, left, epoch: epoch)
    keys = found.state.keys
    log = EventLog(
      found,
      policy: policy,
      syncing: syncing,
      mono: found.clock.mono(uptime: uptime)
    )
    tend()
  }

  /// The log that a start recovers from a disk.
  static func recover(
    _ disk: any Disk,
    _ boot: String = boot,
    uptime: Int64 = second,
    wall: Int64 = wall,
    _ left: Cursor? = nil,
    epoch: Int = .random(in: 1..<1_000_000)
  ) throws -> Recovery {
    try Recovery(
      on: disk,
      StartCircumstances(
        boot: boot,
        uptime: uptime,
        wall: wall,
        left: left,
        epoch: Self.epoch(epoch)
      )
    ) { _, _ in }
  }

  static func epoch(_ number: Int) -> Epoch {
    HandDriven.start(String(repeating: "0", count: 24) + hex(UInt32(number)), 1).epoch
  }

  // MARK: Turns

  var mono: Int64 { log.clock.mono(uptime: uptime) }

  /// One turn with an announcement of each of these texts.
  func append(_ texts: String...) { append(texts) }

  func append(
    _ texts: [String],
    from app: String = "bench",
    dedupe: String? = nil,
    after microseconds: Int64 = 1_000
  ) {
    let key = dedupe.map { #","dedupe":"\#($0)""# } ?? ""
    append(
      texts.map { #"\#(key),"event":{"type":"announcement","text":"\#($0)"}"# },
      from: app,
      dedupe,
      after: microseconds
    )
  }

  /// Ends the log as a bus does that is told to stop.
  func stop() throws {
    append([#","event":{"type":"closed"}"#], from: "a11yd", nil, after: 1_000)
    try log.close(mono: mono)
  }

  /// One turn with entries of this content.
  private func append(
    _ contents: [String],
    from app: String,
    _ dedupe: String?,
    after microseconds: Int64
  ) {
    uptime += microseconds
    var out = ByteBuffer(capacity: 0)
    var checksums: [UInt32] = []
    var seq = log.last
    for content in contents {
      seq = seq.next
      let from = out.count
      out.append(
        text: #"{"seq":\#(seq.number),"time":\#(wall + uptime),"mono":\#(mono),"app":"\#(app)","#
          + #""uid":1000,"conn":1\#(content)"#
      )
      checksums.append(out.seal(from: from))
      if let dedupe {
        keys.append(UsedKey(uid: 1_000, app: app, key: dedupe, seq: seq, mono: mono))
      }
    }
    start = log.append(out.bytes, checksums, last: seq, mono: mono)
    lines += Self.split(out.bytes.string)
    tend()
  }

  static func split(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0 + "\n" }
  }

  /// The bus's work for the log after each turn.
  private func tend() {
    if log.isFull { log.roll(mono: mono) }
    if log.wantsState, log.trouble == nil {
      log.beginState(KeyState(keys: keys))
    }
    while log.isWritingState { log.advanceState(budget: 4_096) }
  }

  /// Forgets as the bus does for who asks, and says how many entries that were.
  func forget(_ selection: Selection) throws -> Int64 {
    _ = log.prepareForgetting(mono: mono)
    guard let forgetting = log.beginForgetting(selection, in: KeyState.self) else {
      throw Errno.inputOutput
    }
    keys.removeAll { selection.covers(app: $0.app, uid: Int64($0.uid)) }
    tend()
    do throws(Errno) {
      defer { _ = log.adoptChanges(of: forgetting) }
      try log.secureState()
      while try !forgetting.advance(budget: 300) { _ = log.adoptChanges(of: forgetting) }
    } catch {
      forgetting.abandon()
      throw error
    }
    return forgetting.count
  }

  /// Lets the medium answer, well or with an error, and the log do what follows from it.
  func sync(_ error: Errno? = nil) -> EventLog.SyncNews {
    log.synchronize()
    if let error { syncing.fail(error) } else { syncing.complete() }
    return log.takeSyncAnswer(mono: mono)
  }

  /// Until the medium has all that it was given.
  func syncAll() {
    while log.hasUnsynced, sync() == .progress {}
  }
}

/// A thing that a reader of the log gets.
enum Delivery: Equatable, CustomStringConvertible {
  case line(String)
  /// Entries that are not there, with both bounds; whether the disk's refusals are why.
  case gap(ClosedRange<Int64>, isStorage: Bool)

  var description: String {
    switch self {
    case .line(let line): "line \(line.prefix(20))"
    case .gap(let range, let isStorage): "gap \(range)\(isStorage ? " storage" : "")"
    }
  }
}

extension EventLog {
  /// All that a reader gets who begins at the oldest entry, read as plainly as can be.
  func everything(checking budget: Int = .max) throws -> [Delivery] {
    var delivered: [Delivery] = []
    var next = first
    var segment: Segment? = self.segment(holding: first)
    while let current = segment {
      while !check(current, budget: budget) {}
      var isFirst = true
      for extent in current.extents where !extent.isEmpty {
        if extent.first > next {
          let isStorage = isFirst && isStorageGap(before: current)
          delivered.append(
            .gap(next.number...extent.first.number - 1, isStorage: isStorage)
          )
        }
        delivered += try lines(current, extent).map { .line($0) }
        next = extent.last.next
        isFirst = false
      }
      segment = self.segment(after: current)
    }
    if next <= last { delivered.append(.gap(next.number...last.number, isStorage: false)) }
    return delivered
  }

  private func lines(_ segment: Segment, _ extent: Extent) throws -> [String] {
    var bytes = ByteBuffer(capacity: 0)
    var at = extent.start
    while at < extent.end {
      let count = try segment.read(into: &bytes, at: at, room: Int(extent.end - at))
      if count == 0 { throw Errno.inputOutput }
      at += Int64(count)
    }
    if extent.lacksNewline { bytes.append(byte: UInt8(ascii: "\n")) }
    return LogBench.split(bytes.bytes.string)
  }
}

extension EventLog {
  /// Retention on a machine whose bus clock says that everything is old.
  func retain(now wall: Int64) -> Bool { retain(now: wall, mono: .max / 2) }
}

/// A state that is as small as can be: the keys of entries that bear one.
struct KeyState: LoggedState {
  var keys: [UsedKey] = []

  mutating func apply(_ line: Span<UInt8>, with reader: JSONReader) {
    do throws(JSONFault) { try reader.read(line) } catch { return }
    let entry = reader.document
    if let key = UsedKey(entry, in: entry.root, name: "dedupe") { keys.append(key) }
  }

  mutating func expire(through mono: Int64) {}

  mutating func forgetKeys(from first: Seq) { keys.removeAll { $0.seq >= first } }

  mutating func forget(_ selection: Selection) -> Bool {
    let before = keys.count
    keys.removeAll { selection.covers(app: $0.app, uid: $0.uid) }
    return keys.count < before
  }

  mutating func restore(_ line: JSONDocument) -> Bool {
    guard let fact = line.member("key", of: line.root),
      let key = UsedKey(line, in: fact, name: "key")
    else { return false }
    keys.append(key)
    return true
  }

  func beginLines(into out: inout ByteBuffer) -> any StateLines { KeyLines(keys: keys[...]) }
}

/// A key against duplicates, and the entry that it was used for.
struct UsedKey: Equatable {
  let uid: Int64
  let app: String
  let key: String
  let seq: Seq
  let mono: Int64
}

extension UsedKey {
  fileprivate init?(_ document: JSONDocument, in object: JSONIndex, name: StaticString) {
    guard let key = document.string(name, of: object),
      let app = document.string("app", of: object), let uid = document.integer("uid", of: object),
      let seq = document.seq("seq", of: object), let mono = document.integer("mono", of: object)
    else { return nil }
    self.init(uid: uid, app: app, key: key, seq: seq, mono: mono)
  }
}

private struct KeyLines: StateLines {
  var keys: ArraySlice<UsedKey>

  mutating func appendLines(into out: inout ByteBuffer, budget: Int) -> Bool {
    while out.count < budget {
      guard let key = keys.popFirst() else { return true }
      out.appendLine { out in
        out.object("key") { out in
          out.append(member: "app", key.app)
          out.append(member: "uid", key.uid)
          out.append(member: "key", key.key)
          out.append(member: "seq", key.seq.number)
          out.append(member: "mono", key.mono)
        }
      }
    }
    return false
  }
}

/// Bytes that are no line, with a few words for the report of the tests: all bytes of a long one
/// would hide the lines around them.
struct Junk: CustomTestStringConvertible, Sendable {
  let bytes: [UInt8]
  let testDescription: String

  init(_ text: String) {
    bytes = Array(text.utf8)
    testDescription = "\"\(text)\""
  }

  init(_ byte: UInt8, times count: Int) {
    bytes = [UInt8](repeating: byte, count: count)
    testDescription = "\(count) times the byte \(byte)"
  }
}
