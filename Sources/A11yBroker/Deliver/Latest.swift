// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// The entries that stand for others, for a subscriber that wants only the latest.
///
/// A subscriber that has fallen behind gets only the newest entry of each kind about the same
/// thing. Deliveries and outcomes are never left out.
package struct Latest {
  /// The place of the last line about each thing.
  private var lines: [String: Int] = [:]
  /// The entries for which a newer one stands.
  package private(set) var skipped = 0

  package init() {}

  /// Notes the entry that begins at `start` as the newest about its thing.
  package mutating func note(_ entry: JSONDocument, at start: Int) {
    guard let thing = Self.thing(entry) else { return }
    if lines.updateValue(start, forKey: thing) != nil { skipped += 1 }
  }

  /// Whether the entry that begins at `start` is to be sent.
  package func keeps(_ entry: JSONDocument, at start: Int) -> Bool {
    guard let thing = Self.thing(entry) else { return true }
    return lines[thing] == start
  }

  /// The words for an entry's thing; nil for an entry that is never left out.
  private static func thing(_ entry: JSONDocument) -> String? {
    let envelope = EntryView(of: entry)
    guard let event = envelope.event, let subject = envelope.subject,
      let type = entry.string("type", of: event), !kept.contains(type)
    else { return nil }
    let parts = [
      type, entry.string("app", of: subject) ?? "",
      entry.integer("uid", of: subject).map(String.init) ?? "",
      entry.string("window", of: event) ?? "", entry.string("element", of: event) ?? "",
      entry.string("key", of: event) ?? "",
    ]
    // Names have no zero byte, so no two things share these words.
    return parts.joined(separator: "\0")
  }

  private static let kept = [
    EventType.Own.deliver.rawValue, EventType.Own.outcome.rawValue,
    EventType.Own.silence.rawValue,
  ]
}
