// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// The order of voices, the reports that are believed, and the texts that are said once more.
@Suite struct VoiceTests {
  private func with(_ voice: [String: JSON]) -> Script {
    var script = Script(.whenJoined)
    script.joins(0, "Reader", role: "reader", with: voice)
    script.startOver(at: 10_000)
    return script
  }

  // MARK: Rank

  @Test func `a reader of a higher rank owns speech from the moment it comes`() throws {
    var script = with([:])
    script.at(0, "one", says(text(20)))
    script.joins(400, "Loud", role: "reader", with: ["speech": 80])
    script.at(900, report("one", "interrupted", ["heard_ms": 400]), by: "Reader")
    script.at(1_400, report("one", "finished"), by: "Loud")
    script.at(2_000, "two", says("Two"))
    script.at(2_100, report("two", "finished"), by: "Loud")

    let heard = try script.run()

    #expect(heard.spoken == ["0 \(text(20))", "400 \(text(20)), again", "2000 Two"])
    #expect(heard.silenced == ["400 one"])
    #expect(heard.owner("one") == "Loud")
    #expect(heard.end("one") == "1400 heard")
    #expect(heard.owner("two") == "Loud")
  }

  @Test func `a reader of a lower rank mirrors, and its reports decide nothing`() throws {
    var script = with([:])
    script.at(0, "one", says(text(20)))
    script.joins(100, "Quiet", role: "reader", with: ["speech": 40])
    script.at(500, report("one", "finished"), by: "Quiet")
    script.at(1_000, report("one", "finished"), by: "Reader")

    let heard = try script.run()

    #expect(heard.spoken == ["0 \(text(20))"])
    #expect(heard.end("one") == "1000 heard")
  }

  @Test func `when the highest leaves, the next one says once more what was being spoken`() throws {
    var script = with(["speech": 80])
    script.joins(0, "Low", role: "reader", with: ["speech": 10])
    script.joins(0, "Middle", role: "reader", with: ["speech": 40])
    script.at(1_000, "one", says(text(20)))
    script.leaves(1_500, "Reader")
    script.at(2_500, report("one", "finished"), by: "Middle")

    let heard = try script.run()

    #expect(heard.spoken == ["1000 \(text(20))", "1500 \(text(20)), again"])
    #expect(heard.owner("one") == "Middle")
    #expect(heard.end("one") == "2500 heard")
  }

  @Test func `a display is no voice, and with displays alone it is as without a reader`() throws {
    var script = with(["speech": 0])
    script.at(0, "one", says("One"))
    script.at(0, "high", shouts("Fire"))
    script.joins(2_000, "Voice", role: "reader", with: ["speech": 1])
    script.at(2_500, report("high", "finished"), by: "Voice")
    script.leaves(4_000, "Voice")
    script.at(8_999, "two", says("Two"))
    script.at(9_001, "three", says("Three"))

    let heard = try script.run()

    #expect(heard.end("one") == "0 undeliverable")
    #expect(heard.spoken == ["2000 Fire, late 2000"])
    #expect(heard.owner("high") == "Voice")
    #expect(heard.end("two") == "9000 undeliverable")
    #expect(heard.end("three") == "9001 undeliverable")
  }

  @Test func `what lost its reader ends undeliverable when nobody comes`() throws {
    var script = with([:])
    script.at(0, "one", says(text(20)))
    script.leaves(500, "Reader")

    #expect(try script.run().end("one") == "5500 undeliverable")
  }

  // MARK: Reports

  @Test func `one that reports is believed alone, and has lost what it has not ended in time`()
    throws
  {
    var script = with(["reports": true])
    // A second of speech: 2 × 1 s + 20 s.
    script.at(0, "one", says(text(20)))

    let heard = try script.run()

    // Its time to start is over by then, but it had begun: it has another chance.
    #expect(heard.times("one") == ["0", "22000"])
    #expect(heard.silenced == ["22000 one", "44000 one"])
    #expect(heard.end("one") == "44000 undeliverable")
    #expect(heard.rule("one") == "reader")
  }

  @Test func `each word of progress gives it its time anew`() throws {
    var script = with(["reports": true])
    script.at(0, "one", says(text(20)))
    script.at(100, report("one", "started"))
    script.at(15_000, report("one", "progress", ["heard_ms": 300]))
    script.at(36_999, report("one", "finished", ["heard_ms": 1_000]))

    let heard = try script.run()

    #expect(heard.times("one") == ["0"])
    #expect(heard.end("one") == "36999 heard")
    #expect(heard.why("one")["heard_ms"] == 1_000)
    #expect(heard.why("one")["estimated"] == .absent)
  }

  // MARK: Losses

  @Test func `in one outage an event is offered every 5 s, as long as its ttl lasts`() throws {
    var script = with(["reports": true])
    script.at(0, "one", says(text(20), ["ttl_ms": 18_000]))
    for time in stride(from: 100.0, to: 18_000, by: 5_000) {
      script.at(time, report("one", "lost", ["reason": "no audio device"]))
    }

    let heard = try script.run()

    #expect(heard.times("one") == ["0", "5000", "10000", "15000"])
    #expect(heard.silenced == [])
    #expect(heard.end("one") == "18000 undeliverable")
    #expect(heard.why("one")["reason"] == "no audio device")
    #expect(heard.rule("one") == "reader")
  }

  @Test func `what comes in an outage is tried at once`() throws {
    var script = with(["reports": true])
    script.at(0, "one", says(text(20)))
    script.at(100, report("one", "lost"))
    script.at(200, "two", says("Two"))
    script.at(300, report("two", "finished"))
    script.at(400, report("one", "finished"))

    let heard = try script.run()

    // The voice is back, so that there is nothing to wait for.
    #expect(heard.times("one") == ["0", "300"])
    #expect(heard.times("two") == ["200"])
    #expect(heard.end("one") == "400 heard")
  }

  @Test func `what was lost in three outages is given up`() throws {
    var script = with(["reports": true])
    script.at(0, "one", says(text(20), ["ttl_ms": 600_000]))
    for (time, other) in [(0.0, "two"), (1_000, "three")] {
      script.at(time + 100, report("one", "lost"))
      script.at(time + 200, other, shouts("Other"))
      script.at(time + 300, report(other, "finished"))
    }
    script.at(1_900, report("one", "lost", ["reason": "voice crashed"]))

    let heard = try script.run()

    #expect(heard.times("one") == ["0", "300", "1300"])
    #expect(heard.end("one") == "1900 undeliverable")
    #expect(heard.why("one")["count"] == 3)
    #expect(heard.why("one")["reason"] == "voice crashed")
  }

  @Test func `what is lost without a word is silenced, and a late end of it ends its event`()
    throws
  {
    var script = with(["reports": true])
    script.at(0, "one", says(text(20), ["ttl_ms": 600_000]))
    let first = try #require(script.run().entries("deliver").first).seq
    let late: JSON = ["type": "speech", "of": .integer(first), "state": "finished"]
    script.at(30_000, late)
    // The answer to being silenced decides nothing.
    script.at(30_050, report("one", "interrupted"))

    let heard = try script.run()

    #expect(heard.times("one") == ["0", "22000"])
    #expect(heard.silenced == ["22000 one", "30000 one"])
    #expect(heard.end("one") == "30000 heard")
  }

  @Test func `another program may speak first, for five minutes`() throws {
    func heard(_ minutes: Double) throws -> Heard {
      var script = with(["reports": true])
      script.at(0, "one", says(text(20), ["ttl_ms": 600_000]))
      for time in stride(from: 5_000, to: minutes * 60_000, by: 5_000) {
        script.at(time, report("one", "progress", ["heard_ms": 0]))
      }
      script.at(minutes * 60_000 + 1_000, report("one", "finished", ["heard_ms": 1_000]))
      return try script.run()
    }

    let short = try heard(4)
    #expect(short.times("one") == ["0"])
    #expect(short.end("one") == "241000 heard")
    #expect(short.why("one")["behind"] == "other-speech")
    #expect(try heard(6).times("one") == ["0", "317000"])
  }

  @Test func `stop silences what no reader has told the end of, and none of it is said again`()
    throws
  {
    var script = with(["reports": true])
    script.at(0, "one", says(text(20), ["ttl_ms": 600_000]))
    script.at(22_500, "stop", user("stop"))

    let heard = try script.run()

    #expect(heard.times("one") == ["0", "22000"])
    #expect(heard.silenced == ["22000 one", "22500 one", "22500 one"])
    #expect(heard.end("one") == "25500 interrupted by stop")
  }

  @Test func `stop silences what only counts as heard`() throws {
    var script = with([:])
    script.at(0, "one", says(text(20)))
    script.at(3_500, "stop", user("stop"))
    script.at(4_000, user("stop"))

    let heard = try script.run()

    #expect(heard.end("one") == "3000 heard")
    #expect(heard.silenced == ["3500 one"])
  }

  @Test func `a focus that high speech has cut is told once more, if it is still that one`() throws
  {
    var script = Script(threeButtons)
    script.at(0, user("next"))
    script.at(100, "one", shouts(text(20)))
    script.at(3_000, user("next"))
    script.at(3_100, "two", shouts(text(20)))
    script.at(3_500, user("previous"))

    let heard = try script.run()

    #expect(
      heard.spoken == [
        "0 Bean, button", "100 \(text(20)), cutting focus", "1100 Bean, button, again, late 1100",
        "3000 Cherry, button", "3100 \(text(20)), cutting focus",
        "4100 Bean, button",
      ]
    )
  }

  @Test func `an alarm that is repeated while it is spoken ends as its second speech does`() throws
  {
    var script = Script(threeButtons)
    script.at(0, "alarm", shouts(text(40)))
    script.at(1_000, user("repeat"))

    let heard = try script.run()

    #expect(heard.times("alarm") == ["0", "1000"])
    #expect(heard.end("alarm") == "3000 heard")
  }

  @Test func `what was lost and then spoken was heard`() throws {
    var script = with([:])
    script.at(0, "one", says(text(20)))
    script.at(100, report("one", "lost", ["reason": "voice crashed"]))
    script.at(1_100, report("one", "finished"))

    #expect(try script.run().end("one") == "1100 heard")
  }

  @Test func `what another program presents was heard, by an estimate`() throws {
    var script = with([:])
    script.at(0, "one", says(text(20)))
    script.at(50, report("one", "elsewhere", ["by": "notify-osd"]))
    script.at(60, "two", says("Two"))
    script.at(200, report("two", "finished"))

    let heard = try script.run()

    #expect(heard.end("one") == "50 heard")
    #expect(heard.why("one")["elsewhere"] == true)
    #expect(heard.why("one")["estimated"] == true)
    #expect(heard.times("two") == ["60"])
  }

  @Test func `a reader may say that it has estimated the end, or how far it came`() throws {
    var script = with([:])
    script.at(0, "one", says(text(20)))
    script.at(500, report("one", "finished", ["heard_ms": 1_000, "estimated": true]))
    script.at(600, "two", says(text(30)))
    script.at(700, "three", says("Three"))
    script.at(750, report("two", "interrupted", ["heard_ms": 100, "estimated": true]))
    script.at(900, report("three", "finished"))

    let heard = try script.run()

    #expect(heard.end("one") == "500 heard")
    #expect(heard.why("one")["estimated"] == true)
    #expect(!heard.why("one")["elsewhere"].isThere)
    #expect(heard.end("two") == "750 interrupted by three")
    #expect(heard.why("two")["estimated"] == true)
    #expect(!heard.why("three")["estimated"].isThere)
  }

  @Test func `of what was cut one that reports has 3 s to say how far it came`() throws {
    func end(_ reportsAt: Double?) throws -> String {
      var script = with(["reports": true])
      script.at(0, "one", says(text(20)))
      script.at(500, "two", says("Two"))
      script.at(700, report("two", "finished"))
      if let reportsAt {
        script.at(reportsAt, report("one", "interrupted", ["heard_ms": 480]))
      }
      return try script.run().end("one")
    }

    #expect(try end(nil) == "3500 interrupted by two")
    #expect(try end(3_499) == "3499 interrupted by two")
  }

  // MARK: Once more

  @Test func `what was cut is said once more however long the speech was that cut it`() throws {
    var script = Script(threeButtons)
    script.at(0, "one", says(text(40)))
    // Five seconds of it.
    script.at(500, "two", shouts(text(100)))

    let heard = try script.run()

    #expect(
      heard.spoken == [
        "0 \(text(40))", "500 \(text(100)), cutting one", "5500 \(text(40)), again, late 5500",
      ]
    )
    #expect(heard.end("one") == "7500 heard")
  }

  @Test func `what cannot begin within 3 s of the end of what has cut it is given up`() throws {
    var script = Script(threeButtons)
    script.at(0, "one", says(text(40)))
    script.at(500, "two", shouts(text(20)))
    script.at(600, "three", shouts(text(59)))
    script.at(700, "four", shouts(text(20)))

    let heard = try script.run()

    // The one that has cut it ends at 1500, the next at 4450.
    #expect(heard.times("four") == ["4450"])
    #expect(heard.times("one") == ["0"])
    #expect(heard.end("one") == "4500 interrupted by two")
    #expect(heard.why("one")["held_by"] == "turn")
    #expect(heard.why("one")["window_ms"] == 3_000)
    #expect(heard.why("one")["heard_ms"] == 500)
  }

  @Test func `a low one is said once more only if its ttl allows`() throws {
    func ends(_ ttl: Int64) throws -> (String, [String]) {
      var script = Script(threeButtons)
      script.at(0, "low", murmurs(text(40), ["ttl_ms": .integer(ttl)]))
      script.at(500, "two", says(text(40, "b")))
      let heard = try script.run()
      return (heard.end("low"), heard.times("low"))
    }

    #expect(try ends(3_000) == ("4500 heard", ["0", "2500"]))
    #expect(try ends(1_000) == ("1000 interrupted by two", ["0"]))
  }

  @Test func `a high that the gate silences is heard if its end was under way`() throws {
    var script = with([:])
    script.at(0, "one", shouts(text(40)))
    script.at(100, "off", reader(running: false), by: "App")
    script.at(400, report("one", "finished"))
    script.at(1_000, "on", reader(running: true), by: "App")

    let heard = try script.run()

    #expect(heard.silenced == ["350 one"])
    #expect(heard.spoken == ["0 \(text(40))"])
    #expect(heard.end("one") == "400 heard")
  }
}
