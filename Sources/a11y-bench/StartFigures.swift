// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The starts whose median is one value, since a start is short.
private let starts = 3

/// A daemon with a history, stopped and started over and over.
///
/// Before each stop more is published, so that the last segment is neither empty nor always equally
/// full, as after a day of use.
final class OwnHistory {
  private let subject: Subject
  private let more: Int
  private var server: Server

  /// Fills a log with `entries`, and adds `more` before each stop.
  init(of entries: Int, adding more: Int, _ subject: Subject, in home: Home) throws {
    self.subject = subject
    self.more = more
    server = try Server(subject, in: home)
    try server.fillLog(with: entries)
  }

  /// The times of a start after a clean stop and after a kill, in ms.
  func restart() throws -> (afterStop: Double, afterKill: Double) {
    var afterStop: [Double] = []
    var afterKill: [Double] = []
    for _ in 0..<starts {
      afterStop.append(try restart { try $0.stop() })
      afterKill.append(try restart { $0.end() })
    }
    return (afterStop.quantile(0.5), afterKill.quantile(0.5))
  }

  /// Publishes, ends the daemon with `end`, and returns the time of its next start, in ms.
  private func restart(after end: (Server) throws -> Void) throws -> Double {
    let entries = try server.fillLog(with: server.last() + more)
    try end(server)
    server = try Server(subject, in: server.home)
    let last = try server.last()
    guard last >= entries else {
      throw BenchFailure(
        "after a restart the log ends at \(last), and \(entries) were acknowledged"
      )
    }
    return Double(server.startNanoseconds) / 1e6
  }
}

/// A server of others with a history, stopped and started over and over.
final class PeerHistory {
  private let peer: Peer
  private let lines: String
  private let more: Int
  private var stored: Int
  private var server: Server
  /// The fewest lines that a kill has lost, when each one has.
  private(set) var lost: Int?

  /// Stores `entries` lines, and adds `more` before each stop.
  init(of entries: Int, adding more: Int, _ peer: Peer, in setting: BenchSetting) throws {
    self.peer = peer
    self.more = more
    lines = setting.plainPath
    stored = entries
    server = try Server(.peer(peer), in: setting.home("start-\(peer.word ?? peer.rawValue)"))
    try server.storeLines(entries, of: lines)
  }

  /// The times of a start after a clean stop and after a kill, in ms; none after a kill that lost
  /// lines.
  func restart() throws -> (afterStop: Double, afterKill: Double?) {
    // A queue of mosquitto is counted by reading it, after which it is empty.
    let isQueue = peer == .mosquitto
    if !isQueue { try addMore() }
    try server.stop()
    let afterStop = try startAgain()
    if isQueue {
      _ = try server.replayLines(stored, of: lines)
      return (afterStop, nil)
    }
    let kept = try server.countLines(of: lines)
    guard kept == stored else {
      throw BenchFailure("of \(stored) lines \(kept) are there after a clean stop")
    }

    try addMore()
    server.end()
    let afterKill = try startAgain()
    let survivors = try server.countLines(of: lines)
    defer { stored = survivors }
    guard survivors == stored else {
      lost = min(lost ?? .max, stored - survivors)
      return (afterStop, nil)
    }
    return (afterStop, afterKill)
  }

  /// The time of the start, in ms.
  private func startAgain() throws -> Double {
    server = try Server(.peer(peer), in: server.home)
    return Double(server.startNanoseconds) / 1e6
  }

  private func addMore() throws {
    try server.storeLines(more, of: lines)
    stored += more
  }
}

extension BenchSetting {
  fileprivate func history(
    of entries: Int,
    _ name: String,
    _ subject: Subject
  ) throws
    -> OwnHistory
  {
    try OwnHistory(of: size(entries), adding: size(10_000), subject, in: home(name))
  }

  /// The time of a start of something that has no history, in ms.
  fileprivate func startWithout(_ subject: Subject) throws -> Double {
    try (0..<starts).map { _ in
      Double(try Server(subject, in: home("start-relay")).startNanoseconds) / 1e6
    }.quantile(0.5)
  }
}

/// The start of a daemon with a million entries on disk, after a clean stop and after a kill.
final class StartUp: Measurement {
  private let setting: BenchSetting
  private var own: OwnHistory?
  private var others: [Peer: PeerHistory] = [:]

  init(_ setting: BenchSetting) { self.setting = setting }

  var remarks: [String] {
    let sorted = others.sorted { $0.key.rawValue < $1.key.rawValue }
    let losses = sorted.compactMap { peer, history in
      history.lost.map { "\(peer.rawValue) lost \($0) acknowledged lines or more with a kill -9" }
    }
    guard others[.mosquitto] != nil else { return losses }
    return losses + [
      "mosquitto saves its sessions when it stops and every 30 minutes; a kill -9 loses the rest"
    ]
  }

  func measureRound(_ subject: Subject) throws -> [Double?] {
    switch subject {
    case .daemon:
      let history = try own ?? setting.history(of: 1_000_000, "start", subject)
      own = history
      let starts = try history.restart()
      return [starts.afterStop, starts.afterKill]
    case .peer(let peer) where peer.word != nil:
      // Filling a session takes a minute, and it is empty after it was counted.
      if peer == .mosquitto, others[peer] != nil { return [nil, nil] }
      let (entries, more) = (setting.size(1_000_000), setting.size(10_000))
      let history = try others[peer] ?? PeerHistory(of: entries, adding: more, peer, in: setting)
      others[peer] = history
      let starts = try history.restart()
      return [starts.afterStop, starts.afterKill]
    case .peer:
      let start = try setting.startWithout(subject)
      return [start, start]
    }
  }
}

/// The start with ten million entries on disk, beside the start with one million.
final class LongStart: Measurement {
  private let setting: BenchSetting
  private var histories: (short: OwnHistory, long: OwnHistory)?

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: Subject) throws -> [Double?] {
    if case .peer = subject {
      let start = try setting.startWithout(subject)
      return [start, start, nil, start, start, nil]
    }
    let (short, long) =
      try histories
      ?? (
        setting.history(of: 1_000_000, "start-short", subject),
        setting.history(of: 10_000_000, "start-long", subject)
      )
    histories = (short, long)
    let (few, many) = (try short.restart(), try long.restart())
    return [
      few.afterStop, many.afterStop, many.afterStop / few.afterStop,
      few.afterKill, many.afterKill, many.afterKill / few.afterKill,
    ]
  }
}
