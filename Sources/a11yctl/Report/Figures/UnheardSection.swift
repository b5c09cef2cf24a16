// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

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
