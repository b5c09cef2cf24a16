// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
