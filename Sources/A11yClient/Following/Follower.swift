// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// A subscription that outlives its connections.
///
/// It knows how far it has come, so that behind the loss of a connection it goes on with the very
/// next line: nothing is missing and nothing comes twice. The caller drives it, step by step, and
/// each step waits until there is something to tell.
package final class Follower {
  /// What came of a step.
  package enum Step: Equatable {
    /// Lines were handed out.
    case lines
    /// The subscription stands, for the first time or again.
    case subscribed
    /// The connection is lost, or was not to be had, for this reason; following steps try again.
    case away(reason: String)
    /// The bus has lost, in a crash, entries that were handed out; their seqs are used again.
    case withdrawn(from: Int64, to: Int64)
    /// The subscription goes on in a later epoch of the log.
    case renumbered(epoch: String)
    /// The bus does not know the place that the subscription was to begin at; it begins with the
    /// oldest entry there is, or, where the place was beyond the last one, behind that.
    case misplaced(Refusal, Cursor)
    /// The bus does not know these fields of the subscription, and goes on without them.
    case ignored(fields: [String])
    /// The descriptor that interrupts has something to tell.
    case interrupted
  }

  /// A line that belongs to the subscription.
  package enum Line: Equatable {
    case entry(seq: Int64)
    case mark
  }

  /// What an attempt has come to.
  private enum Phase {
    case unconnected
    /// Requests are sent; the lines behind the reply belong to the subscription.
    case subscribing
    case following
  }

  private enum Token {
    static let channel: UInt64 = 1
    static let interrupt: UInt64 = 2
  }

  private enum ID {
    static let hello: Int64 = 1
    static let subscribe: Int64 = 2
  }

  /// What makes a step return early, if anything does.
  package let interrupt: FileDescriptor?

  private let path: String
  private let introduction: Introduction?
  private var subscription: Subscription
  private let poll: Poll
  private var events = Poll.Events(capacity: 2)
  private var line = ByteBuffer(capacity: 512)
  private var channel: LineChannel?
  private var phase = Phase.unconnected
  private(set) var position: Position
  private var backoff: Backoff
  private var nextAttempt = Deadline.never
  private var isAway = false
  private var hasSubscribed = false
  /// What is to be told in the next step.
  private var pending: Step?
  /// Why the bus was about to close the connection, if it said so.
  private var farewell: String?

  /// A subscription at the socket `path`, first tried in the first step.
  ///
  /// `interrupt`, watched for `interest`, ends a waiting step.
  package init(
    path: String,
    introduction: Introduction?,
    subscription: Subscription,
    backoff: Backoff,
    interrupt: consuming FileDescriptor?,
    interest: Readiness
  ) throws(ClientError) {
    self.path = path
    self.introduction = introduction
    self.subscription = subscription
    self.backoff = backoff
    nextAttempt = Deadline(after: .zero)
    if case .cursor(let cursor) = subscription.from {
      position = Position(cursor)
    } else {
      position = Position(nil)
    }
    do {
      poll = try Poll()
      if let watched = interrupt.take() {
        self.interrupt = try Self.watch(watched, with: poll, for: interest)
      } else {
        self.interrupt = nil
      }
    } catch {
      throw .disconnected(reason: error.description)
    }
  }

  /// The place behind the last line that was handed out.
  package var cursor: Cursor? { position.cursor }

  /// Waits until there is something to tell; lines go to `body`, one after the other.
  package func step(
    _ body: (Line, borrowing JSONDocument) throws(ClientError) -> Void
  ) throws(ClientError) -> Step {
    if let step = pending.take() { return step }
    while true {
      if phase == .unconnected, let step = connect() { return step }
      if phase != .unconnected, let step = try read(body) { return step }
      if try wait() { return .interrupted }
    }
  }

  // MARK: Connecting

  private func connect() -> Step? {
    guard nextAttempt.hasPassed else { return nil }
    do {
      try open()
      try ask()
      phase = .subscribing
      return nil
    } catch {
      return lose(error.reason)
    }
  }

  private func open() throws(ClientError) {
    let fresh = try LineChannel(path: path)
    do {
      try poll.add(fresh.descriptor, token: Token.channel, interest: .readable)
    } catch {
      throw .disconnected(reason: error.description)
    }
    channel = consume fresh
  }

  /// Sends the requests with which a subscription begins.
  private func ask() throws(ClientError) {
    if let introduction {
      try RequestLine.write("hello", id: ID.hello, introduction.fields, into: &line)
      channel?.write(line)
    }
    try askForLines()
  }

  private func askForLines() throws(ClientError) {
    var wanted = subscription
    if let cursor = position.cursor { wanted.from = .cursor(cursor) }
    try RequestLine.write("subscribe", id: ID.subscribe, wanted.fields, into: &line)
    channel?.write(line)
    channel?.push()
  }

  /// Gives the connection up; only the first loss in a row is told.
  private func lose(_ reason: String) -> Step? {
    channel = nil
    phase = .unconnected
    nextAttempt = Deadline(after: backoff.wait())
    defer { isAway = true }
    return isAway ? nil : .away(reason: farewell.take() ?? reason)
  }

  // MARK: Reading

  /// What a line asks the follower to do.
  private enum Turn {
    case handedOut
    case step(Step)
    case askAgain(Step)
    case ignore
  }

  private func read(
    _ body: (Line, borrowing JSONDocument) throws(ClientError) -> Void
  ) throws(ClientError) -> Step? {
    var handedOut = false
    while true {
      let turn: Turn?
      do {
        turn = try next(body)
      } catch .disconnected(let reason) {
        // What was handed out is told before the loss: the next step comes to it again.
        return handedOut ? .lines : lose(reason)
      }
      switch turn {
      case nil: return handedOut ? .lines : nil
      case .handedOut: handedOut = true
      case .ignore: break
      case .step(let step): return step
      case .askAgain(let step):
        try askForLines()
        return step
      }
    }
  }

  private func next(
    _ body: (Line, borrowing JSONDocument) throws(ClientError) -> Void
  ) throws(ClientError) -> Turn? {
    try channel?.next { kind, document throws(ClientError) in
      switch kind {
      case .entry(let seq):
        position.move(behind: seq)
        try body(.entry(seq: seq), document)
        return .handedOut
      case .mark:
        if let cursor = document.cursor { position.move(to: cursor) }
        try body(.mark, document)
        return .handedOut
      case .reply(let id): return try take(document.answer, to: id)
      case .warning: return .step(.ignored(fields: document.unknownFields))
      case .farewell:
        farewell = document.farewell.reason
        return .ignore
      }
    } ?? nil
  }

  private func take(
    _ answer: Result<JSONValue, ClientError>,
    to id: Int64?
  ) throws(ClientError) -> Turn {
    switch answer {
    case .success(let ok):
      guard id == ID.subscribe else { return .ignore }
      if let cursor = ok.cursor {
        if let old = position.cursor?.epoch, !old.isEmpty, old != cursor.epoch {
          pending = .renumbered(epoch: cursor.epoch)
        }
        position.move(to: cursor)
      }
      phase = .following
      isAway = false
      hasSubscribed = true
      backoff.reset()
      return .step(.subscribed)
    case .failure(.refused(let refusal)): return try take(refusal)
    case .failure(let error): throw error
    }
  }

  /// Waits where waiting helps, goes back where the log ends earlier than we have read, and gives
  /// up on everything else.
  private func take(_ refusal: Refusal) throws(ClientError) -> Turn {
    switch refusal.code {
    case "shutting-down", "quota.exceeded":
      throw .disconnected(reason: refusal.message)
    case "cursor.future":
      guard let seen = position.cursor, let last = refusal.last, last < seen.seq else {
        throw .refused(refusal)
      }
      position.move(to: Cursor(epoch: seen.epoch, seq: last))
      return .askAgain(
        hasSubscribed ? .withdrawn(from: last + 1, to: seen.seq) : .misplaced(refusal, seen)
      )
    case "cursor.epoch", "cursor.invalid":
      guard let seen = position.cursor else { throw .refused(refusal) }
      position = Position(nil)
      subscription.from = .start
      return .askAgain(.misplaced(refusal, seen))
    default: throw .refused(refusal)
    }
  }

  // MARK: Waiting

  /// Waits until there may be something to do; true when interrupted.
  private func wait() throws(ClientError) -> Bool {
    let deadline = phase == .unconnected ? nextAttempt : .never
    do {
      let count = try poll.wait(into: &events, timeoutMilliseconds: deadline.remaining)
      var isInterrupted = false
      for index in 0..<count {
        if events[index].token == Token.interrupt { isInterrupted = true }
        if events[index].token == Token.channel { channel?.fill() }
      }
      return isInterrupted
    } catch {
      throw .disconnected(reason: error.description)
    }
  }

  private static func watch(
    _ descriptor: consuming FileDescriptor,
    with poll: Poll,
    for interest: Readiness
  ) throws(Errno) -> FileDescriptor {
    try poll.add(descriptor, token: Token.interrupt, interest: interest)
    return descriptor
  }
}

extension ClientError {
  /// Why, without which path or that it concerns the bus.
  var reason: String {
    switch self {
    case .unreachable(_, let reason), .disconnected(let reason): reason
    case .dismissed(let code, let message): message.isEmpty ? code : message
    case .refused(let refusal): refusal.description
    case .timedOut, .malformed: description
    }
  }
}

extension JSONDocument {
  /// The cursor in a mark, if there is one.
  fileprivate var cursor: Cursor? {
    member("cursor", of: root).flatMap { stringIfAny($0) }.flatMap { Cursor($0) }
  }
}
