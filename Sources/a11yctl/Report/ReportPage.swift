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
    page.element("style", own) { $0.markup(ReportStyle.sheet) }
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
    if live != nil { page.element("script", own) { $0.markup(ReportScript.text) } }
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

/// The page's style: light and dark, narrow and wide, and on paper.
///
/// Every pair of a colour and its ground has a contrast of at least 4.5 to 1, drawings included.
enum ReportStyle {
  static let sheet = """
    :root{color-scheme:light dark;--ground:#fff;--ink:#1b1b1f;--soft:#4a4a55;--line:#74747e;
    --band:#e8e8ef;--heard:#00684a;--cut:#9a4b00;--merged:#4b46b8;--kept:#5b5b66;--lost:#b00020;
    --waiting:#005ea8}
    @media (prefers-color-scheme:dark){:root{--ground:#15161a;--ink:#ececf1;--soft:#b9b9c6;
    --line:#8d8d99;--band:#2a2b33;--heard:#4fd1a5;--cut:#ffb066;--merged:#b3b0ff;--kept:#b5b5c0;
    --lost:#ff8a95;--waiting:#7cc4ff}}
    *{box-sizing:border-box}
    body{margin:0 auto;padding:1rem;max-width:70rem;background:var(--ground);color:var(--ink);
    font:1rem/1.5 system-ui,sans-serif}
    a{color:inherit}a:focus-visible,summary:focus-visible,figure
    svg:focus-visible,.scroll:focus-visible{outline:3px solid
    var(--waiting);outline-offset:2px}
    .skip{position:absolute;left:-100rem}.skip:focus{position:static}
    h1{font-size:1.7rem;line-height:1.2}h2{font-size:1.3rem;margin-top:2.5rem}
    nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:0;list-style:none}
    nav a{display:inline-block;padding:.25rem 0}summary{padding:.25rem 0;cursor:pointer}
    figure{margin:1rem 0;overflow-x:auto}figure svg{display:block;width:100%;min-width:40rem;
    height:auto}
    svg text{fill:currentColor;font:13px system-ui,sans-serif}svg .soft{fill:var(--soft)}
    svg .axis{stroke:var(--line);fill:none}svg .band{fill:var(--band)}
    svg .bar{fill:var(--waiting)}svg .frame{fill:none;stroke:var(--line)}
    svg .path{fill:none;stroke:var(--waiting);stroke-width:2}
    svg .dot{fill:var(--waiting)}svg .way{stroke:var(--line)}
    .heard{fill:var(--heard)}.cut{fill:var(--cut)}.merged{fill:var(--merged)}.kept{fill:var(--kept)}
    .lost{fill:var(--lost)}.waiting{fill:var(--waiting)}
    .legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;list-style:none}
    .legend svg{width:1rem;height:1rem;vertical-align:-.15rem}
    .scroll{overflow-x:auto}
    table{border-collapse:collapse;min-width:36rem;margin:.5rem 0}
    caption{text-align:left;color:var(--soft)}
    th,td{border-bottom:1px solid var(--line);padding:.25rem .75rem .25rem 0;text-align:left;
    vertical-align:top}
    td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
    @media print{:root{--ground:#fff;--ink:#000}nav,.skip{display:none}body{max-width:none}
    section{break-inside:avoid}figure svg{min-width:0}
    details::details-content{content-visibility:visible;block-size:auto}}
    """
}

/// The script of a page that follows the bus.
///
/// It fetches the page anew and puts in place the parts that have changed, so that open tables stay
/// open, and the part that has the keyboard stays as it is. Without it the page has a link that
/// loads it again.
enum ReportScript {
  static let text = """
    "use strict";
    const follow = document.getElementById("follow"), shown = {};
    let version = follow.dataset.version;
    follow.closest("p").hidden = false;
    function put(part) {
      const there = document.getElementById(part.id), words = part.innerHTML;
      if (!there || shown[part.id] === words) return true;
      if (there.contains(document.activeElement)) return false;
      const open = Array.from(there.querySelectorAll("details"), (one) => one.open);
      there.innerHTML = words;
      there.querySelectorAll("details").forEach((one, at) => { one.open = open[at]; });
      shown[part.id] = words;
      return true;
    }
    async function look() {
      const state = document.getElementById("follow-state");
      if (follow.checked && !document.hidden) try {
        const answer = await fetch(location.href, { headers: { "If-None-Match": version } });
        state.textContent = "";
        if (answer.status === 200) {
          const words = await answer.text(), body = words.slice(words.indexOf("<body>"));
          const page = new DOMParser().parseFromString(body, "text/html");
          const parts = Array.from(page.querySelectorAll("#summary, main > section"), put);
          version = parts.every(Boolean) ? answer.headers.get("ETag") : "";
        }
      } catch {
        state.textContent = "a11yctl does not answer; it may have ended.";
      }
      setTimeout(look, \(1_000 * LiveReport.pause));
    }
    setTimeout(look, \(1_000 * LiveReport.pause));
    """
}
