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
  static let notes = """
    Says what was heard, and what the bus has done and keeps since it was started, in a sentence a
    line. With --from or --since it counts the entries of that time in the log: the events of each
    app, and how many of them were heard; and so it does with --log, or of a machine in an engine.
    \(Beginning.notes)
    \(ReadingOptions.placeNotes)
    """

  @Operands(atMost: 1) private var words: [String]
  @Flag("json", "print the answer as JSON, on one line") private var isJSON: Bool
  private let reading = ReadingOptions(
    usually: "the start of the bus",
    orOf: BusSocket(),
    takesWord: false
  )

  /// The counts of a time.
  private struct Recent: EntryFold {
    let since: Int64?
    let types: [String]? = nil
    private(set) var tally = AppTally()
    var isEnough = false

    init(since: Int64) { self.since = since }

    mutating func take(_ entry: Entry) {
      if entry.time < since ?? .min { isEnough = true } else { tally.include(entry) }
    }
  }

  func run(_ output: Output) throws(Failure) {
    let beginning = reading.beginning
    guard let bus = reading.bus, reading.isOfBus, !beginning.isStated else {
      let source = try reading.source(for: .stats, words, output)
      // A log counts from its first entry.
      let first = try beginning.isStated ? nil : source.time(of: Seq(1))
      return try sumUp(source, beginning.time(source.time) ?? first ?? 0, output)
    }
    try words.refuse(behind: 0)
    let stats = try bus.ask("stats", for: .stats)
    output.lines(isJSON ? [stats.description] : StatsWords.lines(stats))
  }

  private func sumUp(
    _ source: any EntrySource,
    _ since: Int64,
    _ output: Output
  ) throws(Failure) {
    let recent = try source.fold(Recent(since: since))
    guard !isJSON else {
      let sum: JSONValue = ["since": .integer(since), "apps": recent.tally.json]
      return output.line(sum.description)
    }
    let lines = recent.tally.sentences("Since \(ClockTime.dayAndTime(max(0, since)))")
    output.lines(lines.isEmpty ? ["No app has said anything since then."] : lines)
  }
}

/// Tells, again and again, which apps publish the most, and how much of it is heard.
struct TopCommand: Command {
  static let name = "top"
  static let summary = "tell the busiest apps, and how much of them is heard, as it goes on"
  static let notes = """
    Says for each app how many events it has published since the bus started, how many of them were
    heard and how many were not, the busiest first. Then it says the same of each span of time in
    which something was published; a quiet span says nothing.
    """

  @Option(
    "every",
    "TIME",
    "the span, as in \"10 s\"; 5 s if not given",
    as: .length(
      in: .milliseconds(100) ... .seconds(86_400),
      "a time from 100 ms to a day, as in \"10 s\""
    )
  )
  private var every: Duration?
  @Option("count", "N", "end after so many spans", as: .number(in: 1 ... .max))
  private var count: Int64?
  @Flag("once", "end after the first tally") private var isOnce: Bool
  private let bus = BusSocket()

  func run(_ output: Output) throws(Failure) {
    let span = every ?? .seconds(5)
    let path = try bus(for: .operation(.stats))
    let bus = try asking { () throws(ClientError) in try BusConnection(path: path) }
    var tally = try Self.tally(bus)
    output.lines(tally.sentences("Since the bus started"))
    try output.flush()
    let words = "In the last \(Quantity.text(microseconds: span.milliseconds * 1_000))"
    var left = isOnce ? 0 : count ?? .max
    while left > 0 {
      // There is no subscription: nothing comes, and the end of the bus is noticed at once.
      _ = try asking { () throws(ClientError) in try bus.next(timeout: span) }
      let next = try Self.tally(bus)
      output.lines(next.growth(since: tally).sentences(words))
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
        [
          "app": .string(app.name), "uid": .integer(app.uid),
          "published": .integer(counts.published), "heard": .integer(counts.heard),
          "unheard": .integer(counts.unheard),
        ]
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
      let events = counts.published.counted("event")
      return "\(app.name)\(user): \(events), \(counts.heard) heard, \(counts.unheard) not heard."
    }
    if busy.count > Self.most {
      let rest = busy.dropFirst(Self.most)
      let events = rest.reduce(0) { $0 + $1.value.published }
      lines.append(
        "\(rest.count.counted("other app")): "
          + "\(events.counted("event"))."
      )
    }
    return (["\(time):"] + lines).map(VisibleText.of)
  }
}
