// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One publisher with a thousand announcements in flight, and a reader that reports its speech.
///
/// All default rules are in force. Far more comes than anybody can hear: a few events are spoken,
/// and the others end with an outcome and its reason.
final class HeardFigure: Figure {
  let rows = [
    Row(
      name: "announcements with a reader who reports, events per second",
      decimals: 0
    ),
    Row(
      name: "announcements with a reader who reports, processor time per event in µs",
      decimals: 2,
      goals: [.atMostTimes(0.8, .redis)]
    ),
  ]
  private var deliveries: [Double] = []
  private let setting: BenchSetting
  private let buffer = LineBuffer()

  init(_ setting: BenchSetting) { self.setting = setting }

  var remarks: [String] {
    guard let statistics = RoundStatistics(deliveries) else { return [] }
    return ["of each round \(grouped(statistics.median, decimals: 0)) deliveries were spoken"]
  }

  /// Redis passes on the same lines to one subscriber, and decides nothing.
  let peers: [Peer] = [.relay, .redis]

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    if subject.server != nil {
      return try TrafficFigures(events: setting.size(500_000), subscribers: 1)
        .measure(subject, in: setting)
    }
    let costs = try measure(subject, readers: 1)
    if case .daemon = subject {
      guard costs.deliveries > 0 else { throw BenchFailure("nothing was delivered to the reader") }
      deliveries.append(Double(costs.deliveries))
    }
    return [costs.eventsPerSecond, costs.microsecondsPerEvent]
  }

  struct Costs {
    let eventsPerSecond: Double
    let microsecondsPerEvent: Double
    let deliveries: Int
  }

  func measure(_ subject: RoundSubject, readers count: Int) throws(BenchFailure) -> Costs {
    let home = try setting.home("heard")
    let server = try Server(subject, in: home)
    defer { server.end() }
    let poller = try Poller()
    var readers: [QuickReader] = []
    for index in 0..<count {
      let reader = try QuickReader(at: home.socket, through: buffer)
      try poller.watch(reader.socket.number, as: index)
      readers.append(reader)
    }
    let publisher = try Publisher(at: home.socket, lines: Announcements())
    try poller.watch(publisher.socket.number, as: count)

    let events = setting.size(500_000)
    // As in the other figures, a tenth goes ahead.
    try publishAll(events / 10, from: publisher, to: readers, poller)
    let processorBefore = try server.processorNanoseconds()
    let before = Clock.nanoseconds()
    try publishAll(events, from: publisher, to: readers, poller)
    let elapsed = Clock.nanoseconds() - before
    let processor = try server.processorNanoseconds() - processorBefore
    return Costs(
      eventsPerSecond: Double(events) * 1e9 / Double(elapsed),
      microsecondsPerEvent: Double(processor) / 1e3 / Double(events),
      deliveries: readers.reduce(0) { $0 + $1.deliveries }
    )
  }

  /// Publishes `events`, and returns when all are acknowledged and have reached every reader.
  private func publishAll(
    _ events: Int,
    from publisher: Publisher,
    to readers: [QuickReader],
    _ poller: borrowing Poller
  ) throws(BenchFailure) {
    publisher.plan(events)
    let goal = (readers.first?.events ?? 0) + events
    try publisher.send()
    while !publisher.isDone || readers.contains(where: { $0.events < goal }) {
      let ready = try poller.wait(milliseconds: Poller.patienceMilliseconds) {
        token throws(BenchFailure) in
        if token < readers.count {
          try readers[token].receiveLines(through: buffer)
        } else {
          try publisher.receiveAcknowledgements(through: buffer)
          try publisher.send()
        }
      }
      guard ready > 0 else {
        let missing = readers.reduce(0) { $0 + goal - $1.events }
        throw BenchFailure("nothing moved any more: \(missing) events did not come")
      }
    }
    guard readers.allSatisfy({ $0.events == goal }) else {
      throw BenchFailure("a reader received events twice")
    }
  }
}
