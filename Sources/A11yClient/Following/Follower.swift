// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// A subscription that outlives its connections.
///
/// A follower knows how far it has come, so that after the loss of a connection it goes on with the
/// very next line: nothing is missing and nothing comes twice. The caller drives it, step by step,
/// and each step waits until there is something to tell.
package final class Follower {
  /// The result of a step.
  package enum Step: Equatable {
    /// Lines were handed out.
    case lines
    /// The subscription stands, for the first time or again.
    case subscribed
    /// The connection is lost, or could not be made, for this reason; later steps try again.
    case away(reason: String)
    /// The bus has lost, in a crash, entries that were handed out, and uses their seqs again.
    case withdrawn(from: Int64, to: Int64)
    /// The subscription goes on in a later epoch of the log.
    case renumbered(epoch: String)
    /// The bus does not know the place at which the subscription was to begin. The subscription
    /// begins with the oldest entry or, where the place was beyond the last entry, behind that.
    case misplaced(BusRefusal, LogCursor)
    /// The bus does not know these fields of the subscription, and ignores them.
    case ignored(fields: [String])
    /// The interrupting descriptor is ready.
    case interrupted
  }

  /// A line that belongs to the subscription.
  package enum Line: Equatable {
    case entry(seq: Int64)
    case mark
  }

  /// The stages of a connection.
  private enum Phase {
    case unconnected
    /// The requests are sent; lines after the reply will belong to the subscription.
    case subscribing
    case following
  }

  private enum ID {
    static let hello: Int64 = 1
    static let subscribe: Int64 = 2
  }

  private let uplink: Uplink
  private let introduction: Introduction?
  private var subscription: SubscriptionRequest
  private var phase = Phase.unconnected
  private(set) var position: Position
  private var isAway = false
  private var hasSubscribed = false
  /// The step that comes next, whatever the bus sends.
  private var pending: Step?
  /// The bus's reason for the end of the connection, if it gave one.
  private var farewell: String?

  /// A subscription at the socket `path`; the first step connects.
  ///
  /// `interrupt`, watched for `interest`, ends a waiting step.
  package init(
    path: String,
    introduction: Introduction?,
    subscription: SubscriptionRequest,
    backoff: Backoff,
    interrupt: consuming FileDescriptor?,
    interest: Readiness
  ) throws(ClientError) {
    uplink = try Uplink(path: path, backoff: backoff, interrupt: interrupt, interest: interest)
    self.introduction = introduction
    self.subscription = subscription
    if case .cursor(let cursor) = subscription.from {
      position = Position(cursor)
    } else {
      position = Position(nil)
    }
  }

  /// The place behind the last line that was handed out.
  package var cursor: LogCursor? { position.cursor }

  /// Waits until there is something to tell; lines go to `onLine`, one after the other.
  package func step(
    _ onLine: (Line, borrowing JSONDocument) throws(ClientError) -> Void
  ) throws(ClientError) -> Step {
    if let step = pending.take() { return step }
    while true {
      if phase == .unconnected, let step = connect() { return step }
      if phase != .unconnected, let step = try receiveLines(onLine) { return step }
      if try uplink.wait(reconnects: true) { return .interrupted }
    }
  }

  // MARK: Connecting

  private func connect() -> Step? {
    do {
      guard try uplink.connect() else { return nil }
      try introduce()
      phase = .subscribing
      return nil
    } catch {
      return lose(error.reason)
    }
  }

  /// Sends the requests with which a subscription begins.
  private func introduce() throws(ClientError) {
    if let introduction { try uplink.request("hello", id: ID.hello, introduction.fields) }
    try subscribe()
  }

  private func subscribe() throws(ClientError) {
    var wanted = subscription
    if let cursor = position.cursor { wanted.from = .cursor(cursor) }
    try uplink.request("subscribe", id: ID.subscribe, wanted.fields)
    uplink.channel?.push()
  }

  /// Gives the connection up, and tells only the first loss in a row.
  private func lose(_ reason: String) -> Step? {
    uplink.disconnect()
    phase = .unconnected
    defer { isAway = true }
    return isAway ? nil : .away(reason: farewell.take() ?? reason)
  }

  // MARK: Reading

  /// The consequence of a line.
  private enum Turn {
    case handedOut
    case step(Step)
    case askAgain(Step)
    case ignore
  }

  private func receiveLines(
    _ onLine: (Line, borrowing JSONDocument) throws(ClientError) -> Void
  ) throws(ClientError) -> Step? {
    var handedOut = false
    while true {
      let turn: Turn?
      do {
        turn = try receiveLine(onLine)
      } catch .disconnected(let reason) {
        // Lines are told before the loss, which the next step meets again.
        return handedOut ? .lines : lose(reason)
      }
      switch turn {
      case nil: return handedOut ? .lines : nil
      case .handedOut: handedOut = true
      case .ignore: break
      case .step(let step): return step
      case .askAgain(let step):
        try subscribe()
        return step
      }
    }
  }

  private func receiveLine(
    _ onLine: (Line, borrowing JSONDocument) throws(ClientError) -> Void
  ) throws(ClientError) -> Turn? {
    try uplink.channel?.next { kind, document throws(ClientError) in
      switch kind {
      case .entry(let seq):
        position.move(behind: seq)
        try onLine(.entry(seq: seq), document)
        return .handedOut
      case .mark:
        if let cursor = document.cursor { position.move(to: cursor) }
        try onLine(.mark, document)
        return .handedOut
      case .reply(let id): return try receive(document.answer, to: id)
      case .warning: return .step(.ignored(fields: document.unknownFields))
      case .farewell:
        farewell = document.farewell.reason
        return .ignore
      }
    } ?? nil
  }

  private func receive(
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
      uplink.confirm()
      return .step(.subscribed)
    case .failure(.refused(let refusal)): return try react(to: refusal)
    case .failure(let error): throw error
    }
  }

  /// Tries again where waiting helps, goes back where the log ends before the place we had read to,
  /// and gives up on any other refusal.
  private func react(to refusal: BusRefusal) throws(ClientError) -> Turn {
    switch refusal.code {
    case "shutting-down", "quota.exceeded":
      throw .disconnected(reason: refusal.message)
    case "cursor.future":
      guard let seen = position.cursor, let last = refusal.last, last < seen.seq else {
        throw .refused(refusal)
      }
      position.move(to: LogCursor(epoch: seen.epoch, seq: last))
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

  // MARK: The interrupt

  /// Empties the interrupting bell, however often it has rung.
  func hearBell() { uplink.interrupt?.hearBell() }

  /// Waits for the bell alone, and leaves the bus to wait for us.
  func waitForBell() {
    _ = try? uplink.interrupt?.waitReady(for: .readable, timeoutMilliseconds: -1)
    hearBell()
  }
}

extension ClientError {
  /// The reason alone, without the path and without naming the bus.
  package var reason: String {
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
  fileprivate var cursor: LogCursor? {
    member("cursor", of: root).flatMap { stringIfAny($0) }.flatMap { LogCursor($0) }
  }
}
