// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// The driver that waits for a subscription, across connections.
///
/// The caller drives it, step by step, and each step waits until there is something to tell.
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
    /// The bus does not know the place at which the subscription was to begin; it begins elsewhere.
    case misplaced(BusRefusal, LogCursor)
    /// The bus does not know these fields of the subscription, and ignores them.
    case ignored(fields: [String])
    /// The interrupting descriptor is ready.
    case interrupted
  }

  package typealias Line = Session.Line

  private let uplink: Uplink
  /// The place behind the lines that were handed out before the present one.
  package private(set) var cursor: LogCursor?

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
    let session = Session(introduction, subscription, keepsPlace: true, backoff: backoff)
    cursor = session.cursor
    uplink = try Uplink(path: path, session, interrupt: interrupt, interest: interest)
  }

  /// Waits until there is something to tell; lines go to `onLine`, one after the other.
  package func step(
    _ onLine: (Line, borrowing JSONDocument) throws(ClientError) -> Void
  ) throws(ClientError) -> Step {
    try step { session throws(ClientError) in try session.next(onLine) }
  }

  /// Waits until there is something to tell; lines are copied into `items`.
  func step(into items: inout [SubscriptionItem]) throws(ClientError) -> Step {
    try step { session throws(ClientError) in
      let news = try session.next()
      guard case .item(let item)? = news else { return news }
      items.append(item)
      return .line
    }
  }

  private func step(
    _ next: (inout Session) throws(ClientError) -> Session.News?
  ) throws(ClientError) -> Step {
    while true {
      if !uplink.isConnected, let step = connect() { return step }
      if uplink.isConnected, let step = try receive(next) { return step }
      if try uplink.wait(reconnects: true) { return .interrupted }
    }
  }

  private func connect() -> Step? {
    do throws(ClientError) {
      _ = try uplink.connect()
      return nil
    } catch {
      return uplink.lose(error).map { .away(reason: $0) }
    }
  }

  /// Takes news until one of them ends the step; nil where nothing has come.
  private func receive(
    _ next: (inout Session) throws(ClientError) -> Session.News?
  ) throws(ClientError) -> Step? {
    var handedOut = false
    while true {
      let news: Session.News?
      do throws(ClientError) {
        news = try next(&uplink.session)
      } catch {
        guard error.isLoss else { throw error }
        // Lines are told before the loss, which the next step meets again.
        return handedOut ? .lines : uplink.lose(error).map { .away(reason: $0) }
      }
      cursor = uplink.session.cursor
      switch news {
      case nil: return handedOut ? .lines : nil
      case .line, .item: handedOut = true
      case .greeted, .answer(_, .success): break
      case .answer(_, .failure(let error)): throw error
      case .subscribed:
        uplink.session.confirm()
        return .subscribed
      case .renumbered(let epoch): return .renumbered(epoch: epoch)
      case .withdrawn(let from, let to):
        uplink.push()
        return .withdrawn(from: from, to: to)
      case .misplaced(let refusal, let seen):
        uplink.push()
        return .misplaced(refusal, seen)
      case .ignored(let fields): return .ignored(fields: fields)
      }
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
  /// Whether the connection has ended, so that another may be made.
  fileprivate var isLoss: Bool {
    switch self {
    case .disconnected, .dismissed: true
    case .unreachable, .refused, .timedOut, .malformed: false
    }
  }
}
