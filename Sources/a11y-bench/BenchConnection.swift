// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

/// A connection of the load, close to the kernel.
///
/// The load has to cost less than the daemon, so nothing here allocates for a line, waits, or
/// retries beyond the needs of a single call: a full or an empty socket is an ordinary answer.
final class BenchConnection {
  /// The time without any event after which a run counts as stuck.
  static let patienceMilliseconds: Int32 = 30_000
  static let patienceNanoseconds = Int(patienceMilliseconds) * 1_000_000

  let socket: FileDescriptor
  /// The one that it belongs to, for messages: “a publisher”.
  private let owner: String
  /// The beginning of a line that has not come whole.
  private var rest: [UInt8] = []

  init(to path: String, as owner: String) throws {
    self.owner = owner
    socket = try failing("connect to \(path)") { () throws(Errno) in
      try UnixStream.connect(path: path)
    }
  }

  init(over socket: consuming FileDescriptor, as owner: String) {
    self.owner = owner
    self.socket = socket
  }

  // MARK: Sending

  /// Sends as much as fits, and returns the bytes; nil when nothing fits.
  func offer(_ bytes: UnsafeRawBufferPointer) throws -> Int? {
    switch socket.send(bytes) {
    case .sent(let count): return count
    case .wouldBlock: return nil
    case .failed(let error): throw BenchFailure("\(owner) cannot send: \(error)")
    }
  }

  /// Sends everything, waiting for a slow other side.
  func deliver(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes
    while !rest.isEmpty {
      guard let sent = try offer(rest) else {
        _ = try socket.waitReady(for: .writable, timeoutMilliseconds: -1)
        continue
      }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(sent))
    }
  }

  func deliver(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try deliver($0) } }

  func deliver(_ text: String) throws { try deliver(Array(text.utf8)) }

  // MARK: Receiving

  /// Room for the longest line of the protocol, which is also a good size for a read.
  ///
  /// One buffer serves all connections of this thread, so that it stays in the processor's cache.
  private nonisolated(unsafe) static let space = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 256 * 1024,
    alignment: 64
  )

  /// Reads once and calls `body` with each whole line, its newline included; throws where the
  /// other side has closed.
  @inline(__always)
  func receive(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let space = Self.space
    space.copyBytes(from: rest)
    var seek = rest.count
    let received = socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: space[seek...]))
    guard case .bytes(let count) = received else {
      switch received {
      case .wouldBlock, .bytes: return
      case .ended, .failed(.connectionReset):
        throw BenchFailure("the connection of \(owner) was closed")
      case .failed(let error): throw BenchFailure("\(owner) cannot receive: \(error)")
      }
    }

    var start = 0
    let end = seek + count
    while let base = space.baseAddress, let hit = memchr(base + seek, 0x0A, end - seek) {
      let newline = hit - base
      try body(UnsafeRawBufferPointer(rebasing: space[start...newline]))
      start = newline + 1
      seek = start
    }
    guard start > 0 || end < space.count else {
      throw BenchFailure("a line of more than \(space.count) bytes arrived")
    }
    rest.removeAll(keepingCapacity: true)
    rest.append(contentsOf: space[start..<end])
  }

  /// Reads answers, each of which must be `ok`.
  @inline(__always)
  func receiveAnswers(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    try receive { line in
      guard case .success = ReceivedLine(line) else {
        throw BenchFailure("\(owner) was answered: \(quote(line))")
      }
      try body(line)
    }
  }

  /// Waits for something to read, and has it read with `read`, until `isDone`.
  func wait(
    for wish: String,
    patience milliseconds: Int32 = patienceMilliseconds,
    until isDone: () -> Bool,
    _ read: () throws -> Void
  ) throws {
    while !isDone() {
      guard try !socket.waitReady(for: .readable, timeoutMilliseconds: milliseconds).isEmpty else {
        throw BenchFailure("\(owner) waits in vain \(wish)")
      }
      try read()
    }
  }
}

/// A connection on which requests are sent, and answered with `ok`.
final class Asker {
  private let connection: BenchConnection
  private var answered = 0

  init(at path: String) throws { connection = try BenchConnection(to: path, as: "an asker") }

  /// Sends `count` requests, and waits until each is answered.
  func ask(_ lines: String, count: Int = 1) throws {
    try sendLines(lines)
    let goal = answered + count
    try connection.wait(for: "for an answer", until: { answered >= goal }) {
      try connection.receiveAnswers { _ in answered += 1 }
    }
  }

  static func publication(_ event: String) -> String {
    #"{"id":1,"op":"publish","event":\#(event)}"# + "\n"
  }

  func publish(_ event: String) throws { try ask(Self.publication(event)) }

  /// Sends a request, and returns the number behind `name` in its answer.
  func ask(_ operation: String, for name: StaticString) throws -> Int {
    try sendLines(#"{"id":1,"op":"\#(operation)"}"# + "\n")
    var found: Int?
    try connection.wait(for: "for the answer to a \(operation)", until: { found != nil }) {
      try connection.receiveAnswers { line in
        found = number(behind: name, in: line)
        if found == nil { throw BenchFailure("a \(operation) was answered: \(quote(line))") }
      }
    }
    return found ?? 0
  }

  /// Sends requests without waiting for the answers.
  func sendLines(_ lines: String) throws { try connection.deliver(lines) }

  /// Reads answers without waiting, and returns the number of all answers so far.
  func pollAnswers() throws -> Int {
    try connection.receiveAnswers { _ in answered += 1 }
    return answered
  }
}

/// Descriptors of which the kernel says who has something to read.
final class BenchPoll {
  private let poll: Poll
  private var events = Poll.Events(capacity: 256)

  init() throws { poll = try Poll() }

  /// Reports `descriptor` as `token` whenever it can be read.
  func watch(_ descriptor: borrowing FileDescriptor, as token: Int) throws {
    try poll.add(descriptor, token: UInt64(token), interest: .readable)
  }

  /// Calls `body` with each ready token, and returns their number; a negative time has no end.
  func wait(
    milliseconds: Int32 = BenchConnection.patienceMilliseconds,
    _ body: (Int) throws -> Void
  ) throws -> Int {
    let count = try poll.wait(into: &events, timeoutMilliseconds: milliseconds)
    for index in 0..<count { try body(Int(events[index].token)) }
    return count
  }
}

/// The kind of a line that arrived, by its first bytes.
///
/// Eight bytes are one comparison, so that millions of lines a second can all be checked.
enum ReceivedLine {
  /// An entry of the log, or a request that the relay forwards in its place.
  case entry
  /// The answer `ok` to a request with the id 1.
  case success
  case mark
  case other

  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 16 else {
      self = .other
      return
    }
    switch bytes.loadUnaligned(as: UInt64.self) {
    case Self.request:
      switch bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self) {
      case Self.ok: self = .success
      case Self.op: self = .entry
      default: self = .other
      }
    case let head where head & Self.sevenBytes == Self.seq: self = .entry
    case let head where head == Self.markHead: self = .mark
    default: self = .other
    }
  }

  private static let sevenBytes: UInt64 = 0x00FF_FFFF_FFFF_FFFF
  private static let seq = eight(#"{"seq":"#)
  private static let request = eight(#"{"id":1,"#)
  private static let markHead = eight(#"{"mark":"#)
  private static let ok = UInt32(truncatingIfNeeded: eight(#""ok""#))
  private static let op = UInt32(truncatingIfNeeded: eight(#""op""#))
}

/// The bytes of `text`, at most eight, as a little-endian number padded with zeros.
private func eight(_ text: StaticString) -> UInt64 {
  text.withUTF8Buffer { bytes in bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}

extension UnsafeRawBufferPointer {
  /// Whether `words` stand at `offset`.
  @inline(__always)
  func holds(_ words: StaticString, at offset: Int) -> Bool {
    guard let baseAddress, offset >= 0, offset + words.utf8CodeUnitCount <= count else {
      return false
    }
    return memcmp(baseAddress + offset, words.utf8Start, words.utf8CodeUnitCount) == 0
  }
}

/// The place of `needle` in `bytes`.
func offset(of needle: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
  guard bytes.count >= needle.utf8CodeUnitCount else { return nil }
  return (0...bytes.count - needle.utf8CodeUnitCount).first { bytes.holds(needle, at: $0) }
}

/// The digits behind `name` in `bytes`, as a number.
func number(behind name: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
  guard let start = offset(of: name, in: bytes) else { return nil }
  let digits = bytes[(start + name.utf8CodeUnitCount)...].prefix { $0 >= 0x30 && $0 <= 0x39 }
  guard !digits.isEmpty, digits.count < 19 else { return nil }
  return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
}

/// A line for a message: readable, and short.
func quote(_ bytes: UnsafeRawBufferPointer) -> String {
  let line = bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
  return String(decoding: line.prefix(400), as: UTF8.self)
}
