// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The start of a daemon with a million entries on disk, after a clean stop and after a kill.
final class StartUpFigure: Figure {
  let rows = [
    Row(
      name: "start with 1,000,000 entries after a clean stop, in ms",
      decimals: 1,
      goals: [.atMostTimes(5, .relay)]
    ),
    Row(
      name: "start with 1,000,000 entries after kill -9, in ms",
      decimals: 1,
      goals: [.atMostTimes(5, .relay)]
    ),
  ]
  /// D-Bus and the relay store nothing; the relay's start is the bound of a process.
  let peers: [Peer] = [.relay, .redis, .nats, .mosquitto]
  private let setting: BenchSetting
  private var history: History?
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

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    switch subject {
    case .daemon:
      let history = try filled(subject)
      let starts = try history.restart()
      return [starts.afterStop, starts.afterKill]
    case .peer(let peer) where peer.word != nil:
      // Filling a session takes a minute, and it is empty after it was counted.
      if peer == .mosquitto, others[peer] != nil { return [nil, nil] }
      let starts = try filled(peer).restart()
      return [starts.afterStop, starts.afterKill]
    case .peer:
      let start = try History.startWithout(subject, in: setting)
      return [start, start]
    }
  }

  private func filled(_ peer: Peer) throws(BenchFailure) -> PeerHistory {
    if let other = others[peer] { return other }
    let filled = try PeerHistory(
      of: setting.size(1_000_000),
      adding: setting.size(10_000),
      peer,
      in: setting
    )
    others[peer] = filled
    return filled
  }

  private func filled(_ subject: RoundSubject) throws(BenchFailure) -> History {
    if let history { return history }
    let filled = try History(
      of: setting.size(1_000_000),
      adding: setting.size(10_000),
      subject,
      in: setting.home("start")
    )
    history = filled
    return filled
  }
}
