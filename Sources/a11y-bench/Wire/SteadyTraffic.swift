// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// One publisher that sends by the clock, and one live subscriber.
///
/// An event carries the moment at which it was due, so that every delay counts, this program's
/// included.
final class SteadyTraffic {
  /// The answer to an event's publisher.
  struct Answer {
    let seq: Int
    let durability: Durability
  }

  enum Durability {
    case received
    case written
  }

  private static let publisherToken = 0
  private static let subscriberToken = 1

  private let publisher: Socket
  private let subscriber: Subscriber
  private let poller: Poller
  private let buffer = LineBuffer()
  private let gapNanoseconds: Int
  private var rest: [UInt8] = []
  private var next = 0

  private(set) var sent = 0
  /// The answers, in the order of the events.
  private(set) var answers: [Answer] = []
  /// The seqs of the events that the subscriber has received, in its order.
  private(set) var arrivals: [Int] = []
  /// The longest way of an event since this was set to 0.
  var longestNanoseconds = 0

  init(at path: String, perSecond rate: Int) throws(BenchFailure) {
    gapNanoseconds = 1_000_000_000 / rate
    poller = try Poller()
    subscriber = try Subscriber(at: path)
    try subscriber.catchUp(through: buffer)
    publisher = try Socket(connectingTo: path)
    try poller.watch(publisher.number, as: SteadyTraffic.publisherToken)
    try poller.watch(subscriber.socket.number, as: SteadyTraffic.subscriberToken)
  }

  /// Publishes for a time, or until `isOver`, which is called again and again.
  func publishByTheClock(
    nanoseconds: Int,
    until isOver: () throws(BenchFailure) -> Bool = { () throws(BenchFailure) in false }
  ) throws(BenchFailure) {
    let start = Clock.nanoseconds()
    next = start
    while next < start + nanoseconds, try !isOver() {
      while next <= Clock.nanoseconds() { try sendNext() }
      try pollSockets(milliseconds: 1)
    }
  }

  /// Waits for events and answers under way; the counts tell those that do not come.
  func drain() throws(BenchFailure) {
    let deadline = Clock.nanoseconds() + Int(Poller.patienceMilliseconds) * 1_000_000
    while answers.count < sent || arrivals.count < sent, Clock.nanoseconds() < deadline {
      try pollSockets(milliseconds: 100)
    }
  }

  private func sendNext() throws(BenchFailure) {
    let line = Announcements.line(behind: TimeWord.text(next))
    try line.span.withUnsafeBytes { raw throws(BenchFailure) in try publisher.deliver(raw) }
    sent += 1
    next += gapNanoseconds
  }

  private func pollSockets(milliseconds: Int32) throws(BenchFailure) {
    _ = try poller.wait(milliseconds: milliseconds) { token throws(BenchFailure) in
      if token == SteadyTraffic.publisherToken {
        try receiveAnswers()
      } else {
        try receiveEvents()
      }
    }
  }

  private func receiveAnswers() throws(BenchFailure) {
    let open = try buffer.read(from: publisher, rest: &rest) { line throws(BenchFailure) in
      guard case .success = ReceivedLine(line), let seq = number(behind: #""seq":"#, in: line)
      else {
        throw BenchFailure("a publisher was answered: \(quote(line))")
      }
      let isWritten = EventSafety.written.isGiven(by: line)
      answers.append(Answer(seq: seq, durability: isWritten ? .written : .received))
    }
    guard open else {
      throw BenchFailure("a publisher was disconnected after \(answers.count) events")
    }
  }

  private func receiveEvents() throws(BenchFailure) {
    try subscriber.receiveLines(through: buffer) { line throws(BenchFailure) in
      let elapsed = Clock.nanoseconds() - (try TimeWord.nanoseconds(in: line))
      longestNanoseconds = max(longestNanoseconds, elapsed)
      arrivals.append(number(behind: #""seq":"#, in: line) ?? 0)
    }
  }
}
