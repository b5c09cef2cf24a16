// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yPosix
import A11yWire

/// Feeds the subscribers, each turn beginning with the one that got nothing the last time.
struct FeedRotation {
  /// The subscriber that is fed first, by its place among them.
  private var first = 0

  /// How long one turn feeds subscribers; the others are first in the next.
  private static let feedingMicroseconds: UInt64 = 2_000

  /// Has the subscribers' feeds advance over a turn's lines, and says of each whether it has
  /// failed.
  mutating func feed(
    _ fresh: Feed.Fresh,
    to subscribers: [ClientConnection],
    _ desk: FeedDesk,
    _ time: any BusTime,
    _ isFed: (ClientConnection, Errno?) -> Void
  ) {
    let hasFresh = fresh.lines.count > 0
    if hasFresh { judge(fresh, for: subscribers, desk) }
    let deadline = time.monotonicMicroseconds() + Self.feedingMicroseconds
    let count = subscribers.count
    let start = first
    for step in 0..<count {
      let connection = subscribers[(start + step) % count]
      guard let feed = connection.feed, !connection.isStalled, connection.leaving == nil,
        connection.held.isEmpty || feed.hasBegun, hasFresh || !feed.isAtEnd
      else { continue }
      var fault: Errno?
      // The others have their place in the log, and lose nothing but this turn; but secrets are
      // told now or not at all.
      let hasSecrets = !feed.subscription.share(of: fresh.secrets).isEmpty
      if hasSecrets || time.monotonicMicroseconds() < deadline {
        do throws(Errno) {
          try feed.advance(connection, fresh, desk)
        } catch {
          fault = error
        }
        first = (start + step + 1) % count
      }
      isFed(connection, fault)
    }
  }

  /// Judges the fresh lines by the filters of all subscribers that go on with them.
  private func judge(
    _ fresh: Feed.Fresh,
    for subscribers: [ClientConnection],
    _ desk: FeedDesk
  ) {
    desk.sieve.clear()
    for connection in subscribers {
      guard let feed = connection.feed, feed.stands(in: fresh),
        let filter = feed.subscription.filter
      else { continue }
      desk.sieve.add(filter)
    }
    desk.sieve.judge(fresh.lines, with: desk.reader)
  }
}
