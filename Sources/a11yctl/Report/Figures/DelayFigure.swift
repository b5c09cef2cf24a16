// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yExplain
import A11yWire

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
      label: "Times from publication to the first word, as a histogram",
      caption: "The reader's report of its beginning counts, else the delivery to the reader.",
      bars: classes.map { BarFigure.Bar(name: $0.name, count: $0.count) }
    ).draw(into: &page)
    ReportTable(
      caption: "Times from publication to the first word",
      columns: [.named("Time"), .number("Texts")],
      rows: classes.map { [$0.name.asSentence, "\($0.count)"] }
    ).drawFolded(into: &page)
  }
}
