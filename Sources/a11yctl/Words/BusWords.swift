// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yWire

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
    guard let uids = entry.event["uids"]?.list else {
      return "the windows of all users may be active"
    }
    let names = uids.compactMap(\.integer).filter { $0 != 0 }.map { "user \($0)" }
    return "only the windows of \(names.isEmpty ? "root" : names.joined(separator: " and "))"
      + " may be active"
  }

  private static func forgot(_ entry: Entry) -> String {
    let count = entry.integer("count") ?? 0
    return count == 1 ? "1 entry was forgotten" : "\(count) entries were forgotten"
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
