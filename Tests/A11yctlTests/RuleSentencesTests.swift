// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yWire
import Testing

@testable import A11yClient
@testable import a11yctl

/// The rules in force, a sentence for each kind of event.
@Suite struct RuleSentencesTests {
  /// The lines about the built-in rules and others.
  private func lines(_ rules: [Rule] = [], type: String? = nil) throws -> [String] {
    var out = ByteBuffer(capacity: 65_536)
    out.append("{")
    RuleSet(RuleSet().rules + rules).writeAnswer(into: &out)
    out.append("}")
    let answer = try #require(JSONValue(json: out.bytes.string))
    return RuleSentences(answer, topic: type, speechClass: nil).lines
  }

  @Test func `the kind stands in front, and what sets it apart follows`() throws {
    let line = try #require(
      lines(type: "announcement").first { $0.hasPrefix("Announcements of class timer") }
    )

    #expect(
      line.hasPrefix(
        "Announcements of class timer, unless high: at most 1 in 10 s, and those above are merged;"
      )
    )
  }

  @Test func `kinds that are treated alike share a sentence`() throws {
    let high = try lines(type: "announcement").filter { $0.contains("high priority") }

    #expect(high.count == 1)
    #expect(high.first?.hasPrefix("Announcements with high priority: 3 at once") == true)
  }

  @Test func `a rule of a file is named where it has a part`() throws {
    var rule = Rule("patient chat")
    rule.matchers.types = [.announcement]
    rule.matchers.classes = ["chat"]
    rule.settings.burst = 9
    rule.place = Rule.Place(file: "/a.toml", line: 7, column: 1)

    let lines = try lines([rule], type: "announcement").filter { $0.contains("/a.toml") }

    #expect(!lines.isEmpty)
    #expect(lines.allSatisfy { $0.contains("class chat") && $0.contains("9 at once") })
    #expect(
      lines.allSatisfy {
        $0.hasSuffix("This comes in part from the rule patient chat at /a.toml:7.")
      }
    )
  }

  @Test func `a kind that is kept on record has nothing else to tell`() throws {
    var rule = Rule("mute")
    rule.matchers.types = [.busy]
    rule.settings.present = .log
    rule.place = Rule.Place(file: "/a.toml", line: 1, column: 1)

    #expect(
      try lines([rule], type: "busy").first
        == "Changes of a busy element: kept on record, and never spoken."
        + " This comes in part from the rule mute at /a.toml:1."
    )
  }

  @Test func `every kind has a sentence of its own`() throws {
    let lines = try lines()

    #expect(lines.count > 15)
    #expect(lines.allSatisfy { $0.hasSuffix(".") })
    #expect(Set(lines).count == lines.count)
    #expect(!lines.joined().contains("events of type"))
  }
}
