// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The same events with the same durability in the same batches, as rows of SQLite.
///
/// The daemon takes the events from publishers, decodes, numbers and stamps them; SQLite finds them
/// in memory. A transaction has as many rows as the daemon synced at once, or wrote at once where
/// nobody waits for the disk.
final class SQLiteFigure: Figure {
  let rows = [
    SQLiteFigure.rate(
      "safe from a loss of power: synced, SQLite with synchronous=FULL",
      [.atLeastTimes(1, .sqlite)]
    ),
    SQLiteFigure.time("safe from a loss of power"),
    SQLiteFigure.rate(
      "safe from a crash: written, SQLite with synchronous=NORMAL",
      [.atLeastTimes(1, .sqlite)]
    ),
    SQLiteFigure.time("safe from a crash"),
    // Here SQLite promises less: it may lose the table, and the daemon loses a second.
    SQLiteFigure.rate("safe from a crash: written, SQLite with synchronous=OFF"),
    SQLiteFigure.time("safe from a crash, SQLite with synchronous=OFF"),
  ]
  private let setting: BenchSetting
  private var synced: Batches?
  private var written: Batches?
  private var sizes: [(synced: Int, written: Int)] = []

  init(_ setting: BenchSetting) { self.setting = setting }

  var peers: [Peer] { [.sqlite] }
  var obstacle: String? { setting.fileSystem.obstacle }

  var remarks: [String] {
    let place = setting.fileSystem
    let size = { (sizes: [Double]) in
      RoundStatistics(sizes).map { grouped($0.median, decimals: 0) } ?? "no"
    }
    return [
      "both were on \(place.type), \(place.source); \(Table.version) with a write-ahead log, one"
        + " transaction for \(size(sizes.map { Double($0.synced) })) rows when synced and"
        + " for \(size(sizes.map { Double($0.written) })) when written, as the daemon had them"
    ]
  }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    switch subject {
    case .daemon:
      let synced = try measure(subject, .synced)
      let written = try measure(subject, .written)
      sizes.append((synced.entriesPerBatch, written.entriesPerBatch))
      self.synced = synced
      self.written = written
      return [synced, written, written].flatMap { [$0.entriesPerSecond, $0.microsecondsPerEntry] }
    case .peer:
      guard let synced, let written else {
        preconditionFailure("SQLite inserts the entries that the daemon has logged before")
      }
      return try insert(synced, .full) + insert(written, .normal) + insert(written, .off)
    }
  }

  private func measure(
    _ subject: RoundSubject,
    _ acknowledgement: EventSafety
  ) throws(BenchFailure) -> Batches {
    let events = setting.size(400_000)
    return try .measure(subject, in: setting, acknowledged: acknowledgement, events: events)
  }

  private func insert(
    _ batches: Batches,
    _ synchronous: Table.Synchronous
  ) throws(BenchFailure) -> [Double] {
    let home = try setting.home("sqlite")
    return try withExtendedLifetime(home) { () throws(BenchFailure) in
      let table = try Table(at: home.state + "/entries.sqlite", synchronous)
      let size = batches.entriesPerBatch
      let count = max(1, setting.size(400_000) / size)
      // As with the daemon, a tenth goes ahead.
      for _ in 0..<count / 10 { try table.insert(size, of: batches.sample) }
      let processorBefore = CPUTime.nanosecondsOfThisThread()
      let before = Clock.nanoseconds()
      for _ in 0..<count { try table.insert(size, of: batches.sample) }
      let elapsed = Clock.nanoseconds() - before
      let processor = CPUTime.nanosecondsOfThisThread() - processorBefore
      let rows = Double(count * size)
      return [rows * 1e9 / Double(elapsed), Double(processor) / 1e3 / rows]
    }
  }

  private static func rate(_ words: String, _ goals: [Goal] = []) -> Row {
    Row(name: "\(words), rows per second", decimals: 0, goals: goals)
  }

  private static func time(_ words: String) -> Row {
    Row(
      name: "\(words), processor time per row in µs",
      decimals: 2
    )
  }
}
