// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A reader that hears everything and speaks in no time.
///
/// Of each delivery that is meant for it, it says at once that it has begun and come to its end, so
/// that nothing waits for speech and what is left is the bus's own time.
final class QuickReader {
  let socket: Socket
  private var rest: [UInt8] = []
  /// Its number on the bus; the relay gives none.
  private var conn: Int?
  private var isWelcome = false
  private var isSubscribed = false
  private var isCaughtUp = false
  /// Where the type of an event stood last, in a line of the daemon's own and in one of a client's.
  private var typeOffsets = (decided: 0, published: 0)
  private var reports: [UInt8] = []

  /// Entries that a client published, its own reports aside.
  private(set) var events = 0
  private(set) var deliveries = 0

  /// Connects and waits until it is live.
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
      try receive(through: buffer)
    }
  }

  /// Reads what is there, and reports what it was to speak.
  ///
  /// `heard` is called with each line that is delivered to it: of the daemon what it decided, of
  /// the relay what somebody sent.
  func receive(
    through buffer: LineBuffer,
    heard: (UnsafeRawBufferPointer) throws(BenchFailure) -> Void = { _ in }
  ) throws(BenchFailure) {
    let open = try buffer.read(from: socket, rest: &rest) { line throws(BenchFailure) in
      switch ReceivedLine(line) {
      case .entry: try take(line, heard)
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

  private func take(
    _ line: UnsafeRawBufferPointer,
    _ heard: (UnsafeRawBufferPointer) throws(BenchFailure) -> Void
  ) throws(BenchFailure) {
    guard let conn else {
      events += 1
      return try heard(line)
    }
    guard let type = type(of: line) else {
      throw BenchFailure("an entry has no event: \(quote(line))")
    }
    if isDecided(line, before: type) {
      guard line.holds(#"deliver""#, at: type), number(behind: #""to":"#, in: line) == conn,
        let seq = number(behind: #"{"seq":"#, in: line)
      else { return }
      deliveries += 1
      // What says nothing needs no report, and must not have one.
      guard offset(of: #""speak":[]"#, in: line) == nil else { return }
      report(seq, "started")
      report(seq, "finished")
      try heard(line)
    } else if !line.holds(#"speech""#, at: type) {
      events += 1
    }
  }

  private func report(_ seq: Int, _ state: String) {
    reports += #"{"op":"publish","event":{"type":"speech","of":\#(seq),"state":"\#(state)"}}"#.utf8
    reports.append(0x0A)
  }

  /// Where the type of an entry's event begins; lines of one kind have it in one place.
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

  /// Whether the daemon has written the entry: its connection has the number 0.
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
