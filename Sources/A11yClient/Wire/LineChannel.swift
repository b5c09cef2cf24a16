// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// A connection to the bus as lines in both directions.
///
/// No call waits; an owner that wants to waits on the descriptor, for `interest`. Lines that cannot
/// be sent because the bus has gone are dropped without an error, since the bus's last lines are
/// still to be read and may explain why.
package struct LineChannel: ~Copyable {
  /// The most bytes of one receive.
  ///
  /// Larger than most batches of entries, and small enough for a program without traffic to pay.
  private static let room = 65_536

  /// The longest line that is accepted from the bus.
  ///
  /// Lines have at most 256 KiB; only the state, which grows with the windows of all apps, may be
  /// longer.
  private static let lineBytes = 16 * 1_024 * 1_024

  package let descriptor: FileDescriptor
  private var incoming: ByteBuffer
  private var outgoing: ByteBuffer
  private var reader = LineReader()
  private var splitter = LineSplitter(limit: lineBytes)
  /// The end of the lines that were given out.
  private var taken = 0
  /// The reason for the end of the connection, once it has ended.
  private var end: String?

  /// Connects to the socket at `path`.
  package init(path: String) throws(ClientError) {
    do {
      self.init(adopting: try UnixStream.connect(path: path))
    } catch {
      throw .unreachable(path: path, reason: Self.reason(of: error))
    }
  }

  /// Takes over a connected socket.
  package init(adopting descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
    incoming = ByteBuffer(capacity: Self.room)
    outgoing = ByteBuffer(capacity: 1_024)
  }

  /// The readiness that is worth waiting for now.
  var interest: Readiness { outgoing.isEmpty ? .readable : [.readable, .writable] }

  package var hasUnsent: Bool { !outgoing.isEmpty }

  /// The bytes that the kernel has not taken yet.
  var unsentBytes: Int { outgoing.count }

  /// Adds a line to the bytes to be sent.
  package mutating func enqueue(_ line: borrowing ByteBuffer) {
    outgoing.append(line.bytes)
    outgoing.append("\n")
  }

  /// Sends as much as the kernel takes.
  package mutating func push() {
    while !outgoing.isEmpty {
      switch descriptor.send(outgoing.bytes) {
      case .sent(let count): outgoing.removeFirst(count)
      case .wouldBlock: return
      case .failed: outgoing.clear()
      }
    }
  }

  /// Receives the bytes that the kernel has.
  package mutating func fill() {
    guard end == nil else { return }
    incoming.removeFirst(taken)
    taken = 0
    var outcome = UnixStream.Received.wouldBlock
    incoming.append(room: Self.room) { buffer in
      outcome = descriptor.receive(into: buffer)
      guard case .bytes(let count) = outcome else { return 0 }
      return count
    }
    switch outcome {
    case .bytes, .wouldBlock: break
    case .ended: end = "it was closed"
    case .failed(let error): end = Self.reason(of: error)
    }
  }

  /// Reads the next whole line and returns the result of `body`; nil if there is no line yet.
  ///
  /// After the last line of an ended connection it throws.
  package mutating func next<R>(
    _ body: (LineKind, borrowing JSONDocument) throws(ClientError) -> R
  ) throws(ClientError) -> R? {
    guard let range = try nextLine() else { return nil }
    let kind = try Self.parse(range, of: incoming, by: &reader)
    return try body(kind, reader.document)
  }

  /// Has a poll set that holds the descriptor watch for `interest`.
  func watch(by poll: Poll, token: UInt64) {
    // Changing the interest of an open descriptor in the set cannot fail.
    try? poll.change(descriptor, token: token, interest: interest)
  }

  /// The place of the next whole line among the bytes.
  private mutating func nextLine() throws(ClientError) -> Range<Int>? {
    while true {
      switch Self.step(&splitter, through: incoming, from: taken) {
      case .line(let range, let next):
        taken = next
        guard !range.isEmpty else { continue }
        return range
      case .tooLong:
        throw .malformed("a line of more than \(Self.lineBytes) bytes")
      case .incomplete:
        guard let end else { return nil }
        throw .disconnected(reason: end)
      }
    }
  }

  // Static, because the compiler sees that two properties do not overlap only where each is passed
  // by itself.

  private static func parse(
    _ range: Range<Int>,
    of incoming: borrowing ByteBuffer,
    by reader: inout LineReader
  ) throws(ClientError) -> LineKind {
    try reader.parse(incoming.bytes.extracting(range))
  }

  private static func step(
    _ splitter: inout LineSplitter,
    through incoming: borrowing ByteBuffer,
    from start: Int
  ) -> LineSplitter.Step {
    splitter.step(incoming.bytes, from: start)
  }

  /// An error of the system in plain words.
  private static func reason(of error: Errno) -> String {
    switch error {
    case .noSuchFile: "no such file"
    case .connectionRefused: "nobody listens there"
    case .permissionDenied: "permission denied"
    case .connectionReset, .brokenPipe: "it was cut off"
    default: error.description
    }
  }
}
