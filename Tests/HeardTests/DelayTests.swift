// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yTestKit
import Testing

/// An event that the daemon itself has delayed interrupts nothing of its own priority.
@Suite struct DelayTests {
  @Test func `values that come to rest together follow each other`() throws {
    var script = Script()
    for (time, values) in [(0.0, ["1", "2", "3"]), (145.0, ["4", "5", "6"])] {
      for (key, value) in zip(["x", "y", "z"], values) {
        let fields: [String: JSON] = ["key": .string(key), "queue": .bool(time == 0)]
        script.at(time, value, tells("status", value, fields))
      }
    }

    let heard = try script.run()

    #expect(heard.spoken.suffix(3) == ["295 4", "345 5", "395 6"])
    #expect(heard.entries("deliver").allSatisfy { !$0["event"]["interrupts"].isThere })
  }

  @Test func `a storm's summary waits for the answer to the user's action`() throws {
    var script = Script(threeButtons)
    for number in 0..<15 {
      let fields: [String: JSON] = ["element": .string("e\(number)")]
      script.at(Double(number) * 10, "\(number)", tells("status", "N\(number)", fields), by: "Mail")
    }
    script.at(150, "act", user("activate", ["element": "a"]))
    script.at(160, "answer", says(text(40), ["cause": "@act"]))

    let heard = try script.run()

    #expect(heard.result("answer") == "heard")
    #expect(heard.counts == [14])
  }

  @Test func `defaults that have waited for their rate follow each other`() throws {
    var script = Script()
    for number in 0..<8 { script.at(0, "\(number)", says("D\(number)", ["queue": true])) }
    script.at(500, "long", says(text(60)), by: "Mail")

    let heard = try script.run()

    #expect(heard.end("long") == "3500 heard")
    #expect(heard.times("5") == ["3500"])
  }

  @Test func `no default is cut in favour of one that has waited`() throws {
    var script = Script()
    script.at(0, "long", says(text(40)))
    script.at(100, "patient", says("Patient", ["queue": true]), by: "Mail")
    script.at(200, "next", says("Next"), by: "Chat")

    let heard = try script.run()

    #expect(heard.end("long") == "2000 heard")
    #expect(heard.spoken.suffix(2) == ["2000 Patient, late 1900", "2350 Next, late 2150"])
  }

  @Test func `a default that was delayed still cuts a low`() throws {
    var script = Script()
    for number in 0..<6 { script.at(0, "\(number)", says("D\(number)", ["queue": true])) }
    script.at(600, "low", murmurs(text(40)), by: "Mail")

    #expect(try script.run().times("5") == ["1000"])
  }

  @Test func `the value of the acted element follows the table though it was debounced`() throws {
    var script = Script([element("a", "Volume", ["traits": ["adjustable"]])])
    script.at(0, "act", user("increment", ["element": "a"]))
    script.at(10, "one", tells("value", "1%", ["window": "w", "element": "a", "cause": "@act"]))
    script.at(20, "two", tells("value", "2%", ["window": "w", "element": "a", "cause": "@act"]))
    script.at(130, "mail", says(text(40), ["foreground": true, "origin": "notification"]))

    #expect(try script.run().times("two") == ["170"])
  }

  @Test func `a summary that is cut before its number keeps its count`() throws {
    var script = Script(threeButtons)
    for number in 0..<10 {
      script.at(Double(number) * 10, "\(number)", tells("chat", "C\(number)", ["element": "room"]))
    }
    for number in 0..<5 {
      script.at(
        5_090.1 + Double(number) * 600,
        "cut\(number)",
        user("first")
      )
    }

    let heard = try script.run()

    let told = heard.entries("deliver").filter { delivery in
      delivery["event"]["summary"].isThere
        && !heard.entries("deliver").contains { $0["event"]["interrupts"].integer == delivery.seq }
    }
    #expect(told.map { $0["event"]["summary"]["count"].integer } == [6])
  }

  @Test func `a summary that waits takes in the next one`() throws {
    var script = Script(threeButtons)
    for number in 0..<7 { script.at(0, "\(number)", murmurs("L\(number)")) }
    script.at(1_900, "high", shouts(text(100)), by: "Else")
    for number in 7..<12 { script.at(3_000, "\(number)", murmurs("L\(number)")) }

    let heard = try script.run()

    #expect(heard.counts.reduce(0, +) == Int64(heard.count("summarised")))
    #expect(heard.count("heard") + heard.count("summarised") == 13)
  }
}
