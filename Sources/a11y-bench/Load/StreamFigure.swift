// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One publisher with a thousand events in flight, one live subscriber.
final class StreamFigure: Figure {
  let rows = [
    Row(
      name: "1 publisher, 1 subscriber, events per second",
      decimals: 0,
      target: .atLeast(500_000)
    ),
    Row(
      name: "1 publisher, 1 subscriber, processor time per event in µs",
      decimals: 2,
      target: .atMost(1.2)
    ),
  ]
  let peers = Peer.buses
  private let setting: BenchSetting

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    let traffic = TrafficFigures(events: setting.size(500_000), subscribers: 1)
    return try traffic.measure(subject, in: setting)
  }
}
