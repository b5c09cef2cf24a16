// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Whether something urgent comes through while another app floods the bus.
///
/// An app publishes 100,000 low announcements a second, by the clock. Meanwhile others say something
/// urgent, each of them once, as one that always did would be held to its rate. The reader reports
/// the end of all that it speaks at once; so no delay is speech's. What counts is the processor time
/// that the daemon spends between the sending of an urgent line and the arrival of its deliver; how
/// long that takes by the clock depends on who else wants the processors.
final class FloodFigure: Figure {
  let rows = [
    Row(
      name: "high amid 100,000 low a second, daemon time from publish to deliver, worst in ms",
      decimals: 2,
      target: .atMost(10),
      peers: ""
    ),
    Row(
      name: "high amid 100,000 low a second, from publish to deliver, median in ms",
      decimals: 2,
      target: .atMost(10),
      peers: ""
    ),
    Row(
      name: "high amid 100,000 low a second, from publish to deliver, 99 % in ms",
      decimals: 2,
      target: .atMost(10),
      peers: ""
    ),
  ]
  private static let lowPerMillisecond = 100
  /// Urgent ones come with this much between them; it shares no beat with the flood.
  private static let gapNanoseconds = 37_700_000
  private static let patienceNanoseconds = Int(Poller.patienceMilliseconds) * 1_000_000
  private let setting: BenchSetting
  private let buffer = LineBuffer()

  init(_ setting: BenchSetting) { self.setting = setting }

  func round(_ subject: RoundSubject) throws(BenchFailure) -> [Double] {
    let home = try setting.home("flood")
    let server = try Server(subject, in: home)
    defer { server.end() }
    let reader = try QuickReader(at: home.socket, through: buffer)
    let flood = try Publisher(
      at: home.socket,
      lines: Announcements(priority: .low),
      window: setting.size(50_000)
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
    let delays = try run(others, amid: flood, to: reader, from: server)
    let waits = delays.map(\.wall).sorted()
    guard let worst = delays.map(\.daemon).max() else {
      throw BenchFailure("nothing urgent was sent")
    }
    return [
      worst, RoundStatistics.quantile(0.5, of: waits), RoundStatistics.quantile(0.99, of: waits),
    ]
  }

  /// What an urgent event needed, in ms.
  private struct Delay {
    let daemon: Double
    let wall: Double
  }

  /// What each urgent event needed, in any order.
  private func run(
    _ others: [Asker],
    amid flood: Publisher,
    to reader: QuickReader,
    from server: Server
  ) throws(BenchFailure) -> [Delay] {
    let start = Clock.nanoseconds()
    var nextLow = start
    // The flood has its time to rise.
    var next = start + 5 * FloodFigure.gapNanoseconds
    var sent = 0
    var delays: [Delay] = []
    /// What the daemon had spent when each was sent, by the moment of that.
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
        try others[sent].send(String(decoding: line, as: UTF8.self))
        sent += 1
        next += FloodFigure.gapNanoseconds
      }
      guard now < next + FloodFigure.patienceNanoseconds else {
        throw BenchFailure("of \(sent) urgent events \(delays.count) were delivered")
      }
      try reader.receive(through: buffer) { line throws(BenchFailure) in
        guard line.contains(UInt8(ascii: "@")) else { return }
        let moment = try TimeWord.nanoseconds(in: line)
        guard let before = spent[moment] else { return }
        let spent = try server.processorNanosecondsNow() - before
        let wall = Clock.nanoseconds() - moment
        // Kernels tell another's time by their ticks, up to 4 ms too late; its one thread that does
        // this work cannot have spent more than has passed.
        delays.append(Delay(daemon: Double(min(spent, wall)) / 1e6, wall: Double(wall) / 1e6))
      }
      try flood.receive(through: buffer)
      // The scheduler may wake the daemon on the processor that is busy with this loop.
      sched_yield()
    }
    return delays
  }
}
