// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

/// Publishers and those who hear them, in one thread.
///
/// A single thread keeps the load to one processor and leaves the other to the daemon; with a
/// thread for each side both would take turns with the daemon, and the figure would be the
/// scheduler's.
final class Traffic {
  private let publishers: [Publisher]
  private let listeners: [any Listener]
  private let poll: BenchPoll
  private var planned = 0

  /// The publishers keep so many events in flight each; one that waits for each of its
  /// acknowledgements has one.
  init(
    at path: String,
    publishers count: Int = 1,
    inFlight: Int = 1_000,
    lines: Announcements,
    to listeners: [any Listener] = []
  ) throws {
    self.listeners = listeners
    publishers = try (0..<count).map { _ in
      try Publisher(at: path, lines: lines, inFlight: inFlight)
    }
    poll = try BenchPoll()
    for (token, listener) in listeners.enumerated() {
      try poll.watch(listener.connection.socket, as: token)
    }
    for (index, publisher) in publishers.enumerated() {
      try poll.watch(publisher.connection.socket, as: listeners.count + index)
    }
  }

  var deliveries: Int { listeners.reduce(0) { $0 + $1.events } }

  /// Publishes `events` in equal shares, and returns when all are acknowledged and have reached
  /// every listener that wants them.
  func publishAll(_ events: Int) throws {
    let share = events / publishers.count
    planned += share * publishers.count
    for publisher in publishers {
      publisher.plan(share)
      try publisher.send()
    }
    var unanswered = share * publishers.count
    var undelivered = listeners.reduce(0) { $0 + $1.share(of: planned) - $1.events }
    while unanswered > 0 || undelivered > 0 {
      let ready = try poll.wait { token in
        if token < listeners.count {
          let before = listeners[token].events
          try listeners[token].receiveLines()
          undelivered -= listeners[token].events - before
        } else {
          let publisher = publishers[token - listeners.count]
          let before = publisher.acknowledged
          try publisher.receiveAcknowledgements()
          unanswered -= publisher.acknowledged - before
          try publisher.send()
        }
      }
      guard ready > 0 else {
        throw BenchFailure(
          "nothing moved any more: of \(planned) events \(unanswered) are not acknowledged, "
            + "\(undelivered) deliveries are missing"
        )
      }
    }
    guard listeners.allSatisfy({ $0.events == $0.share(of: planned) }) else {
      throw BenchFailure("\(deliveries) deliveries came, and not those of \(planned) events")
    }
  }
}

/// Keeps many announcements in flight, and counts the acknowledged ones.
final class Publisher {
  /// The most lines that are sent and not yet acknowledged.
  private let inFlight: Int
  let connection: BenchConnection
  private let lines: Announcements
  private var goal = 0
  private var sentBytes = 0
  private(set) var acknowledged = 0
  /// The kernel's own size of a send buffer; one line needs no other.
  private static let usualBuffer = 212_992

  init(at path: String, lines: Announcements, inFlight: Int = 1_000) throws {
    connection = try BenchConnection(to: path, as: "a publisher")
    self.lines = lines
    self.inFlight = inFlight
    // The kernel caps the size without an error, which is good enough.
    let buffer = 2 * inFlight * lines.meanLength
    if buffer > Self.usualBuffer { try connection.socket.setSendBuffer(bytes: buffer) }
  }

  var isDone: Bool { acknowledged == goal }

  /// Adds to the events to be published.
  func plan(_ events: Int) { goal += events }

  /// Sends as many lines as may be in flight.
  ///
  /// A full socket ends the sending: its lines will be acknowledged, and each acknowledgement
  /// brings the publisher back here.
  func send() throws {
    let limit = lines.bytes(ofLines: min(goal, acknowledged + inFlight))
    while sentBytes < limit {
      let start = sentBytes % lines.bytes.count
      let end = min(start + limit - sentBytes, lines.bytes.count)
      let sent = try lines.bytes.withUnsafeBytes { raw in
        try connection.offer(UnsafeRawBufferPointer(rebasing: raw[start..<end]))
      }
      guard let sent else { return }
      sentBytes += sent
    }
  }

  /// Reads acknowledgements; each must be `ok` and name the wanted safety.
  func receiveAcknowledgements() throws {
    try connection.receiveAnswers { line in
      guard lines.safety.isGiven(by: line) else {
        throw BenchFailure("a publisher was answered: \(quote(line))")
      }
      acknowledged += 1
    }
    guard acknowledged <= goal else {
      throw BenchFailure("\(acknowledged) acknowledgements came for \(goal) events")
    }
  }
}

/// One publisher that sends by the clock, and one live subscriber.
///
/// An event carries the moment at which it was due, so that every delay counts, this program's
/// included.
final class SteadyTraffic {
  /// The answer to an event's publisher.
  struct Answer {
    let seq: Int
    let isWritten: Bool
  }

  private let publisher: BenchConnection
  private let subscriber: Subscriber
  private let poll: BenchPoll
  private let gapNanoseconds: Int
  private var next = 0

  private(set) var sent = 0
  /// The answers, in the order of the events.
  private(set) var answers: [Answer] = []
  /// The seqs of the events that the subscriber has received, in its order.
  private(set) var arrivals: [Int] = []
  /// The longest way of an event since this was set to 0.
  var longestNanoseconds = 0

  init(at path: String, perSecond rate: Int) throws {
    gapNanoseconds = 1_000_000_000 / rate
    poll = try BenchPoll()
    subscriber = try Subscriber(at: path)
    try subscriber.catchUp()
    publisher = try BenchConnection(to: path, as: "a publisher")
    try poll.watch(publisher.socket, as: 0)
    try poll.watch(subscriber.connection.socket, as: 1)
  }

  /// Publishes for a time, or until `isOver`, which is called again and again.
  func publishByTheClock(
    nanoseconds: Int,
    until isOver: () throws -> Bool = { false }
  ) throws {
    let start = Clock.nanoseconds()
    next = start
    while next < start + nanoseconds, try !isOver() {
      while next <= Clock.nanoseconds() {
        try publisher.deliver(Announcements.line(at: next))
        sent += 1
        next += gapNanoseconds
      }
      try receive(milliseconds: 1)
    }
  }

  /// Waits for events and answers under way; the counts tell those that do not come.
  func drain() throws {
    let deadline = Clock.nanoseconds() + BenchConnection.patienceNanoseconds
    while answers.count < sent || arrivals.count < sent, Clock.nanoseconds() < deadline {
      try receive(milliseconds: 100)
    }
  }

  private func receive(milliseconds: Int32) throws {
    _ = try poll.wait(milliseconds: milliseconds) { token in
      try token == 0 ? receiveAnswers() : receiveEvents()
    }
  }

  private func receiveAnswers() throws {
    try publisher.receiveAnswers { line in
      guard let seq = number(behind: #""seq":"#, in: line) else {
        throw BenchFailure("a publisher was answered: \(quote(line))")
      }
      let isWritten = Announcements.Safety.written.isGiven(by: line)
      answers.append(Answer(seq: seq, isWritten: isWritten))
    }
  }

  private func receiveEvents() throws {
    try subscriber.receiveLines { line in
      let elapsed = Clock.nanoseconds() - (try TimeWord.nanoseconds(in: line))
      longestNanoseconds = max(longestNanoseconds, elapsed)
      arrivals.append(number(behind: #""seq":"#, in: line) ?? 0)
    }
  }
}
