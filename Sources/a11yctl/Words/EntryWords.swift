// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yPosix
import A11yPresenter
import A11yWire

/// An entry as a sentence that reads well aloud.
enum EntryWords {
  /// An entry in one line: its time, its app and its event; `clock` formats the time of day.
  static func line(_ entry: Entry, withSeq: Bool, clock: (Int64) -> String) -> String {
    guard withSeq else { return "\(clock(entry.time)) \(VisibleText.of(sentence(entry)))" }
    // An outcome stands under the number of its event.
    if let of = entry.integer("of"), let end = BusWords.brief(entry) {
      return "\(of) \(clock(entry.time)) \(VisibleText.of(end))"
    }
    return "\(entry.seq) \(clock(entry.time)) \(VisibleText.of(sentence(entry)))"
  }

  static func sentence(_ entry: Entry) -> String {
    BusWords.sentence(entry) ?? "\(entry.app) \(predicate(entry))"
  }

  /// The event of an app, without the app's name.
  private static func predicate(_ entry: Entry) -> String {
    switch entry.type {
    case "announcement": announcement(entry)
    case "layout-changed": changed("layout", entry)
    case "screen-changed": changed("screen", entry)
    case "page-scrolled": scrolled(entry)
    case "focus-changed": "reports the focus\(place(entry, "on"))"
    case "voiceover-status": readerStatus(entry)
    case "elements": elements(entry)
    case "window": window(entry)
    case "handled":
      "\(entry.flag("handled") == true ? "handled" : "did not handle") the gesture \(of(entry))"
    case "busy": "is \(entry.flag("busy") == true ? "busy" : "no longer busy")\(place(entry, "at"))"
    case "pause": "asks readers to be quiet"
    case "resume": "lets readers speak again"
    case "cancel": "withdraws entry \(of(entry))"
    case "zoom-focus-changed": "moves the magnifier\(place(entry, "to"))"
    case "content-size-changed":
      "says the size of text is now \(entry.string("category") ?? "another")"
    case "action": action(entry)
    case "do-not-disturb":
      "sets do not disturb to \(entry.integer("level") ?? 0)"
        + (entry.integer("for_ms").map { " for \(Quantity.text(milliseconds: $0))" } ?? "")
    case "speech": speech(entry)
    default: "sends \(entry.type.isEmpty ? "something without a type" : entry.type)"
    }
  }

  private static func announcement(_ entry: Entry) -> String {
    if entry.string("class") == "reading" { return "reads: " + (spoken(entry) ?? "nothing") }
    var words = "announces"
    if let kind = entry.string("class"), kind != "message" { words += " as \(kind)" }
    if let priority = entry.string("priority"), priority != "default" {
      words += " with \(priority) priority"
    }
    return words + ": " + (spoken(entry) ?? "nothing")
  }

  private static func changed(_ what: String, _ entry: Entry) -> String {
    var words = "says the \(what) changed"
    if let window = entry.string("window") { words += " in \(window)" }
    if let element = entry.string("element") { words += ", at \(element)" }
    if entry.flag("modal") == true { words += ", and is modal" }
    if let text = spoken(entry) { words += ": \(text)" }
    return words
  }

  private static func scrolled(_ entry: Entry) -> String {
    var words = entry.flag("continuous") == true ? "is scrolling" : "scrolled"
    if let element = entry.string("element") { words += " \(element)" }
    if let window = entry.string("window") { words += " in \(window)" }
    return words + (spoken(entry).map { ": \($0)" } ?? "")
  }

  private static func readerStatus(_ entry: Entry) -> String {
    let name = entry.string("reader").map { "the reader \($0)" } ?? "the screen reader"
    return "says \(name) is \(entry.flag("running") == true ? "running" : "not running")"
  }

  private static func elements(_ entry: Entry) -> String {
    let window = entry.string("window") ?? "a window"
    if let all = entry.event["replace"]?.list {
      return "lists \(all.count.counted("element")) as all of \(window)"
    }
    let changed = entry.event["upsert"]?.list?.count ?? 0
    let removed = entry.event["remove"]?.list?.count ?? 0
    if removed == 0 { return "updates \(changed.counted("element")) of \(window)" }
    if changed == 0 { return "removes \(removed.counted("element")) from \(window)" }
    return "updates \(changed.counted("element")) of \(window) and removes \(removed)"
  }

  private static func window(_ entry: Entry) -> String {
    let name = named(entry)
    switch entry.string("state") {
    case "opened": return "opens the \(isModal(entry) ? "modal " : "")window \(name)"
    case "active": return "is now the active window \(name)"
    case "inactive": return "leaves the window \(name)"
    case "closed": return "closes the window \(name)"
    default: break
    }
    if entry.string("title") != nil {
      return "names its window \(entry.string("window") ?? "") \(name)"
    }
    return "says its window \(name) is \(isModal(entry) ? "modal" : "no longer modal")"
  }

  private static func isModal(_ entry: Entry) -> Bool { entry.flag("modal") == true }

  private static func named(_ entry: Entry) -> String {
    entry.string("title").map { "\"\($0)\"" } ?? entry.string("window") ?? "without a name"
  }

  private static func action(_ entry: Entry) -> String {
    var words = "passes on the user's action \(entry.string("action") ?? "")"
    if let name = entry.string("name") { words += " \(name)" }
    if let element = entry.string("element") { words += " on \(element)" }
    if let window = entry.string("window") { words += " in \(window)" }
    if let app = entry.string("app") { words += " of \(app)" }
    return words
  }

  private static func speech(_ entry: Entry) -> String {
    let state = entry.string("state") ?? "spoke"
    guard entry.event["of"] != nil else { return "says the user's own reading \(state)" }
    let heard = entry.integer("heard_ms").map { " after \(Lengths.rough(.milliseconds($0)))" } ?? ""
    switch state {
    case "started": return "began to speak \(of(entry))"
    case "finished":
      let estimate = entry.flag("estimated") == true ? ", by an estimate" : ""
      return "has spoken \(of(entry))\(estimate)"
    case "progress" where entry.integer("heard_ms") == 0 && entry.string("mark") == nil:
      return "waits to speak \(of(entry)): another program is speaking"
    case "progress":
      let mark = entry.string("mark").map { ", past the mark \($0)" } ?? ""
      return "is still speaking \(of(entry))\(heard)\(mark)"
    case "lost":
      let reason = entry.string("reason").map { ": \($0)" } ?? ""
      return "could not speak \(of(entry))\(reason)"
    case "elsewhere":
      return "leaves \(of(entry)) to \(entry.string("by") ?? "another program")"
    default: return "was interrupted in \(of(entry))\(heard)"
    }
  }

  // MARK: Parts

  /// The text, or the rough length of a hidden one.
  static func spoken(_ entry: Entry) -> String? {
    if let text = entry.text { return text }
    return entry.string("redacted").map(hidden)
  }

  static func hidden(_ lengths: String) -> String { "a hidden text of \(characters(lengths))" }

  /// “9 to 32 characters”.
  static func characters(_ lengths: String) -> String {
    switch lengths {
    case "33+": "33 characters or more"
    default: "\(lengths.split(separator: "-").joined(separator: " to ")) characters"
    }
  }

  static func of(_ entry: Entry) -> String {
    entry.integer("of").map(String.init) ?? "of unknown number"
  }

  /// The place in the app: “ on save in main”.
  static func place(_ entry: Entry, _ preposition: String) -> String {
    var words = ""
    if let element = entry.string("element") { words += " \(preposition) \(element)" }
    if let window = entry.string("window") { words += " in \(window)" }
    return words
  }
}

/// The bus's own entries as sentences.
enum BusWords {
  /// A whole sentence; nil for a type that apps publish.
  static func sentence(_ entry: Entry) -> String? {
    guard entry.conn == 0 || entry.type == "forgotten" else { return nil }
    return switch entry.type {
    case "opened": "the bus started: \(recovery(entry))"
    case "closed": "the bus stopped"
    case "rules": "the bus loaded its rules"
    case "client": client(entry)
    case "focus": focus(entry)
    case "deliver": deliver(entry)
    case "silence":
      entry.flag("hold") == true
        ? "the reader is told to hold \(EntryWords.of(entry))"
        : "the reader is told to stop \(EntryWords.of(entry))"
    case "outcome": outcome(entry)
    case "gesture": gesture(entry)
    case "seat": seat(entry)
    case "forgot": forgot(entry)
    case "forgotten": "this entry was forgotten"
    default: nil
    }
  }

  private static func seat(_ entry: Entry) -> String {
    let people = entry.event["people"]?.list?.compactMap(\.integer) ?? []
    guard let uids = entry.event["uids"]?.list else {
      return people.isEmpty
        ? "the windows of all users may be active" : "nobody sits at the machine"
    }
    if uids.compactMap(\.integer) == [0], let away = people.first {
      return "user \(away) is in the background and hears nothing"
    }
    let names = uids.compactMap(\.integer).filter { $0 != 0 }.map { "user \($0)" }
    return "only the windows of \(names.isEmpty ? "root" : names.joined(separator: " and "))"
      + " may be active"
  }

  private static func forgot(_ entry: Entry) -> String {
    let count = entry.integer("count") ?? 0
    return count.counted("entry", "was") + " forgotten"
  }

  private static func recovery(_ entry: Entry) -> String {
    guard let recovery = entry.event["recovery"] else { return "it takes events" }
    var words: [String] = []
    let first = recovery["first"]?.integer ?? 0
    let last = recovery["last"]?.integer ?? 0
    words.append(
      last < first || last == 0 ? "the log is empty" : "the log has entries \(first) to \(last)"
    )
    if recovery["clean"]?.flag == false { words.append("it had not been stopped properly") }
    if let torn = recovery["torn_bytes"]?.integer, torn > 0 {
      words.append("\(torn) bytes of an unfinished entry were dropped")
    }
    if recovery["new_epoch"]?.flag == true { words.append("a new epoch begins") }
    if let first = recovery["known_from"]?.integer {
      words.append("windows and focus before entry \(first) are not known")
    }
    for range in recovery["damaged"]?.list ?? [] {
      guard let from = range["from"]?.integer, let to = range["to"]?.integer else { continue }
      words.append(from == to ? "entry \(from) is damaged" : "entries \(from) to \(to) are damaged")
    }
    return words.joined(separator: ", ")
  }

  private static func client(_ entry: Entry) -> String {
    let name = entry.string("app") ?? "of unknown name"
    let role = entry.string("role").map { ", as a \($0)" } ?? ""
    switch entry.string("state") {
    case "left": return "client \(name) left" + (entry.string("reason").map { ": \($0)" } ?? "")
    case "listening":
      let rank = entry.integer("speech").map { ", with a voice of rank \($0)" } ?? ""
      return "client \(name) reads what is delivered\(rank)"
    case "unsubscribed": return "client \(name) reads no more"
    default: return "client \(name) joined\(role)"
    }
  }

  private static func focus(_ entry: Entry) -> String {
    guard entry.string("element") != nil else { return "the focus is nowhere" }
    let app = entry.string("app").map { " of \($0)" } ?? ""
    return "the focus is\(EntryWords.place(entry, "on"))\(app)"
  }

  private static func deliver(_ entry: Entry) -> String {
    var manner = entry.flag("again") == true ? " once more" : ""
    if let priority = entry.string("priority"), priority != "default" {
      manner += " with \(priority) priority"
    }
    let runs = entry.event["speak"]?.list ?? []
    let speech = runs.compactMap { run in
      run["text"]?.string ?? run["redacted"]?.string.map(EntryWords.hidden)
    }.joined(separator: runs.contains { $0["redacted"] != nil } ? ", " : "")
    let sound = entry.string("earcon").map { "play the sound \($0)" }
    guard speech.isEmpty else {
      let acts = [sound, "say"].compactMap { $0 }.joined(separator: " and to ")
      return "the reader is asked to \(acts)\(manner): \(speech)"
    }
    if let sound { return "the reader is asked to \(sound)\(manner)" }
    let of = (entry.event["of"]?.list ?? []).compactMap(\.integer).map { Seq($0) }
    return "the reader is told of \(of.isEmpty ? "a change" : Sentences.names(of)), without words"
  }

  /// An outcome with the seq of its event in front, by which the ear finds the event.
  private static func outcome(_ entry: Entry) -> String {
    "\(EntryWords.of(entry)) \(brief(entry) ?? "has ended")"
  }

  /// The end of an event in few words; nil for any other entry.
  static func brief(_ entry: Entry) -> String? { EventEnding(entry).map(Sentences.brief) }

  private static func gesture(_ entry: Entry) -> String {
    let name = entry.string("name") ?? "an action with a hidden name"
    let app = entry.string("app") ?? "the app"
    return "\(app) is asked to handle \(name)\(EntryWords.place(entry, "on"))"
  }
}

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
        ["\(count.counted("entry", "was")) skipped for newer ones."]
      case .secret(let of, _, _, _): ["The text of entry \(of) was given to readers only."]
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
