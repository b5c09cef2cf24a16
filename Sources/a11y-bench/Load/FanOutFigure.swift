// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One publisher with a thousand events in flight, and its live subscribers.
///
/// Many subscribers take two turns: all of them want everything, then half of them want every
/// second line alone. The daemon filters by the priority; topics, subjects and members are the
/// nearest thing of the servers of others. Redis Streams and the relays have no filter.
final class FanOutFigure: Figure {
  /// The numbers of subscribers that have a name on the command line.
  enum Crowd: Int {
    case one = 1
    case hundred = 100
    case thousand = 1_000
    case tenThousand = 10_000

    /// The events of a full run, fewer for more subscribers.
    var events: Int {
      switch self {
      case .one: 500_000
      case .hundred: 30_000
      case .thousand: 3_000
      case .tenThousand: 300
      }
    }
  }

  let rows: [Row]
  let peers = Peer.buses
  private let setting: BenchSetting
  private let crowd: Crowd

  init(_ setting: BenchSetting, _ crowd: Crowd) {
    self.setting = setting
    self.crowd = crowd
    rows = Self.rows(of: crowd)
  }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    // NATS has two threads for each connection of a load.
    if crowd == .tenThousand, subject.server == .nats { return rows.map { _ in nil } }
    let events = max(setting.size(crowd.events), 100)
    var traffic = TrafficFigures(events: events, subscribers: crowd.rawValue)
    if crowd.rawValue >= 1_000 { traffic.settings = TrafficFigures.wideLimits }
    let figures = try traffic.measure(subject, in: setting)
    guard crowd != .one else { return figures }
    guard subject.filters else { return figures + [nil, nil] }
    traffic.filtered = crowd.rawValue / 2
    return figures + (try traffic.measure(subject, in: setting))
  }

  private static func rows(of crowd: Crowd) -> [Row] {
    if crowd == .one {
      return [
        Row(
          name: "1 publisher, 1 subscriber, events per second",
          decimals: 0,
          goals: [.atLeastTimes(2, .redis)]
        ),
        Row(
          name: "1 publisher, 1 subscriber, processor time per event in µs",
          decimals: 2,
          goals: [.atMostTimes(0.5, .redis)]
        ),
      ]
    }
    let all = grouped(Double(crowd.rawValue), decimals: 0) + " subscribers"
    let half = grouped(Double(crowd.rawValue / 2), decimals: 0) + " of them with a filter"
    return [
      Row(
        name: "1 publisher, \(all), deliveries per second",
        decimals: 0
      ),
      Row(
        name: "1 publisher, \(all), processor time per delivery in µs",
        decimals: 2,
        goals: [.atMostTimes(0.2, .redis)]
      ),
      Row(name: "\(all), \(half), deliveries per second", decimals: 0),
      Row(
        name: "\(all), \(half), processor time per delivery in µs",
        decimals: 2
      ),
    ]
  }
}
