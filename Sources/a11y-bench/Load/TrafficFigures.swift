// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One publisher with a thousand events in flight, and its subscribers.
struct TrafficFigures {
  let events: Int
  let subscribers: Int
  /// The subscribers that want every second line alone.
  var filtered = 0
  /// Further tables of the daemon's configuration.
  var settings = ""

  /// Limits for more subscribers of one user than a desktop has.
  static let wideLimits = "[limits]\nconnections = 20000\nconnections_per_uid = 20000\n"

  /// Deliveries per second with all subscribers together, and processor time for each, in µs.
  func measure(
    _ subject: RoundSubject,
    in setting: BenchSetting
  ) throws(BenchFailure) -> [Double?] {
    let server = try Server(subject, in: setting.home("traffic", settings: settings))
    defer { server.end() }
    let lines = filtered > 0 ? setting.lines.mixed : setting.lines.plain
    let cost =
      if let peer = subject.server {
        try measure(peer, server, lines)
      } else {
        try measure(server, lines)
      }
    let deliveries = Double(cost.deliveries)
    return [
      deliveries * 1e9 / Double(cost.nanoseconds), Double(cost.processor) / 1e3 / deliveries,
    ]
  }

  private typealias Cost = (deliveries: Int, nanoseconds: Int, processor: Int)

  private func measure(
    _ server: Server,
    _ lines: PublishedLines.Kind
  ) throws(BenchFailure) -> Cost {
    let traffic = try Traffic(
      at: server.home.socket,
      lines: lines.announcements,
      subscribers: subscribers,
      filtered: filtered
    )
    // Caches, buffers and the first segment of the log are made before the clock runs.
    try traffic.publishAll(events / 20 * 2)

    let deliveriesBefore = traffic.deliveries
    let processorBefore = try server.processorNanoseconds()
    let before = Clock.nanoseconds()
    try traffic.publishAll(events)
    let elapsed = Clock.nanoseconds() - before
    let processor = try server.processorNanoseconds() - processorBefore
    return (traffic.deliveries - deliveriesBefore, elapsed, processor)
  }

  private func measure(
    _ peer: Peer,
    _ server: Server,
    _ lines: PublishedLines.Kind
  ) throws(BenchFailure) -> Cost {
    let load = try PeerLoad(
      .stream,
      over: server,
      [
        "--events", "\(max(events / peer.patience / 2 * 2, 2))",
        "--subscribers", "\(subscribers)", "--filtered", "\(filtered)",
      ],
      lines: lines.path
    )
    let processorBefore = try server.processorNanoseconds()
    let figures = try load.measure()
    let processor = try server.processorNanoseconds() - processorBefore
    try load.release()
    return (figures.first, figures.nanoseconds, processor)
  }
}
