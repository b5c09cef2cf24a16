// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPlay
import A11yTestKit
import Testing

/// The output of a script, in words that a test can compare.
struct Heard: CustomStringConvertible {
  let lines: [String]
  let entries: [JSON]
  let refused: [JSON]
  private let zero: Int64
  /// By seq, from 1.
  private var labels: [Int64: String] = [:]

  init(_ performance: Performance, zero: Int64) throws {
    lines = performance.lines
    let all = try lines.map { try JSON($0) }
    entries = all.filter { $0["seq"].isThere }
    refused = all.filter { $0["mark"].string == "refused" }
    self.zero = zero
    for entry in entries { labels[entry.seq] = entry["label"].string }
  }

  var description: String { lines.joined(separator: "\n") }

  func entries(_ type: String) -> [JSON] {
    entries.filter { $0.type == type && $0.mono >= zero }
  }

  subscript(label: String) -> JSON {
    entries.first { $0["label"].string == label } ?? .absent
  }

  // MARK: In words

  /// The deliveries with something to speak: "250 Saved, cutting draft".
  var spoken: [String] {
    entries("deliver").filter { $0["event"]["speak"].count ?? 0 > 0 }.map(words)
  }

  /// The same, and what had nothing to speak: "250 (earcon screen)".
  var delivered: [String] { entries("deliver").map(words) }

  var silenced: [String] {
    entries("silence").map { silence in
      let of = silence["event"]["of"].integer ?? 0
      let hold = silence["event"]["hold"].bool == true ? ", on hold" : ""
      return "\(time(silence)) \(name(delivery: of))\(hold)"
    }
  }

  /// The moves of the focus: "100 b", "250 b again", "300 nowhere".
  var focus: [String] {
    entries("focus").map { entry in
      let to = entry["event"]["element"].string ?? "nowhere"
      return "\(time(entry)) \(to)" + (entry["event"]["reason"].string == "again" ? " again" : "")
    }
  }

  /// To whom gestures went: "100 escape to dialog"; to a window "window w", to an app "app App".
  var gestures: [String] {
    entries("gesture").map { entry in
      let event = entry["event"]
      let to =
        event["element"].string ?? event["window"].string.map { "window \($0)" }
        ?? "app \(event["app"].string ?? "?")"
      return "\(time(entry)) \(event["name"].string ?? "?") to \(to)"
    }
  }

  /// How the event of this label ended: "1200 heard", "100 interrupted by next".
  func end(_ label: String) -> String {
    let outcome = outcome(label)
    guard outcome.isThere else { return "not ended" }
    return "\(time(outcome)) " + ending(outcome)
  }

  /// The same without the time, where the contract leaves open when it is written.
  func fate(_ label: String) -> String {
    let outcome = outcome(label)
    return outcome.isThere ? ending(outcome) : "not ended"
  }

  /// Its result alone, where it is open by which of several.
  func result(_ label: String) -> String { outcome(label)["event"]["result"].string ?? "not ended" }

  /// The same for all focus entries.
  var focusEnds: [String] {
    entries("focus").map { entry in
      let outcome = outcome(of: entry.seq)
      return outcome.isThere ? "\(time(outcome)) " + ending(outcome) : "not ended"
    }
  }

  /// The rule that the outcome names.
  func rule(_ label: String) -> String? { outcome(label)["event"]["rule"].string }

  func why(_ label: String) -> JSON { outcome(label)["event"]["why"] }

  /// When deliveries of this label were made.
  func times(_ label: String) -> [String] {
    entries("deliver").filter { ofs($0).contains(self[label].seq) }.map(time)
  }

  /// The counts of summaries, in order.
  var counts: [Int64] {
    entries("deliver").compactMap { $0["event"]["summary"]["count"].integer }
  }

  /// How many outcomes there are with this result.
  func count(_ result: String) -> Int {
    entries("outcome").count { $0["event"]["result"].string == result }
  }

  func outcome(_ label: String) -> JSON { outcome(of: self[label].seq) }

  func outcome(of seq: Int64) -> JSON {
    entries.first { $0.type == "outcome" && $0["event"]["of"].integer == seq } ?? .absent
  }

  /// To which app the last delivery of this label went.
  func owner(_ label: String) -> String? {
    let to = delivery(label)["event"]["to"]
    return entries.last { $0.type == "client" && $0["event"]["conn"] == to }?["event"]["app"].string
  }

  /// The last delivery of this label.
  func delivery(_ label: String) -> JSON {
    entries.last { $0.type == "deliver" && ofs($0).contains(self[label].seq) } ?? .absent
  }

  // MARK: Writing it

  func ofs(_ delivery: JSON) -> [Int64] {
    delivery["event"]["of"].list?.compactMap(\.integer) ?? []
  }

  private func ending(_ outcome: JSON) -> String {
    let result = outcome["event"]["result"].string ?? "?"
    guard let by = outcome["event"]["by"].integer else { return result }
    return "\(result) by \(name(by))"
  }

  private func name(_ seq: Int64) -> String {
    labels[seq] ?? entries.first { $0.seq == seq }?.type ?? "nobody"
  }

  private func name(delivery seq: Int64) -> String {
    guard let delivery = entries.first(where: { $0.seq == seq }) else { return "nobody" }
    return ofs(delivery).last.map { name($0) } ?? "nobody"
  }

  private func words(_ delivery: JSON) -> String {
    let event = delivery["event"]
    let text = event["speak"].list?.map { $0["text"].string ?? "-" }.joined() ?? ""
    var parts: [String] = []
    if let earcon = event["earcon"].string { parts.append("earcon \(earcon)") }
    if event["boundary"].bool == true { parts.append("at the end") }
    if event["again"].bool == true { parts.append("again") }
    if let late = event["late_ms"].integer { parts.append("late \(late)") }
    if event["truncated"].bool == true { parts.append("truncated") }
    if let count = event["summary"]["count"].integer { parts.append("counting \(count)") }
    if let cut = event["interrupts"].integer {
      parts.append(cut == 0 ? "cutting the user" : "cutting \(name(delivery: cut))")
    }
    let rest = parts.joined(separator: ", ")
    if text.isEmpty { return "\(time(delivery)) (\(rest))" }
    return "\(time(delivery)) \(text)" + (rest.isEmpty ? "" : ", \(rest)")
  }

  private func time(_ entry: JSON) -> String {
    let mono = entry.mono - zero
    if mono % 1_000 == 0 { return "\(mono / 1_000)" }
    return "\(Double(mono) / 1_000)"
  }
}

extension JSON {
  var seq: Int64 { self["seq"].integer ?? -1 }
  var mono: Int64 { self["mono"].integer ?? -1 }
  var type: String { self["event"]["type"].string ?? "" }
}
