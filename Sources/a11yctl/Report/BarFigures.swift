// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yExplain
import A11yWire

/// Bars that lie below each other, each with its name in front and its number behind it, and a
/// table of them.
struct BarFigure {
  struct Bar {
    let name: String
    let count: Int
    /// The class of its colour.
    var colour = "bar"
    /// The columns of the table behind name and number.
    var more: [String] = []
  }

  private static let height = 24
  private static let left = 330
  private static let longest = 590

  let title: String
  var form = "as bars"
  let caption: String
  let columns: [ReportTable.Column]
  let bars: [Bar]

  func draw(into page: inout HtmlWriter) {
    drawBars(into: &page)
    ReportTable(
      caption: title,
      columns: columns,
      rows: bars.map { [$0.name.asSentence, "\($0.count)"] + $0.more }
    ).drawFolded(into: &page)
  }

  private func drawBars(into page: inout HtmlWriter) {
    let label = "\(title), \(form)"
    let most = max(1, bars.map(\.count).max() ?? 1)
    page.figure(label, height: bars.count * Self.height + 8, caption: caption) { page in
      for (index, bar) in bars.enumerated() {
        let y = index * Self.height + 4
        let length = max(bar.count > 0 ? 2 : 0, bar.count * Self.longest / most)
        page.element(
          "text",
          ["x": "\(Self.left - 10)", "y": "\(y + 14)", "text-anchor": "end"],
          bar.name.count <= 48 ? bar.name : bar.name.prefix(47) + "…"
        )
        page.mark(
          "rect",
          [
            "class": bar.colour, "x": "\(Self.left)", "y": "\(y)", "width": "\(length)",
            "height": "\(Self.height - 6)",
          ]
        )
        page.element("text", ["x": "\(Self.left + length + 8)", "y": "\(y + 14)"], "\(bar.count)")
      }
    }
  }
}

/// The reasons for which events were not heard, as bars.
struct ReasonFigure {
  private struct Row {
    let reason: MissedReason
    let count: Int
    let apps: [String]
  }

  private let rows: [Row]

  init(_ story: DayStory) {
    var counts: [MissedReason: [Int: Int]] = [:]
    for item in story.items {
      guard let reason = item.reason else { continue }
      counts[reason, default: [:]][item.app, default: 0] += 1
    }
    rows = counts.map { reason, apps in
      let most = apps.sorted { a, b in a.value == b.value ? a.key < b.key : a.value > b.value }
      return Row(
        reason: reason,
        count: apps.values.reduce(0, +),
        apps: most.prefix(3).map { story.apps[$0.key] }
      )
    }.sorted { one, other in
      // Several obstacles have one clause, and keep their order by the apps.
      (other.count, one.reason.clause, one.apps.joined())
        < (one.count, other.reason.clause, other.apps.joined())
    }
  }

  func draw(into page: inout HtmlWriter) {
    guard !rows.isEmpty else {
      page.element("p", "All that has ended was heard to its end.")
      return
    }
    BarFigure(
      title: "Reasons for not being heard to the end",
      caption: "The longest bar is the most frequent reason.",
      columns: [.named("Reason"), .number("Events"), .named("Mostly of")],
      bars: rows.map { row in
        BarFigure.Bar(
          name: row.reason.clause,
          count: row.count,
          colour: Fate(row.reason).id,
          more: [row.apps.joined(separator: ", ")]
        )
      }
    ).draw(into: &page)
  }
}

/// The times from publication to the first word, as a histogram.
struct DelayFigure {
  /// The upper ends of the classes, in milliseconds.
  private static let bounds: [Int64] = [20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 60_000]

  private let waits: [Int64]

  init(_ story: DayStory) {
    waits = story.items.compactMap { $0.started ?? $0.delivered }.sorted()
  }

  private var classes: [(name: String, count: Int)] {
    var lower: Int64 = 0
    var classes: [(name: String, count: Int)] = []
    for upper in Self.bounds {
      let count = waits.count { $0 >= lower * 1_000 && $0 < upper * 1_000 }
      classes.append(("up to \(Lengths.exact(.milliseconds(upper)))", count))
      lower = upper
    }
    classes.append(("longer", waits.count { $0 >= lower * 1_000 }))
    while let last = classes.last, last.count == 0 { classes.removeLast() }
    return classes
  }

  func draw(into page: inout HtmlWriter) {
    guard !waits.isEmpty else {
      page.element("p", "Nothing was given to a reader.")
      return
    }
    // The time within which so many of a hundred had begun, the last of them included.
    func share(_ percent: Int) -> String {
      let place = (waits.count * percent + 99) / 100 - 1
      return Lengths.rough(.microseconds(max(1_000, waits[place])))
    }
    page.element(
      "p",
      "Half of the texts began within \(share(50)), nine of ten within \(share(90)), and 99 of 100"
        + " within \(share(99))."
    )
    BarFigure(
      title: "Times from publication to the first word",
      form: "as a histogram",
      caption: "The reader's report of its beginning counts, else the delivery to the reader.",
      columns: [.named("Time"), .number("Texts")],
      bars: classes.map { BarFigure.Bar(name: $0.name, count: $0.count) }
    ).draw(into: &page)
  }
}

/// The published events of each hour, of whatever type.
struct HourFigure {
  /// The most bars; longer times are shown by days.
  private static let most = 72

  private let bars: [BarFigure.Bar]
  private let unit: String

  init(_ story: DayStory) {
    let isByDay = story.published.count > Self.most
    let step = isByDay ? 24 : 1
    unit = isByDay ? "day" : "hour"
    var bars: [BarFigure.Bar] = []
    for start in stride(from: 0, to: story.published.count, by: step) {
      let count = story.published[start..<min(start + step, story.published.count)].reduce(0, +)
      let time = story.since + Int64(start) * 3_600_000_000
      let name = isByDay ? ClockTime.day(time) : String(ClockTime.dayAndTime(time).dropLast(3))
      bars.append(BarFigure.Bar(name: name, count: count))
    }
    let first = bars.firstIndex { $0.count > 0 } ?? bars.count
    self.bars = Array(bars[first...])
  }

  func draw(into page: inout HtmlWriter) {
    guard !bars.isEmpty else {
      page.element("p", "Nothing was published.")
      return
    }
    BarFigure(
      title: "Published events, \(unit) by \(unit)",
      caption: "All types of events count here, those without words too.",
      columns: [.named("From"), .number("Events")],
      bars: bars
    ).draw(into: &page)
  }
}

/// The advice to each app, by how often it applies.
struct AdviceSection {
  private let rows: [AdviceReport.Row]

  init(_ advice: AdviceReport) { rows = advice.rows }

  func draw(into page: inout HtmlWriter) {
    guard !rows.isEmpty else {
      page.element("p", "There is nothing to say about the style of the apps.")
      return
    }
    ReportTable(
      caption: "Advice to apps",
      columns: [.named("App"), .named("Advice"), .number("Times"), .named("For example")],
      rows: rows.map { [$0.app, $0.summary.asSentence, "\($0.count)", $0.example] }
    ).draw(into: &page)
  }
}

/// The last texts that were not heard, each with its reason.
struct UnheardSection {
  /// The most texts that are listed.
  private static let most = 200

  private let items: [DayStory.Item]
  private let apps: [String]
  private let all: Int

  init(_ story: DayStory) {
    let unheard = story.items.filter { $0.reason != nil && $0.words != nil }
    all = unheard.count
    items = unheard.suffix(Self.most)
    apps = story.apps
  }

  func draw(into page: inout HtmlWriter) {
    guard !items.isEmpty else {
      page.element("p", "There are none.")
      return
    }
    if all > items.count {
      page.element("p", "These are the last \(items.count) of \(all).")
    }
    ReportTable(
      caption: "Texts that were not heard to the end",
      columns: [
        .named("Entry"), .named("Time"), .named("App"), .named("Text"),
        .named("Not to the end, because"),
      ],
      rows: items.map { item in
        [
          "\(item.seq.number)", ClockTime.local(item.published), apps[item.app], item.words ?? "",
          item.reason?.clause ?? "",
        ]
      }
    ).draw(into: &page)
    page.element("p", "a11yctl explain, with the number of an entry, says more of it.")
  }
}
