// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// A connection to the bus as lines in both directions.
///
/// Nothing in it waits: who wants to wait does so on the descriptor, for what `interest` says. What
/// cannot be sent because the bus has gone is dropped without a word, since what the bus has said
/// before it went is still to be read and may explain why.
package struct LineChannel: ~Copyable {
  /// What one receive may bring.
  ///
  /// Larger than most batches of entries, smaller than the stack of
  /// pages that a program without traffic would pay for.
  private static let room = 65_536

  /// The longest line that is taken from the bus.
  ///
  /// Lines have at most 256 KiB, but the state, which
  /// grows with the windows of all apps, may be longer.
  private static let lineBytes = 16 * 1_024 * 1_024

  package let descriptor: FileDescriptor
  private var incoming: ByteBuffer
  private var outgoing: ByteBuffer
  private var reader = LineReader()
  private var splitter = LineSplitter(limit: lineBytes)
  /// Up to here lines have been given out.
  private var taken = 0
  /// Why nothing more will come, once that is so.
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

  /// What is worth waiting for now.
  var interest: Readiness { outgoing.isEmpty ? .readable : [.readable, .writable] }

  var hasUnsent: Bool { !outgoing.isEmpty }

  /// What the kernel has not taken yet.
  var unsentBytes: Int { outgoing.count }

  /// Adds a line to what is to be sent.
  mutating func write(_ line: borrowing ByteBuffer) {
    outgoing.append(line.bytes)
    outgoing.append("\n")
  }

  /// Gives the kernel what it takes.
  mutating func push() {
    while !outgoing.isEmpty {
      switch descriptor.send(outgoing.bytes) {
      case .sent(let count): outgoing.removeFirst(count)
      case .wouldBlock: return
      case .failed: outgoing.clear()
      }
    }
  }

  /// Takes what the kernel has.
  mutating func fill() {
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

  /// Reads the next whole line and returns what `body` makes of it; nil if there is none yet.
  ///
  /// Behind the last line it throws that the connection has ended.
  package mutating func next<R>(
    _ body: (LineKind, borrowing JSONDocument) throws(ClientError) -> R
  ) throws(ClientError) -> R? {
    guard let range = try line() else { return nil }
    let kind = try Self.read(range, of: incoming, by: &reader)
    return try body(kind, reader.document)
  }

  /// Has a set that holds the descriptor already watch for what is worth waiting for now.
  func watch(by poll: Poll, token: UInt64) {
    // What is in the set and open can be changed.
    try? poll.change(descriptor, token: token, interest: interest)
  }

  /// The place of the next whole line among the bytes.
  private mutating func line() throws(ClientError) -> Range<Int>? {
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

  // The compiler sees that two properties do not overlap only where each is passed by itself.

  private static func read(
    _ range: Range<Int>,
    of incoming: borrowing ByteBuffer,
    by reader: inout LineReader
  ) throws(ClientError) -> LineKind {
    try reader.read(incoming.bytes.extracting(range))
  }

  private static func step(
    _ splitter: inout LineSplitter,
    through incoming: borrowing ByteBuffer,
    from start: Int
  ) -> LineSplitter.Step {
    splitter.step(incoming.bytes, from: start)
  }

  /// An error of the system in words that need no manual.
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
