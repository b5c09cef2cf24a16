// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yPosix
import A11yPresenter
import A11yWire

/// The bus's counters as sentences; events that were heard come first.
enum StatsWords {
  static func lines(_ stats: JSONValue) -> [String] {
    var lines: [String] = []
    lines += ends(stats["outcomes"])
    lines += server(stats)
    lines += log(stats["log"])
    lines += traffic(stats)
    lines += presenter(stats["presenter"])
    lines += (stats["apps"]?.list ?? []).map(app)
    lines += (stats["subscribers"]?.list ?? []).map(subscriber)
    // A newer bus may count more.
    let others = (stats.members ?? []).filter { !known.contains($0.name) }
    lines += others.isEmpty ? [] : CounterWords.lines(.object(others)).map { "\($0.asSentence)." }
    return lines.map(VisibleText.of)
  }

  private static let known: Set = [
    "outcomes", "server", "pid", "uptime_ms", "reloads", "log", "connections", "turns", "requests",
    "published", "duplicates", "entries", "refused", "presenter", "apps", "subscribers",
  ]

  // MARK: Ends

  /// A line for each way in which events have ended.
  private static func ends(_ outcomes: JSONValue?) -> [String] {
    guard var ends = outcomes?.members else { return [] }
    // Both are the same to a person: a newer event came.
    let newer = [Result.coalesced, .superseded].map(\.rawValue)
    let sum = ends.filter { newer.contains($0.name) }.compactMap(\.value.integer).reduce(0, +)
    ends.removeAll { newer.contains($0.name) }
    ends.append(.init(Result.superseded.rawValue, .integer(sum)))
    return ends.compactMap { end in
      guard let count = end.value.integer, count > 0 else { return nil }
      let events = count.counted("event")
      let were = count.counted("event", "was")
      switch Result(rawValue: end.name) {
      case .heard: return "\(were) heard to the end."
      case .interrupted: return "\(were) cut off."
      case .coalesced, .superseded:
        return "\(events) gave way to \(count == 1 ? "a newer one" : "newer ones")."
      case .duplicate: return "\(events) repeated another."
      case .inhibited: return "\(were) kept on record only."
      case .summarised: return "\(were) counted in a summary."
      case .expired: return "\(events) could not begin in time."
      case .denied: return "\(were) turned down."
      case .undeliverable: return "\(events) had nobody to speak \(count.verbed("it"))."
      case .cancelled: return "\(were) withdrawn by \(count.verbed("its")) app."
      case .handled, .unhandled:
        return count.counted("action of the user", "was")
          + (end.name == "handled" ? " handled." : " not handled.")
      case nil: return "\(events) ended as \(end.name)."
      }
    }
  }

  // MARK: The bus

  private static func server(_ stats: JSONValue) -> [String] {
    var lines: [String] = []
    if let server = stats["server"]?.string, let pid = stats["pid"]?.integer {
      let time = stats["uptime_ms"]?.integer.map {
        ", and has run for \(Lengths.rough(.milliseconds($0)))"
      }
      lines.append("The bus is \(server), process \(pid)\(time ?? "").")
    }
    if let count = stats["reloads"]?["count"]?.integer, count > 0 {
      lines.append("It was reloaded \(count.counted("time")).")
    }
    if let refused = stats["reloads"]?["refused"]?.string {
      lines.append("Its last reload was refused: \(refused)")
    }
    return lines
  }

  private static func log(_ log: JSONValue?) -> [String] {
    guard let log, let first = log["first"]?.integer, let last = log["last"]?.integer else {
      return []
    }
    let segments = (log["segments"]?.integer ?? 0).counted("segment")
    let size = ByteSize.words(log["bytes"]?.integer ?? 0)
    var lines = [
      last < first
        ? "The log is empty." : "The log has entries \(first) to \(last), \(size) in \(segments)."
    ]
    if let synced = log["synced"]?.integer {
      lines.append("The disk has confirmed all up to entry \(synced).")
    }
    if log["degraded"]?.flag == true { lines.append("The log cannot be written at the moment.") }
    if let epoch = log["epoch"]?.string { lines.append("The epoch is \(epoch).") }
    return lines
  }

  private static func traffic(_ stats: JSONValue) -> [String] {
    var lines: [String] = []
    func addLine(_ name: String, _ noun: String, _ verb: String?, _ rest: String) {
      guard let count = stats[name]?.integer else { return }
      lines.append("\(count.counted(noun, verb)) \(rest).")
    }
    addLine("connections", "connection", "is", "open")
    addLine("requests", "request", "has", "come")
    addLine("published", "event", "was", "published")
    addLine("duplicates", "event", nil, "came a second time")
    addLine("entries", "entry", "was", "written")
    addLine("turns", "turn of the loop", "was", "taken")
    for member in stats["refused"]?.members ?? [] {
      let count = (member.value.integer ?? 0).counted("request", "was")
      lines.append("\(count) refused with \(member.name).")
    }
    return lines
  }

  // MARK: The presenter

  private static func presenter(_ presenter: JSONValue?) -> [String] {
    guard let presenter else { return [] }
    var lines: [String] = []
    if let readers = presenter["readers"]?.integer {
      lines.append("\(readers.counted("reader", "is")) connected.")
    }
    lines += presenter["pending"].map(pending) ?? []
    lines += presenter["tables"].map(tables) ?? []
    return lines
  }

  private static func pending(_ pending: JSONValue) -> [String] {
    func tally(_ name: String) -> Int64 { pending[name]?.integer ?? 0 }
    let speaking = tally("speaking").counted("event", "is") + " being"
    let held = tally("held").counted("event", "is")
    let queued = tally("queued").counted("event", "waits")
    var line = "\(queued) for a turn to be spoken"
    if let bound = pending["queue_bound"]?.integer { line += "; there is room for \(bound)" }
    let ranks = [(tally("queue_high"), "high"), (tally("queue_low"), "low")].filter { $0.0 > 0 }
    if !ranks.isEmpty {
      let words = ranks.map { "\($0.0) of \($0.1) priority" }
      line += "; among them are \(Sentences.listed(words))"
    }
    return ["\(speaking) spoken.", "\(held) held back.", "\(line)."]
  }

  private static func tables(_ tables: JSONValue) -> [String] {
    func phrase(_ name: String, _ noun: String) -> String {
      (tables[name]?.integer ?? 0).counted(noun)
    }
    let kept = [
      phrase("memory", "recent text"), phrase("windows", "burst of changes"),
      phrase("rates", "rate"), phrase("storms", "storm"), phrase("busy", "busy element"),
    ]
    var lines = ["The presenter keeps \(Sentences.listed(kept))."]
    if let bound = tables["bound"]?.integer { lines.append("It has room for \(bound) of each.") }
    if let bound = tables["actions_bound"]?.integer {
      let actions = phrase("actions", "action")
      lines.append("It keeps \(actions) of the user, and has room for \(bound).")
    }
    return lines
  }

  // MARK: Rows

  private static func app(_ row: JSONValue) -> String {
    func tally(_ name: String) -> Int64 { row[name]?.integer ?? 0 }
    let connections = tally("connections").counted("connection")
    let published = tally("published").counted("event")
    let ends = [("heard", "heard"), ("unheard", "not heard"), ("refused", "refused")]
      .compactMap { name, words -> String? in
        guard tally(name) > 0 else { return nil }
        return "\(tally(name)) \(tally(name).verbed("was")) \(words)"
      }
    return "The app \(row["app"]?.string ?? "without a name") of user \(tally("uid")) has"
      + " \(connections) and published \(published)"
      + (ends.isEmpty ? "." : "; \(Sentences.listed(ends)).")
  }

  private static func subscriber(_ row: JSONValue) -> String {
    func tally(_ name: String) -> Int64 { row[name]?.integer ?? 0 }
    let behind = tally("behind").counted("entry")
    let reader = row["speech"]?.integer.map { ", a reader of rank \($0)" } ?? ""
    return
      "The subscriber \(row["app"]?.string ?? "without a name"), connection \(tally("conn"))"
      + "\(reader), is"
      + " at entry \(tally("at")), \(behind) behind, with \(ByteSize.words(tally("unread_bytes")))"
      + " unread."
  }
}

/// An answer of any shape as lines that read well aloud, one for each value.
enum CounterWords {
  static func lines(_ value: JSONValue) -> [String] {
    lines(value, under: []).map(VisibleText.of)
  }

  private static func lines(_ value: JSONValue, under path: [String]) -> [String] {
    switch value {
    case .object(let members):
      if members.isEmpty { return [line(path, "none")] }
      return members.flatMap { lines($0.value, under: path + [words($0.name)]) }
    case .list(let values):
      if values.isEmpty { return [line(path, "none")] }
      return values.map { line(path, row($0)) }
    case .null, .flag, .number, .string: return [line(path, scalar(value))]
    }
  }

  /// A row of a table on one line: “app org.x, published 3”.
  private static func row(_ value: JSONValue) -> String {
    switch value {
    case .object(let members):
      members.map { "\(words($0.name)) \(row($0.value))" }.joined(separator: ", ")
    case .list(let values): values.map(row).joined(separator: " ")
    case .null, .flag, .number, .string: scalar(value)
    }
  }

  private static func scalar(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .number(let text): text
    case .flag(let flag): flag ? "yes" : "no"
    case .null: "none"
    case .list, .object: value.description
    }
  }

  private static func line(_ path: [String], _ words: String) -> String {
    "\(path.joined(separator: ", ")): \(words)"
  }

  private static func words(_ name: String) -> String {
    String(name.map { $0 == "_" ? " " : $0 })
  }
}
