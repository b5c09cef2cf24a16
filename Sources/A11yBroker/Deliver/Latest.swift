// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// Which entries stand for which others, for a subscriber that wants only the latest.
///
/// Of the entries that one who has fallen behind has before it, the newest of each kind about the
/// same thing is enough. What a reader has to speak and what became of an event is never left out.
package struct Latest {
  /// The last line about each thing, by where it begins.
  private var lines: [String: Int] = [:]
  /// Entries for which a newer one stands.
  package private(set) var skipped = 0

  package init() {}

  /// Notes that the entry which begins at `start` is the newest about its thing so far.
  package mutating func note(_ entry: JSONDocument, at start: Int) {
    guard let thing = Self.thing(entry) else { return }
    if lines.updateValue(start, forKey: thing) != nil { skipped += 1 }
  }

  /// Whether the entry which begins at `start` is to be sent.
  package func keeps(_ entry: JSONDocument, at start: Int) -> Bool {
    guard let thing = Self.thing(entry) else { return true }
    return lines[thing] == start
  }

  /// What an entry is about; nil for one that nothing stands for.
  private static func thing(_ entry: JSONDocument) -> String? {
    guard let event = entry.member("event", of: entry.root),
      let type = entry.string("type", of: event), !kept.contains(type)
    else { return nil }
    let subject = entry.integer("conn", of: entry.root) == 0 ? event : entry.root
    let parts = [
      type, entry.string("app", of: subject) ?? "",
      entry.integer("uid", of: subject).map(String.init) ?? "",
      entry.string("window", of: event) ?? "", entry.string("element", of: event) ?? "",
      entry.string("key", of: event) ?? "",
    ]
    // No name has a zero byte in it, so no two things share these words.
    return parts.joined(separator: "\0")
  }

  private static let kept = [
    EventType.Own.deliver.rawValue, EventType.Own.outcome.rawValue,
    EventType.Own.silence.rawValue,
  ]
}
