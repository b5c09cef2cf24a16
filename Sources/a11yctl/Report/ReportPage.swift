// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPresenter
import A11yWire

/// The report as one page of HTML, which needs no network and no script.
struct ReportPage {
  let story: DayStory
  let advice: AdviceReport
  /// The moment at which the page is made.
  let now: Int64
  /// The page's part in following the bus; nil for a page in a file.
  var live: Live?

  /// A page that is served, and asks for newer versions of itself.
  struct Live {
    let version: String
    let nonce: String
    /// Whether the bus is away, so that nothing new can be known.
    let isAway: Bool
  }

  /// A part of the page: a figure and its table, or a list.
  private struct Part {
    let id: String
    let title: String
    let draw: (inout HtmlWriter) -> Void
  }

  private var parts: [Part] {
    let axis = TimeAxis(story)
    return [
      Part(id: "lanes", title: "Apps through the day") { LaneFigure(story, axis).draw(into: &$0) },
      Part(id: "reasons", title: "Reasons for not being heard to the end") {
        ReasonFigure(story).draw(into: &$0)
      },
      Part(id: "delays", title: "Time to the first word") { DelayFigure(story).draw(into: &$0) },
      Part(id: "quiet", title: "Times of quiet") { QuietFigure(story, axis).draw(into: &$0) },
      Part(id: "hours", title: "Events an hour") { HourFigure(story).draw(into: &$0) },
      Part(id: "focus", title: "Path of the focus") { FocusPathFigure(story).draw(into: &$0) },
      Part(id: "advice", title: "Advice to apps") { AdviceSection(advice).draw(into: &$0) },
      Part(id: "unheard", title: "Texts that were not heard to the end") {
        UnheardSection(story).draw(into: &$0)
      },
    ]
  }

  func html() -> ByteBuffer {
    var page = HtmlWriter(capacity: 1 << 20)
    page.markup("<!doctype html>\n")
    page.element("html", ["lang": "en"]) { page in
      page.element("head") { head(&$0) }
      page.element("body") { body(&$0) }
    }
    page.endLine()
    return page.finished()
  }

  private var title: String {
    if live != nil { return "Heard and not heard, since \(ClockTime.dayAndTime(story.since))" }
    let (from, to) = (ClockTime.dayAndTime(story.since), ClockTime.dayAndTime(story.until))
    let isOneDay = ClockTime.day(story.since) == ClockTime.day(story.until)
    return "Heard and not heard, \(from) to \(isOneDay ? ClockTime.local(story.until) : to)"
  }

  private func head(_ page: inout HtmlWriter) {
    page.startTag("meta", ["charset": "utf-8"])
    // A live page has its policy in the answer. The other has a style, and runs and loads nothing.
    if live == nil {
      let policy =
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
      page.startTag("meta", ["http-equiv": "Content-Security-Policy", "content": policy])
    }
    page.startTag("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
    page.element("title", title)
    page.element("style", own) { $0.markup(PageFiles.style) }
    // Browsers ask for an icon by themselves, which a page with a token does not have.
    if live != nil { page.startTag("link", ["rel": "icon", "href": "data:,"]) }
  }

  /// The attribute of the page's own style and script.
  private var own: HtmlWriter.Attributes { live.map { ["nonce": $0.nonce] } ?? [:] }

  private func drawFollowing(_ live: Live, into page: inout HtmlWriter) {
    page.element("p") { page in
      page.prose("The page goes on with the bus. ")
      page.element("a", ["href": ""], "Load it again")
    }
    page.element("p", ["hidden": ""]) { page in
      page.element("label") { page in
        let box: HtmlWriter.Attributes = [
          "type": "checkbox", "id": "follow", "checked": "", "data-version": live.version,
        ]
        page.startTag("input", box)
        page.prose(" Bring it up to date every \(LiveReport.pause) seconds")
      }
      page.markup(" ")
      page.element("span", ["id": "follow-state"], "")
    }
  }

  private func body(_ page: inout HtmlWriter) {
    page.element("a", ["class": "skip", "href": "#main"], "Skip to the report")
    page.element("header") { page in
      page.element("h1", title)
      page.element("div", ["id": "summary"]) { page in
        for line in summary { page.element("p", line) }
      }
      if let live { drawFollowing(live, into: &page) }
      page.element("nav", ["aria-label": "Parts of the report"]) { page in
        page.element("ul") { page in
          for part in parts {
            page.element("li") { $0.element("a", ["href": "#\(part.id)"], part.title) }
          }
        }
      }
    }
    page.endLine()
    page.element("main", ["id": "main"]) { page in
      for part in parts {
        let heading = "\(part.id)-title"
        page.element("section", ["id": part.id, "aria-labelledby": heading]) { page in
          page.element("h2", ["id": heading], part.title)
          part.draw(&page)
        }
        page.endLine()
      }
    }
    page.element("footer") { page in
      page.element("p", "Made by a11yctl \(Protocol.release) on \(ClockTime.dayAndTime(now)).")
    }
    if live != nil { page.element("script", own) { $0.markup(PageFiles.script) } }
  }

  /// The report in a few sentences, for those who read no further.
  private var summary: [String] {
    let away = live?.isAway == true ? ["The bus is away; this is what was known before."] : []
    return away + sums
  }

  private var sums: [String] {
    guard !story.items.isEmpty else { return ["Nothing that is meant to be heard was published."] }
    let all = Int64(story.items.count)
    let heard = story.items.count { $0.part.isHeard }
    let parts = story.items.count { $0.part == .part }
    let apps = Int64(Set(story.items.map(\.app)).count)
    var lines = [
      "\(apps.counted("app")) published \(all.counted("event"))"
        + " to be heard; \(heard == 0 ? "none" : "\(heard)") of them"
        + " \(heard < 2 ? "was" : "were")\(parts == 0 ? "" : ", \(parts) in part")."
    ]
    if story.uncounted > 0 {
      let more = story.uncounted.counted("later event", "is")
      lines.append("\(more) not in this report, which holds \(DayStory.most) at the most.")
    }
    return lines
  }
}

/// The style and the script of the page, which stand in files beside this one.
///
/// The style is light and dark, narrow and wide, and for paper; every pair of a colour and its
/// ground has a contrast of at least 4.5 to 1, drawings included. The script belongs to a page that
/// follows the bus: it fetches the page anew and puts in place the parts that have changed, so that
/// open tables stay open, and the part that has the keyboard stays as it is. Without it the page
/// has a link that loads it again.
enum PageFiles {
  static let style = text(PackageResources.page_css)
  static let script = text(PackageResources.page_js)
    .replacing("PAUSE", with: "\(1_000 * LiveReport.pause)")

  /// A file without the newline at its end.
  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.dropLast(), as: UTF8.self)
  }
}
