// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One publisher, a hundred live subscribers: all of them want everything, then half of them want
/// every second line alone.
///
/// The daemon filters by the priority; topics, subjects and members are the nearest thing of the
/// servers of others. Redis Streams and the relays have no filter.
final class FanOutFigure: Figure {
  let rows = [
    Row(
      name: "1 publisher, 100 subscribers, deliveries per second",
      decimals: 0,
      target: .atLeast(3_000_000)
    ),
    Row(
      name: "1 publisher, 100 subscribers, processor time per delivery in µs",
      decimals: 2,
      target: .atMost(0.3)
    ),
    Row(
      name: "100 subscribers, 50 of them with a filter, deliveries per second",
      decimals: 0,
      target: .none
    ),
    Row(
      name: "100 subscribers, 50 of them with a filter, processor time per delivery in µs",
      decimals: 2,
      target: .none
    ),
  ]
  let peers = Peer.buses
  private let setting: BenchSetting

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    let events = setting.size(30_000)
    var all = TrafficFigures(events: events, subscribers: 100)
    let figures = try all.measure(subject, in: setting)
    guard subject.filters else { return figures + [nil, nil] }
    all.filtered = 50
    return figures + (try all.measure(subject, in: setting))
  }
}
