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
      decimals: 0,
      target: .atLeast(300_000)
    ),
    Row(
      name: "announcements with a reader who reports, processor time per event in µs",
      decimals: 2,
      target: .atMost(3)
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

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    let home = try setting.home("heard")
    let server = try Server(subject, in: home)
    defer { server.end() }
    let reader = try QuickReader(at: home.socket, through: buffer)
    let publisher = try Publisher(at: home.socket, lines: Announcements())
    let poller = try Poller()
    try poller.watch(reader.socket.number, as: 0)
    try poller.watch(publisher.socket.number, as: 1)

    let events = setting.size(500_000)
    // As in the other figures, a tenth goes ahead.
    try publishAll(events / 10, from: publisher, to: reader, poller)
    let processorBefore = try server.processorNanoseconds()
    let before = Clock.nanoseconds()
    try publishAll(events, from: publisher, to: reader, poller)
    let elapsed = Clock.nanoseconds() - before
    let processor = try server.processorNanoseconds() - processorBefore
    if case .daemon = subject {
      guard reader.deliveries > 0 else { throw BenchFailure("nothing was delivered to the reader") }
      deliveries.append(Double(reader.deliveries))
    }
    return [Double(events) * 1e9 / Double(elapsed), Double(processor) / 1e3 / Double(events)]
  }

  /// Publishes `events`, and returns when all are acknowledged and have reached the reader.
  private func publishAll(
    _ events: Int,
    from publisher: Publisher,
    to reader: QuickReader,
    _ poller: borrowing Poller
  ) throws(BenchFailure) {
    publisher.plan(events)
    let goal = reader.events + events
    try publisher.send()
    while !publisher.isDone || reader.events < goal {
      let ready = try poller.wait(milliseconds: Poller.patienceMilliseconds) {
        token throws(BenchFailure) in
        if token == 0 {
          try reader.receiveLines(through: buffer)
        } else {
          try publisher.receiveAcknowledgements(through: buffer)
          try publisher.send()
        }
      }
      guard ready > 0 else {
        throw BenchFailure("nothing moved any more: \(goal - reader.events) events did not come")
      }
    }
    guard reader.events == goal else { throw BenchFailure("a reader received events twice") }
  }
}
