// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// How soon a daemon with a million entries on disk is ready, after a clean stop and after a kill.
///
/// Before each stop more is published, so that the last segment is neither empty nor always at
/// the same fill: what has to be read at the start is what a day of use leaves.
final class StartUp: Figure {
  let rows = [
    Row(
      name: "start with 1,000,000 entries after a clean stop, in ms",
      decimals: 1,
      target: .atMost(15),
      peers: "NATS JetStream 13; Redis Streams 1,160"
    ),
    Row(
      name: "start with 1,000,000 entries after kill -9, in ms",
      decimals: 1,
      target: .atMost(15),
      peers: "NATS JetStream 36; Redis Streams 1,160"
    ),
  ]
  /// Starts are short, so each round has a few of either kind.
  private static let startsPerRound = 3
  private let setting: Setting
  private var server: Server?

  init(_ setting: Setting) { self.setting = setting }

  func round(_ subject: Subject) throws(Failure) -> [Double] {
    switch subject {
    case .daemon:
      try fill(subject)
      var afterStop: [Double] = []
      var afterKill: [Double] = []
      for _ in 0..<StartUp.startsPerRound {
        afterStop.append(
          try restart(subject) { server throws(Failure) in
            try server.stop()
          }
        )
        afterKill.append(try restart(subject) { $0.end() })
      }
      return [median(afterStop), median(afterKill)]
    case .relay:
      var starts: [Double] = []
      for _ in 0..<StartUp.startsPerRound {
        let server = try Server(subject, in: setting.home("start-relay"))
        starts.append(Double(server.startNanoseconds) / 1e6)
      }
      return [median(starts), median(starts)]
    }
  }

  private func fill(_ subject: Subject) throws(Failure) {
    guard server == nil else { return }
    let server = try Server(subject, in: setting.home("start"))
    _ = try Archive.fill(server, with: setting.size(1_000_000))
    self.server = server
  }

  /// Publishes, ends the daemon as told and starts it again; the answer is in ms.
  private func restart(
    _ subject: Subject,
    after end: (Server) throws(Failure) -> Void
  ) throws(Failure) -> Double {
    guard let running = server else {
      preconditionFailure("a log is filled before its daemon is restarted")
    }
    let entries = try Archive.fill(running, with: running.last() + setting.size(10_000))
    try end(running)
    let next = try Server(subject, in: running.home)
    server = next
    let last = try next.last()
    guard last >= entries else {
      throw Failure("after a restart the log ends at \(last), and \(entries) were acknowledged")
    }
    return Double(next.startNanoseconds) / 1e6
  }

  private func median(_ values: [Double]) -> Double {
    Statistics.quantile(0.5, of: values.sorted())
  }
}
