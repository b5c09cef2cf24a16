// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One publisher and its subscribers, in one thread.
///
/// A single thread keeps the load to one processor and leaves the other to the daemon; with a
/// thread for each side both would take turns with the daemon, and the figure would be the
/// scheduler's.
///
/// Each line of each subscriber is compared with the published one, all bytes, in its order.
final class Traffic {
  private let publisher: Publisher
  private let lines: Announcements
  private let subscribers: [Subscriber]
  /// The subscribers that want every second line, the last of all.
  private let filtered: Int
  /// The number of the next line of each subscriber.
  private var expected: [Int]
  private let buffer = LineBuffer()
  private let poller: Poller
  private var planned = 0
  private(set) var deliveries = 0

  private static let filter = #","filter":{"priorities":["high"]}"#

  /// Connects, and waits until every subscriber is live.
  init(
    at path: String,
    lines: Announcements,
    subscribers count: Int,
    filtered: Int = 0
  ) throws(BenchFailure) {
    poller = try Poller()
    publisher = try Publisher(at: path, lines: lines)
    try poller.watch(publisher.socket.number, as: count)
    var subscribers: [Subscriber] = []
    for index in 0..<count {
      let isFiltered = index >= count - filtered
      let subscriber = try Subscriber(at: path, filter: isFiltered ? Self.filter : "")
      try subscriber.catchUp(through: buffer)
      try poller.watch(subscriber.socket.number, as: index)
      subscribers.append(subscriber)
    }
    self.subscribers = subscribers
    self.filtered = filtered
    self.lines = lines
    // High lines have odd numbers.
    expected = (0..<count).map { $0 >= count - filtered ? 1 : 0 }
  }

  /// Publishes `events`, and returns when all are acknowledged and have reached every subscriber
  /// that wants them.
  func publishAll(_ events: Int) throws(BenchFailure) {
    publisher.plan(events)
    planned += events
    let goal = planned * (subscribers.count - filtered) + planned / 2 * filtered
    while true {
      try publisher.send()
      guard deliveries < goal || !publisher.isDone else { break }
      let ready = try poller.wait(milliseconds: Poller.patienceMilliseconds) {
        token throws(BenchFailure) in
        guard token < subscribers.count else {
          return try publisher.receiveAcknowledgements(through: buffer)
        }
        try receiveLines(of: token)
      }
      guard ready > 0 else {
        throw BenchFailure(
          "nothing moved any more: of \(planned) events \(publisher.acknowledged) are "
            + "acknowledged, \(goal - deliveries) deliveries are missing"
        )
      }
    }
    guard deliveries == goal else {
      throw BenchFailure("\(deliveries) deliveries came in place of \(goal)")
    }
  }

  private func receiveLines(of subscriber: Int) throws(BenchFailure) {
    let step = subscriber >= subscribers.count - filtered ? 2 : 1
    var next = expected[subscriber]
    var count = 0
    try subscribers[subscriber].receiveLines(through: buffer) { line throws(BenchFailure) in
      guard lines.isLine(next, in: line) else {
        throw BenchFailure("subscriber \(subscriber) expected line \(next): \(quote(line))")
      }
      next += step
      count += 1
    }
    expected[subscriber] = next
    deliveries += count
  }
}
