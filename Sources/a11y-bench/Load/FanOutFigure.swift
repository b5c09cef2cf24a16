// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One publisher, a hundred live subscribers.
final class FanOutFigure: Figure {
  let rows = [
    Row(
      name: "1 publisher, 100 subscribers, deliveries per second",
      decimals: 0,
      target: .atLeast(3_000_000),
      peers: "Redis Streams 2,300,000; dbus-broker, nothing stored, 960,000"
    ),
    Row(
      name: "1 publisher, 100 subscribers, processor time per delivery in µs",
      decimals: 2,
      target: .atMost(0.3),
      peers: "Redis Streams 0.44"
    ),
  ]
  private let setting: BenchSetting

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double] {
    try measureTraffic(subject, in: setting, subscribers: 100, events: setting.size(30_000))
  }
}
