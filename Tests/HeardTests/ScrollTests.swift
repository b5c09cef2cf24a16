// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// The rows page-scrolled of the defaults.
@Suite struct ScrollTests {
  @Test func `the page after a user's scroll is heard at once`() throws {
    var script = Script()
    script.at(0, "act", user("scroll", ["app": "App", "element": "list"]))
    script.at(20, "one", page("Page 2 of 9", ["cause": "@act"]))

    let heard = try script.run()

    #expect(heard.spoken == ["20 Page 2 of 9"])
    #expect(heard.end("one") == "570 heard")
  }

  @Test func `four pages come at once and then four a second`() throws {
    var script = Script()
    for number in 0..<8 {
      script.at(Double(number) * 10, "\(number)", page("P\(number)", ["cause": "user"]))
    }

    let heard = try script.run()

    #expect(
      heard.spoken.map { $0.split(separator: ",")[0] } == [
        "0 P0", "10 P1", "20 P2", "30 P3", "250 P7",
      ]
    )
    #expect((4..<7).map { heard.result("\($0)") } == ["coalesced", "coalesced", "coalesced"])
  }

  @Test func `a view that scrolls on and names no element is told when it rests`() throws {
    var script = Script()
    for number in 0..<12 {
      let fields: [String: JSON] = ["text": .string("Page \(number)"), "continuous": true]
      script.at(Double(number) * 100, "\(number)", event("page-scrolled", fields))
    }

    #expect(try script.run().spoken == ["1600 Page 11"])
  }

  @Test func `the same page of the same action is a duplicate`() throws {
    var script = Script()
    script.at(0, "act", user("scroll", ["app": "App", "element": "list"]))
    script.at(20, "one", page("Page 9 of 9", ["cause": "@act"]))
    script.at(2_000, "two", page("Page 9 of 9", ["cause": "@act"]))

    let heard = try script.run()

    #expect(heard.spoken == ["20 Page 9 of 9"])
    #expect(heard.fate("two") == "duplicate by one")
  }

  @Test func `the same page after a new action within 60 s is the end of the list`() throws {
    func second(at time: Double) throws -> [String] {
      var script = Script()
      script.at(0, "act", user("scroll", ["app": "App", "element": "list"]))
      script.at(0, "one", page("Page 9", ["cause": "@act"]))
      script.at(time, "again", user("scroll", ["app": "App", "element": "list"]))
      script.at(time, "two", page("Page 9", ["cause": "@again"]))
      return try script.run().spoken
    }

    #expect(try second(at: 59_999) == ["0 Page 9", "59999 Page 9, earcon boundary, at the end"])
    #expect(try second(at: 60_001) == ["0 Page 9", "60001 Page 9"])
  }

  @Test func `each list scrolls for itself`() throws {
    var script = Script()
    script.at(0, "one", page("Page 9", ["cause": "user"]))
    script.at(1_000, "two", page("Page 9", ["cause": "user", "element": "other"]))

    #expect(try script.run().spoken == ["0 Page 9", "1000 Page 9"])
  }

  @Test func `a page that could not be told within 3 s has expired`() throws {
    var inside = Script()
    inside.at(0, "high", shouts(text(61)))
    inside.at(100, "one", page("Page 2", ["cause": "user"]))
    var outside = Script()
    outside.at(0, "high", shouts(text(63)))
    outside.at(100, "one", page("Page 2", ["cause": "user"]))

    #expect(try inside.run().times("one") == ["3050"])
    let heard = try outside.run()
    #expect(heard.end("one") == "3100 expired")
    #expect(heard.why("one")["ttl_ms"] == 3_000)
  }

  @Test func `what scrolls on its own is told where it rests for 500 ms`() throws {
    var script = Script()
    script.at(0, "one", page("P1", ["continuous": true]))
    script.at(400, "two", page("P2", ["continuous": true]))
    script.at(899, "three", page("P3", ["continuous": true]))

    let heard = try script.run()

    #expect(heard.spoken == ["1399 P3"])
    #expect(heard.result("one") == "coalesced")
    #expect(heard.result("two") == "coalesced")
    #expect(heard.rule("one") == "page-scrolled, continuous")
  }

  @Test func `what scrolls on its own without a rest is told every 3 s`() throws {
    var script = Script()
    for number in 0..<16 {
      script.at(Double(number) * 400, "\(number)", page("P\(number)", ["continuous": true]))
    }

    let heard = try script.run()

    #expect(heard.spoken.first == "3000 P7")
    #expect(heard.result("15") == "heard", "the last place is told")
  }
}
