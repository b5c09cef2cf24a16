// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Foundation
import Testing

@testable import a11yctl

/// The page about a day, from what the real presenter has decided of a script.
@Suite struct ReportTests {
  /// A story of two apps: a text that is heard, one that repeats it, one for which the reader goes
  /// too early, a focus on two buttons, and a time of quiet.
  private static let script = """
    {"mono":0,"conn":"A","hello":{"app":"org.example.<Mail>"}}
    {"mono":0,"conn":"U","hello":{"app":"seat","role":"control"}}
    {"mono":1000,"conn":"A","event":{"type":"window","window":"w","state":"active",\
    "title":"In & out"}}
    {"mono":2000,"conn":"A","event":{"type":"elements","window":"w","replace":[\
    {"id":"a","label":"Reply","traits":["button"],"frame":[0,0,100,40]},\
    {"id":"b","label":"Delete","traits":["button"],"frame":[120,0,100,40]}]}}
    {"mono":100000,"conn":"U","event":{"type":"action","action":"next"}}
    {"mono":5000000,"conn":"U","event":{"type":"action","action":"next"}}
    {"mono":10000000,"conn":"A","event":{"type":"announcement","text":"<b>New</b> mail"}}
    {"mono":10100000,"conn":"A","event":{"type":"announcement","text":"<b>New</b> mail"}}
    {"mono":20000000,"conn":"U","event":{"type":"do-not-disturb","level":100}}
    {"mono":30000000,"conn":"A","event":{"type":"announcement","text":"Held","ttl_ms":2000}}
    {"mono":40000000,"conn":"U","event":{"type":"do-not-disturb","level":0}}
    """

  private let story: DayStory
  private let lines: [String]

  init() throws {
    lines = try PlayedScript(Self.script).lines
    story = try Self.story(lines, since: 0, until: .max / 2)
  }

  private static func story(_ lines: [String], since: Int64, until: Int64) throws -> DayStory {
    var story = DayStory(since: since, until: until)
    let reader = JSONReader(limit: 65_536)
    for line in lines {
      try reader.read(Array(line.utf8).span)
      story.trace(reader.document)
    }
    return story
  }

  private func page(_ story: DayStory) -> String {
    ReportPage(story: story, advice: AdviceReport(), now: 0).html().bytes.string
  }

  private func fates(_ type: String) -> [Fate] {
    story.items.filter { $0.type == type }.map(\.fate)
  }

  @Test func `each event has the end that its outcome gives it`() {
    #expect(fates("announcement") == [.heard, .merged, .lost])
    #expect(fates("focus").allSatisfy { $0 == .heard })
    #expect(story.items.allSatisfy { $0.ended != nil })
  }

  @Test func `the first word of a heard text is as late as the reader has begun it`() throws {
    let heard = try #require(story.items.first { $0.type == "announcement" })
    let started = try #require(heard.started)

    #expect(started >= 0 && started < 1_000_000)
    #expect(try #require(heard.ended) > started)
  }

  @Test func `a time of quiet lasts from the wish to its end`() throws {
    let span = try #require(story.quiet.spans.first)

    #expect(story.quiet.spans.count == 1)
    #expect(span.kind == .doNotDisturb(level: 100))
    #expect(try #require(span.to) - span.from == 20_000_000)
  }

  @Test func `the focus goes over the frames of its elements`() throws {
    let walk = try #require(story.focus.busiest)

    #expect(walk.window == "w")
    #expect(walk.steps.suffix(2).map(\.label) == ["Reply", "Delete"])
    #expect(walk.steps.last?.frame == [120, 0, 100, 40])
  }

  @Test func `only the time that is asked for counts`() throws {
    let later = try #require(story.items.last { $0.type == "announcement" }).published
    let part = try Self.story(lines, since: later, until: .max / 2)

    #expect(part.items.filter { $0.type == "announcement" }.count == 1)
    #expect(part.quiet.spans.count == 1, "a quiet time that had begun before still holds")
  }

  @Test func `the page has what programs promise of it`() {
    let page = page(story)

    #expect(page.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
    #expect(page.matches(of: /<h1/).count == 1)
    #expect(page.matches(of: /<main/).count == 1)
    #expect(page.contains("prefers-color-scheme:dark") && page.contains("@media print"))
    #expect(page.matches(of: /https?:|src=|url\(|@import/).isEmpty, "it needs nothing from outside")
    #expect(page.matches(of: /<script/).isEmpty)
    let figures = page.matches(of: /<figure/).count
    #expect(figures >= 5)
    #expect(page.matches(of: /<table><caption>/).count >= figures)
    #expect(page.matches(of: /<th scope="col"/).count > figures)
  }

  @Test func `no text of an app becomes markup`() {
    let page = page(story)

    #expect(page.contains("&lt;b&gt;New&lt;/b&gt; mail"))
    #expect(page.contains("org.example.&lt;Mail&gt;"))
    #expect(page.contains("In &amp; out"))
    #expect(!page.contains("<b>"))
  }

  @Test func `every element is closed where it was opened`() throws {
    let void = ["meta"]
    var open: [Substring] = []
    for tag in page(story).matches(of: /<(\/?)([a-z0-9]+)[^>]*?(\/?)>/) where tag.3.isEmpty {
      if void.contains(String(tag.2)) { continue }
      if tag.1.isEmpty { open.append(tag.2) } else { #expect(open.popLast() == tag.2) }
    }
    #expect(open.isEmpty)
  }

  @Test func `an empty day has a page too`() {
    let page = page(DayStory(since: 0, until: 1))

    #expect(page.contains("Nothing that is meant to be heard was published."))
    #expect(page.matches(of: /<h2/).count == 8)
  }

  @Test func `each colour stands out from its ground, by day and by night`() throws {
    for sheet in PageFiles.style.matches(of: /:root\{[^}]*--ground:[^}]*--waiting[^}]*\}/) {
      let colours = Dictionary(
        uniqueKeysWithValues: sheet.0.matches(of: /--(\w+):\s*#([0-9a-f]+)/).map {
          (String($0.1), Self.luminance($0.2))
        }
      )
      let ground = try #require(colours["ground"])
      for (name, colour) in colours where name != "ground" && name != "band" {
        let contrast = (max(colour, ground) + 0.05) / (min(colour, ground) + 0.05)
        #expect(contrast >= 4.5, "\(name) has a contrast of \(contrast)")
      }
    }
  }

  /// The relative luminance of a colour, as the guidelines for accessible pages define it.
  private static func luminance(_ hex: Substring) -> Double {
    let digits = hex.count == 3 ? hex.flatMap { [$0, $0] } : Array(hex)
    let parts = stride(from: 0, to: 6, by: 2).map { place in
      let value = Double(Int(String(digits[place...place + 1]), radix: 16) ?? 0) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
}
