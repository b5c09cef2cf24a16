// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yPresenter
import A11yWire

/// The texts that were published since a moment and not heard, by reason and app.
struct MissedReport {
  /// A text that an app has published.
  struct Text: Equatable {
    let seq: Int64
    let time: Int64
    let app: String
    let words: String
  }

  struct Group: Hashable {
    let reason: MissedReason
    let app: String
    /// Whether a part of each was heard.
    var isPart = false
  }

  struct Findings {
    var count: Int64 = 0
    /// The last texts.
    var examples: [Text] = []
  }

  static let types =
    [EventType.announcement, .layoutChanged, .screenChanged, .pageScrolled].map(\.rawValue)
    + [EventType.Own.outcome.rawValue]

  /// The texts that are shown of each kind: enough to see what it was about.
  private static let examples = 3
  /// The texts without an end that are kept: far more than the bus lets wait.
  private static let most = 4_096

  private let since: Int64
  private let app: String?
  /// The texts that were heard, to their end or in part.
  private(set) var heard: Int64 = 0
  private(set) var groups: [Group: Findings] = [:]
  /// The texts without an end yet, the oldest first.
  private var open: [Int64: Text] = [:]
  private var order: [Int64] = []
  private var reachesBack = false

  init(since: Int64, app: String?) {
    self.since = since
    self.app = app
  }

  /// Whether no text of the app was found, heard or not.
  var hasNothing: Bool { heard == 0 && groups.isEmpty }

  /// Whether entries from before the moment were seen.
  var isComplete: Bool { reachesBack }

  mutating func note(_ entry: Entry) {
    guard entry.time >= since else {
      reachesBack = true
      return
    }
    if let ending = EventEnding(entry), let of = entry.integer("of") {
      guard let text = open.removeValue(forKey: of) else { return }
      if ending.heardPart?.isHeard ?? true { heard += 1 }
      if let reason = MissedReason(ending) {
        sort(text, Group(reason: reason, app: text.app, isPart: ending.heardPart == .part))
      }
      return
    }
    guard let words = EntryWords.spoken(entry), app == nil || entry.app == app else { return }
    open[entry.seq] = Text(seq: entry.seq, time: entry.time, app: entry.app, words: words)
    order.append(entry.seq)
    guard order.count > 2 * Self.most else { return }
    for seq in order.prefix(Self.most) { open[seq] = nil }
    order.removeFirst(Self.most)
  }

  private mutating func sort(_ text: Text, _ group: Group) {
    groups[group, default: Findings()].count += 1
    groups[group]?.examples.append(text)
    if groups[group]?.examples.count ?? 0 > Self.examples {
      groups[group]?.examples.removeFirst()
    }
  }

  /// The groups, with those nearest to a loss first.
  var sorted: [(key: Group, value: Findings)] {
    groups.sorted { one, other in
      let (a, b) = (one.key, other.key)
      if a.isPart != b.isPart { return b.isPart }
      if a.reason.rank != b.reason.rank { return a.reason.rank < b.reason.rank }
      return a.reason == b.reason ? a.app < b.app : a.reason.clause < b.reason.clause
    }
  }

  /// The texts that wait, of those that the bus's state says are waiting, with the obstacle.
  func waiting(in state: JSONValue?) -> [(text: Text, obstacle: Obstacle?)] {
    (state?["pending"]?.list ?? []).compactMap { item in
      guard item["state"]?.string != "speaking", let seq = item["seq"]?.integer,
        let text = open[seq]
      else { return nil }
      return (text, item["by"]?.string.flatMap(Obstacle.init))
    }
  }
}
