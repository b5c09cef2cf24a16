// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix

/// The socket of a session that is connected again whenever the connection is lost.
///
/// The uplink holds the session, its socket and the set that waits for it; its owner deals with the
/// news and says when a connection is lost.
final class Uplink {
  private enum Token {
    static let bus: UInt64 = 1
    static let interrupt: UInt64 = 2
  }

  var session: Session
  /// The descriptor that ends a wait early, if there is one.
  let interrupt: FileDescriptor?
  /// The set that waits for the bus and the interrupt.
  let poll: Poll

  private let path: String
  /// The connection at hand; nil between a loss and the next attempt.
  private var socket: FileDescriptor?
  private var events = Poll.Events(capacity: 2)
  /// The readiness for which the kernel watches the socket.
  private var watched = Readiness.readable

  /// An uplink to the socket at `path`; `interrupt` is watched for `interest`.
  init(
    path: String,
    _ session: consuming Session,
    interrupt: consuming FileDescriptor? = nil,
    interest: Readiness = []
  ) throws(ClientError) {
    self.path = path
    self.session = session
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

  var isConnected: Bool { socket != nil }

  /// The end of the wait for the next attempt.
  var nextAttempt: Deadline { Deadline(at: session.nextAttempt) }

  /// Connects where there is no connection and the wait since the last loss is over; the session
  /// speaks first.
  ///
  /// - Returns: Whether there is a new connection.
  func connect() throws(ClientError) -> Bool {
    guard socket == nil, nextAttempt.hasPassed else { return false }
    let fresh = try FileDescriptor.connectToBus(path)
    do {
      try poll.add(fresh, token: Token.bus, interest: .readable)
    } catch {
      throw .disconnected(reason: error.description)
    }
    socket = consume fresh
    watched = .readable
    try session.begin()
    push()
    return true
  }

  /// Gives the connection up, and returns the reason for the first loss in a row.
  func lose(_ error: ClientError) -> String? {
    socket = nil
    return session.lose(error, at: SystemClock.monotonicMicroseconds())
  }

  /// Ends the connection, to make another soon.
  func renew() {
    socket = nil
    session.postpone(at: SystemClock.monotonicMicroseconds())
  }

  // MARK: Bytes

  /// Sends as much as the kernel takes.
  func push() { socket?.push(&session) }

  /// Waits until there is something to do, and moves what the socket has and takes.
  ///
  /// - Parameters:
  ///   - deadline: The end of the wait, if nothing happens.
  ///   - reconnects: Whether a lost connection is wanted back.
  /// - Returns: Whether the interrupt is ready.
  /// - Throws: An error when the kernel refuses the wait.
  func wait(until deadline: Deadline = .never, reconnects: Bool) throws(ClientError) -> Bool {
    let end = socket == nil && reconnects ? deadline.sooner(nextAttempt) : deadline
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
        socket?.fill(&session)
        socket?.push(&session)
      }
    }
    return isInterrupted
  }

  /// Has the kernel watch for room to send exactly while there is something to send.
  private func adjustInterest() {
    let wanted = session.interest
    guard socket != nil, wanted != watched else { return }
    socket?.watch(by: poll, token: Token.bus, for: wanted)
    watched = wanted
  }
}

extension Session {
  /// The readiness of the socket that is worth waiting for now.
  var interest: Readiness { hasUnsent ? [.readable, .writable] : .readable }
}

extension FileDescriptor {
  /// Connects to the bus at `path`.
  static func connectToBus(_ path: String) throws(ClientError) -> FileDescriptor {
    do {
      return try UnixStream.connect(path: path)
    } catch {
      throw .unreachable(path: path, reason: reason(of: error))
    }
  }

  /// Has a poll set that holds the descriptor watch for something else.
  borrowing func watch(by poll: Poll, token: UInt64, for interest: Readiness) {
    // Changing the interest of an open descriptor in the set cannot fail.
    try? poll.change(self, token: token, interest: interest)
  }

  /// Sends as much of a session's bytes as the kernel takes.
  borrowing func push(_ session: inout Session) {
    while session.hasUnsent {
      switch send(session.unsent) {
      case .sent(let count): session.sent(count)
      case .wouldBlock: return
      case .failed: session.dropUnsent()
      }
    }
  }

  /// Receives the bytes that the kernel has for a session.
  borrowing func fill(_ session: inout Session) {
    guard !session.hasEnded else { return }
    var outcome = UnixStream.Received.wouldBlock
    session.receive { room in
      outcome = receive(into: room)
      guard case .bytes(let count) = outcome else { return 0 }
      return count
    }
    switch outcome {
    case .bytes, .wouldBlock: break
    case .ended: session.end("it was closed")
    case .failed(let error): session.end(Self.reason(of: error))
    }
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

/// The end of a wait.
package struct Deadline {
  /// The moment on the monotonic clock; nil is never.
  let microseconds: UInt64?

  /// This long from now; nil waits for ever.
  package init(after time: Duration?) {
    microseconds = time.map { time in
      let room = UInt64(clamping: time.milliseconds).multipliedReportingOverflow(by: 1_000)
      let end = SystemClock.monotonicMicroseconds()
        .addingReportingOverflow(room.overflow ? .max : room.partialValue)
      return end.overflow ? .max : end.partialValue
    }
  }

  init(at instant: UInt64) { microseconds = instant }

  static let never = Deadline(after: nil)

  /// A wait that only looks.
  static let now = Deadline(at: 0)

  package var hasPassed: Bool { remaining == 0 }

  /// The timeout for poll(2): rounded up, so that a wait never ends too early; -1 for ever.
  package var remaining: Int32 {
    guard let microseconds else { return -1 }
    let now = SystemClock.monotonicMicroseconds()
    guard microseconds > now else { return 0 }
    return Int32(clamping: (microseconds - now) / 1_000 + 1)
  }

  /// The sooner of the two.
  func sooner(_ other: Deadline) -> Deadline {
    guard let mine = microseconds else { return other }
    guard let theirs = other.microseconds else { return self }
    return mine <= theirs ? self : other
  }
}
