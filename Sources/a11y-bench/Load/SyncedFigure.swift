// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Publishers that want to hear from the disk: a few with many events in flight, and one that
/// waits each time.
///
/// The peer is the disk itself. For many events in flight, the disk gets pieces as large as the
/// daemon's batches, one after the other. For the one that waits, the disk gets single lines in
/// short turns with the daemon, because a disk's time depends most on its other work. The waiting
/// publisher sleeps, as a caller of `fdatasync` does.
final class SyncedFigure: Figure {
  let rows = [
    Row(
      name:
        "8 publishers, each with 1,024 events on their way to the disk, synced events per second",
      decimals: 0,
      goals: [.atLeast(200_000)]
    ),
    Row(
      name: "8 publishers, processor time per synced event in µs",
      decimals: 2
    ),
    Row(
      name: "1 publisher, waiting for the disk each time, median in µs",
      decimals: 0,
      goals: [.atMostBeyond(300, .disk)]
    ),
    Row(
      name: "1 publisher, waiting for the disk each time, 99th percentile in µs",
      decimals: 0
    ),
  ]
  /// The events of a turn; with one each, daemon and disk would affect each other's time.
  private static let turn = 25
  private let setting: BenchSetting
  private let buffer = LineBuffer()
  private var groups: [Double] = []
  /// The entries that the daemon synced at once: a guess until the first round has counted.
  private var group = 4_096
  private var bytesPerEntry = 340
  /// The times of the disk in turns with the daemon, in µs.
  private var turns: [Double] = []

  init(_ setting: BenchSetting) { self.setting = setting }

  var peers: [Peer] { [.disk] }
  var obstacle: String? { setting.fileSystem.obstacle }

  var remarks: [String] {
    let place = setting.fileSystem
    var words = "the log was on \(place.type), \(place.source)"
    if let statistics = RoundStatistics(groups) {
      words += "; entries for each fdatasync \(grouped(statistics.median, decimals: 0))"
      words +=
        " (\(grouped(statistics.least, decimals: 0))–\(grouped(statistics.most, decimals: 0)))"
    }
    return [words]
  }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    let events = setting.size(800_000)
    let waits = setting.size(500)
    switch subject {
    case .daemon:
      let batches = try Batches.measure(subject, in: setting, acknowledged: .synced, events: events)
      group = batches.entriesPerBatch
      groups.append(Double(group))
      bytesPerEntry = batches.sample.bytesPerLine + 1
      let samples = try takeTurns(waits, subject)
      return [batches.entriesPerSecond, batches.microsecondsPerEntry] + quantiles(of: samples)
    case .peer:
      let home = try setting.home("synced-disk")
      return try withExtendedLifetime(home) { () throws(BenchFailure) in
        let pieces = try writePieces(events, below: home.state)
        if turns.isEmpty { turns = try measureDisk(waits, below: home.state) }
        defer { turns = [] }
        return pieces + quantiles(of: turns)
      }
    }
  }

  private func quantiles(of samples: [Double]) -> [Double] {
    let sorted = samples.sorted()
    return [RoundStatistics.quantile(0.5, of: sorted), RoundStatistics.quantile(0.99, of: sorted)]
  }

  // MARK: One that waits

  /// The times of `count` acknowledgements in µs; after a few of them the disk has its turn.
  private func takeTurns(_ count: Int, _ subject: RoundSubject) throws(BenchFailure) -> [Double] {
    let server = try Server(subject, in: setting.home("synced"))
    defer { server.end() }
    let lines = Announcements(acknowledged: .synced)
    let publisher = try Publisher(at: server.home.socket, lines: lines)
    let line = DiskLine(try AppendedFile(at: server.home.path + "/lines"))
    // The first entries of a client and of a file are not like the rest.
    for _ in 0..<count / 10 {
      try publishOne(over: publisher)
      try line.appendToFile()
    }
    var samples: [Double] = []
    turns = []
    for _ in 0..<count / SyncedFigure.turn {
      for _ in 0..<SyncedFigure.turn {
        samples.append(
          try microseconds { () throws(BenchFailure) in try publishOne(over: publisher) }
        )
      }
      for _ in 0..<SyncedFigure.turn {
        turns.append(try microseconds { () throws(BenchFailure) in try line.appendToFile() })
      }
    }
    return samples
  }

  /// The times of the disk alone.
  private func measureDisk(_ count: Int, below state: String) throws(BenchFailure) -> [Double] {
    let line = DiskLine(try AppendedFile(at: state + "/lines"))
    for _ in 0..<count / 10 { try line.appendToFile() }
    var samples: [Double] = []
    for _ in 0..<count {
      samples.append(try microseconds { () throws(BenchFailure) in try line.appendToFile() })
    }
    return samples
  }

  /// A line that the disk is given over and over, about as long as an announcement.
  private struct DiskLine {
    private let file: AppendedFile
    private let bytes = [UInt8](repeating: 0x78, count: 200)

    init(_ file: AppendedFile) { self.file = file }

    func appendToFile() throws(BenchFailure) { try file.append(bytes) }
  }

  /// Publishes one event, and returns when it is safe.
  private func publishOne(over publisher: Publisher) throws(BenchFailure) {
    publisher.plan(1)
    try publisher.send()
    var interest = pollfd(fd: publisher.socket.number, events: Int16(POLLIN), revents: 0)
    while !publisher.isDone {
      guard poll(&interest, 1, Poller.patienceMilliseconds) > 0 else {
        throw BenchFailure("a publisher waits in vain to hear from the disk")
      }
      try publisher.receiveAcknowledgements(through: buffer)
    }
  }

  private func microseconds(of work: () throws(BenchFailure) -> Void) throws(BenchFailure) -> Double
  {
    let before = Clock.nanoseconds()
    try work()
    return Double(Clock.nanoseconds() - before) / 1e3
  }

  // MARK: Many in flight

  /// Writes `events` lines, in pieces as large as the daemon's batches.
  private func writePieces(_ events: Int, below state: String) throws(BenchFailure) -> [Double] {
    let file = try AppendedFile(at: state + "/pieces")
    let piece = [UInt8](repeating: 0x78, count: group * bytesPerEntry)
    let pieces = max(1, events / group)
    let processorBefore = CPUTime.nanosecondsOfThisThread()
    let before = Clock.nanoseconds()
    for _ in 0..<pieces { try file.append(piece) }
    let elapsed = Clock.nanoseconds() - before
    let processor = CPUTime.nanosecondsOfThisThread() - processorBefore
    let written = Double(pieces * group)
    return [written * 1e9 / Double(elapsed), Double(processor) / 1e3 / written]
  }
}
