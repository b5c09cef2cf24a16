// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

/// One to whom events come.
protocol Listener: AnyObject {
  var connection: BenchConnection { get }
  /// Entries that a client has published.
  var events: Int { get }

  /// How many of the first `events` are wanted.
  func share(of events: Int) -> Int

  /// Reads the lines that have come.
  func receiveLines() throws
}

/// Reads a subscription, and counts its entries.
final class Subscriber: Listener {
  /// The published lines that a subscriber gets: each line is compared with the published one, all
  /// bytes, in its order.
  struct Expectation {
    let lines: Announcements
    /// Whether it wants each second line alone, which has the high priority.
    var isFiltered = false
  }

  let connection: BenchConnection
  private let expectation: Expectation?
  /// The last place of `"app":"`, which moves only when a number before it gains a digit.
  private var labelOffset = 0

  private(set) var events = 0
  /// Entries that the daemon wrote itself, such as outcomes.
  private(set) var decisions = 0
  private(set) var bytes = 0
  /// The cursor's number in the `caught-up` mark, once it has come.
  private(set) var caughtUpAt: Int?
  private var isAccepted = false

  /// Connects and subscribes, without waiting for the answer.
  init(at path: String, from start: String = "now", expecting: Expectation? = nil) throws {
    connection = try BenchConnection(to: path, as: "a subscriber")
    expectation = expecting
    let filter = expecting?.isFiltered == true ? #","filter":{"priorities":["high"]}"# : ""
    try connection.deliver(#"{"id":1,"op":"subscribe","from":"\#(start)"\#(filter)}"# + "\n")
  }

  var entries: Int { events + decisions }

  func share(of events: Int) -> Int { expectation?.isFiltered == true ? events / 2 : events }

  func receiveLines() throws { try receiveLines { _ in } }

  /// Reads the lines that have come, and calls `onEvent` with each that a client published.
  @inline(__always)
  func receiveLines(onEvent: (UnsafeRawBufferPointer) throws -> Void) throws {
    try connection.receive { line in
      switch ReceivedLine(line) {
      case .entry:
        bytes += line.count
        if isDecision(line) {
          decisions += 1
        } else {
          if let expectation { try compare(line, with: expectation) }
          events += 1
          try onEvent(line)
        }
      case .mark: try checkMark(line)
      case .success where !isAccepted: isAccepted = true
      case .success, .other: throw BenchFailure("a subscriber received: \(quote(line))")
      }
    }
  }

  /// Reads until the `caught-up` mark.
  func catchUp() throws {
    try connection.wait(for: "to be caught up", until: { caughtUpAt != nil }, receiveLines)
  }

  @inline(__always)
  private func compare(
    _ line: UnsafeRawBufferPointer,
    with expectation: Expectation
  ) throws {
    // High lines have odd numbers.
    let number = expectation.isFiltered ? 2 * events + 1 : events
    guard expectation.lines.isLine(number, in: line) else {
      throw BenchFailure("a subscriber expected line \(number): \(quote(line))")
    }
  }

  private func checkMark(_ mark: UnsafeRawBufferPointer) throws {
    if offset(of: #""mark":"gap""#, in: mark) != nil {
      throw BenchFailure("a subscriber was told of a gap: \(quote(mark))")
    }
    guard offset(of: #""mark":"caught-up""#, in: mark) != nil else { return }
    guard let cursor = offset(of: #""cursor":""#, in: mark),
      let colon = mark[(cursor + 10)...].firstIndex(of: 0x3A),
      let seq = Int(String(decoding: mark[(colon + 1)...].prefix { $0 != 0x22 }, as: UTF8.self))
    else { throw BenchFailure("a mark has a cursor that cannot be read: \(quote(mark))") }
    caughtUpAt = seq
  }

  @inline(__always)
  private func isDecision(_ line: UnsafeRawBufferPointer) -> Bool {
    // A line that the relay forwards has no app, and is not searched for one.
    guard line[2] == UInt8(ascii: "s") else { return false }
    if !line.holds(#""app":""#, at: labelOffset) {
      guard let found = offset(of: #""app":""#, in: line) else { return false }
      labelOffset = found
    }
    return line.holds(#"a11yd""#, at: labelOffset + 7)
  }
}

/// A reader that speaks in no time.
///
/// The reader reports the beginning and the end of each of its deliveries at once, so that nothing
/// waits for speech and the figure is the bus's own time.
final class QuickReader: Listener {
  let connection: BenchConnection
  /// Its number on the bus; the relay gives none.
  private var conn: Int?
  private var isWelcome = false
  private var isSubscribed = false
  private var isCaughtUp = false
  /// The last places of an event's type, in the daemon's own lines and in those of clients.
  private var typeOffsets = (decided: 0, published: 0)
  private var reports = ""

  /// Entries that a client published, its own reports aside.
  private(set) var events = 0
  private(set) var deliveries = 0

  /// Connects, and waits until it is live.
  init(at path: String) throws {
    connection = try BenchConnection(to: path, as: "a reader")
    try connection.deliver(#"{"id":1,"op":"hello","app":"reader","role":"reader"}"# + "\n")
    try connection.wait(for: "to be welcome", until: { isWelcome }, receiveLines)
    try connection.deliver(#"{"id":1,"op":"subscribe"}"# + "\n")
    try connection.wait(for: "to be live", until: { isCaughtUp }, receiveLines)
  }

  func share(of events: Int) -> Int { events }

  func receiveLines() throws { try receiveLines { _ in } }

  /// Reads the lines that have come, and reports on its deliveries.
  ///
  /// `onDelivery` is called with each delivery of the daemon, or with each line of the relay.
  func receiveLines(onDelivery: (UnsafeRawBufferPointer) throws -> Void) throws {
    try connection.receive { line in
      switch ReceivedLine(line) {
      case .entry: try react(to: line, onDelivery)
      case .mark: isCaughtUp = isCaughtUp || offset(of: #""mark":"caught-up""#, in: line) != nil
      case .success where !isWelcome:
        isWelcome = true
        conn = number(behind: #""conn":"#, in: line)
      case .success where !isSubscribed: isSubscribed = true
      case .success, .other: throw BenchFailure("a reader received: \(quote(line))")
      }
    }
    guard !reports.isEmpty else { return }
    let all = reports
    reports = ""
    try connection.deliver(all)
  }

  private func react(
    to line: UnsafeRawBufferPointer,
    _ onDelivery: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard let conn else {
      events += 1
      return try onDelivery(line)
    }
    guard let type = type(of: line) else {
      throw BenchFailure("an entry has no event: \(quote(line))")
    }
    if isDecided(line, before: type) {
      guard line.holds(#"deliver""#, at: type), number(behind: #""to":"#, in: line) == conn,
        let seq = number(behind: #"{"seq":"#, in: line)
      else { return }
      deliveries += 1
      // A delivery without words must not be reported on.
      guard offset(of: #""speak":[]"#, in: line) == nil else { return }
      for state in ["started", "finished"] {
        reports +=
          #"{"op":"publish","event":{"type":"speech","of":\#(seq),"state":"\#(state)"}}"# + "\n"
      }
      try onDelivery(line)
    } else if !line.holds(#"speech""#, at: type) {
      events += 1
    }
  }

  /// The place of the type of an entry's event; lines of one kind have it in one place.
  private func type(of line: UnsafeRawBufferPointer) -> Int? {
    let opening: StaticString = #""event":{"type":""#
    let length = opening.utf8CodeUnitCount
    let (decided, published) = typeOffsets
    if line.holds(opening, at: decided - length) { return decided }
    if line.holds(opening, at: published - length) { return published }
    guard let found = offset(of: opening, in: line) else { return nil }
    let place = found + length
    if isDecided(line, before: place) {
      typeOffsets.decided = place
    } else {
      typeOffsets.published = place
    }
    return place
  }

  /// Whether the entry is the daemon's own: its connection has the number 0.
  private func isDecided(_ line: UnsafeRawBufferPointer, before type: Int) -> Bool {
    let end: StaticString = #""conn":0,"event":{"type":""#
    return line.holds(end, at: type - end.utf8CodeUnitCount)
  }
}
