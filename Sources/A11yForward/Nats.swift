// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The messages for NATS that may be under way before an answer.
///
/// A message alone is guarded by the number of the last message of this machine, which nobody else
/// moves. Several at once state, for each, the number that the one before it will get; they are
/// guarded by the last number of the whole stream, too, so that none is taken behind one that was
/// refused. Between the messages of many machines that guess fails, and one goes at a time.
package struct SendingWindow: Equatable, Sendable {
  package private(set) var size = 1

  /// Messages that the server keeps for us until it has written them.
  package static let largest = 256

  package init() {}

  /// Widens behind a row of messages that were all taken.
  package mutating func widen() { size = min(size * 2, Self.largest) }

  /// Narrows to one behind a refusal.
  package mutating func narrow() { size = 1 }
}

/// A right that NATS has refused to a connection, as a sentence names it.
///
/// The server tells it beside the answers, and leaves the question itself without one.
package struct MissingRight: Equatable, Sendable {
  package let sentence: String

  /// Reads `Permissions Violation for Publish to "SUBJECT"`, or for a subscription; nil where the
  /// words tell something else.
  ///
  /// A place for answers has a random name behind its prefix, and the right is to all of them.
  package init?(_ words: String, inbox: String) {
    let parts = words.split(separator: "\"", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0].lowercased().contains("permissions violation") else {
      return nil
    }
    let isPublishing = parts[0].lowercased().contains("publish")
    let subject = parts[1].hasPrefix("\(inbox).") ? "\(inbox).>" : String(parts[1])
    let verb = isPublishing ? "publish" : "subscribe"
    sentence = "the right to \(verb) to \(subject) is missing"
  }
}
