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
  setTimeout(look, PAUSE);
}
setTimeout(look, PAUSE);
