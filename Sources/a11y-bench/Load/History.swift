// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A daemon with a history, stopped and started over and over.
///
/// Before each stop more is published, so that the last segment is neither empty nor always equally
/// full, as after a day of use.
final class History {
  /// The starts whose median is one value, since a start is short.
  static let starts = 3
  private let subject: RoundSubject
  private let more: Int
  private var server: Server

  /// Fills a log with `entries`, and adds `more` before each stop.
  init(
    of entries: Int,
    adding more: Int,
    _ subject: RoundSubject,
    in home: Home
  ) throws(BenchFailure) {
    self.subject = subject
    self.more = more
    server = try Server(subject, in: home)
    _ = try Archive.fill(server, with: entries)
  }

  /// The times of a start after a clean stop and after a kill, in ms.
  func restart() throws(BenchFailure) -> (afterStop: Double, afterKill: Double) {
    var afterStop: [Double] = []
    var afterKill: [Double] = []
    for _ in 0..<History.starts {
      afterStop.append(try restart { server throws(BenchFailure) in try server.stop() })
      afterKill.append(try restart { $0.end() })
    }
    return (History.median(afterStop), History.median(afterKill))
  }

  /// Publishes, ends the daemon with `end`, and returns the time of its next start, in ms.
  private func restart(
    after end: (Server) throws(BenchFailure) -> Void
  ) throws(BenchFailure) -> Double {
    let entries = try Archive.fill(server, with: server.last() + more)
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

  /// The time of a start of something that has no history, in ms.
  static func startWithout(
    _ subject: RoundSubject,
    in setting: BenchSetting
  ) throws(BenchFailure) -> Double {
    var times: [Double] = []
    for _ in 0..<starts {
      let server = try Server(subject, in: setting.home("start-relay"))
      times.append(Double(server.startNanoseconds) / 1e6)
    }
    return median(times)
  }

  static func median(_ values: [Double]) -> Double {
    RoundStatistics.quantile(0.5, of: values.sorted())
  }
}
