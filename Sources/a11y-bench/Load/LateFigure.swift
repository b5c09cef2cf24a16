// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A subscriber that is ten minutes behind, while a thousand events a second go on.
///
/// It reads from the start of a log of ten such minutes. A live subscriber beside it must not wait
/// for that; its events count with every delay.
final class LateFigure: Figure {
  let rows = [
    Row(
      name: "until a subscriber ten minutes behind is live, in ms",
      decimals: 0
    ),
    Row(
      name: "longest way of a live event meanwhile, in ms",
      decimals: 1
    ),
  ]
  let peers: [Peer] = [.sealingRelay]
  private static let perSecond = 1_000
  private static let minutes = 10
  private static let second = 1_000_000_000
  /// The longest piece of the late one's reading, so that the clock of the others goes on.
  private static let pieceNanoseconds = 500_000
  private let setting: BenchSetting
  private let buffer = LineBuffer()

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    let server = try Server(subject, in: setting.home("late"))
    defer { server.end() }
    let past = setting.size(Self.minutes * 60 * Self.perSecond)
    try Traffic(at: server.address, lines: Announcements(), subscribers: 0).publishAll(past)
    let traffic = try SteadyTraffic(at: server.address, perSecond: Self.perSecond)
    try traffic.publishByTheClock(nanoseconds: Self.second)
    traffic.longestNanoseconds = 0

    let before = Clock.nanoseconds()
    let late = try Subscriber(at: server.address, from: "start")
    try traffic.publishByTheClock(nanoseconds: 60 * Self.second) { () throws(BenchFailure) in
      try readPiece(of: late)
      return late.caughtUpAt != nil
    }
    let elapsed = Clock.nanoseconds() - before
    try traffic.drain()
    guard late.caughtUpAt != nil, late.events >= past else {
      throw BenchFailure("a late subscriber has \(late.events) of \(past) events and more")
    }
    guard traffic.arrivals.count == traffic.sent, traffic.answers.count == traffic.sent else {
      throw BenchFailure("of \(traffic.sent) live events \(traffic.arrivals.count) came")
    }
    return [Double(elapsed) / 1e6, Double(traffic.longestNanoseconds) / 1e6]
  }

  /// Reads for a moment, while there is something to read.
  private func readPiece(of late: Subscriber) throws(BenchFailure) {
    let end = Clock.nanoseconds() + Self.pieceNanoseconds
    var entries = -1
    while late.entries > entries, late.caughtUpAt == nil, Clock.nanoseconds() < end {
      entries = late.entries
      try late.receiveLines(through: buffer)
    }
  }
}
