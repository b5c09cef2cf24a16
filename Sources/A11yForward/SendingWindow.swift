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
