// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// The timelines of docs/semantics.md: what people and apps do, and what is heard of it.
@Suite struct TimelineTests {
  /// A row of a table: the time in milliseconds, a deed, and what is heard.
  private static var row: Regex<(Substring, Substring, Substring, Substring)> {
    /\| +(\d+) \| (.*?) *\| (.*?) *\|/
  }

  @Test func `each timeline tells what is heard`() throws {
    let page = KeptText("docs/semantics.md")
    var lines: [String] = []
    var deeds: [(Int, String)]?
    var count = 0
    for line in page.text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let row = line.wholeMatch(of: Self.row) {
        guard deeds != nil else { continue }
        if !row.2.isEmpty, let time = Int(row.1) { deeds?.append((time, String(row.2))) }
        continue
      }
      if let played = deeds {
        lines += try Self.rows(played)
        deeds = nil
        count += 1
      }
      lines.append(String(line))
      if line == "| ---: | :--- | :--- |" { deeds = [] }
    }

    #expect(count == 10)
    #expect(try page.difference(from: lines.joined(separator: "\n")) == nil)
  }

  /// The deeds with what is heard of them, in the order of time.
  private static func rows(_ deeds: [(Int, String)]) throws -> [String] {
    var rows = deeds.map { (time: $0.0, deed: $0.1, heard: "") }
    for spoken in try play(deeds).spoken {
      let words = spoken.replacing(/cutting \S+$/, with: "cutting off the one before")
      let parts = words.split(separator: " ", maxSplits: 1)
      let time = try #require(Double(parts[0]))
      let place = rows.lastIndex { Double($0.time) <= time }.map { $0 + 1 } ?? 0
      if place > 0, Double(rows[place - 1].time) == time, rows[place - 1].heard.isEmpty {
        rows[place - 1].heard = String(parts[1])
      } else {
        rows.insert((Int(time), "", String(parts[1])), at: place)
      }
    }
    return rows.map { row in
      "| \(row.time) |" + [row.deed, row.heard].map { $0.isEmpty ? " |" : " \($0) |" }.joined()
    }
  }

  private static func play(_ deeds: [(Int, String)]) throws -> Heard {
    var script = Script()
    let buttons = ["Compose", "Inbox", "Delete", "Search"].map { button($0.lowercased(), $0) }
    script.at(0, window("w", "opened"), by: "Mail")
    script.at(0, tree("w", buttons), by: "Mail")
    script.at(0, window("w", "active"), by: "Mail")
    script.at(1_000, user("first"), by: "Ada")
    script.startOver(at: 60_000)
    for (time, deed) in deeds {
      let (who, event) = try event(of: deed)
      script.at(Double(time), event, by: who)
    }
    return try script.run()
  }

  /// Who does it, and the event that says so.
  private static func event(of deed: String) throws -> (who: String, event: JSON) {
    let words = try #require(deed.wholeMatch(of: /(\w+) ([^“]*?)(?: “(.+)”)?(, .+)?/), "\(deed)")
    let who = String(words.1)
    let text = words.3.map(String.init) ?? ""
    let fields = words.4.map(Self.fields) ?? [:]
    switch words.2 {
    case "goes on": return (who, user("next"))
    case "stops the voice": return (who, user("stop"))
    case "activates": return (who, user("activate", ["element": .string(text.lowercased())]))
    case "wants quiet for five seconds": return (who, quiet(60, for: 5_000))
    case "announces": return (who, says(text, fields))
    case "changes a part of its window to": return (who, layout(["text": .string(text)]))
    case "moves the focus to": return (who, layout(["element": .string(text.lowercased())]))
    default: throw UnknownDeed(words: String(words.2))
    }
  }

  private struct UnknownDeed: Error { let words: String }

  private static func fields(_ words: Substring) -> [String: JSON] {
    if let match = words.wholeMatch(of: /, of class (\w+)/) {
      return ["class": .string(String(match.1))]
    }
    return ["priority": .string(String(words.dropFirst(2)))]
  }
}
