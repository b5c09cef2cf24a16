// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The time of an event on its way, at a thousand events a second.
///
/// The text carries the moment of sending, and the subscriber looks at the clock when it reads the
/// line. Events leave by the clock, not after the arrival of the one before, so that a stall counts
/// with every event that it delays.
///
/// While an event is on its way the reader polls without sleeping. On a virtual machine, waking a
/// sleeping reader costs more than everything between publisher and subscriber; the figure is left
/// with the daemon's own wake-up and its work, which can be improved.
final class LatencyFigure: Figure {
  let rows = [
    Row(
      name: "publisher to subscriber at 1,000 events a second, median in µs",
      decimals: 0,
      goals: [.atMostTimes(1, .dbus), .atMostTimes(1.5, .relay), .atMostTimes(1.2, .sealingRelay)]
    ),
    Row(
      name: "publisher to subscriber at 1,000 events a second, 99th percentile in µs",
      decimals: 0,
      goals: [.atMostTimes(1, .dbus), .atMostTimes(1.5, .relay), .atMostTimes(1.2, .sealingRelay)]
    ),
  ]
  let peers = Peer.buses
  private static let gapNanoseconds = 1_000_000
  private static let patienceNanoseconds = Int(Poller.patienceMilliseconds) * 1_000_000
  private let setting: BenchSetting
  private let buffer = LineBuffer()

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    let home = try setting.home("latency")
    let server = try Server(subject, in: home)
    defer { server.end() }
    let count = setting.size(3_000)
    if subject.server != nil { return try measureLoad(count, over: server) }
    let subscriber = try Subscriber(at: home.socket)
    try subscriber.catchUp(through: buffer)
    let publisher = try Socket(connectingTo: home.socket)
    let unmeasured = count / 10
    var samples = try sendEvents(count + unmeasured, over: publisher, to: subscriber)
    samples.removeFirst(unmeasured)
    samples.sort()
    return [
      RoundStatistics.quantile(0.5, of: samples), RoundStatistics.quantile(0.99, of: samples),
    ]
  }

  private func measureLoad(_ count: Int, over server: Server) throws(BenchFailure) -> [Double?] {
    let load = try PeerLoad(
      .latency,
      over: server,
      ["--events", "\(count)", "--window", "1"],
      lines: setting.lines.plain.path
    )
    let figures = try load.measure()
    try load.release()
    return [Double(figures.first) / 1e3, Double(figures.second) / 1e3]
  }

  /// Sends `count` events, and returns their times in µs, in their order.
  private func sendEvents(
    _ count: Int,
    over publisher: borrowing Socket,
    to subscriber: Subscriber
  ) throws(BenchFailure) -> [Double] {
    var samples: [Double] = []
    samples.reserveCapacity(count)
    var acknowledged = 0
    var rest: [UInt8] = []
    var sent = 0
    var next = Clock.nanoseconds()
    while samples.count < count || acknowledged < count {
      let now = Clock.nanoseconds()
      if sent < count, now >= next {
        let line = Announcements.line(behind: TimeWord.text(Clock.nanoseconds()))
        try line.span.withUnsafeBytes { raw throws(BenchFailure) in try publisher.deliver(raw) }
        sent += 1
        next += LatencyFigure.gapNanoseconds
        continue
      }
      if samples.count == sent, acknowledged == sent {
        Clock.sleep(until: next)
        continue
      }
      guard now < next + LatencyFigure.patienceNanoseconds else { break }
      try subscriber.receiveLines(through: buffer) { line throws(BenchFailure) in
        let arrived = Clock.nanoseconds()
        samples.append(Double(arrived - (try TimeWord.nanoseconds(in: line))) / 1e3)
      }
      let open = try buffer.read(from: publisher, rest: &rest) { line throws(BenchFailure) in
        guard case .success = ReceivedLine(line) else {
          throw BenchFailure("a publisher was answered: \(quote(line))")
        }
        acknowledged += 1
      }
      guard open else { throw BenchFailure("a publisher was disconnected") }
      // The scheduler may wake the daemon on the processor that is busy with this loop.
      sched_yield()
    }
    guard samples.count == count, acknowledged == count else {
      throw BenchFailure(
        "of \(count) events \(acknowledged) were acknowledged and \(samples.count) came"
      )
    }
    return samples
  }
}
