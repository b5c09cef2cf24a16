// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import CSQLite
import Glibc

/// The batches in which a daemon logs the events of many publishers.
///
/// A store that is given the same events in the same batches has the same chances.
struct Batches {
  /// Events per second, and processor time of the daemon for each, in µs.
  let rates: [Double]
  /// Entries for each `fdatasync`, or for each write where nobody waits for the disk.
  let entriesPerBatch: Int
  /// Lines from the log.
  let sample: LogSample

  /// Publishes `events` to a daemon of its own.
  init(
    _ subject: Subject,
    in setting: BenchSetting,
    acknowledged safety: Announcements.Safety,
    events: Int
  ) throws {
    let server = try Server(subject, in: setting.home("batches"))
    defer { server.end() }
    let traffic = try Traffic(
      at: server.home.socket,
      publishers: 8,
      inFlight: 1_024,
      lines: Announcements(acknowledged: safety)
    )
    // Caches, buffers and the first segment of the log are filled before the clock runs.
    try traffic.publishAll(events / 10)

    let lastBefore = try server.last()
    let batchesBefore = try Self.count(of: server, safety)
    let cost = try server.cost { try traffic.publishAll(events) }
    let batches = try Self.count(of: server, safety) - batchesBefore
    let entries = try server.last() - lastBefore
    guard batches > 0 else {
      throw BenchFailure("\(events) events were \(safety), and nothing was done for that")
    }
    rates = cost.rates(of: events)
    entriesPerBatch = max(1, entries / batches)
    sample = try LogSample(of: server.home.state)
  }

  private static func count(of server: Server, _ safety: Announcements.Safety) throws -> Int {
    if safety == .written { return try server.turns() }
    // The watermark is written after each sync of the log, and numbers them.
    let path = server.home.state + "/watermark"
    let rounds = (text(of: path) ?? "").split(separator: "\n").compactMap { slot in
      Array(slot.utf8).withUnsafeBytes { number(behind: #""round":"#, in: $0) }
    }
    guard let newest = rounds.max() else {
      throw BenchFailure("\(path) does not tell how often the disk was asked")
    }
    return newest
  }
}

/// Some thousand lines of a daemon's log, end to end and without their newlines.
struct LogSample {
  private let bytes: [UInt8]
  private let lines: [Range<Int>]
  private static let most = 10_000

  /// Reads the oldest segment in a state directory.
  init(of state: String) throws {
    let segments = try Directory.names(state).filter { $0.hasSuffix(".ndjson") }
    guard let oldest = segments.first else { throw BenchFailure("there is no segment in \(state)") }
    var bytes: [UInt8] = []
    var lines: [Range<Int>] = []
    let segment = try File.read(state + "/" + oldest, limit: 1 << 28)
    for line in segment.split(separator: 0x0A) where lines.count < LogSample.most {
      guard line.starts(with: #"{"seq":"#.utf8) else { continue }
      lines.append(bytes.count..<bytes.count + line.count)
      bytes += line
    }
    guard !lines.isEmpty else { throw BenchFailure("there is no entry in \(state)/\(oldest)") }
    self.bytes = bytes
    self.lines = lines
  }

  var bytesPerLine: Int { bytes.count / lines.count }

  /// Lends a line; after the last comes the first again.
  @inline(__always)
  func withLine(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let range = lines[index % lines.count]
    try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }
}

/// A file that only grows: a log without a bus.
struct AppendedFile: ~Copyable {
  private let file: FileDescriptor

  init(at path: String) throws {
    file = try failing("open \(path)") { () throws(Errno) in
      try FileDescriptor.open(path, [.writeOnly, .create, .exclusive, .append])
    }
  }

  /// Appends bytes, and returns when they survive a loss of power.
  func append(_ bytes: [UInt8]) throws {
    try file.writeAll(bytes.span)
    try file.synchronizeData()
  }
}

/// The log as a table of SQLite: a number and a line, in one prepared insert.
///
/// A write-ahead log is SQLite's fastest way to be durable; every other setting is SQLite's
/// default. The table works in this process, without sockets, decoding and checksums of lines, so
/// the daemon beside it does more.
final class Table {
  /// The moments at which SQLite syncs.
  enum Synchronous: String {
    /// Each transaction: it survives a loss of power, as `synced` promises.
    case full = "FULL"
    /// Each checkpoint: a transaction survives this process, as `written` promises; after a loss of
    /// power the table is whole, though its last transactions may be gone.
    case normal = "NORMAL"
    /// Never: a transaction survives this process, and a loss of power may cost the table.
    case off = "OFF"
  }

  static var version: String { "SQLite " + String(cString: sqlite3_libversion()) }

  private var database: OpaquePointer?
  private var insert: OpaquePointer?
  private var last: Int64 = 0

  init(at path: String, _ synchronous: Synchronous) throws {
    try check(sqlite3_open(path, &database), "open \(path)")
    try execute("PRAGMA journal_mode=WAL")
    try execute("PRAGMA synchronous=\(synchronous.rawValue)")
    try execute("CREATE TABLE entries (seq INTEGER PRIMARY KEY, line TEXT NOT NULL)")
    try check(
      sqlite3_prepare_v2(database, "INSERT INTO entries VALUES (?, ?)", -1, &insert, nil),
      "prepare"
    )
  }

  deinit {
    sqlite3_finalize(insert)
    sqlite3_close(database)
  }

  /// Inserts `count` lines in one transaction.
  func insert(_ count: Int, of sample: LogSample) throws {
    try execute("BEGIN")
    for _ in 0..<count {
      last += 1
      try sample.withLine(Int(last)) { line in
        let text = line.baseAddress?.assumingMemoryBound(to: CChar.self)
        // Without a destructor the bytes have to stay until the step, and they do.
        sqlite3_bind_int64(insert, 1, last)
        sqlite3_bind_text(insert, 2, text, Int32(line.count), nil)
        try check(sqlite3_step(insert), "insert")
      }
      sqlite3_reset(insert)
    }
    try execute("COMMIT")
  }

  private func execute(_ statement: String) throws {
    try check(sqlite3_exec(database, statement, nil, nil, nil), statement)
  }

  private func check(_ result: Int32, _ what: String) throws {
    guard [SQLITE_OK, SQLITE_DONE, SQLITE_ROW].contains(result) else {
      throw BenchFailure("SQLite, \(what): \(String(cString: sqlite3_errmsg(database)))")
    }
  }
}

/// The same events with the same durability in the same batches, as rows of SQLite.
///
/// The daemon takes the events from publishers, decodes, numbers and stamps them; SQLite finds them
/// in memory. A transaction has as many rows as the daemon synced at once, or wrote at once where
/// nobody waits for the disk.
final class Stored: Measurement {
  private let setting: BenchSetting
  private var batches: (synced: Batches, written: Batches)?
  private var sizes: [(synced: Int, written: Int)] = []

  init(_ setting: BenchSetting) { self.setting = setting }

  var obstacle: String? { setting.fileSystem.obstacle }

  var remarks: [String] {
    let place = setting.fileSystem
    let size = { (sizes: [Int]) in
      RoundStatistics(sizes.map(Double.init)).map { grouped($0.median) } ?? "no"
    }
    return [
      "both were on \(place.type), \(place.source); \(Table.version) with a write-ahead log, one"
        + " transaction for \(size(sizes.map(\.synced))) rows when synced and"
        + " for \(size(sizes.map(\.written))) when written, as the daemon had them"
    ]
  }

  func measureRound(_ subject: Subject) throws -> [Double?] {
    let events = setting.size(400_000)
    if case .daemon = subject {
      let synced = try Batches(subject, in: setting, acknowledged: .synced, events: events)
      let written = try Batches(subject, in: setting, acknowledged: .written, events: events)
      sizes.append((synced.entriesPerBatch, written.entriesPerBatch))
      batches = (synced, written)
      return synced.rates + written.rates + written.rates
    }
    guard let (synced, written) = batches else {
      preconditionFailure("SQLite inserts the entries that the daemon has logged before")
    }
    return try insert(synced, .full) + insert(written, .normal) + insert(written, .off)
  }

  private func insert(_ batches: Batches, _ synchronous: Table.Synchronous) throws -> [Double] {
    let home = try setting.home("sqlite")
    return try withExtendedLifetime(home) {
      let table = try Table(at: home.state + "/entries.sqlite", synchronous)
      let size = batches.entriesPerBatch
      let count = max(1, setting.size(400_000) / size)
      // As with the daemon, a tenth goes ahead.
      for _ in 0..<count / 10 { try table.insert(size, of: batches.sample) }
      return try Cost(processor: CPUTime.ofThisThread) {
        for _ in 0..<count { try table.insert(size, of: batches.sample) }
      }.rates(of: count * size)
    }
  }
}

/// Publishers that want to hear from the disk: a few with many events in flight, and one that
/// waits each time.
///
/// The peer is the disk itself. For many events in flight, the disk gets pieces as large as the
/// daemon's batches, one after the other. For the one that waits, the disk gets single lines in
/// short turns with the daemon, because a disk's time depends most on its other work. The waiting
/// publisher sleeps, as a caller of `fdatasync` does.
final class Synced: Measurement {
  /// The events of a turn; with one each, daemon and disk would affect each other's time.
  private static let turn = 25
  /// A line that the disk is given over and over, about as long as an announcement.
  private static let line = [UInt8](repeating: 0x78, count: 200)

  private let setting: BenchSetting
  private var groups: [Double] = []
  /// The entries that the daemon synced at once: a guess until the first round has counted.
  private var group = 4_096
  private var bytesPerEntry = 340
  /// The times of the disk in turns with the daemon, in µs.
  private var turns: [Double] = []

  init(_ setting: BenchSetting) { self.setting = setting }

  var obstacle: String? { setting.fileSystem.obstacle }

  var remarks: [String] {
    let place = setting.fileSystem
    let words = "the log was on \(place.type), \(place.source)"
    guard let groups = RoundStatistics(groups) else { return [words] }
    let range = groups.range(decimals: 0)
    return [words + "; entries for each fdatasync \(grouped(groups.median)) \(range)"]
  }

  func measureRound(_ subject: Subject) throws -> [Double?] {
    let events = setting.size(800_000)
    let waits = setting.size(500)
    if case .daemon = subject {
      let batches = try Batches(subject, in: setting, acknowledged: .synced, events: events)
      group = batches.entriesPerBatch
      groups.append(Double(group))
      bytesPerEntry = batches.sample.bytesPerLine + 1
      let samples = try takeTurns(waits, subject)
      return batches.rates + [samples.quantile(0.5), samples.quantile(0.99)]
    }
    let home = try setting.home("synced-disk")
    return try withExtendedLifetime(home) {
      let pieces = try writePieces(events, below: home.state)
      if turns.isEmpty { turns = try measureDisk(waits, below: home.state) }
      defer { turns = [] }
      return pieces + [turns.quantile(0.5), turns.quantile(0.99)]
    }
  }

  /// The times of `count` acknowledgements in µs; after a few of them the disk has its turn.
  private func takeTurns(_ count: Int, _ subject: Subject) throws -> [Double] {
    let server = try Server(subject, in: setting.home("synced"))
    defer { server.end() }
    let lines = Announcements(acknowledged: .synced)
    let publisher = try Publisher(at: server.home.socket, lines: lines)
    let file = try AppendedFile(at: server.home.path + "/lines")
    // The first entries of a client and of a file are not like the rest.
    for _ in 0..<count / 10 {
      try publishOne(over: publisher)
      try file.append(Self.line)
    }
    var samples: [Double] = []
    turns = []
    for _ in 0..<count / Self.turn {
      for _ in 0..<Self.turn {
        samples.append(try microseconds { try publishOne(over: publisher) })
      }
      for _ in 0..<Self.turn { turns.append(try microseconds { try file.append(Self.line) }) }
    }
    return samples
  }

  /// The times of the disk alone.
  private func measureDisk(_ count: Int, below state: String) throws -> [Double] {
    let file = try AppendedFile(at: state + "/lines")
    for _ in 0..<count / 10 { try file.append(Self.line) }
    var samples: [Double] = []
    for _ in 0..<count { samples.append(try microseconds { try file.append(Self.line) }) }
    return samples
  }

  /// Publishes one event, and returns when it is safe.
  private func publishOne(over publisher: Publisher) throws {
    publisher.plan(1)
    try publisher.send()
    try publisher.connection.wait(
      for: "to hear from the disk",
      until: { publisher.isDone },
      publisher.receiveAcknowledgements
    )
  }

  private func microseconds(of work: () throws -> Void) throws -> Double {
    let before = Clock.nanoseconds()
    try work()
    return Double(Clock.nanoseconds() - before) / 1e3
  }

  /// Writes `events` lines, in pieces as large as the daemon's batches.
  private func writePieces(_ events: Int, below state: String) throws -> [Double] {
    let file = try AppendedFile(at: state + "/pieces")
    let piece = [UInt8](repeating: 0x78, count: group * bytesPerEntry)
    let pieces = max(1, events / group)
    return try Cost(processor: CPUTime.ofThisThread) {
      for _ in 0..<pieces { try file.append(piece) }
    }.rates(of: pieces * group)
  }
}

/// The file system below a directory, as the kernel's table of mounts names it.
struct FileSystem {
  /// Such as `ext4`.
  private(set) var type = "an unknown file system"
  /// Such as `/dev/sda1`.
  private(set) var source = "nothing that is known"

  init(of directory: String) {
    let path = (File.resolved(directory) ?? directory) + "/"
    var longest = 0
    for line in (text(of: "/proc/self/mountinfo") ?? "").split(separator: "\n") {
      // The mount point is the fifth field; behind a lone hyphen come type and source.
      let fields = line.split(separator: " ")
      guard fields.count > 4, let hyphen = fields.firstIndex(of: "-"),
        hyphen + 2 < fields.count
      else { continue }
      let point = fields[4] == "/" ? "/" : fields[4] + "/"
      // Of two mounts at one place the later one hides the earlier.
      guard path.hasPrefix(point), point.utf8.count >= longest else { continue }
      longest = point.utf8.count
      type = String(fields[hyphen + 1])
      source = String(fields[hyphen + 2])
    }
  }

  /// The reason why durability cannot be measured there, if there is one.
  var obstacle: String? {
    guard type == "tmpfs" || type == "ramfs" else { return nil }
    return "the logs are on \(type), where nothing is synchronised; TMPDIR names a disk"
  }
}
