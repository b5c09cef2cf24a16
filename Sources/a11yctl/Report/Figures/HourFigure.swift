// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

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
      label: "Published events, \(unit) by \(unit), as bars",
      caption: "All types of events count here, those without words too.",
      bars: bars
    ).draw(into: &page)
    ReportTable(
      caption: "Published events, \(unit) by \(unit)",
      columns: [.named("From"), .number("Events")],
      rows: bars.map { [$0.name, "\($0.count)"] }
    ).drawFolded(into: &page)
  }
}
