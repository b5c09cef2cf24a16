// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yExplain
import A11yWire

/// The time from left to right, shared by the figures of the day.
struct TimeAxis {
  /// The whole drawing, and the part of it that is time.
  static let width = 1_000
  static let left = 190
  static let right = 990

  let from: Int64
  let to: Int64

  /// The steps between two marks, in seconds.
  private static let steps: [Int64] = [
    1, 5, 15, 60, 300, 900, 3_600, 10_800, 21_600, 86_400, 604_800, 2_592_000,
  ]
  private static let mostMarks: Int64 = 12

  /// The time of which entries tell, a little wider.
  init(_ story: DayStory) {
    let span = story.span ?? story.since...story.until
    let margin = max(1_000_000, (span.upperBound - span.lowerBound) / 100)
    from = max(story.since, span.lowerBound - margin)
    to = max(from + 1, min(story.until, span.upperBound + margin))
  }

  /// The place of a moment, in tenths of a unit.
  func tenths(_ time: Int64) -> Int {
    let inside = min(max(time, from), to)
    let share = Double(inside - from) / Double(to - from)
    return Self.left * 10 + Int(share * Double(Self.right - Self.left) * 10)
  }

  func x(_ time: Int64) -> String { Self.decimal(tenths(time)) }

  static func decimal(_ tenths: Int) -> String {
    tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
  }

  /// Draws the axis with its times at a height.
  func draw(at y: Int, into page: inout HtmlWriter) {
    page.mark("path", ["class": "axis", "d": "M\(Self.left) \(y)H\(Self.right)"])
    let seconds = (to - from) / 1_000_000
    let step =
      Self.steps.first { seconds / $0 <= Self.mostMarks } ?? Self.steps[Self.steps.count - 1]
    // Whole hours of this place, which may lie half an hour beside the world's.
    let day = Moment.parse("today", now: from) ?? 0
    var mark = day + (from - day + step * 1_000_000 - 1) / (step * 1_000_000) * step * 1_000_000
    while mark <= to {
      let x = x(mark)
      page.mark("path", ["class": "axis", "d": "M\(x) \(y)v5"])
      // A time at the very end would be cut off.
      if tenths(mark) < Self.right * 10 - 200 {
        page.element(
          "text",
          ["x": x, "y": "\(y + 19)", "text-anchor": "middle"],
          clockWords(mark, step)
        )
      }
      mark += step * 1_000_000
    }
  }

  private func clockWords(_ time: Int64, _ step: Int64) -> String {
    if step >= 86_400 { return String(ClockTime.day(time).dropFirst(5)) }
    let clock = ClockTime.local(time)
    return step >= 60 ? String(clock.dropLast(3)) : clock
  }
}

/// A lane for each app: its events at the times of their publication, by the way that they ended.
///
/// Events that lie too close to be told apart share a mark. An event whose way is long enough to be
/// seen has a line for the time in which it waited, and a bar for that in which it was spoken.
struct LaneFigure {
  /// The most lanes; the other apps share the last one.
  static let most = 16
  /// The most ways that are drawn.
  private static let ways = 1_000
  /// The width of a column whose events share a mark, in tenths of a unit.
  private static let column = 66
  private static let row = 9

  private struct Lane {
    let title: String
    let apps: Set<Int>
    var items: [DayStory.Item] = []

    func tally(_ fate: Fate) -> Int { items.reduce(0) { $0 + ($1.fate == fate ? 1 : 0) } }
    var fates: [Fate] {
      let there = Set(items.map(\.fate))
      return Fate.allCases.filter(there.contains)
    }
  }

  private let axis: TimeAxis
  private let lanes: [Lane]
  private let fates: [Fate]

  init(_ story: DayStory, _ axis: TimeAxis) {
    self.axis = axis
    let byApp = Dictionary(grouping: story.items, by: \.app)
    let apps = byApp.keys.sorted { one, other in
      let (a, b) = (byApp[one]?.count ?? 0, byApp[other]?.count ?? 0)
      return a == b ? story.apps[one] < story.apps[other] : a > b
    }
    var lanes = apps.prefix(apps.count > Self.most ? Self.most - 1 : Self.most).map { app in
      Lane(title: story.apps[app], apps: [app], items: byApp[app] ?? [])
    }
    let rest = apps.dropFirst(lanes.count)
    if !rest.isEmpty {
      let title = "\(rest.count) other apps"
      lanes.append(Lane(title: title, apps: Set(rest), items: rest.flatMap { byApp[$0] ?? [] }))
    }
    self.lanes = lanes
    let there = Set(story.items.lazy.map(\.fate))
    fates = Fate.allCases.filter(there.contains)
  }

  func draw(into page: inout HtmlWriter) {
    guard !lanes.isEmpty else {
      page.element("p", "No app published anything to be heard.")
      return
    }
    page.legend(fates)
    let height = lanes.reduce(0) { $0 + self.height($1) } + 40
    page.figure(
      "Events of \(lanes.count.counted("app")) by time and end",
      height: height,
      caption: "Each mark stands at the time of publication; its colour and shape tell the end."
        + " A thin line is the time of waiting, a thick one that of speech, where they are long"
        + " enough to be seen."
    ) { page in
      page.element("defs") { page in
        for fate in fates {
          page.element("g", ["id": "m-\(fate.id)", "class": fate.id]) { $0.markup(fate.shape) }
        }
      }
      var top = 8
      var ways = Self.ways
      for lane in lanes {
        drawLane(lane, top, &ways, into: &page)
        top += self.height(lane)
      }
      axis.draw(at: top + 4, into: &page)
    }
    table.drawFolded(into: &page)
  }

  private func height(_ lane: Lane) -> Int { max(2, lane.fates.count) * Self.row + 12 }

  private func drawLane(_ lane: Lane, _ top: Int, _ ways: inout Int, into page: inout HtmlWriter) {
    let middle = top + (height(lane) - 12) / 2
    page.element("text", ["x": "0", "y": "\(middle + 4)"], Self.shortened(lane.title))
    let bottom = top + height(lane) - 8
    page.mark("path", ["class": "axis", "d": "M\(TimeAxis.left) \(bottom)H\(TimeAxis.right)"])
    for (index, fate) in lane.fates.enumerated() {
      let y = top + index * Self.row + 4
      var counts: [Int: Int] = [:]
      for item in lane.items where item.fate == fate {
        counts[axis.tenths(item.published) / Self.column, default: 0] += 1
        if ways > 0, drawWay(item, y, into: &page) { ways -= 1 }
      }
      for (column, count) in counts.sorted(by: { $0.key < $1.key }) {
        let x = TimeAxis.decimal(column * Self.column + Self.column / 2)
        let use = "<use href=\"#m-\(fate.id)\" x=\"\(x)\" y=\"\(y)\""
        page.markup(count == 1 ? use + "/>" : use + "><title>\(count)</title></use>")
      }
    }
  }

  /// The waiting and the speech of an event; false where they are too short to be seen.
  private func drawWay(_ item: DayStory.Item, _ y: Int, into page: inout HtmlWriter) -> Bool {
    guard let ended = item.ended else { return false }
    let from = axis.tenths(item.published)
    let to = axis.tenths(item.published + ended)
    guard to - from >= 15 else { return false }
    let spoken = axis.tenths(item.published + (item.started ?? item.delivered ?? ended))
    let (a, b, c) = (TimeAxis.decimal(from), TimeAxis.decimal(spoken), TimeAxis.decimal(to))
    page.mark("path", ["class": "way", "d": "M\(a) \(y)H\(b)"])
    if spoken < to {
      page.mark("path", ["class": "way", "stroke-width": "5", "d": "M\(b) \(y)H\(c)"])
    }
    return true
  }

  private static func shortened(_ title: String) -> String {
    title.count <= 26 ? title : "…" + title.suffix(25)
  }

  private var table: ReportTable {
    ReportTable(
      caption: "Events of each app by their end",
      columns: [.named("App"), .number("Published")] + fates.map { .number($0.title) }
        + [.number("Typical wait for the first word"), .number("Spoken for")],
      rows: lanes.map { lane in
        [lane.title, "\(lane.items.count)"] + fates.map { "\(lane.tally($0))" }
          + [Self.typicalWait(lane.items), Self.spokenTime(lane.items)]
      }
    )
  }

  private static func typicalWait(_ items: [DayStory.Item]) -> String {
    let waits = items.compactMap { $0.started ?? $0.delivered }.sorted()
    guard !waits.isEmpty else { return "none" }
    return Lengths.rough(.microseconds(waits[waits.count / 2]))
  }

  /// The time that the reader has given to an app.
  private static func spokenTime(_ items: [DayStory.Item]) -> String {
    let sum = items.reduce(Int64(0)) { sum, item in
      guard item.fate == .heard || item.fate == .cut, let ended = item.ended,
        let began = item.started ?? item.delivered
      else { return sum }
      return sum + max(0, ended - began)
    }
    return sum == 0 ? "none" : Lengths.rough(.microseconds(sum))
  }
}

/// The times of quiet as spans: do-not-disturb, pauses of the user, and silences asked for by apps.
struct QuietFigure {
  private static let height = 26
  /// The most lines of spans.
  private static let most = 20

  private struct Line {
    let title: String
    var spans: [QuietSpans.Span]
  }

  private let axis: TimeAxis
  private let lines: [Line]
  private let spans: [QuietSpans.Span]
  private let uncounted: Int

  init(_ story: DayStory, _ axis: TimeAxis) {
    self.axis = axis
    uncounted = story.quiet.uncounted
    spans = story.quiet.spans.filter { ($0.to ?? .max) > axis.from && $0.from < axis.to }
    let groups = Dictionary(grouping: spans, by: \.kind)
    lines = groups.map { Line(title: $0.key.title, spans: $0.value) }
      .sorted { $0.title < $1.title }
  }

  func draw(into page: inout HtmlWriter) {
    guard !lines.isEmpty else {
      page.element("p", "Speech was never held back as a whole.")
      return
    }
    if spans.contains(where: \.kind.isDoNotDisturb) {
      page.element(
        "p",
        "Quiet of a level holds back the announcements that count less than it: those of high"
          + " priority count 80, those of default priority 50, and those of low priority 20."
      )
    }
    let shown = lines.prefix(Self.most)
    page.figure(
      "Times of quiet, as spans",
      height: shown.count * Self.height + 40,
      caption: "While a span lasts, announcements wait or are dropped."
    ) { page in
      for (index, line) in shown.enumerated() {
        let y = index * Self.height + 4
        let title = line.title.count <= 26 ? line.title : line.title.prefix(25) + "…"
        page.element("text", ["x": "0", "y": "\(y + 14)"], title)
        for span in line.spans {
          let from = axis.tenths(span.from)
          let to = max(from + 20, axis.tenths(span.to ?? axis.to))
          page.mark(
            "rect",
            [
              "class": "bar", "x": TimeAxis.decimal(from), "y": "\(y)",
              "width": TimeAxis.decimal(to - from), "height": "\(Self.height - 8)",
            ]
          )
        }
      }
      axis.draw(at: shown.count * Self.height + 6, into: &page)
    }
    ReportTable(
      caption: "Times of quiet",
      columns: [.named("Kind"), .named("From"), .named("To")],
      rows: spans.map { span in
        [
          span.kind.title, ClockTime.dayAndTime(span.from),
          span.to.map(ClockTime.dayAndTime) ?? "it goes on",
        ]
      }
    ).drawFolded(into: &page)
    if uncounted > 0 {
      let more = uncounted.counted("more time", "is")
      page.element("p", "\(more) not shown.")
    }
  }
}
