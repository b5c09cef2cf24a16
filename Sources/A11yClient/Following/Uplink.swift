// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix
internal import A11yWire

/// A connection to the bus that is made again whenever it is lost.
///
/// The owner speaks first on every new connection, reads its lines, and reports the loss of one.
/// The uplink holds the socket and the set that waits for it, and knows when to try again.
final class Uplink {
  private enum Token {
    static let channel: UInt64 = 1
    static let interrupt: UInt64 = 2
  }

  /// The descriptor that ends a wait early, if there is one.
  let interrupt: FileDescriptor?
  /// The connection at hand; nil between a loss and the next attempt.
  var channel: LineChannel?

  private let path: String
  /// The set that waits for the channel and the interrupt.
  let poll: Poll
  private var events = Poll.Events(capacity: 2)
  /// The readiness for which the kernel watches the channel.
  private var watched = Readiness.readable
  private var backoff: Backoff
  /// The moment of the next attempt to connect, while there is no channel.
  private(set) var nextAttempt = Deadline(after: .zero)
  private var line = ByteBuffer(capacity: 1_024)

  /// An uplink to the socket at `path`; `interrupt` is watched for `interest`.
  init(
    path: String,
    backoff: Backoff,
    interrupt: consuming FileDescriptor?,
    interest: Readiness
  ) throws(ClientError) {
    self.path = path
    self.backoff = backoff
    do {
      poll = try Poll()
      if let descriptor = interrupt.take() {
        try poll.add(descriptor, token: Token.interrupt, interest: interest)
        self.interrupt = consume descriptor
      } else {
        self.interrupt = nil
      }
    } catch {
      throw .disconnected(reason: error.description)
    }
  }

  // MARK: The connection

  /// Connects where there is no connection and the wait since the last loss is over.
  ///
  /// - Returns: Whether there is a new connection, on which nothing has been said yet.
  func connect() throws(ClientError) -> Bool {
    guard channel == nil, nextAttempt.hasPassed else { return false }
    let fresh = try LineChannel(path: path)
    do {
      try poll.add(fresh.descriptor, token: Token.channel, interest: .readable)
    } catch {
      throw .disconnected(reason: error.description)
    }
    channel = consume fresh
    watched = .readable
    return true
  }

  /// Gives the connection up until the next attempt, which is further away with each loss in a row.
  func disconnect() {
    channel = nil
    nextAttempt = Deadline(after: backoff.nextWait())
  }

  /// Ends the row of losses: the bus has answered.
  func confirm() { backoff.reset() }

  // MARK: Lines

  /// Queues a request; without an id its success is silent.
  func request(
    _ op: StaticString,
    id: Int64?,
    _ fields: [JSONValue.Member] = []
  ) throws(ClientError) {
    try RequestLine.encode(op, id: id, fields, into: &line)
    channel?.enqueue(line)
  }

  /// Queues a publication; without an id its success is silent.
  func enqueue(_ publication: OutgoingEvent, id: Int64?) throws(ClientError) {
    try RequestLine.encode(publication, id: id, into: &line)
    channel?.enqueue(line)
  }

  /// Waits until there is something to do, and moves what the socket has and takes.
  ///
  /// - Parameters:
  ///   - deadline: The end of the wait, if nothing happens.
  ///   - reconnects: Whether a lost connection is wanted back.
  /// - Returns: Whether the interrupt is ready.
  /// - Throws: An error when the kernel refuses the wait.
  func wait(until deadline: Deadline = .never, reconnects: Bool) throws(ClientError) -> Bool {
    let isAway = channel == nil
    let end = isAway && reconnects ? deadline.sooner(nextAttempt) : deadline
    adjustInterest()
    let count: Int
    do {
      count = try poll.wait(into: &events, timeoutMilliseconds: end.remaining)
    } catch {
      throw .disconnected(reason: error.description)
    }
    var isInterrupted = false
    for index in 0..<count {
      if events[index].token == Token.interrupt {
        isInterrupted = true
      } else {
        channel?.fill()
        channel?.push()
      }
    }
    return isInterrupted
  }

  /// Has the kernel watch for room to send exactly while there is something to send.
  private func adjustInterest() {
    guard let wanted = channel?.interest, wanted != watched else { return }
    channel?.watch(by: poll, token: Token.channel)
    watched = wanted
  }
}
