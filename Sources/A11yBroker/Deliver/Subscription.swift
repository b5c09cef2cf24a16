// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// What a connection asked to be sent: from where on, and which entries.
///
/// Where it stands in the log's files is the shell's affair; what it is told on the way is decided
/// here.
package final class Subscription {
  /// Entries left out until a checkpoint tells the subscriber how far it has come.
  package static let checkpointEntries = 1_000
  /// …or this long, in microseconds, whatever comes first.
  package static let checkpointDelay: UInt64 = 1_000_000

  /// The entries that it gets come after this one.
  package let after: Seq
  package let filter: Filter?
  /// Whether it wants, where it has fallen behind, only the newest entry about each thing.
  package let wantsLatest: Bool
  /// It was told that it has come to the end of the log.
  package private(set) var isCaughtUp = false
  /// Left out since the subscriber last heard how far it is.
  package private(set) var leftOut = 0

  /// A reader is told the secrets of delivers behind this entry, which it was there for; nil for
  /// one who is no reader.
  package let secretsAfter: Seq?

  init(after: Seq, filter: Filter?, wantsLatest: Bool, secretsAfter: Seq?) {
    self.after = after
    self.filter = filter
    self.wantsLatest = wantsLatest
    self.secretsAfter = secretsAfter
  }

  /// Those of a turn's secrets that are this subscriber's to know, as long as it is live.
  package func share(of secrets: [Secret]) -> [Secret] {
    guard let secretsAfter else { return [] }
    return secrets.filter { $0.of > secretsAfter }
  }

  /// Notes that an entry does not pass; true when a checkpoint is due.
  package func leaveOut() -> Bool {
    leftOut += 1
    return leftOut >= Self.checkpointEntries
  }

  /// Notes that the subscriber heard of its place, by an entry or by a mark.
  package func place() { leftOut = 0 }

  /// Notes that the end of the log was reached; true the first time.
  package func reachEnd() -> Bool {
    if isCaughtUp { return false }
    isCaughtUp = true
    return true
  }
}
