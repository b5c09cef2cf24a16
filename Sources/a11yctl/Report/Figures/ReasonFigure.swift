// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
      one.count == other.count
        ? one.reason.clause < other.reason.clause : one.count > other.count
    }
  }

  func draw(into page: inout HtmlWriter) {
    guard !rows.isEmpty else {
      page.element("p", "All that has ended was heard to its end.")
      return
    }
    BarFigure(
      label: "Reasons for not being heard to the end, as bars",
      caption: "The longest bar is the most frequent reason.",
      bars: rows.map { row in
        BarFigure.Bar(name: row.reason.clause, count: row.count, colour: Fate(row.reason).id)
      }
    ).draw(into: &page)
    ReportTable(
      caption: "Reasons for not being heard to the end",
      columns: [.named("Reason"), .number("Events"), .named("Mostly of")],
      rows: rows.map { row in
        [row.reason.clause.asSentence, "\(row.count)", row.apps.joined(separator: ", ")]
      }
    ).drawFolded(into: &page)
  }
}
