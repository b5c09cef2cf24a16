// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A server of others with a history, stopped and started over and over.
final class PeerHistory {
  private let peer: Peer
  private let lines: PublishedLines.Kind
  private let more: Int
  private var stored: Int
  private var server: Server
  /// The fewest lines that a kill has lost, when each one has.
  private(set) var lost: Int?

  /// Stores `entries` lines, and adds `more` before each stop.
  init(
    of entries: Int,
    adding more: Int,
    _ peer: Peer,
    in setting: BenchSetting
  ) throws(BenchFailure) {
    self.peer = peer
    self.more = more
    lines = setting.lines.plain
    stored = entries
    let home = try setting.home("start-\(peer.word ?? peer.rawValue)")
    server = try Server(.peer(peer), in: home)
    try StoredLines.store(entries, to: server, lines)
  }

  /// The times of a start after a clean stop and after a kill, in ms; none after a kill that lost
  /// lines.
  func restart() throws(BenchFailure) -> (afterStop: Double, afterKill: Double?) {
    // A queue of mosquitto is counted by reading it, after which it is empty.
    let isQueue = peer == .mosquitto
    if !isQueue { try addMore() }
    try server.stop()
    server = try Server(.peer(peer), in: server.home)
    let afterStop = milliseconds
    if isQueue {
      _ = try StoredLines.replay(stored, from: server, lines)
      return (afterStop, nil)
    }
    let kept = try StoredLines.tally(in: server, lines)
    guard kept == stored else {
      throw BenchFailure("of \(stored) lines \(kept) are there after a clean stop")
    }

    try addMore()
    server.end()
    server = try Server(.peer(peer), in: server.home)
    let afterKill = milliseconds
    let survivors = try StoredLines.tally(in: server, lines)
    defer { stored = survivors }
    guard survivors == stored else {
      lost = min(lost ?? .max, stored - survivors)
      return (afterStop, nil)
    }
    return (afterStop, afterKill)
  }

  private var milliseconds: Double { Double(server.startNanoseconds) / 1e6 }

  private func addMore() throws(BenchFailure) {
    try StoredLines.store(more, to: server, lines)
    stored += more
  }
}
