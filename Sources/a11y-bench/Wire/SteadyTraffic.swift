// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// One publisher that sends by the clock whatever becomes of the events, and one live subscriber.
///
/// An event bears the moment at which it was due, so whatever keeps it waiting is counted with it,
/// this program included.
final class SteadyTraffic {
  /// What became of an event, by its publisher's account.
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
  /// In the order of the events.
  private(set) var answers: [Answer] = []
  /// The seqs of the events that the subscriber has received, in its order.
  private(set) var arrivals: [Int] = []
  /// The longest way of an event since this was set to nothing.
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

  /// Publishes for so long, or until `isOver` says so, which is asked again and again.
  func run(
    nanoseconds: Int,
    until isOver: () throws(BenchFailure) -> Bool = { () throws(BenchFailure) in false }
  ) throws(BenchFailure) {
    let start = Clock.nanoseconds()
    next = start
    while next < start + nanoseconds, try !isOver() {
      while next <= Clock.nanoseconds() { try send() }
      try receive(milliseconds: 1)
    }
  }

  /// Waits for what is still on its way; whatever does not come is told by the counts.
  func drain() throws(BenchFailure) {
    let deadline = Clock.nanoseconds() + Int(Poller.patienceMilliseconds) * 1_000_000
    while answers.count < sent || arrivals.count < sent, Clock.nanoseconds() < deadline {
      try receive(milliseconds: 100)
    }
  }

  private func send() throws(BenchFailure) {
    let line = Announcements.line(behind: TimeWord.text(next))
    try line.span.withUnsafeBytes { raw throws(BenchFailure) in try publisher.deliver(raw) }
    sent += 1
    next += gapNanoseconds
  }

  private func receive(milliseconds: Int32) throws(BenchFailure) {
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
    try subscriber.receive(through: buffer) { line throws(BenchFailure) in
      let elapsed = Clock.nanoseconds() - (try TimeWord.nanoseconds(in: line))
      longestNanoseconds = max(longestNanoseconds, elapsed)
      arrivals.append(number(behind: #""seq":"#, in: line) ?? 0)
    }
  }
}
