// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// The rows of the classes in the defaults.
@Suite struct ClassTests {
  // MARK: Status

  @Test func `a burst of a status ends 150 ms after its last one`() throws {
    var script = Script()
    script.at(0, "one", tells("status", "S1", ["key": "k"]))
    script.at(100, "two", tells("status", "S2", ["key": "k"]))
    script.at(200, "three", tells("status", "S3", ["key": "k"]))

    let heard = try script.run()

    #expect(heard.spoken == ["0 S1", "350 S3"])
    #expect(heard.result("two") == "coalesced")
    #expect(heard.rule("two") == "class status")
  }

  @Test func `a status within 150 ms is debounced, at 150 ms it is not`() throws {
    func second(at time: Double) throws -> [String] {
      var script = Script()
      script.at(0, "one", tells("status", "S1", ["key": "k"]))
      script.at(time, "two", tells("status", "S2", ["key": "k"]))
      return try script.run().times("two")
    }

    #expect(try second(at: 149.9) == ["299.9"])
    #expect(try second(at: 150) == ["150"])
  }

  @Test func `a burst of a status waits a second at most`() throws {
    var script = Script()
    for number in 0..<12 {
      script.at(Double(number) * 100, "\(number)", tells("status", "S\(number)", ["key": "k"]))
    }

    let heard = try script.run()

    #expect(heard.times("0") == ["0"])
    #expect(heard.times("10") == ["1100"])
    #expect(heard.result("11") == "heard")
  }

  @Test func `a status over its rate is merged, and its last value is heard`() throws {
    var script = Script()
    for number in 0..<4 {
      script.at(Double(number) * 200, "\(number)", tells("status", "S\(number)", ["key": "k"]))
    }

    let heard = try script.run()

    #expect(heard.spoken == ["0 S0", "200 S1", "1000 S3"])
    #expect(heard.fate("2") == "coalesced by 3")
  }

  @Test func `statuses without a key are each for themselves`() throws {
    var script = Script()
    script.at(0, "one", tells("status", "S1", ["queue": true]))
    script.at(10, "two", tells("status", "S2", ["queue": true]))

    #expect(try script.run().spoken == ["0 S1", "100 S2"])
  }

  @Test func `different keys of a status are different statuses`() throws {
    var script = Script()
    script.at(0, "one", tells("status", "S1", ["key": "k", "queue": true]))
    script.at(10, "two", tells("status", "S2", ["key": "l", "queue": true]))

    #expect(try script.run().spoken == ["0 S1", "100 S2"])
  }

  @Test func `the same status within a second is a duplicate`() throws {
    func second(at time: Double) throws -> String {
      var script = Script()
      script.at(0, "one", tells("status", "S1", ["key": "k"]))
      script.at(time, "two", tells("status", "S1", ["key": "k"]))
      return try script.run().result("two")
    }

    #expect(try second(at: 999.9) == "duplicate")
    #expect(try second(at: 1_000) == "heard")
  }

  @Test func `a status lives ten seconds`() throws {
    var script = Script()
    script.at(0, "high", shouts(text(205)))
    script.at(100, "one", tells("status", "S1", ["key": "k"]))

    #expect(try script.run().end("one") == "10100 expired")
  }

  // MARK: Value

  @Test func `values of the focused element are told 150 ms after the last`() throws {
    var script = Script([element("a", "Volume", ["traits": ["adjustable"]]), button("b", "Bean")])
    script.at(0, "one", tells("value", "1%", ["window": "w", "element": "a"]))
    script.at(100, "two", tells("value", "2%", ["window": "w", "element": "a"]))
    script.at(200, "three", tells("value", "3%", ["window": "w", "element": "a"]))

    let heard = try script.run()

    #expect(heard.spoken == ["0 1%", "350 3%"])
    #expect(heard.fate("two") == "coalesced by three")
  }

  @Test func `values of another element are told after a second`() throws {
    var script = Script(threeButtons)
    script.at(0, "one", tells("value", "1%", ["window": "w", "element": "b"]))
    script.at(500, "two", tells("value", "2%", ["window": "w", "element": "b"]))
    script.at(1_300, "three", tells("value", "3%", ["window": "w", "element": "b"]))

    #expect(try script.run().spoken == ["0 1%", "1500 3%"])
  }

  @Test func `an equal value is a duplicate as long as nothing else came between`() throws {
    var script = Script()
    script.at(0, "one", tells("value", "1%", ["element": "b"]))
    script.at(5_000, "same", tells("value", "1%", ["element": "b"]))
    script.at(10_000, "two", tells("value", "2%", ["element": "b"]))
    script.at(15_000, "back", tells("value", "1%", ["element": "b"]))

    let heard = try script.run()

    #expect(heard.spoken == ["0 1%", "10000 2%", "15000 1%"])
    #expect(heard.fate("same") == "duplicate by one")
  }

  @Test func `a newer value cuts the older one`() throws {
    var script = Script()
    script.at(0, "one", tells("value", text(60), ["element": "b"]))
    script.at(1_000, "two", tells("value", "2%", ["element": "b"]))

    let heard = try script.run()

    #expect(heard.spoken == ["0 \(text(60))", "1000 2%, cutting one"])
    #expect(["superseded", "interrupted"].contains(heard.result("one")))
  }

  @Test func `values over their rate are merged, and the last one is heard`() throws {
    var script = Script([element("a", "Volume", ["traits": ["adjustable"]])])
    for number in 0..<5 {
      script.at(
        Double(number) * 200,
        "\(number)",
        tells("value", "V\(number)", ["window": "w", "element": "a"])
      )
    }

    let heard = try script.run()

    #expect(heard.spoken == ["0 V0", "200 V1", "1000 V4"])
    #expect(heard.result("2") == "coalesced")
  }

  @Test func `a value lives five seconds`() throws {
    var script = Script()
    script.at(0, "high", shouts(text(105)))
    script.at(100, "one", tells("value", "1%", ["element": "b"]))

    #expect(try script.run().end("one") == "5100 expired")
  }

  // MARK: Progress

  @Test func `progress is told every ten seconds, and then the latest`() throws {
    var script = Script()
    script.at(0, "one", tells("progress", "1%", ["key": "k"]))
    script.at(1_000, "two", tells("progress", "2%", ["key": "k"]))
    script.at(2_000, "three", tells("progress", "3%", ["key": "k"]))

    let heard = try script.run()

    #expect(heard.spoken == ["0 1%", "10000 3%, late 8000"])
    #expect(heard.fate("two") == "coalesced by three")
    #expect(heard.delivery("one")["event"]["priority"] == "low")
  }

  @Test func `progress of the focused element is told every five seconds`() throws {
    var script = Script(threeButtons)
    script.at(0, "one", tells("progress", "1%", ["window": "w", "element": "a"]))
    script.at(1_000, "two", tells("progress", "2%", ["window": "w", "element": "a"]))

    #expect(try script.run().spoken == ["0 1%", "5000 2%, late 4000"])
  }

  @Test func `a final progress is heard whatever the rate`() throws {
    var script = Script()
    script.at(0, "one", tells("progress", "1%", ["key": "k"]))
    script.at(1_000, "two", tells("progress", "2%", ["key": "k"]))
    script.at(3_000, "done", tells("progress", "Done", ["key": "k", "final": true]))

    let heard = try script.run()

    #expect(heard.spoken == ["0 1%", "3000 Done"])
    #expect(["coalesced by done", "superseded by done"].contains(heard.fate("two")))
  }

  @Test func `progress is not cut by its own later value`() throws {
    var script = Script()
    script.at(0, "one", tells("progress", text(40), ["key": "k"]))
    script.at(500, "done", tells("progress", "Done", ["key": "k", "final": true]))

    let heard = try script.run()

    #expect(heard.spoken == ["0 \(text(40))", "2000 Done, late 1500"])
    #expect(heard.end("one") == "2000 heard")
  }

  @Test func `equal progress is a duplicate`() throws {
    var script = Script()
    script.at(0, "one", tells("progress", "1%", ["key": "k"]))
    script.at(20_000, "two", tells("progress", "1%", ["key": "k"]))

    #expect(try script.run().fate("two") == "duplicate by one")
  }

  // MARK: Timer

  @Test func `a timer is told every ten seconds, and never a stale value`() throws {
    var script = Script()
    for second in 0..<25 {
      script.at(Double(second) * 1_000, "\(second)", tells("timer", "T\(second)", ["key": "k"]))
    }

    let heard = try script.run()

    #expect(heard.spoken == ["10000 T9", "20000 T19", "30000 T24, late 6000"])
    #expect(heard.fate("8") == "coalesced by 9")
  }

  @Test func `the first value of a timer is heard ten seconds after it came`() throws {
    var script = Script()
    script.at(0, "one", tells("timer", "One minute left", ["key": "k"]))
    script.at(60_000, "two", tells("timer", "Half a minute left", ["key": "k"]))

    let heard = try script.run()

    #expect(
      heard.spoken == [
        "10000 One minute left, late 10000", "70000 Half a minute left, late 10000",
      ]
    )
  }

  @Test func `a final timer is heard at once`() throws {
    var script = Script()
    script.at(0, "one", tells("timer", "T1", ["key": "k"]))
    script.at(1_000, "done", tells("timer", "Over", ["key": "k", "final": true]))

    #expect(try script.run().times("done") == ["1000"])
  }

  @Test func `an element that updates frequently is a timer`() throws {
    var script = Script([
      button("a", "Apple"), element("t", "Clock", ["traits": ["updates-frequently"]]),
    ])
    for second in 0..<5 {
      script.at(
        Double(second) * 1_000,
        "\(second)",
        says("T\(second)", ["window": "w", "element": "t"])
      )
    }

    let heard = try script.run()

    #expect(heard.spoken.count <= 1)
    #expect(heard.rule("1") == "class timer")
  }

  // MARK: Chat

  @Test func `four messages of a chat are read, then they are counted every five seconds`() throws {
    var script = Script()
    for number in 0..<10 {
      script.at(Double(number) * 10, "\(number)", tells("chat", "C\(number)", ["element": "room"]))
    }

    let heard = try script.run()

    #expect((0..<4).map { heard.result("\($0)") } == ["heard", "heard", "heard", "heard"])
    #expect(heard.counts == [6])
    #expect((4..<10).map { heard.result("\($0)") } == Array(repeating: "summarised", count: 6))
    let summary = try #require(
      heard.spoken.last?.split(separator: " ").first.flatMap { Double($0) }
    )
    #expect(4_000...5_100 ~= summary)
  }

  @Test func `the count of a long chat is exact`() throws {
    var script = Script()
    for number in 0..<120 {
      script.at(Double(number) * 100, "\(number)", tells("chat", "C\(number)", ["element": "room"]))
    }

    let heard = try script.run()

    #expect(heard.counts.reduce(0, +) == Int64(heard.count("summarised")))
    #expect(heard.count("heard") + heard.count("summarised") == 120)
  }

  // MARK: Reader and busy

  @Test func `a reader's status is told when it has held for 250 ms`() throws {
    var script = Script()
    script.at(0, "off", reader(running: false), by: "App")

    let heard = try script.run()

    #expect(heard.times("off") == ["250"])
    #expect(heard.end("off") == "250 heard")
  }

  @Test func `a reader that is back within 250 ms was never away`() throws {
    var script = Script(threeButtons)
    script.at(0, reader(running: true), by: "App")
    script.startOver(at: 60_000)
    script.at(0, "off", reader(running: false), by: "App")
    script.at(249.9, "on", reader(running: true), by: "App")

    let heard = try script.run()

    #expect(heard.delivered == [])
    #expect(heard.result("on") == "duplicate")
    #expect(heard.result("off") == "coalesced")
  }

  @Test func `a reader that flaps is told of after a second`() throws {
    var script = Script()
    for number in 0..<8 {
      script.at(Double(number) * 200, "\(number)", reader(running: number % 2 == 1), by: "App")
    }

    let heard = try script.run()

    #expect(heard.times("4") == ["1000"])
    #expect(heard.result("7") == "heard")
  }

  @Test func `a busy element is heard when it is done`() throws {
    var script = Script()
    script.at(0, event("busy", ["element": "list", "busy": true]))
    script.at(100, "one", tells("value", "1%", ["element": "list"]))
    script.at(200, "two", tells("value", "2%", ["element": "list"]))
    script.at(300, "other", says("Saved", ["element": "else"]))
    script.at(3_000, event("busy", ["element": "list", "busy": false]))

    let heard = try script.run()

    #expect(heard.spoken == ["300 Saved", "3000 2%, late 2800"])
    #expect(heard.fate("one") == "coalesced by two")
    #expect(heard.rule("one") == "busy")
  }

  @Test func `a busy element is heard after ten seconds at the latest`() throws {
    var script = Script()
    script.at(0, event("busy", ["element": "list", "busy": true]))
    script.at(100, "one", tells("value", "1%", ["element": "list", "ttl_ms": 20_000]))

    #expect(try script.run().times("one") == ["10000"])
  }

  // MARK: Storm

  private func storm(of count: Int) throws -> Heard {
    var script = Script()
    for number in 0..<count {
      script.at(
        Double(number),
        "\(number)",
        says("N\(number)", ["element": .string("e\(number)"), "queue": true])
      )
    }
    return try script.run()
  }

  @Test func `the first of a storm goes out as usual and nine more do too`() throws {
    let heard = try storm(of: 10)

    #expect(heard.times("0") == ["0"])
    #expect(heard.count("heard") == 10)
    #expect(heard.counts == [])
  }

  @Test func `ten more elements than the first are one summary with their count`() throws {
    let heard = try storm(of: 11)

    #expect(heard.times("0") == ["0"])
    #expect(heard.counts == [10])
    #expect(heard.count("summarised") == 10)
    #expect(heard.spoken.count == 2)
    #expect(heard.spoken.last?.hasPrefix("260 ") == true, "250 ms after the last")
    #expect(heard.rule("5") == "storm")
  }

  @Test func `a storm is counted after a second at the latest`() throws {
    var script = Script()
    for number in 0..<20 {
      script.at(
        Double(number) * 100,
        "\(number)",
        says("N\(number)", ["element": .string("e\(number)"), "queue": true])
      )
    }

    let heard = try script.run()

    #expect(heard.counts.first == 10, "from 100 up to 1,000")
    #expect(heard.spoken[1].hasPrefix("1100 "))
  }

  @Test func `events without an element and of the user are no storm`() throws {
    var script = Script()
    for number in 0..<5 {
      script.at(Double(number), "\(number)", says("N\(number)", ["queue": true]))
    }
    script.startOver(at: 60_000)
    for number in 0..<5 {
      script.at(
        Double(number),
        "u\(number)",
        says("U\(number)", ["element": .string("e\(number)"), "queue": true, "cause": "user"])
      )
    }

    let heard = try script.run()

    #expect((0..<5).map { heard.times("u\($0)") } == [["0"], ["100"], ["200"], ["300"], ["400"]])
  }
}
