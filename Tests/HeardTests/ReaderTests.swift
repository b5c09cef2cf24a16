// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// Readers that report, do not report, come and go.
@Suite struct ReaderTests {
  private func withReader() -> Script {
    var script = Script(.whenJoined)
    script.joins(0, "Reader", role: "reader")
    script.startOver(at: 10_000)
    return script
  }

  // MARK: Reports

  @Test func `a finished that comes before interrupted wins`() throws {
    var script = withReader()
    script.at(0, "one", says(text(20)))
    script.at(990, "two", says("Two"))
    script.at(995, report("one", "finished"))
    script.at(996, report("one", "interrupted", ["heard_ms": 990]))
    script.at(1_300, report("two", "finished"))

    let heard = try script.run()

    #expect(heard.end("one") == "995 heard")
  }

  @Test func `what was cut ends when the reader says so`() throws {
    var script = withReader()
    script.at(0, "one", says(text(20)))
    script.at(500, "two", says("Two"))
    script.at(999, report("one", "interrupted", ["heard_ms": 480]))
    script.at(1_300, report("two", "finished"))

    let heard = try script.run()

    #expect(heard.end("one") == "999 interrupted by two")
    #expect(heard.why("one")["heard_ms"] == 480)
    #expect(heard.why("one")["estimated"] == .absent)
  }

  @Test func `what was cut ends after 500 ms by an estimate`() throws {
    var script = withReader()
    script.at(0, "one", says(text(20)))
    script.at(500, "two", says("Two"))
    script.at(1_300, report("two", "finished"))

    let heard = try script.run()

    #expect(heard.end("one") == "1000 interrupted by two")
    #expect(heard.why("one")["estimated"] == true)
    #expect(heard.why("one")["heard_ms"] == 500)
  }

  @Test func `a reader that never reports the end is given 2 s more than it takes`() throws {
    var script = withReader()
    script.at(0, "one", says(text(20)))
    script.at(10, "two", says("Two", ["queue": true]))

    let heard = try script.run()

    #expect(heard.end("one") == "3000 heard")
    #expect(heard.why("one")["estimated"] == true)
    #expect(heard.times("two") == ["3000"])
  }

  @Test func `a report just before the estimate counts`() throws {
    var script = withReader()
    script.at(0, "one", says(text(20)))
    script.at(2_999, report("one", "finished"))

    let heard = try script.run()

    #expect(heard.end("one") == "2999 heard")
    #expect(heard.why("one")["estimated"] == .absent)
  }

  @Test func `what a reader breaks off itself is not tried again`() throws {
    var script = withReader()
    script.at(0, "one", says(text(20)))
    script.at(300, report("one", "interrupted", ["heard_ms": 290]))

    let heard = try script.run()

    #expect(heard.spoken.count == 1)
    #expect(heard.end("one") == "300 interrupted")
    #expect(heard.why("one")["heard_ms"] == 290)
  }

  @Test func `reports come before what else happens at their instant`() throws {
    var script = Script()
    script.at(0, "one", says(text(20)))
    script.at(1_000, "two", says("Two"))

    let heard = try script.run()

    #expect(heard.spoken == ["0 \(text(20))", "1000 Two"])
    #expect(heard.end("one") == "1000 heard")
  }

  @Test func `timers come before what else happens at their instant`() throws {
    var script = Script()
    script.at(0, "zero", tells("status", "S0", ["key": "k"]))
    script.at(100, "one", tells("status", "S1", ["key": "k"]))
    script.at(250, "two", tells("status", "S2", ["key": "k"]))

    let heard = try script.run()

    #expect(heard.times("one") == ["250"])
    #expect(heard.result("one") != "coalesced")
  }

  // MARK: Two readers

  @Test func `the oldest reader owns speech and the others decide nothing`() throws {
    var script = Script(.whenJoined)
    script.joins(0, "Old", role: "reader")
    script.joins(10, "Young", role: "reader")
    script.startOver(at: 10_000)
    script.at(0, "one", says(text(20)))
    script.at(500, report("one", "finished"), by: "Young")
    script.at(900, report("one", "finished"), by: "Old")

    let heard = try script.run()

    #expect(heard.owner("one") == "Old")
    #expect(heard.end("one") == "900 heard")
  }

  @Test func `speech passes on when its owner leaves, and is said once more`() throws {
    var script = Script(.whenJoined)
    script.joins(0, "Old", role: "reader")
    script.joins(10, "Young", role: "reader")
    script.startOver(at: 10_000)
    script.at(0, "one", says(text(20)))
    script.leaves(400, "Old")
    script.at(1_400, report("one", "finished"), by: "Young")

    let heard = try script.run()

    #expect(heard.spoken == ["0 \(text(20))", "400 \(text(20)), again"])
    #expect(heard.owner("one") == "Young")
    #expect(heard.end("one") == "1400 heard")
  }

  @Test func `what was heard before the owner left is not said once more`() throws {
    var script = Script(.whenJoined)
    script.joins(0, "Old", role: "reader")
    script.joins(10, "Young", role: "reader")
    script.startOver(at: 10_000)
    script.at(0, "one", says(text(20)))
    script.at(400, report("one", "finished"), by: "Old")
    script.leaves(401, "Old")

    #expect(try script.run().spoken == ["0 \(text(20))"])
  }

  @Test func `a young reader that leaves changes nothing`() throws {
    var script = Script(.whenJoined)
    script.joins(0, "Old", role: "reader")
    script.joins(10, "Young", role: "reader")
    script.startOver(at: 10_000)
    script.at(0, "one", says(text(20)))
    script.leaves(400, "Young")
    script.at(900, report("one", "finished"), by: "Old")

    let heard = try script.run()

    #expect(heard.spoken == ["0 \(text(20))"])
    #expect(heard.end("one") == "900 heard")
  }

  @Test func `a reader that joins is told where the focus is, and then what waited`() throws {
    var script = Script(threeButtons, .whenJoined)
    script.at(0, "one", shouts("Fire"))
    script.joins(10_000, "Reader", role: "reader")
    script.at(12_700, report("one", "finished"))

    let heard = try script.run()

    #expect(heard.spoken.first == "10000 Apple, button, again")
    #expect(heard.spoken.last?.contains("Fire") == true)
    #expect(heard.spoken.count == 2)
  }

  // MARK: None

  @Test func `without a reader nothing ends for five seconds`() throws {
    var script = Script(.whenJoined)
    script.at(0, "low", murmurs("Low"))
    script.at(0, "default", says("Default"))

    let heard = try script.run()

    #expect(heard.end("low") == "5000 undeliverable")
    #expect(heard.end("default") == "5000 undeliverable")
  }

  @Test func `a reader that comes within five seconds is told`() throws {
    var script = Script(.whenJoined)
    script.at(0, "default", says("Default"))
    script.joins(4_999, "Reader", role: "reader")

    #expect(try script.run().spoken == ["4999 Default, late 4999"])
  }

  @Test func `the five seconds begin again when the last reader leaves`() throws {
    var script = withReader()
    script.leaves(0, "Reader")
    script.at(2_000, "one", says("One"))
    script.at(5_001, "two", says("Two"))

    let heard = try script.run()

    #expect(heard.end("one") == "5000 undeliverable")
    #expect(heard.end("two") == "5001 undeliverable")
  }

  @Test func `the ttl goes on without a reader`() throws {
    var script = Script(.whenJoined)
    script.at(0, "one", says("One", ["ttl_ms": 3_000]))

    #expect(try script.run().end("one") == "3000 expired")
  }

  @Test func `a high waits for a reader`() throws {
    var script = Script(.whenJoined)
    script.at(0, "one", shouts("Fire"))
    script.joins(60_000, "Reader", role: "reader")

    #expect(try script.run().spoken == ["60000 Fire, late 60000"])
  }

  @Test func `a lateness of up to a second is not told`() throws {
    func late(_ time: Double) throws -> [String] {
      var script = Script(.whenJoined)
      script.at(0, "one", shouts("Fire"))
      script.joins(time, "Reader", role: "reader")
      return try script.run().spoken
    }

    #expect(try late(1_000) == ["1000 Fire"])
    #expect(try late(1_001) == ["1001 Fire, late 1001"])
  }

  // MARK: Off and on

  @Test func `a reader that is off makes low and default undeliverable at once`() throws {
    var script = Script()
    script.at(0, "off", reader(running: false), by: "App")
    script.at(100, "waits", says("Waits"))
    script.at(1_000, "one", says("One"))
    script.at(1_000, "low", murmurs("Low"))

    let heard = try script.run()

    #expect(heard.end("waits") == "250 undeliverable")
    #expect(heard.end("one") == "1000 undeliverable")
    #expect(heard.end("low") == "1000 undeliverable")
    #expect(heard.spoken == [])
  }

  @Test func `a high waits for the reader to be on again`() throws {
    var script = Script()
    script.at(0, "off", reader(running: false), by: "App")
    script.at(1_000, "one", shouts("Fire"))
    script.at(5_000, "on", reader(running: true), by: "App")

    let heard = try script.run()

    #expect(heard.spoken == ["5250 Fire, late 4250"])
  }

  @Test func `a high that is cut by the gate is said once more when it opens`() throws {
    var script = Script()
    script.at(0, "one", shouts(text(40)))
    script.at(100, "off", reader(running: false), by: "App")
    script.at(1_000, "on", reader(running: true), by: "App")

    let heard = try script.run()

    #expect(heard.silenced == ["350 one"])
    #expect(heard.spoken == ["0 \(text(40))", "1250 \(text(40)), again, late 1250"])
    #expect(heard.end("one") == "3250 heard")
  }

  @Test func `what comes while a reader flaps is heard`() throws {
    var script = Script()
    script.at(0, "off", reader(running: false), by: "App")
    script.at(100, "one", says("One"))
    script.at(200, "on", reader(running: true), by: "App")

    let heard = try script.run()

    #expect(heard.result("one") == "heard")
  }

  @Test func `the status itself has nothing to speak and is always written`() throws {
    var script = Script()
    script.at(0, "off", reader(running: false), by: "App")
    script.at(1_000, "on", reader(running: true), by: "App")

    let heard = try script.run()

    #expect(heard.times("off") == ["250"])
    #expect(heard.times("on") == ["1250"])
    #expect(heard.delivery("on")["event"]["speak"].count == 0)
  }

  @Test func `a reader that is on again is told where the focus is`() throws {
    var script = Script(threeButtons)
    script.at(0, "off", reader(running: false), by: "App")
    script.at(5_000, "on", reader(running: true), by: "App")

    #expect(try script.run().spoken == ["5250 Apple, button, again"])
  }
}
