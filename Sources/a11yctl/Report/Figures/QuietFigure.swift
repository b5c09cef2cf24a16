// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

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
      let more = SeqWords.count(Int64(uncounted), "more time is", "more times are")
      page.element("p", "\(more) not shown.")
    }
  }
}
