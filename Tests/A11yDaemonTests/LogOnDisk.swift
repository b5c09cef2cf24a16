// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPresenter
import A11yLog
import A11yRules
import A11yPosix
import A11yTestKit
import A11yWire
import Foundation

@testable import A11yBroker
@testable import A11yDaemon

/// A log on a disk, and a broker whose turns fill it.
///
/// Time is what the test says, and the medium answers when the test says so.
final class LogOnDisk {
  let log: EventLog
  let syncing: HandSyncing
  let opening: LogOpening
  private var broker: Broker
  private var turn = Turn()
  private var uptime: Int64
  private let wall: Int64
  private let session: Session
  /// The offset that the last append has returned.
  private(set) var start: Int64 = 0
  /// All that was appended here, each line with its newline.
  private(set) var lines: [String] = []

  convenience init(in directory: ScratchDirectory, policy: Settings.Log = Settings().log) throws {
    try self.init(on: KernelDisk(directory.path), policy: policy)
  }

  init(
    on disk: any Disk,
    policy: Settings.Log = Settings().log,
    uptime: Int64 = 1_000_000,
    wall: Int64 = 1_795_242_000_000_000
  ) throws {
    self.uptime = uptime
    self.wall = wall
    syncing = HandSyncing(disk)
    let found = try Recovery<BrokerState>(
      on: disk,
      StartCircumstances(
        boot: String(repeating: "b", count: 32),
        uptime: uptime,
        wall: wall,
        left: nil,
        epoch: .random()
      )
    ) { _, _ in }
    opening = found.opening
    log = EventLog(
      found,
      policy: policy.policy,
      syncing: syncing,
      mono: found.clock.mono(uptime: uptime)
    )
    broker = Broker(
      log: LogHead(epochs: log.epochs, first: log.first, last: log.last),
      presenter: Presenter(rules: RuleSet()),
      uid: 0,
      quotas: Quotas(),
      recall: { [log] seq in log.recall(seq) }
    )
    broker.remember(found.state.keys)
    broker.begin(&turn, at: Stamp(time: wall, mono: log.clock.mono(uptime: uptime)))
    session = broker.connect(uid: 1_000, role: .bus)
  }

  var epoch: Epoch { broker.head.epoch }

  /// One turn with an announcement of each of these texts.
  func append(_ texts: String...) { append(texts) }

  func append(
    _ texts: [String],
    type: String = "announcement",
    dedupe: String? = nil,
    after microseconds: Int64 = 1_000
  ) {
    tend()
    uptime += microseconds
    broker.begin(&turn, at: Stamp(time: wall + uptime, mono: log.clock.mono(uptime: uptime)))
    for text in texts {
      let field = type == "announcement" ? "text" : "key"
      let key = dedupe.map { #","dedupe":"\#($0)""# } ?? ""
      let line =
        #"{"op":"publish"\#(key),"event":{"type":"\#(type)","\#(field)":"\#(text)"}}"#
      broker.receive(Array(line.utf8).span, from: session, into: &turn)
    }
    start = log.append(turn.entries.bytes, turn.checksums, last: broker.head.last, mono: broker.now)
    lines += text(of: turn.entries).split(separator: "\n").map { $0 + "\n" }
  }

  private func text(of buffer: borrowing ByteBuffer) -> String { buffer.bytes.string }

  /// Does the work that the bus does for the log between two turns.
  func tend() {
    if log.isFull { log.roll(mono: broker.now) }
    if log.wantsState { log.beginState(broker) }
    while log.isWritingState { log.advanceState(budget: 4_096) }
  }

  /// Lets the disk answer, well or with an error, and the log do what follows from it.
  func sync(_ error: Errno? = nil) -> EventLog.SyncNews {
    log.synchronize()
    if let error { syncing.fail(error) } else { syncing.complete() }
    return log.takeSyncAnswer(mono: broker.now)
  }

  /// Drops the oldest segments as the daemon does after a new one was begun.
  @discardableResult
  func retain(now: Int64? = nil) -> Bool {
    tend()
    let isShorter = log.retain(now: now ?? wall, mono: .max / 2)
    if isShorter { broker.retain(from: log.first) }
    return isShorter
  }

  /// Subscribes as a client would.
  func subscribe(_ fields: String = "") throws -> (Session, Subscription) {
    broker.begin(&turn, at: Stamp(time: wall + uptime, mono: log.clock.mono(uptime: uptime)))
    let session = broker.connect(uid: 1_000, role: .bus)
    let line = #"{"op":"subscribe"\#(fields)}"#
    broker.receive(Array(line.utf8).span, from: session, into: &turn)
    guard let subscription = session.subscription else { throw Errno.invalidArgument }
    return (session, subscription)
  }

  /// Lets feeds have the last turn's lines from memory, as the daemon does.
  func withFresh(_ body: (Feed.Fresh) throws -> Void) throws {
    try Self.fresh(turn.entries, start, body)
  }

  /// Lets feeds go on in a turn that has no lines of its own.
  func withNothingFresh(_ body: (Feed.Fresh) throws -> Void) throws {
    try Self.fresh(ByteBuffer(capacity: 0), log.active.end, body)
  }

  private static func fresh(
    _ lines: borrowing ByteBuffer,
    _ start: Int64,
    _ body: (Feed.Fresh) throws -> Void
  ) throws {
    try body(Feed.Fresh(lines: lines.bytes, start: start, secrets: []))
  }
}

/// The files of a log, as a person with `cat` sees them.
struct LogFiles {
  let path: String

  var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: path)
        .filter { $0.hasSuffix(".ndjson") }.sorted()
    }
  }

  func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: "\(path)/\(name)")))
  }

  /// The permission bits of a file.
  func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.posixPermissions] as? Int
  }

  /// The offsets at which the entries of a file begin.
  static func places(of bytes: [UInt8]) -> [Int] {
    var places: [Int] = []
    var at = 0
    for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
      if Seq(of: Array(line).span) != nil { places.append(at) }
      at += line.count + 1
    }
    return places
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
  }

  /// The lines of a file, each with its newline; the last one may lack it.
  func lines(_ name: String) throws -> [String] {
    let text = String(decoding: try bytes(name), as: UTF8.self)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let rest = lines.removeLast()
    return lines.map { $0 + "\n" } + (rest.isEmpty ? [] : [rest])
  }

  /// All entries of all files, as `jq 'select(.event)'` finds them.
  var entries: [String] {
    get throws { try names.flatMap { try lines($0) }.filter { $0.hasPrefix("{\"seq\":") } }
  }
}
