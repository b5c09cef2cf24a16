// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A reader that speaks in no time.
///
/// The reader reports the beginning and the end of each of its deliveries at once, so that nothing
/// waits for speech and the figure is the bus's own time.
final class QuickReader {
  let socket: Socket
  private var rest: [UInt8] = []
  /// Its number on the bus; the relay gives none.
  private var conn: Int?
  private var isWelcome = false
  private var isSubscribed = false
  private var isCaughtUp = false
  /// The last places of an event's type, in the daemon's own lines and in those of clients.
  private var typeOffsets = (decided: 0, published: 0)
  private var reports: [UInt8] = []

  /// Entries that a client published, its own reports aside.
  private(set) var events = 0
  private(set) var deliveries = 0

  /// Connects, and waits until it is live.
  init(at path: String, through buffer: LineBuffer) throws(BenchFailure) {
    socket = try Socket(connectingTo: path)
    try socket.deliver(#"{"id":1,"op":"hello","app":"reader","role":"reader"}"# + "\n")
    try wait(through: buffer) { isWelcome }
    try socket.deliver(#"{"id":1,"op":"subscribe"}"# + "\n")
    try wait(through: buffer) { isCaughtUp }
  }

  private func wait(through buffer: LineBuffer, until isSo: () -> Bool) throws(BenchFailure) {
    var interest = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
    while !isSo() {
      guard poll(&interest, 1, Poller.patienceMilliseconds) > 0 else {
        throw BenchFailure("a reader waits in vain to be live")
      }
      try receiveLines(through: buffer)
    }
  }

  /// Reads the lines that have come, and reports on its deliveries.
  ///
  /// `onDelivery` is called with each delivery of the daemon, or with each line of the relay.
  func receiveLines(
    through buffer: LineBuffer,
    onDelivery: (UnsafeRawBufferPointer) throws(BenchFailure) -> Void = { _ in }
  ) throws(BenchFailure) {
    let open = try buffer.read(from: socket, rest: &rest) { line throws(BenchFailure) in
      switch ReceivedLine(line) {
      case .entry: try react(to: line, onDelivery)
      case .mark:
        if offset(of: #""mark":"caught-up""#, in: line) != nil { isCaughtUp = true }
      case .success where !isWelcome:
        isWelcome = true
        conn = number(behind: #""conn":"#, in: line)
      case .success where !isSubscribed: isSubscribed = true
      case .success, .other: throw BenchFailure("a reader received: \(quote(line))")
      }
    }
    guard open else { throw BenchFailure("a reader was disconnected after \(events) events") }
    guard !reports.isEmpty else { return }
    let all = reports
    reports = []
    try all.span.withUnsafeBytes { raw throws(BenchFailure) in try socket.deliver(raw) }
  }

  private func react(
    to line: UnsafeRawBufferPointer,
    _ onDelivery: (UnsafeRawBufferPointer) throws(BenchFailure) -> Void
  ) throws(BenchFailure) {
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
      report(seq, "started")
      report(seq, "finished")
      try onDelivery(line)
    } else if !line.holds(#"speech""#, at: type) {
      events += 1
    }
  }

  private func report(_ seq: Int, _ state: String) {
    reports += #"{"op":"publish","event":{"type":"speech","of":\#(seq),"state":"\#(state)"}}"#.utf8
    reports.append(0x0A)
  }

  /// The place of the type of an entry's event; lines of one kind have it in one place.
  private func type(of line: UnsafeRawBufferPointer) -> Int? {
    let opening: StaticString = #""event":{"type":""#
    let length = opening.utf8CodeUnitCount
    let (decided, published) = typeOffsets
    if decided >= length, line.holds(opening, at: decided - length) { return decided }
    if published >= length, line.holds(opening, at: published - length) { return published }
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
    return type >= end.utf8CodeUnitCount && line.holds(end, at: type - end.utf8CodeUnitCount)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether `words` stand at `offset`.
  fileprivate func holds(_ words: StaticString, at offset: Int) -> Bool {
    guard let baseAddress, offset + words.utf8CodeUnitCount <= count else { return false }
    return memcmp(baseAddress + offset, words.utf8Start, words.utf8CodeUnitCount) == 0
  }
}
