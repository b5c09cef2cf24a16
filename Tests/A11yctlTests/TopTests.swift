// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import A11yClient
@testable import a11yctl

/// The busiest apps in lines.
@Suite struct TopTests {
  private func tally(_ apps: String...) throws -> AppTally {
    AppTally(try #require(JSONValue(json: "{\"apps\":[\(apps.joined(separator: ","))]}")))
  }

  private func app(_ name: String, _ published: Int, _ heard: Int, uid: Int = 1000) -> String {
    #"{"app":"\#(name)","uid":\#(uid),"published":\#(published),"heard":\#(heard),"#
      + #""unheard":\#(published - heard)}"#
  }

  @Test func `the busiest app comes first, and silent ones not at all`() throws {
    let tally = try tally(app("quiet", 0, 0), app("chat", 3, 1), app("mail", 20, 5))

    #expect(
      tally.sentences("Since the bus started") == [
        "Since the bus started:", "mail: 20 events, 5 heard, 15 not heard.",
        "chat: 3 events, 1 heard, 2 not heard.",
      ]
    )
  }

  @Test func `a span tells what has come in it`() throws {
    let before = try tally(app("chat", 3, 1), app("mail", 20, 5))
    let after = try tally(app("chat", 3, 1), app("mail", 21, 5))

    #expect(
      after.growth(since: before).sentences("In the last 5 s")
        == ["In the last 5 s:", "mail: 1 event, 0 heard, 1 not heard."]
    )
    #expect(after.growth(since: after).sentences("In the last 5 s").isEmpty)
  }

  @Test func `an app that was forgotten and is back counts from nothing`() throws {
    let before = try tally(app("mail", 20, 5))
    let after = try tally(app("mail", 2, 2))

    let lines = after.growth(since: before).sentences("Now")

    #expect(lines[1] == "mail: 2 events, 2 heard, 0 not heard.")
  }

  @Test func `apps of one name are told apart by their users`() throws {
    let lines = try tally(app("mail", 2, 2), app("mail", 1, 0, uid: 1001)).sentences("Now")

    #expect(lines[1].hasPrefix("mail of user 1000: "))
    #expect(lines[2].hasPrefix("mail of user 1001: "))
  }

  @Test func `a long list ends in a sum`() throws {
    let many = (0..<13).map { app("app\($0)", 100 - $0, 0) }
    let lines = AppTally(
      try #require(JSONValue(json: "{\"apps\":[\(many.joined(separator: ","))]}"))
    )
    .sentences("Now")

    #expect(lines.count == 12)
    #expect(lines.last == "3 other apps: 267 events.")
  }
}
