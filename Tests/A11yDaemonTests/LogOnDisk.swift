// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yPosix
import A11yTestKit
import A11yWire
import Foundation

@testable import A11yCore
@testable import A11yDaemon

/// A log in a real directory, and a broker whose turns fill it.
///
/// Time is what the test says: of the real machine only the boot's name is taken.
final class LogOnDisk {
  let directory: String
  let log: EventLog
  let opening: Broker.Opening
  private var broker: Broker
  private var turn = Turn()
  private var uptime: Int64
  private let wall: Int64
  private let session: Session
  /// What the last append has returned.
  private(set) var start: Int64 = 0
  /// All that was appended here, each line with its newline.
  private(set) var lines: [String] = []

  init(
    in directory: ScratchDirectory,
    policy: Settings.Log = Settings().log,
    uptime: Int64 = 1_000_000,
    wall: Int64 = 1_795_242_000_000_000
  ) throws {
    self.directory = directory.path
    self.uptime = uptime
    self.wall = wall
    let found = try FoundLog(in: directory.path, uptime: uptime, wall: wall)
    opening = found.opening
    log = try EventLog(found: found, policy: policy, lock: Self.lock(directory))
    broker = Broker(
      log: LogHead(epochs: log.epochs, first: log.first, last: log.last),
      model: Model(),
      uid: 0,
      quotas: Quotas(),
      recall: { [log] seq in log.entry(seq) }
    )
    broker.begin(&turn, at: Stamp(time: wall, mono: log.clock.mono(uptime: uptime)))
    session = broker.connect(uid: 1_000, role: .bus)
  }

  static func lock(_ directory: ScratchDirectory) throws -> FileLock {
    // A name of its own for each, because a test may begin again before the last one has ended.
    let attempt = try FileLock.acquire(directory("lock-\(UUID().uuidString)"))
    switch consume attempt {
    case .acquired(let lock): return lock
    case .heldByAnother: throw Errno.wouldBlock
    }
  }

  var epoch: Epoch { broker.head.epoch }

  /// One turn with an announcement of each of these texts.
  func append(_ texts: String...) throws { try append(texts) }

  func append(
    _ texts: [String],
    type: String = "announcement",
    dedupe: String? = nil,
    after microseconds: Int64 = 1_000
  ) throws {
    uptime += microseconds
    broker.begin(&turn, at: Stamp(time: wall + uptime, mono: log.clock.mono(uptime: uptime)))
    for text in texts {
      let field = type == "announcement" ? "text" : "key"
      let key = dedupe.map { #","dedupe":"\#($0)""# } ?? ""
      let line =
        #"{"op":"publish"\#(key),"event":{"type":"\#(type)","\#(field)":"\#(text)"}}"#
      broker.receive(Array(line.utf8).span, from: session, into: &turn)
    }
    start = try log.append(turn, last: broker.head.last)
    lines += text(of: turn.entries).split(separator: "\n").map { $0 + "\n" }
  }

  private func text(of buffer: borrowing ByteBuffer) -> String { buffer.bytes.string }

  /// Drops the oldest segments as the daemon does after a new one was begun.
  func retain(now: Int64? = nil) -> Bool {
    let isShorter = log.retain(now: now ?? wall)
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

  private static func fresh(
    _ lines: borrowing ByteBuffer,
    _ start: Int64,
    _ body: (Feed.Fresh) throws -> Void
  ) throws {
    try body(Feed.Fresh(lines: lines.bytes, start: start))
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
