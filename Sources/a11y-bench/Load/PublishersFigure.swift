// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Two hundred publishers, each waiting for its acknowledgement before it sends again.
final class PublishersFigure: Figure {
  let rows = [
    Row(
      name: "200 publishers, each waiting for its acknowledgement, events per second",
      decimals: 0,
      goals: [.atLeastTimes(0.7, .relay), .atLeastTimes(1.5, .redis)]
    )
  ]
  let peers = Peer.buses
  private static let publishers = 200
  private let setting: BenchSetting

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    let home = try setting.home("publishers")
    let server = try Server(subject, in: home)
    defer { server.end() }
    if let peer = subject.server {
      return [try measureLoad(setting.size(200_000) / peer.patience, over: server)]
    }
    let each = setting.size(200_000) / PublishersFigure.publishers
    let crowd = try Crowd(of: PublishersFigure.publishers, at: home.socket)
    // As in the other figures a tenth goes ahead, so that the first entry of each client, which
    // makes the daemon greet it, is not part of the measurement.
    try crowd.publishEach(each: max(1, each / 10))
    let before = Clock.nanoseconds()
    try crowd.publishEach(each: each)
    let elapsed = Clock.nanoseconds() - before
    return [Double(each * PublishersFigure.publishers) * 1e9 / Double(elapsed)]
  }

  /// D-Bus answers calls alone; a service in the load's program answers them.
  private func measureLoad(_ events: Int, over server: Server) throws(BenchFailure) -> Double {
    let load = try PeerLoad(
      .stream,
      over: server,
      [
        "--events", "\(events)", "--publishers", "\(Self.publishers)", "--subscribers", "0",
        "--window", "1",
      ],
      lines: setting.lines.plain.path
    )
    let figures = try load.measure()
    try load.release()
    return Double(events) * 1e9 / Double(figures.nanoseconds)
  }
}
