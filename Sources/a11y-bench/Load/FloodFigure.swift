// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The delay of urgent events while another app floods the bus.
///
/// An app publishes 100,000 low announcements a second, by the clock. Meanwhile each of many other
/// apps publishes one urgent event, since a single app would be held to its rate. The reader
/// reports the end of each speech at once, so that no delay is due to speech. The figure is the
/// processor time that the daemon spends between the sending of an urgent line and the arrival of
/// its deliver; the time by the clock depends on other processes too.
final class FloodFigure: Figure {
  let rows = [
    Row(
      name: "high amid 100,000 low a second, daemon time from publish to deliver, worst in ms",
      decimals: 2,
      goals: [.atMost(10)]
    ),
    Row(
      name: "high amid 100,000 low a second, from publish to deliver, median in ms",
      decimals: 2,
      goals: [.atMost(10)]
    ),
    Row(
      name: "high amid 100,000 low a second, from publish to deliver, 99 % in ms",
      decimals: 2,
      goals: [.atMost(10)]
    ),
  ]
  private static let lowPerMillisecond = 100
  /// The time between urgent events, which shares no beat with the flood.
  private static let gapNanoseconds = 37_700_000
  private static let patienceNanoseconds = Int(Poller.patienceMilliseconds) * 1_000_000
  private let setting: BenchSetting
  private let buffer = LineBuffer()

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    let home = try setting.home("flood")
    let server = try Server(subject, in: home)
    defer { server.end() }
    let reader = try QuickReader(at: home.socket, through: buffer)
    let flood = try Publisher(
      at: home.socket,
      lines: Announcements(priority: .low),
      inFlight: setting.size(50_000)
    )
    let count = setting.size(100)
    var others: [Asker] = []
    for index in 0..<count {
      let other = try Asker(at: home.socket)
      try other.ask(
        #"{"id":1,"op":"hello","app":"urgent-\#(index)"}"# + "\n",
        count: 1,
        through: buffer
      )
      others.append(other)
    }
    let delays = try measureDelays(others, amid: flood, to: reader, from: server)
    let waits = delays.map(\.wall).sorted()
    guard let worst = delays.map(\.daemon).max() else {
      throw BenchFailure("nothing urgent was sent")
    }
    return [
      worst, RoundStatistics.quantile(0.5, of: waits), RoundStatistics.quantile(0.99, of: waits),
    ]
  }

  /// The delay of an urgent event, in ms.
  private struct Delay {
    let daemon: Double
    let wall: Double
  }

  /// The delay of each urgent event, in any order.
  private func measureDelays(
    _ others: [Asker],
    amid flood: Publisher,
    to reader: QuickReader,
    from server: Server
  ) throws(BenchFailure) -> [Delay] {
    let start = Clock.nanoseconds()
    var nextLow = start
    // The flood gets time to rise.
    var next = start + 5 * FloodFigure.gapNanoseconds
    var sent = 0
    var delays: [Delay] = []
    /// The daemon's processor time at each sending, by the moment of the sending.
    var spent: [Int: Int] = [:]
    while delays.count < others.count {
      var now = Clock.nanoseconds()
      while nextLow <= now {
        flood.plan(FloodFigure.lowPerMillisecond)
        nextLow += 1_000_000
      }
      try flood.send()
      if sent < others.count, now >= next {
        now = Clock.nanoseconds()
        let line = Announcements.line(behind: TimeWord.text(now), priority: .high)
        spent[now] = try server.processorNanosecondsNow()
        try others[sent].sendLines(String(decoding: line, as: UTF8.self))
        sent += 1
        next += FloodFigure.gapNanoseconds
      }
      guard now < next + FloodFigure.patienceNanoseconds else {
        throw BenchFailure("of \(sent) urgent events \(delays.count) were delivered")
      }
      try reader.receiveLines(through: buffer) { line throws(BenchFailure) in
        guard line.contains(UInt8(ascii: "@")) else { return }
        let moment = try TimeWord.nanoseconds(in: line)
        guard let before = spent[moment] else { return }
        let spent = try server.processorNanosecondsNow() - before
        let wall = Clock.nanoseconds() - moment
        // The kernel updates the time of another process with its ticks, up to 4 ms late; the
        // daemon's one thread cannot have spent more than has passed.
        delays.append(Delay(daemon: Double(min(spent, wall)) / 1e6, wall: Double(wall) / 1e6))
      }
      try flood.receiveAcknowledgements(through: buffer)
      // The scheduler may wake the daemon on the processor that is busy with this loop.
      sched_yield()
    }
    return delays
  }
}
