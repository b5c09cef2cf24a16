// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads a subscription, and counts its entries.
final class Subscriber {
  let socket: Socket
  private var rest: [UInt8] = []
  /// The last place of `"app":"`, which moves only when a number before it gains a digit.
  private var labelOffset = 0

  /// Entries that a client published.
  private(set) var events = 0
  /// Entries that the daemon wrote itself, such as outcomes.
  private(set) var decisions = 0
  private(set) var bytes = 0
  /// The cursor's number in the `caught-up` mark, once it has come.
  private(set) var caughtUpAt: Int?
  private var isAccepted = false

  /// Connects and subscribes, without waiting for the answer.
  ///
  /// `filter` is a member of the request, with a comma before it.
  init(at path: String, from start: String = "now", filter: String = "") throws(BenchFailure) {
    socket = try Socket(connectingTo: path)
    try socket.deliver(#"{"id":1,"op":"subscribe","from":"\#(start)"\#(filter)}"# + "\n")
  }

  var entries: Int { events + decisions }

  /// Reads the lines that have come.
  ///
  /// `onEvent` is called with each line that a client published.
  @inline(__always)
  func receiveLines(
    through buffer: LineBuffer,
    onEvent: (UnsafeRawBufferPointer) throws(BenchFailure) -> Void = { _ in }
  ) throws(BenchFailure) {
    let open = try buffer.read(from: socket, rest: &rest) { line throws(BenchFailure) in
      switch ReceivedLine(line) {
      case .entry:
        bytes += line.count
        if isDecision(line) {
          decisions += 1
        } else {
          events += 1
          try onEvent(line)
        }
      case .mark: try checkMark(line)
      case .success where !isAccepted: isAccepted = true
      case .success, .other: throw BenchFailure("a subscriber received: \(quote(line))")
      }
    }
    guard open else { throw BenchFailure("a subscriber was disconnected after \(entries) entries") }
  }

  /// Reads until the `caught-up` mark.
  func catchUp(
    through buffer: LineBuffer,
    onEvent: (UnsafeRawBufferPointer) throws(BenchFailure) -> Void = { _ in }
  ) throws(BenchFailure) {
    var interest = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
    while caughtUpAt == nil {
      guard poll(&interest, 1, Poller.patienceMilliseconds) > 0 else {
        throw BenchFailure("a subscriber waits in vain to be caught up, after \(entries) entries")
      }
      try receiveLines(through: buffer, onEvent: onEvent)
    }
  }

  private func checkMark(_ mark: UnsafeRawBufferPointer) throws(BenchFailure) {
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
    if hasLabel(line, at: labelOffset) { return isDaemon(line) }
    guard let found = offset(of: #""app":""#, in: line) else { return false }
    labelOffset = found
    return isDaemon(line)
  }

  @inline(__always)
  private func hasLabel(_ line: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    offset + 16 <= line.count && memcmp(line.baseAddress! + offset, #""app":""#, 7) == 0
  }

  @inline(__always)
  private func isDaemon(_ line: UnsafeRawBufferPointer) -> Bool {
    labelOffset + 16 <= line.count
      && memcmp(line.baseAddress! + labelOffset + 7, #"a11yd""#, 6) == 0
  }
}
