// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
