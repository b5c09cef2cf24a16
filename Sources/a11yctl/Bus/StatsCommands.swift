// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yPosix
import A11yPresenter
import A11yWire

/// Tells the counters of the bus.
struct StatsCommand: Command {
  static let name = "stats"
  static let summary = "tell the counters of the bus"
  static let usage = "[OPTION]..."
  static let notes = """
    Says what was heard, and what the bus has done and keeps since it was started, in a sentence a
    line. With --from or --since it counts the entries of that time in the log: the events of each
    app, and how many of them were heard.
    \(Beginning.notes)
    """
  static let options =
    Beginning.flags(usually: "the start of the bus") + [
      Flag("json", nil, "print the answer as JSON, on one line")
    ]

  private let path: String
  private let isJSON: Bool
  private let beginning: Beginning

  /// The counts of a time.
  private struct Recent {
    let since: Int64
    var tally = AppTally()
    var reachesBack = false

    mutating func include(_ entry: Entry) {
      if entry.time < since { reachesBack = true } else { tally.include(entry) }
    }
  }

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    path = try words.socket(for: .operation(.stats)).path
    isJSON = words.has("json")
    beginning = try Beginning(words, now: SystemClock.wallMicroseconds())
  }

  func run(_ output: Output) throws(Failure) {
    let entries = RecentEntries(path: path)
    if let since = try beginning.time(entries.time) { return try sumUp(entries, since, output) }
    let stats = try asking { () throws(ClientError) in
      try BusConnection(path: path).request("stats")
    }
    guard !isJSON else {
      output.line(stats.description)
      return
    }
    for line in StatsWords.lines(stats) { output.line(line) }
  }

  private func sumUp(
    _ entries: RecentEntries,
    _ since: Int64,
    _ output: Output
  ) throws(Failure) {
    let recent = try entries.sum(of: nil, into: Recent(since: since), isEnough: \.reachesBack) {
      $0.include($1)
    }
    guard !isJSON else {
      let members: [JSONValue.Member] = [
        .init("since", .integer(since)), .init("apps", recent.tally.json),
      ]
      output.line(JSONValue.object(members).description)
      return
    }
    let lines = recent.tally.sentences("Since \(ClockTime.dayAndTime(max(0, since)))")
    for line in lines { output.line(line) }
    if lines.isEmpty { output.line("No app has said anything since then.") }
  }
}

/// Tells, again and again, which apps publish the most, and how much of it is heard.
struct TopCommand: Command {
  static let name = "top"
  static let summary = "tell the busiest apps, and how much of them is heard, as it goes on"
  static let usage = "[OPTION]..."
  static let notes = """
    Says for each app how many events it has published since the bus started, how many of them were
    heard and how many were not, the busiest first. Then it says the same of each span of time in
    which something was published; a quiet span says nothing.
    """
  static let options = [
    Flag("every", "TIME", "the span, as in \"10 s\"; 5 s if not given"),
    Flag("count", "N", "end after so many spans"),
    Flag("once", nil, "end after the first tally"),
  ]

  private static let spans: ClosedRange<Duration> = .milliseconds(100) ... .seconds(86_400)

  private let path: String
  private let span: Duration
  private let count: Int64

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    path = try words.socket(for: .operation(.stats)).path
    span = try words.value("every").map(Self.span) ?? .seconds(5)
    let stated = try words.integer("count", in: 1 ... .max)
    count = words.has("once") ? 0 : stated ?? .max
  }

  private static func span(_ text: String) throws(Failure) -> Duration {
    guard let span = Moment.length(text), spans ~= span else {
      throw Failure(
        .usage,
        "--every expects a time from 100 ms to a day, as in \"10 s\"; got \(text)."
      )
    }
    return span
  }

  func run(_ output: Output) throws(Failure) {
    let bus = try asking { () throws(ClientError) in try BusConnection(path: path) }
    var tally = try Self.tally(bus)
    for line in tally.sentences("Since the bus started") { output.line(line) }
    try output.flush()
    let words = "In the last \(Quantity.text(microseconds: span.milliseconds * 1_000))"
    var left = count
    while left > 0 {
      // There is no subscription: nothing comes, and the end of the bus is noticed at once.
      _ = try asking { () throws(ClientError) in try bus.next(timeout: span) }
      let next = try Self.tally(bus)
      for line in next.growth(since: tally).sentences(words) { output.line(line) }
      try output.flush()
      tally = next
      left -= 1
    }
  }

  private static func tally(_ bus: BusConnection) throws(Failure) -> AppTally {
    AppTally(try asking { () throws(ClientError) in try bus.request("stats") })
  }
}

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
