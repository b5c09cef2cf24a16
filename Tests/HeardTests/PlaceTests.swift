// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yTestKit
import Testing

/// A newer value of a key takes the place of the older one, wherever that waits.
@Suite struct PlaceTests {
  private let k: [String: JSON] = ["key": "k", "mode": "latest"]

  @Test func `of forty values over the rate the newest is spoken each second`() throws {
    var script = Script()
    for number in 1...40 {
      script.at(Double(number) * 100, "\(number)", says("\(number) of 40 files", k))
    }

    let heard = try script.run()

    #expect(heard.result("40") == "heard")
    #expect(heard.count("expired") == 0)
    let numbers = heard.spoken.compactMap { Int($0.split(separator: " ")[1]) }
    #expect(numbers == numbers.sorted())
    #expect(numbers.last == 40)
    #expect(heard.delivery("40").mono <= 5_100_000)
    for delivery in heard.entries("deliver") {
      #expect(!delivery["event"]["late_ms"].isThere, "no value is old when it is spoken")
    }
  }

  @Test func `every key over the rate has its own last value`() throws {
    var script = Script()
    for number in 0..<24 {
      let key = ["x", "y", "z"][number % 3]
      let fields: [String: JSON] = ["key": .string(key), "mode": "latest"]
      script.at(Double(number) * 20, "\(number)", murmurs("\(key)\(number)", fields))
    }

    let heard = try script.run()

    #expect(heard.counts == [])
    #expect(heard.count("summarised") == 0)
    #expect((21..<24).allSatisfy { heard.result("\($0)") == "heard" })
  }

  @Test func `it stands in the queue where the older one stood`() throws {
    var script = Script()
    script.at(0, shouts(text(40)))
    script.at(10, "one", says("One", k))
    script.at(20, "other", says("Other"))
    script.at(30, "two", says("Two", k))

    let heard = try script.run()

    #expect(heard.fate("one") == "superseded by two")
    #expect(heard.times("two") == ["2000"])
    #expect(heard.times("other") == ["2150"])
  }

  @Test func `it does not inherit the time to start`() throws {
    var script = Script()
    script.at(0, shouts(text(60)))
    script.at(10, "one", says("One", k.merging(["ttl_ms": 500]) { $1 }))
    script.at(400, "two", says("Two", k))

    #expect(try script.run().result("two") == "heard")
  }

  @Test func `held behind an action the newest comes when the first would have`() throws {
    var script = Script(threeButtons)
    script.at(0, "act", user("activate", ["element": "a"]))
    for number in 0..<6 {
      let fields = k.merging(["cause": "@act"]) { $1 }
      script.at(10 + Double(number) * 100, "\(number)", says("V\(number)", fields))
    }

    let heard = try script.run()

    #expect(heard.spoken.first == "160 V1")
    #expect(heard.fate("0") == "coalesced by 1")
  }

  @Test func `one that is not held does not leave a held one behind that is older`() throws {
    var script = Script(threeButtons)
    script.at(0, "act", user("activate", ["element": "a"]))
    script.at(10, "one", says("One", k.merging(["cause": "@act"]) { $1 }))
    script.at(50, "two", says("Two", k.merging(["cause": "auto"]) { $1 }))

    let heard = try script.run()

    #expect(heard.result("one") == "coalesced")
    #expect(heard.spoken.map { $0.split(separator: " ")[1] } == ["Two"])
  }

  @Test func `a storm that is none has the last value of each key`() throws {
    var script = Script()
    for number in 0..<8 {
      let fields: [String: JSON] = [
        "element": .string("e\(number % 4)"), "key": .string("k\(number % 4)"), "mode": "latest",
      ]
      script.at(Double(number) * 20, "\(number)", says("V\(number)", fields))
    }

    let heard = try script.run()

    #expect(heard.result("2") == "coalesced")
    #expect((5..<8).allSatisfy { heard.result("\($0)") == "heard" })
  }

  @Test func `at the bound of the lows no key loses its last value`() throws {
    var script = Script()
    script.at(0, "high", shouts(text(100)), by: "Else")
    for number in 0..<12 {
      script.at(10, "p\(number)", tells("progress", "P\(number)", ["key": .string("k\(number)")]))
    }
    for number in 0..<12 { script.at(20, "\(number)", murmurs("L\(number)"), by: "A\(number)") }

    let heard = try script.run()

    #expect((0..<12).allSatisfy { heard.result("p\($0)") == "heard" })
  }
}
