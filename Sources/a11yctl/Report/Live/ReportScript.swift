// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
