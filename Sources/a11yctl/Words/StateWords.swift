// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yPresenter

/// The state of windows, focus and reader as sentences.
enum StateWords {
  static func lines(_ state: JSONValue, at cursor: LogCursor) -> [String] {
    var lines = ["This is the state at entry \(cursor.seq)."]
    lines.append(focus(state["focus"]))
    if let words = suggestion(state["focus"]?["suggestion"]) { lines.append(words) }
    let windows = state["windows"]?.list ?? []
    lines += windows.isEmpty ? ["No window is open."] : windows.map(window)
    lines.append(reader(state["reader"]))
    if let level = state["do_not_disturb"]?.integer, level > 0 {
      lines.append("Do not disturb is at \(level).")
    }
    let pending = state["pending"]?.list ?? []
    lines += pending.isEmpty ? ["Nothing waits to be spoken."] : pending.map(item)
    return lines
  }

  private static func focus(_ focus: JSONValue?) -> String {
    guard let element = focus?["element"]?.string else { return "The focus is nowhere." }
    let window = focus?["window"]?.string.map { " in \($0)" } ?? ""
    let app = focus?["app"]?.string.map { " of \($0)" } ?? ""
    return "The focus is on \(element)\(window)\(app)."
  }

  private static func suggestion(_ place: JSONValue?) -> String? {
    guard let element = place?["element"]?.string else { return nil }
    let window = place?["window"]?.string.map { " in \($0)" } ?? ""
    let reason = Sentences.refusedFocus((place?["reason"]?.string).map(Reason.init))
    return "\(place?["app"]?.string ?? "An app") asked for the focus on \(element)\(window)"
      + " and did not get it, because \(reason)."
  }

  private static func window(_ window: JSONValue) -> String {
    let app = window["app"]?.string ?? "An app"
    let name = window["title"]?.string.map { "\"\($0)\"" } ?? window["window"]?.string ?? ""
    let modal = window["modal"]?.flag == true ? "modal " : ""
    let state = window["state"]?.string.map { $0 == "opened" ? "open" : $0 } ?? "open"
    return "\(app) has the \(modal)window \(name), which is \(state)."
  }

  private static func reader(_ reader: JSONValue?) -> String {
    guard reader?["running"]?.flag == true else { return "No reader is running." }
    return "The reader \(reader?["name"]?.string ?? "without a name") is running."
  }

  private static func item(_ item: JSONValue) -> String {
    let seq = item["seq"]?.integer ?? 0
    let app = item["app"]?.string.map { " of \($0)" } ?? ""
    switch item["state"]?.string {
    case "speaking": return "Entry \(seq)\(app) is being spoken."
    case "held": return "Entry \(seq)\(app) is held back."
    default: return "Entry \(seq)\(app) waits for its turn to be spoken."
    }
  }
}
