// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One publisher and its subscribers, in one thread.
///
/// A single thread keeps the load to one processor and leaves the other to the daemon; with a
/// thread for each side both would take turns with the daemon, and the figure would be the
/// scheduler's.
final class Traffic {
  private let publisher: Publisher
  let subscribers: [Subscriber]
  private let buffer = LineBuffer()
  private let poller: Poller
  private var planned = 0

  /// Connects, and waits until every subscriber is live.
  init(at path: String, subscribers count: Int) throws(BenchFailure) {
    poller = try Poller()
    publisher = try Publisher(at: path, lines: Announcements())
    try poller.watch(publisher.socket.number, as: count)
    var subscribers: [Subscriber] = []
    for index in 0..<count {
      let subscriber = try Subscriber(at: path)
      try subscriber.catchUp(through: buffer)
      try poller.watch(subscriber.socket.number, as: index)
      subscribers.append(subscriber)
    }
    self.subscribers = subscribers
  }

  /// Publishes `events`, and returns when all are acknowledged and have reached every subscriber.
  func publishAll(_ events: Int) throws(BenchFailure) {
    publisher.plan(events)
    planned += events
    var missing = subscribers.count * planned - subscribers.reduce(0) { $0 + $1.events }
    while true {
      try publisher.send()
      guard missing > 0 || !publisher.isDone else { break }
      let ready = try poller.wait(milliseconds: Poller.patienceMilliseconds) {
        token throws(BenchFailure) in
        guard token < subscribers.count else {
          return try publisher.receiveAcknowledgements(through: buffer)
        }
        let before = subscribers[token].events
        try subscribers[token].receiveLines(through: buffer)
        missing -= subscribers[token].events - before
      }
      guard ready > 0 else {
        throw BenchFailure(
          "nothing moved any more: of \(planned) events \(publisher.acknowledged) are "
            + "acknowledged, \(missing) deliveries are missing"
        )
      }
    }
    for subscriber in subscribers where subscriber.events != planned {
      throw BenchFailure("a subscriber received \(subscriber.events) of \(planned) events")
    }
  }
}
