// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The batches in which a daemon logs the events of many publishers.
///
/// A store that is given the same events in the same batches has the same chances.
struct Batches {
  let entriesPerSecond: Double
  /// Processor time of the daemon, in µs.
  let microsecondsPerEntry: Double
  /// Entries for each `fdatasync`, or for each write where nobody waits for the disk.
  let entriesPerBatch: Int
  /// Lines from the log.
  let sample: LogSample

  private static let publishers = 8
  private static let eventsInFlight = 1_024

  /// Publishes `events` to a daemon of its own.
  static func measure(
    _ subject: RoundSubject,
    in setting: BenchSetting,
    acknowledged acknowledgement: EventSafety,
    events: Int
  ) throws(BenchFailure) -> Batches {
    let server = try Server(subject, in: setting.home("batches"))
    defer { server.end() }
    let pipelines = try Pipelines(
      publishers,
      inFlight: eventsInFlight,
      lines: Announcements(acknowledged: acknowledgement),
      at: server.home.socket
    )
    // Caches, buffers and the first segment of the log are filled before the clock runs.
    try pipelines.publishAll(events / 10)

    let lastBefore = try server.last()
    let batchesBefore = try count(of: server, acknowledgement)
    let processorBefore = try server.processorNanoseconds()
    let before = Clock.nanoseconds()
    try pipelines.publishAll(events)
    let elapsed = Clock.nanoseconds() - before
    let processor = try server.processorNanoseconds() - processorBefore
    let batches = try count(of: server, acknowledgement) - batchesBefore
    let entries = try server.last() - lastBefore
    guard batches > 0 else {
      throw BenchFailure("\(events) events were \(acknowledgement), and nothing was done for that")
    }

    return Batches(
      entriesPerSecond: Double(events) * 1e9 / Double(elapsed),
      microsecondsPerEntry: Double(processor) / 1e3 / Double(events),
      entriesPerBatch: max(1, entries / batches),
      sample: try LogSample(of: server.home.state)
    )
  }

  private static func count(
    of server: Server,
    _ acknowledgement: EventSafety
  ) throws(BenchFailure) -> Int {
    switch acknowledgement {
    case .written: try server.turns()
    case .synced: try WatermarkFile.round(in: server.home.state)
    }
  }
}
