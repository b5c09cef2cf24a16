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
