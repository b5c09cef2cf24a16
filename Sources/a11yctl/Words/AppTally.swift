// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yPresenter
import A11yPosix

/// The events of each app, and how many of them were heard.
struct AppTally {
  struct Counts: Equatable {
    var published: Int64 = 0
    var heard: Int64 = 0
    var unheard: Int64 = 0

    static func - (a: Counts, b: Counts) -> Counts {
      Counts(
        published: a.published - b.published,
        heard: a.heard - b.heard,
        unheard: a.unheard - b.unheard
      )
    }
  }

  private struct App: Hashable {
    let name: String
    let uid: Int64
  }

  /// More apps than these are a list, in which the busiest are lost.
  private static let most = 10

  private var apps: [App: Counts] = [:]

  /// Nothing yet.
  init() {}

  /// Counts an entry: an event of an app, or the end of one that was counted.
  mutating func include(_ entry: Entry) {
    guard entry.conn == 0 else {
      apps[App(name: entry.app, uid: Int64(entry.uid)), default: Counts()].published += 1
      return
    }
    guard let part = EventEnding(entry)?.heardPart, let name = entry.string("app") else { return }
    let app = App(name: name, uid: entry.integer("uid") ?? 0)
    guard apps[app] != nil else { return }
    if part.isHeard { apps[app]?.heard += 1 } else { apps[app]?.unheard += 1 }
  }

  /// The counts of each app, the busiest first.
  var json: JSONValue {
    .list(
      busiest.map { app, counts in
        .object([
          .init("app", .string(app.name)), .init("uid", .integer(app.uid)),
          .init("published", .integer(counts.published)), .init("heard", .integer(counts.heard)),
          .init("unheard", .integer(counts.unheard)),
        ])
      }
    )
  }

  /// The counters in the bus's answer to `stats`.
  init(_ stats: JSONValue) {
    for item in stats["apps"]?.list ?? [] {
      let app = App(name: item["app"]?.string ?? "", uid: item["uid"]?.integer ?? 0)
      apps[app] = Counts(
        published: item["published"]?.integer ?? 0,
        heard: item["heard"]?.integer ?? 0,
        unheard: item["unheard"]?.integer ?? 0
      )
    }
  }

  /// The counts that have come since another tally.
  ///
  /// An app that the bus has forgotten meanwhile counts from nothing.
  func growth(since before: AppTally) -> AppTally {
    var growth = self
    for (app, counts) in before.apps {
      guard let now = apps[app], now.published >= counts.published else { continue }
      growth.apps[app] = now - counts
    }
    return growth
  }

  private var busiest: [(key: App, value: Counts)] {
    apps.filter { $0.value != Counts() }.sorted { one, other in
      one.value.published == other.value.published
        ? one.key.name < other.key.name : one.value.published > other.value.published
    }
  }

  /// A line for each app that has published or was heard, the busiest first; none where all was
  /// quiet.
  func sentences(_ time: String) -> [String] {
    let busy = busiest
    guard !busy.isEmpty else { return [] }
    let names = Dictionary(grouping: busy, by: \.key.name)
    var lines = busy.prefix(Self.most).map { app, counts in
      let user = names[app.name]?.count ?? 0 > 1 ? " of user \(app.uid)" : ""
      let events = SeqWords.count(counts.published, "event", "events")
      return "\(app.name)\(user): \(events), \(counts.heard) heard, \(counts.unheard) not heard."
    }
    if busy.count > Self.most {
      let rest = busy.dropFirst(Self.most)
      let events = rest.reduce(0) { $0 + $1.value.published }
      lines.append(
        "\(SeqWords.count(Int64(rest.count), "other app", "other apps")): "
          + "\(SeqWords.count(events, "event", "events"))."
      )
    }
    return (["\(time):"] + lines).map(VisibleText.of)
  }
}
