// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A few publishers with many events in flight each, in one thread.
final class Pipelines {
  private let publishers: [Publisher]
  private let poller: Poller
  private let buffer = LineBuffer()

  init(_ count: Int, inFlight: Int, lines: Announcements, at path: String) throws(BenchFailure) {
    poller = try Poller()
    var publishers: [Publisher] = []
    for index in 0..<count {
      let publisher = try Publisher(at: path, lines: lines, inFlight: inFlight)
      try poller.watch(publisher.socket.number, as: index)
      publishers.append(publisher)
    }
    self.publishers = publishers
  }

  /// Publishes `events` in equal shares, and returns when all are acknowledged.
  func publishAll(_ events: Int) throws(BenchFailure) {
    for publisher in publishers {
      publisher.plan(events / publishers.count)
      try publisher.send()
    }
    while !publishers.allSatisfy(\.isDone) {
      let ready = try poller.wait(milliseconds: Poller.patienceMilliseconds) {
        token throws(BenchFailure) in
        try publishers[token].receiveAcknowledgements(through: buffer)
        try publishers[token].send()
      }
      guard ready > 0 else {
        let counts = publishers.map { String($0.acknowledged) }
        throw BenchFailure(
          "nothing moved any more; acknowledged are \(counts.joined(separator: ", "))"
        )
      }
    }
  }
}
