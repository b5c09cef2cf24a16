// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yTestKit
import Testing

/// The items that do-not-disturb holds back, the length of that, and the words about it.
@Suite struct DisturbanceTests {
  @Test func `the time of an alarm stands still while it is held back`() throws {
    var script = Script()
    script.at(0, quiet(100))
    script.at(10, "fire", shouts("Fire"))
    script.at(20, "mail", says("Mail"), by: "Mail")
    script.at(30, "chat", says("Chat"), by: "Chat")
    script.at(40, "mail2", says("Mail 2"), by: "Mail")
    script.at(3_600_000, quiet(0))

    let heard = try script.run()

    #expect(
      heard.spoken == [
        "3600000 Fire, late 3599990",
        "3600200 3 announcements from Mail and Chat were missed, late 200, counting 3",
      ]
        || heard.spoken == [
          "3600000 Fire, late 3599990",
          "3600200 3 announcements from Mail and Chat were missed, counting 3",
        ]
    )
  }

  @Test func `the time of an alarm goes on when do-not-disturb has ended`() throws {
    var script = Script(.whenJoined)
    script.at(0, "fire", shouts("Fire"))
    script.at(100_000, quiet(100))
    script.at(500_000, quiet(0))

    #expect(try script.run().end("fire") == "700000 expired")
  }

  @Test func `it ends by itself when its time is over`() throws {
    var script = Script()
    script.at(0, quiet(60, for: 5_000))
    script.at(100, "one", says("One"))

    let heard = try script.run()

    #expect(heard.times("one") == ["5000"])
    let end = heard.entries("do-not-disturb").last ?? .absent
    #expect(end.mono == 5_000_000)
    #expect(end["app"] == "a11yd")
    #expect(end["conn"] == 0)
    #expect(end["event"]["level"] == 0)
  }

  @Test func `a new level takes the place of one that was to end`() throws {
    var script = Script()
    script.at(0, quiet(60, for: 5_000))
    script.at(1_000, quiet(90))
    script.at(2_000, "one", says("One", ["ttl_ms": 60_000]))
    script.at(20_000, quiet(0))

    let heard = try script.run()

    #expect(heard.times("one") == ["20000"])
    #expect(heard.entries("do-not-disturb").count == 3)
  }

  @Test func `it holds announcements and nothing else`() throws {
    var script = Script(threeButtons)
    script.at(0, quiet(100))
    script.at(1_000, "screen", screen(["text": "New"]))
    script.at(2_000, "page", page("Page 2"))
    script.at(3_000, user("next"))
    script.at(4_000, changes(["id": "b", "value": "5"]))

    #expect(
      try script.run().spoken == [
        "1000 New, earcon screen", "2000 Page 2", "3000 Bean, button", "4000 5",
      ]
    )
  }

  @Test func `a summary that expires is missed with all that it counts`() throws {
    var script = Script()
    script.at(0, quiet(60))
    for number in 0..<12 { script.at(10, "\(number)", murmurs("L\(number)")) }
    script.at(100_000, quiet(0))

    #expect(
      try script.run().spoken == [
        "100000 12 announcements from App were missed, counting 12"
      ]
    )
  }
}
