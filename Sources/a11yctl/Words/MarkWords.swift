// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yPosix
import A11yPresenter

/// Marks as sentences.
enum MarkWords {
  /// The lines for a mark; none for a mark that matters to programs alone.
  static func lines(_ mark: SubscriptionMark) -> [String] {
    let lines =
      switch mark {
      case .caughtUp(let cursor): ["Caught up at entry \(cursor.seq)."]
      case .checkpoint: [String]()
      case .gap(let from, let to, let reason):
        from == to
          ? ["Entry \(from) is missing: \(reason)."]
          : ["Entries \(from) to \(to) are missing: \(reason)."]
      case .skipped(let count):
        count == 1
          ? ["1 entry was skipped for newer ones."]
          : ["\(count) entries were skipped for newer ones."]
      case .secret(let of, _, _): ["The text of entry \(of) was given to readers only."]
      case .secretName(let of, _): ["The name in entry \(of) was given to its app only."]
      case .state(let state, let cursor): StateWords.lines(state, at: cursor)
      case .away(let reason): ["The bus went away: \(reason)."]
      case .withdrawn(let from, let to):
        ["Entries \(from) to \(to) were lost by the bus; their numbers are used again."]
      case .newEpoch(let epoch):
        ["The bus numbers its entries in a new epoch now, \(epoch.prefix(8))."]
      case .anotherLog: ["The bus has another log now, which begins here."]
      case .other(let name, _): ["The bus says \(name)."]
      }
    return lines.map(VisibleText.of)
  }
}

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
