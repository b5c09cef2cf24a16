// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One publisher with a thousand events in flight, one live subscriber.
final class StreamFigure: Figure {
  let rows = [
    Row(
      name: "1 publisher, 1 subscriber, events per second",
      decimals: 0,
      target: .atLeast(500_000),
      peers: "Redis Streams 467,000; NATS JetStream 148,000; dbus-broker, nothing stored, 248,000"
    ),
    Row(
      name: "1 publisher, 1 subscriber, processor time per event in µs",
      decimals: 2,
      target: .atMost(1.2),
      peers: "Redis Streams 2.2; NATS JetStream 7.6; dbus-broker, nothing stored, 4.0"
    ),
  ]
  private let setting: BenchSetting

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double] {
    try measureTraffic(subject, in: setting, subscribers: 1, events: setting.size(500_000))
  }
}

/// Events per second with all subscribers together, and processor time for each, in µs.
func measureTraffic(
  _ subject: RoundSubject,
  in setting: BenchSetting,
  subscribers: Int,
  events: Int
) throws(BenchFailure) -> [Double] {
  let home = try setting.home("traffic")
  let server = try Server(subject, in: home)
  defer { server.end() }
  let traffic = try Traffic(at: home.socket, subscribers: subscribers)
  // Caches, buffers and the first segment of the log are made before the clock runs.
  try traffic.publishAll(events / 10)

  let processorBefore = try server.processorNanoseconds()
  let before = Clock.nanoseconds()
  try traffic.publishAll(events)
  let elapsed = Clock.nanoseconds() - before
  let processor = try server.processorNanoseconds() - processorBefore

  let deliveries = Double(events * subscribers)
  return [deliveries * 1e9 / Double(elapsed), Double(processor) / 1e3 / deliveries]
}
