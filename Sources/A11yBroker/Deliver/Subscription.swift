// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
package import A11yWire

/// A subscription: the entry that it begins behind, and the entries that pass.
///
/// Its place in the log's files is the daemon's affair.
package final class Subscription {
  /// The entries that are left out at most before a checkpoint tells the subscriber its place.
  package static let checkpointEntries = 1_000
  /// The microseconds at most before a checkpoint does.
  package static let checkpointDelay: UInt64 = 1_000_000

  /// The entry before the first one that is sent.
  package let after: Seq
  package let filter: Filter?
  /// Whether a subscriber that has fallen behind wants only the newest entry about each thing.
  package let wantsLatest: Bool
  /// Whether an entry is sent only when the medium has confirmed it.
  package let isDurable: Bool
  /// The subscriber was told that it has come to the end of the log.
  package private(set) var isCaughtUp = false
  /// The entries that were left out since the subscriber was last told its place.
  package private(set) var leftOut = 0

  /// The entry behind which a reader is told the secrets of delivers, since it was there; nil for
  /// subscribers that are no readers.
  package let secretsAfter: Seq?
  /// The subscriber's app, which is told the secrets of its own gestures.
  private let owner: AppKey

  init(
    after: Seq,
    filter: Filter?,
    wantsLatest: Bool,
    isDurable: Bool,
    secretsAfter: Seq?,
    owner: AppKey
  ) {
    self.after = after
    self.filter = filter
    self.wantsLatest = wantsLatest
    self.isDurable = isDurable
    self.secretsAfter = secretsAfter
    self.owner = owner
  }

  /// The secrets of a turn that this subscriber may know, while it is live.
  package func share(of secrets: [Secret]) -> [Secret] {
    secrets.filter { secret in
      if let app = secret.app { return app == owner }
      return secretsAfter.map { secret.of > $0 } ?? false
    }
  }

  /// Counts entries that do not pass; true when a checkpoint is due.
  @discardableResult
  package func leaveOut(_ count: Int = 1) -> Bool {
    leftOut += count
    return leftOut >= Self.checkpointEntries
  }

  /// Notes that the subscriber was told its place, by an entry or by a mark.
  package func place() { leftOut = 0 }

  /// Notes that the end of the log was reached; true the first time.
  package func reachEnd() -> Bool {
    if isCaughtUp { return false }
    isCaughtUp = true
    return true
  }
}

// From a cursor and a filter to a subscription.
extension Broker {
  mutating func subscribe(
    _ line: JSONDocument,
    _ id: Range<Int>,
    _ session: Session,
    into turn: inout Turn
  ) throws(Refusal) {
    let fields = try checkedFields(of: .subscribe, in: line)
    guard session.subscription == nil else {
      throw Refusal(
        .quotaExceeded,
        field: "op",
        "a connection has one subscription; unsubscribe first, or open another connection"
      )
    }
    var from = "now"
    if let value = fields[SubscribeField.from] { from = line.string(value) }
    let after = try start(from)
    var wantsLatest = false
    if let mode = fields[SubscribeField.mode] { wantsLatest = line.string(mode) == "latest" }
    session.subscription = Subscription(
      after: after,
      filter: Filter(line, fields[SubscribeField.filter], within: confinement(of: session)),
      wantsLatest: wantsLatest,
      isDurable: fields[SubscribeField.durable].map { line.kind($0) == .yes } ?? false,
      secretsAfter: session.isReader ? log.last : nil,
      owner: session.sender.key
    )
    warn(session, id, into: &turn)
    listen(session, into: &turn)
    turn.replies.append(Reply(content: .subscribed(after: after), words: id))
    if let state = fields[SubscribeField.state], line.kind(state) == .yes {
      beginWithState(session, after: after, into: &turn)
    }
  }

  /// Appends the entry that a reader gets deliveries from now on.
  private mutating func listen(_ session: Session, into turn: inout Turn) {
    guard session.isReader, !session.isListening,
      session.subscription?.filter?.admitsDeliveries ?? true
    else { return }
    session.isListening = true
    appendOwn(ClientNews(state: .listening, session: session), into: &turn)
  }

  /// Ends a connection's subscription; without one a reader counts as none.
  mutating func unsubscribe(_ session: Session, into turn: inout Turn) {
    session.subscription = nil
    guard session.isListening else { return }
    session.isListening = false
    appendOwn(ClientNews(state: .unsubscribed, session: session), into: &turn)
  }

  /// The entry after which a subscription begins.
  private func start(_ from: String) throws(Refusal) -> Seq {
    switch from {
    case "now": return log.last
    case "start": return log.first.previous
    default: break
    }
    guard let cursor = Cursor(from) else {
      throw Refusal(
        .cursorInvalid,
        field: "from",
        "expected now, start or epoch:seq; got \"\(from.prefix(64))\""
      )
    }
    guard let reach = log.reach(of: cursor.epoch) else {
      var refusal = Refusal(
        .cursorEpoch,
        field: "from",
        "this log does not know the epoch of the cursor; read on from start or now"
      )
      refusal.epoch = log.epoch
      throw refusal
    }
    guard cursor.seq <= reach else {
      var refusal = Refusal(
        .cursorFuture,
        field: "from",
        "expected a cursor up to \(reach.number) in its epoch; got \(cursor.seq.number)"
      )
      refusal.last = reach
      throw refusal
    }
    return cursor.seq
  }
}
