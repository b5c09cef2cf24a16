// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yTestKit
import Testing

/// How much may wait, and what becomes of the rest.
@Suite struct BoundTests {
  @Test func `lows of many apps are counted together, and the apps are named`() throws {
    var script = Script()
    script.at(0, "high", shouts(text(100)), by: "Else")
    for number in 0..<12 { script.at(10, "\(number)", murmurs("L\(number)"), by: "A\(number)") }

    let heard = try script.run()

    #expect(heard.counts == [4])
    #expect(heard.count("expired") == 0)
    #expect(heard.spoken.contains { $0.contains("4 more from A0, A1, A2 and A3") })
  }

  @Test func `of two hundred defaults of many apps each is heard or counted`() throws {
    var script = Script()
    script.at(0, "high", shouts(text(100)), by: "Else")
    for number in 0..<200 {
      let fields: [String: JSON] = ["queue": true, "ttl_ms": 3_600_000]
      script.at(10, "\(number)", says("D\(number)", fields), by: "A\(number % 70)")
    }

    let heard = try script.run()

    #expect(heard.count("heard") + heard.count("summarised") == 201)
    #expect(heard.counts.reduce(0, +) == Int64(heard.count("summarised")))
  }

  @Test func `of alarms of many apps each is heard or counted`() throws {
    var script = Script()
    script.at(0, "first", shouts(text(100)), by: "Else")
    for number in 0..<9 { script.at(10, "l\(number)", murmurs("L\(number)"), by: "L\(number)") }
    for number in 0..<70 { script.at(20, "h\(number)", shouts("H\(number)"), by: "H\(number)") }

    let heard = try script.run()

    #expect(heard.counts.reduce(0, +) == Int64(heard.count("summarised")))
    #expect(heard.count("heard") + heard.count("summarised") == 80)
    #expect((60..<70).allSatisfy { heard.result("h\($0)") == "heard" })
  }

  /// A user with so many apps that shout, from 10 ms on every half second.
  private func crowd(_ count: Int, _ script: inout Script) {
    for number in 0..<count { script.joins(0, "F\(number)", uid: 65_534) }
    for round in 0..<4 {
      for number in 0..<count {
        script.at(Double(10 + round * 500), shouts("SPAM \(round)"), by: "F\(number)")
      }
    }
  }

  @Test(arguments: [10, 60, 200])
  func `a user with many apps takes neither another's turn nor his place in line`(count: Int) throws
  {
    var script = Script()
    script.joins(0, "Alarm", uid: 1_001)
    crowd(count, &script)
    script.at(1_900, "alarm", shouts("FIRE ALARM"), by: "Alarm")
    script.at(1_900, "word", says("Saved", ["ttl_ms": 3_600_000]), by: "Alarm")

    let heard = try script.run()

    // Behind what is being spoken, and one more at most.
    let spoken = try #require(heard.times("alarm").first.flatMap(Double.init))
    #expect(spoken < 8_000)
    #expect(heard.result("alarm") == "heard")
    #expect(heard.result("word") == "heard")
  }

  @Test func `the app with most waiting is counted first`() throws {
    var script = Script()
    script.at(0, "high", shouts(text(100)), by: "Else")
    let long: [String: JSON] = ["queue": true, "ttl_ms": 3_600_000]
    for number in 0..<5 { script.at(1, "m\(number)", says("M\(number)", long), by: "Mail") }
    for number in 0..<70 { script.at(10, "\(number)", says("D\(number)", long)) }

    let heard = try script.run()

    #expect((0..<5).allSatisfy { heard.result("m\($0)") == "heard" })
    #expect(heard.spoken.contains { $0.contains("more from App") })
  }

  @Test func `the value of an element that nobody has touched is low`() throws {
    var script = Script(threeButtons)
    script.at(0, "said", says(text(20)))
    script.at(100, "value", tells("value", "5%", ["window": "w", "element": "b"]))
    script.at(
      2_000,
      "own",
      tells("value", "6%", ["window": "w", "element": "b", "priority": "default"])
    )

    let heard = try script.run()

    #expect(heard.times("value") == ["1000"])
    #expect(heard.delivery("value")["event"]["priority"] == "low")
    #expect(heard.delivery("own")["event"]["priority"] == "default")
    #expect(heard.end("said") == "1000 heard")
  }
}
