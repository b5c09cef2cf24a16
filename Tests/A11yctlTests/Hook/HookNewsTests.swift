// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yRules
import Foundation
import Testing

@testable import a11yctl

/// The news in what programs tell their hooks.
@Suite struct HookNewsTests {
  private static let words = HookWords.of(.english)

  /// A hook of a program, and what is told of it.
  struct Example: CustomTestStringConvertible, Sendable {
    let program: String
    let json: String
    let told: String

    var testDescription: String { "\(program): \(told)" }
  }

  /// The examples of `hooks.txt`, three lines each.
  static let examples: [Example] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "hooks.txt")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
    return stride(from: 0, to: lines.count, by: 3).map {
      Example(program: lines[$0], json: lines[$0 + 1], told: lines[$0 + 2])
    }
  }()

  private static func told(_ json: String, of program: HookProgram) -> String {
    guard let news = HookNews(Array(json.utf8), of: program, words) else { return "nothing" }
    let session = news.session.isEmpty ? "" : " \(news.session)"
    return "\(news.kind)\(session): \(news.text)"
  }

  @Test(arguments: examples)
  func `a hook of the documents is told`(example: Example) throws {
    let program = try #require(HookProgram(rawValue: example.program))
    #expect(Self.told(example.json, of: program) == example.told)
  }

  @Test func `there are examples of each assistant`() {
    let programs = Set(Self.examples.map(\.program))
    #expect(programs == ["claude-code", "codex", "gemini"])
  }

  @Test(arguments: ["", " ", "{", "null", "\u{0}", "{\"hook_event_name\":\"\\ud800\"}"])
  func `what is no hook is no news`(json: String) {
    #expect(Self.told(json, of: .claudeCode) == "nothing")
  }

  @Test func `a hook over its bound is no news, and one below is read`() {
    func hook(_ count: Int) -> String {
      #"{"hook_event_name":"Stop","x":"\#(String(repeating: "x", count: count))"}"#
    }
    #expect(Self.told(hook(HookNews.mostBytes), of: .gemini) == "nothing")
    #expect(Self.told(hook(HookNews.mostBytes - 100), of: .gemini) == "end: Gemini is done")
  }

  @Test func `a wish is urgent, and has one key for both of its hooks`() throws {
    let events = try Self.examples.prefix(2).map { example in
      try #require(HookNews(Array(example.json.utf8), of: .claudeCode, Self.words)).event.json
    }
    for event in events {
      #expect(event.contains(#""priority":"high""#))
      #expect(event.contains(#""key":"wish abc123""#))
    }
  }

  @Test func `a session's name that is long makes no key over the bus's bound`() throws {
    let long = String(repeating: "é", count: 1_000)
    let json = #"{"session_id":"\#(long)","hook_event_name":"Stop"}"#
    let news = try #require(HookNews(Array(json.utf8), of: .codex, Self.words))
    #expect(news.session.utf8.count <= 120)
  }

  // MARK: Commands of a shell

  @Test(
    arguments: [
      (0, 9_999, nil), (0, 10_000, "The command has ended, after 10 s"),
      (2, 125_000, "The command has ended with 2, after 2 min 5 s"),
      (137, 3_600_000, "The command was ended by signal 9, after 1 h"),
      (255, 10_000, "The command has ended with 255, after 10 s"),
    ] as [(Int64, Int64, String?)]
  )
  func `a long command is told with its end`(status: Int64, time: Int64, words: String?) {
    #expect(HookNews(status: status, milliseconds: time, Self.words)?.text == words)
  }

  @Test(arguments: WordLanguage.allCases)
  func `every language has all of its places filled`(language: WordLanguage) {
    let words = HookWords.of(language)
    let sentences =
      [words.asksPermission, words.asks, words.done, words.failed, words.refused]
      .map { $0("Codex", "one") } + [words.waits("Codex")]
    for sentence in sentences { #expect(sentence.contains("Codex") && !sentence.contains("{")) }
    for status: Int64 in [0, 1, 130] {
      let sentence = words.commandEnd(status, after: "5 s")
      #expect(sentence.contains("5 s") && !sentence.contains("{"))
      #expect(status == 0 || sentence.contains(status == 1 ? "1" : "2"))
    }
  }

  // MARK: Prose

  @Test(
    arguments: [
      ("One. Two.", "One."), ("Is it so? Yes.", "Is it so?"), ("No end", "No end"),
      ("  \n\n**Bold** and `code`, see [the page](https://x.org).", "Bold and code, see the page."),
      ("# Summary\nThe rest.", "Summary"), ("- first item\n- second", "first item"),
      ("1. Do this. 2. Do that.", "Do this."),
      ("```sh\nrm -rf x.\n```\nDeleted it.", "Deleted it."),
      ("| a | b |\n|---|---|\n\nThe table is done.", "The table is done."),
      ("Use e.g. the second. It works.", "Use e.g. the second."),
      ("Version 1.2.3 is out. Good.", "Version 1.2.3 is out."),
      ("A line that\ngoes on. More.", "A line that goes on."),
      ("完成了。还有更多。", "完成了。"), ("“Done.” he said.", "“Done.”"), ("---\nWords", "Words"),
      ("\u{1B}[31mRed\u{1B}[0m alert.", "[31mRed [0m alert."),
    ]
  )
  func `the first sentence is what one would read`(text: String, sentence: String) {
    #expect(Prose.firstSentence(text, atMost: 200) == sentence)
  }

  @Test(arguments: ["", "  \n ", "---", "```\ncode\n```", "…"])
  func `a text without words has no sentence`(text: String) {
    #expect(Prose.firstSentence(text, atMost: 200) == nil)
  }

  @Test func `a long sentence is cut behind a word`() {
    let long = String(repeating: "word ", count: 1_000)
    let sentence = Prose.firstSentence(long, atMost: 200)
    #expect(sentence?.count == 200 && sentence?.hasSuffix("word…") == true)
    #expect(Prose.line(String(repeating: "x", count: 99), atMost: 9) == "xxxxxxxxx…")
  }
}
