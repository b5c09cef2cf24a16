// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// Commands of the user and of apps to speech as a whole: pause, resume, stop, repeat.
@Suite struct PauseAndStopTests {
  // MARK: The user's pause

  @Test func `after a pause the place comes first, then what was cut`() throws {
    var script = Script(threeButtons)
    script.at(0, "note", says(text(40), ["cause": "auto"]))
    script.at(500, user("pause"))
    script.at(3_000, user("next"))

    let heard = try script.run()

    #expect(
      heard.spoken == ["0 \(text(40))", "3000 Bean, button", "3600 \(text(40)), again, late 3600"]
    )
    #expect(heard.silenced == ["500 note, on hold"])
    #expect(heard.fate("note") == "heard")
  }

  @Test func `what a pause held comes out in the order of the queue`() throws {
    var script = Script(threeButtons)
    script.at(0, user("pause"))
    script.at(100, "low", murmurs("Low", ["cause": "auto"]))
    script.at(200, "one", says("One", ["cause": "auto"]))
    script.at(2_000, user("resume"))

    #expect(try script.run().spoken == ["2000 One, late 1800", "2150 Low, late 2050"])
  }

  @Test func `high passes a pause and one that is being spoken goes on`() throws {
    var script = Script(threeButtons)
    script.at(0, "fire", shouts(text(40)))
    script.at(100, user("pause"))
    script.at(3_000, "more", shouts("More"))

    let heard = try script.run()

    #expect(heard.spoken == ["0 \(text(40))", "3000 More"])
    #expect(heard.silenced == [])
  }

  @Test func `whatever the user does next ends a pause`() throws {
    for next in [
      user("next"), user("activate"), focused("b", ["cause": "user"]), user("repeat"),
    ] {
      var script = Script(threeButtons)
      script.at(0, user("pause"))
      script.at(100, "note", says("Note", ["cause": "auto"]))
      script.at(1_000, next)

      #expect(try script.run().result("note") == "heard", "\(next)")
    }
  }

  // MARK: An app's pause

  @Test func `an app's pause holds its own, and others' while it is in the foreground`() throws {
    var script = Script(threeButtons)
    script.at(0, event("pause", [:]))
    script.at(100, "own", says("Own"))
    script.at(200, "other", says("Other"), by: "Mail")
    script.at(2_000, event("resume", [:]))

    #expect(try script.run().spoken == ["2000 Own, late 1900", "2150 Other, late 1950"])
  }

  @Test func `an app in the background pauses nobody else`() throws {
    var script = Script(threeButtons)
    script.at(0, event("pause", [:]), by: "Mail")
    script.at(100, "own", shouts("Own"))
    script.at(300, "other", says("Held", ["origin": "notification"]), by: "Mail")
    script.at(1_000, "mine", says("Mine"))

    let heard = try script.run()

    #expect(heard.times("own") == ["100"])
    #expect(heard.times("mine") == ["1000"])
    #expect(heard.result("other") == "expired")
  }

  @Test func `an app's pause holds nobody of another user`() throws {
    var script = Script()
    script.joins(0, "Guest", uid: 2_000)
    script.at(0, event("pause", [:]), by: "App")
    script.at(100, "guest", says("Hello"), by: "Guest")
    script.at(200, "own", says("Own"), by: "App")

    let heard = try script.run()

    #expect(heard.times("guest") == ["100"])
    #expect(heard.result("own") == "expired")
  }

  @Test func `a pause in the background holds others no longer`() throws {
    var script = Script(threeButtons)
    script.at(0, event("pause", [:]))
    script.at(100, "other", says("Other", ["origin": "notification"]), by: "Mail")
    script.at(1_000, window("v", "active"), by: "Mail")

    #expect(try script.run().times("other") == ["1000"])
  }

  @Test func `a pause is counted for the app, and each connection's end ends its own`() throws {
    var script = Script(threeButtons)
    script.at(0, event("pause", [:]))
    script.at(0, event("pause", [:]))
    script.at(100, "own", says("Own", ["ttl_ms": 60_000]))
    script.at(200, event("resume", [:]))
    script.at(1_000, event("resume", [:]))

    #expect(try script.run().times("own") == ["1000"])

    script.at(5_000, event("pause", [:]))
    script.at(5_100, "again", says("Again", ["ttl_ms": 60_000]))
    script.leaves(6_000, "App")

    #expect(try script.run().times("again") == ["6000"])
  }

  // MARK: stop

  @Test func `stop drops what waits at every stage, but for high that has not begun`() throws {
    var script = Script(threeButtons)
    script.at(0, "now", shouts(text(40)))
    script.at(10, "queued", says("Queued", ["cause": "auto"]))
    script.at(20, "act", user("activate"))
    script.at(30, "held", says("Held"))
    script.at(40, "high", shouts("High"))
    for number in 0..<6 {
      script.at(50, "m\(number)", says("Message \(number)", ["cause": "auto"]), by: "Mail")
    }
    script.at(60, "later", shouts("Later", ["ttl_ms": 60_000]), by: "Mail")
    script.at(70, tells("progress", "5%", ["key": "k"]))
    script.at(71, "limited", tells("progress", "6%", ["key": "k"]))
    script.at(100, "stop", user("stop"))

    let heard = try script.run()

    #expect(heard.spoken == ["0 \(text(40))", "100 High", "300 Later"])
    for label in ["now", "queued", "held", "m0", "m5", "limited"] {
      #expect(heard.fate(label) == "interrupted by stop", "\(label)")
    }
  }

  @Test func `stop drops what is offered once more, high too`() throws {
    var script = Script(threeButtons, .whenJoined)
    script.joins(0, "Reader", role: "reader")
    script.at(1_500, "fire", shouts("Fire"))
    script.at(1_600, reader(running: false))
    script.at(2_000, "stop", user("stop"))

    #expect(try script.run().fate("fire") == "interrupted by stop")
  }

  // MARK: repeat

  @Test func `repeat names a delivery`() throws {
    var script = Script(threeButtons)
    script.at(0, "one", says("One"))
    script.at(2_000, "two", says("Two"))
    script.at(4_000, user("repeat"))
    script.at(6_000, user("repeat", ["of": "deliver:@one"]))

    #expect(
      try script.run().spoken == [
        "0 One", "2000 Two", "4000 Two, again, late 2000", "6000 One, again, late 6000",
      ]
    )
  }

  @Test func `a delivery that is long gone is told not to be there`() throws {
    var script = Script(threeButtons)
    script.at(0, "one", says("One"))
    for number in 1...40 {
      script.at(Double(number) * 3_000, says("Number \(number)"))
    }
    script.at(200_000, user("repeat", ["of": "deliver:@one"]))

    #expect(try script.run().delivered.last == "200000 (earcon no-action)")
  }
}
