// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// What the bus writes on its own account, as sentences.
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
      entry.flag("hold") == true ? "the reader is told to wait" : "the reader is told to stop"
    case "outcome": outcome(entry)
    case "gesture": gesture(entry)
    case "forgotten": "this entry was forgotten"
    default: nil
    }
  }

  private static func recovery(_ entry: Entry) -> String {
    guard let recovery = entry.event["recovery"] else { return "it takes events" }
    var words: [String] = []
    let first = recovery["first"]?.integer ?? 0
    let last = recovery["last"]?.integer ?? 0
    words.append(last < first || last == 0 ? "the log is empty" : "the log has \(first) to \(last)")
    if recovery["clean"]?.flag == false { words.append("it had not been stopped properly") }
    if let torn = recovery["torn_bytes"]?.integer, torn > 0 {
      words.append("\(torn) bytes of an unfinished entry were dropped")
    }
    if recovery["new_epoch"]?.flag == true { words.append("a new epoch begins") }
    for range in recovery["damaged"]?.list ?? [] {
      guard let from = range["from"]?.integer, let to = range["to"]?.integer else { continue }
      words.append(from == to ? "entry \(from) is damaged" : "entries \(from) to \(to) are damaged")
    }
    return words.joined(separator: ", ")
  }

  private static func client(_ entry: Entry) -> String {
    let name = entry.string("app") ?? "without a name"
    let role = entry.string("role").map { ", as a \($0)" } ?? ""
    if entry.string("state") == "left" {
      return "client \(name) left" + (entry.string("reason").map { ": \($0)" } ?? "")
    }
    return "client \(name) joined\(role)"
  }

  private static func focus(_ entry: Entry) -> String {
    guard entry.string("element") != nil else { return "the focus is nowhere" }
    let app = entry.string("app").map { " of \($0)" } ?? ""
    return "the focus is\(EntryWords.place(entry, "on"))\(app)"
  }

  private static func deliver(_ entry: Entry) -> String {
    var words = "the reader is given"
    if let priority = entry.string("priority"), priority != "default" { words += ", \(priority)" }
    if entry.flag("again") == true { words += ", once more" }
    let speech = entry.event["speak"].flatMap { Speech($0) }?.text ?? ""
    let sound = entry.string("earcon").map { "the sound \($0)" }
    if let redacted = entry.string("redacted") { return "\(words): \(EntryWords.hidden(redacted))" }
    if speech.isEmpty { return "\(words): \(sound ?? "nothing to say")" }
    return "\(words): " + (sound.map { "\($0), then " } ?? "") + speech
  }

  private static func outcome(_ entry: Entry) -> String {
    var words = "entry \(EntryWords.of(entry)) \(result(entry.string("result") ?? "ended"))"
    if let by = entry.integer("by") { words += " by \(by)" }
    if let rule = entry.string("rule") { words += ", rule \(rule)" }
    return words
  }

  private static func result(_ word: String) -> String {
    switch word {
    case "duplicate": "was a duplicate"
    case "undeliverable": "could not be delivered"
    case "unhandled": "was not handled"
    case "expired", "ended": word
    default: "was \(word)"
    }
  }

  private static func gesture(_ entry: Entry) -> String {
    let name = entry.string("name") ?? "a gesture"
    let app = entry.string("app") ?? "the app"
    return "\(app) is asked to handle \(name)\(EntryWords.place(entry, "on"))"
  }
}
