// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Foundation
import Testing

@testable import a11yctl

/// Each figure of the report with its table, from a day with everything in it.
@Suite struct ReportFigureTests {
  private let lines: [String]
  private let log: [JSON]
  private let story: DayStory
  private let page: String

  init() throws {
    let lines = try PlayedScript(DayScript.text).lines
    self.lines = lines
    log = try lines.map { try JSON($0) }
    let (story, advice) = try Self.story(lines, until: .max / 2)
    self.story = story
    page = ReportPage(story: story, advice: advice, now: 0).html().bytes.string
  }

  private static func story(_ lines: [String], until: Int64) throws -> (DayStory, AdviceReport) {
    var story = DayStory(since: 0, until: until)
    var linting = LogLint(since: 0)
    let reader = JSONReader(limit: 65_536)
    for line in lines {
      try reader.read(Array(line.utf8).span)
      story.trace(reader.document)
      linting.examine(reader.document)
    }
    linting.conclude()
    return (story, linting.report)
  }

  /// The part of the page with this id.
  private func part(_ id: String) throws -> Substring {
    let start = try #require(page.range(of: "<section id=\"\(id)\""))
    let end = try #require(page.range(of: "</section>", range: start.upperBound..<page.endIndex))
    return page[start.lowerBound..<end.lowerBound]
  }

  /// The cells of the table in a part, row by row, without its head.
  private func rows(_ id: String) throws -> [[String]] {
    let body = try #require(try part(id).components(separatedBy: "<tbody>").last)
    return body.matches(of: /<tr>(.*?)<\/tr>/).map { row in
      row.1.matches(of: /<t[hd][^>]*>(.*?)<\/t[hd]>/).map { String($0.1) }
    }
  }

  /// The outcomes on the log: the seqs that ended with a result.
  private func ended(_ result: String) -> [Int64] {
    log.map { $0["event"] }.filter { $0["result"].string == result }.compactMap { $0["of"].integer }
  }

  @Test func `a lane has a mark of the right shape for each event`() throws {
    let lanes = try part("lanes")
    for fate in Fate.allCases {
      var marks = 0
      for mark in lanes.matches(of: /<use href="#m-(\w+)"[^>]*?(\/>|><title>(\d+)<\/title>)/)
      where mark.1 == fate.id {
        marks += mark.3.flatMap { Int($0) } ?? 1
      }
      #expect(marks == story.items.count { $0.fate == fate }, "\(fate)")
    }
  }

  @Test func `waiting and speech are drawn where they are long enough`() throws {
    // Within two minutes, ten seconds can be seen.
    let minutes = try Self.story(lines, until: 120_000_000).0
    var page = HtmlWriter(capacity: 1_024)
    LaneFigure(minutes, TimeAxis(minutes)).draw(into: &page)
    let drawn = page.finished().bytes.string
    #expect(drawn.matches(of: /class="way" d=/).count >= 1)
    #expect(drawn.matches(of: /class="way" stroke-width="5"/).count >= 1)
  }

  @Test func `the table of the lanes counts as the log does`() throws {
    let rows = try rows("lanes")
    #expect(rows.map { $0[0] } == ["org.example.&lt;Mail&gt;", "org.example.Files"])
    // Heard, cut off, stood in for, kept on record, lost.
    let focus = log.count {
      $0["event"]["type"].string == "focus" && $0["event"]["app"].string != nil
    }
    let heard = ended("heard").count
    #expect(rows[0][1...6] == ["\(focus + 7)", "\(focus + 3)", "1", "1", "1", "1"])
    #expect(heard >= focus + 3)
    #expect(rows[1][1...6] == ["1", "0", "0", "0", "1", "0"])
    #expect(rows[1][7...] == ["none", "none"], "a text that was never spoken has no first word")
  }

  @Test func `each reason has a bar as long as it is frequent`() throws {
    let rows = try rows("reasons")
    #expect(
      Set(rows.map { $0[0] }) == [
        "It repeated what had been said before", "It was quiet until it was too late",
        "The app was in the background", "You stopped the speech", "The app took it back",
      ]
    )
    #expect(rows.allSatisfy { $0[1] == "1" })
    #expect(try part("reasons").matches(of: /<rect/).count == rows.count)
  }

  @Test func `the first words are counted once each, those of a digest not`() throws {
    let sum = try rows("delays").reduce(0) { $0 + (Int($1[1]) ?? 0) }
    let focus = log.map { $0["event"] }.filter { $0["type"].string == "focus" }
    let nowhere = focus.count { $0["app"].string == nil }
    #expect(sum == ended("heard").count - nowhere + ended("interrupted").count)
    #expect(try part("delays").contains("99 of 100 within"))
    #expect(!(try part("delays").contains("Up to 1 min")), "the lost text was never spoken")
  }

  @Test func `quiet times last as long as they held`() throws {
    let spans = story.quiet.spans.map { span in
      "\(span.kind.title): \(((span.to ?? span.from) - span.from) / 1_000_000) s"
    }
    #expect(
      spans == [
        "Quiet, level 100: 20 s", "Paused by the user: 10 s",
        "Silence for org.example.Files: 5 s", "Silence for org.example.<Mail>: 30 s",
        "Silence for org.example.<Mail>: 5 s", "Quiet, level 50: 60 s",
      ]
    )
    #expect(try rows("quiet").count == spans.count)
    #expect(try part("quiet").matches(of: /<rect class="bar"/).count == spans.count)
  }

  @Test func `every hour counts what was published in it`() throws {
    let published = log.filter { $0["conn"].integer != 0 }
    let late = published.filter { $0["time"].integer ?? 0 >= 3_600_000_000 }
    #expect(
      try rows("hours").map { $0[1] } == ["\(published.count - late.count)", "\(late.count)"]
    )
  }

  @Test func `the path of the focus goes over named frames, in order`() throws {
    let drawing = try part("focus")
    #expect(try rows("focus").map { $0[2] } == ["Reply", "Delete button", "Archive"])
    #expect(drawing.matches(of: /<rect class="frame"/).count == 3)
    #expect(drawing.matches(of: /<circle/).count == 3)
    let names = drawing.matches(of: /<text class="soft"[^>]*>(\w+)</).map { String($0.1) }
    #expect(names == ["Reply", "Archive"], "a name is drawn where it has room")
  }

  @Test func `advice names the app, the kind and an example`() throws {
    let rows = try rows("advice")
    let label = try #require(rows.first { $0[1] == "A label says what its traits say already" })
    #expect(label[0] == "org.example.&lt;Mail&gt;" && label[2] == "1")
    #expect(label[3].contains("Delete button"))
  }

  @Test func `texts that were not heard stand with their entries`() throws {
    let results = ["duplicate", "expired", "inhibited", "interrupted", "cancelled"]
    let unheard = results.flatMap(ended).sorted().map { "\($0)" }
    #expect(unheard.count == 5)
    #expect(try rows("unheard").map { $0[0] } == unheard)
    #expect(try rows("unheard").allSatisfy { $0.count == 5 && !$0[3].isEmpty })
  }

  @Test func `headings follow each other, and each part has one`() throws {
    let headings = page.matches(of: /<h([1-6])/).map { String($0.1) }
    #expect(headings == ["1"] + Array(repeating: "2", count: 8))
    for id in page.matches(of: /<section id="(\w+)" aria-labelledby="([\w-]+)"/) {
      #expect(page.contains("<a href=\"#\(id.1)\">"), "the list of parts leads to \(id.1)")
      #expect(page.contains("<h2 id=\"\(id.2)\">"))
    }
    // The sections are landmarks; nothing inside them is another one.
    #expect(page.matches(of: /role="region"/).isEmpty)
    #expect(page.matches(of: /<svg role="img" aria-label="[^"]+" tabindex="0"/).count == 6)
  }
}
