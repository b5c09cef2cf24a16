// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// The rows announcement high, default and low of the defaults.
@Suite struct AnnouncementTests {
  // MARK: High

  @Test func `three highs of an app come at once, a fourth waits for the rate`() throws {
    func fourth(at time: Double) throws -> [String] {
      var script = Script()
      for number in 0..<3 { script.at(0, "\(number)", shouts("H\(number)")) }
      script.at(time, "fourth", shouts("H4"))
      return try script.run().times("fourth")
    }

    #expect(try fourth(at: 500) == ["1000"])
    #expect(try fourth(at: 1_100) == ["1100"])
  }

  @Test func `each app has its own rate of highs`() throws {
    var script = Script()
    for number in 0..<3 { script.at(0, "\(number)", shouts("H\(number)")) }
    script.at(10, "other", shouts("Other"), by: "Mail")

    #expect(try script.run().times("other") == ["300"], "behind what is being spoken")
  }

  @Test func `the same high of an app within 250 ms is a duplicate`() throws {
    func second(at time: Double, by conn: String) throws -> String {
      var script = Script()
      script.at(0, "one", shouts("Hi"), by: "App")
      script.at(time, "two", shouts("Hi"), by: conn)
      return try script.run().fate("two")
    }

    #expect(try second(at: 249.9, by: "App") == "duplicate by one")
    #expect(try second(at: 250, by: "App") == "heard")
    #expect(try second(at: 100, by: "Mail") == "heard")
  }

  @Test func `two users' apps of one name are two apps`() throws {
    var script = Script()
    script.at(0, "one", shouts("Hi"))
    script.joins(0, "Stranger", role: "publish", uid: 1_001)
    script.at(100, "two", shouts("Hi"), by: "Stranger")

    #expect(try script.run().fate("two") == "heard")
  }

  @Test func `a high waits five minutes for a reader`() throws {
    func end(readerAt time: Double) throws -> Heard {
      var script = Script(.whenJoined)
      script.at(0, "one", shouts("Fire"))
      script.joins(time, "Reader", role: "reader")
      return try script.run()
    }

    #expect(try end(readerAt: 299_999).spoken == ["299999 Fire, late 299999"])
    let late = try end(readerAt: 300_001)
    #expect(late.spoken == [])
    #expect(late.end("one") == "300000 expired")
  }

  // MARK: Default

  @Test func `five defaults of an app come at once and then one a second`() throws {
    var script = Script()
    for number in 0..<7 { script.at(0, "\(number)", says("D\(number)", ["queue": true])) }

    let heard = try script.run()

    #expect(
      heard.spoken == [
        "0 D0", "100 D1", "200 D2", "300 D3", "400 D4", "1000 D5", "2000 D6, late 2000",
      ]
    )
  }

  @Test func `a default waits for its rate no longer than it lives`() throws {
    var script = Script()
    for number in 0..<16 {
      script.at(0, "\(number)", says("\(number + 10)" + text(98), ["queue": true]))
    }

    let heard = try script.run()

    #expect(heard.times("11") == ["55000"])
    #expect(heard.result("14") == "expired")
    #expect(heard.rule("14") == "announcement default")
  }

  @Test func `a message that lets others end has a minute, unless a rule or itself says less`()
    throws
  {
    var script = Script()
    script.at(0, "long", says(String(repeating: "x", count: 300)))
    script.at(1, "message", says("Message", ["queue": true]))
    script.at(2, "own", says("Own", ["queue": true, "ttl_ms": 9_000]))
    script.at(3, "chat", says("Chat", ["queue": true, "class": "chat", "ttl_ms": 10_000]))
    let heard = try script.run()

    #expect(heard.result("message") == "heard")
    #expect(heard.result("own") == "expired")
    #expect(heard.result("chat") == "expired")
  }

  @Test func `the same default within 1 s of its delivery is a duplicate`() throws {
    func second(_ time: Double, _ event: JSON, by conn: String = "App") throws -> String {
      var script = Script()
      script.at(0, "high", shouts(text(60)), by: "Else")
      script.at(10, "one", says("Saved"))
      script.at(time, "two", event, by: conn)
      let heard = try script.run()
      #expect(heard.times("one") == ["3000"])
      return heard.fate("two")
    }

    #expect(try second(3_999.9, says("Saved")) == "duplicate by one")
    #expect(try second(4_000, says("Saved")) == "heard")
    #expect(try second(3_500, says("Saved", ["cause": "user"])) == "heard")
    #expect(try second(3_500, says("Saved", ["element": "e"])) == "heard")
    #expect(try second(3_500, says("Saved"), by: "Mail") == "heard")
    #expect(try second(3_500, says("Sent")) == "heard")
  }

  @Test func `a default lives ten seconds`() throws {
    func first(after characters: Int) throws -> Heard {
      var script = Script()
      script.at(0, "high", shouts(text(characters)))
      script.at(100, "one", says("Saved"))
      return try script.run()
    }

    #expect(try first(after: 201).times("one") == ["10050"])
    let late = try first(after: 203)
    #expect(late.end("one") == "10100 expired")
    #expect(late.why("one")["ttl_ms"] == 10_000)
  }

  @Test func `an event says itself how long it lives`() throws {
    var script = Script()
    script.at(0, "high", shouts(text(40)))
    script.at(100, "short", says("Saved", ["ttl_ms": 500]))
    script.at(100, "long", says("Sent", ["ttl_ms": 2_500]))

    let heard = try script.run()

    #expect(heard.end("short") == "600 expired")
    #expect(heard.times("long") == ["2000"])
  }

  // MARK: Low

  @Test func `five lows of an app come at once, and what is over them is counted`() throws {
    var script = Script()
    for number in 0..<8 { script.at(0, "\(number)", murmurs("L\(number)")) }

    let heard = try script.run()

    #expect(Array(heard.spoken.prefix(5)) == ["0 L0", "100 L1", "200 L2", "300 L3", "400 L4"])
    #expect(heard.counts == [3])
    #expect(heard.count("summarised") == 3)
    #expect(heard.spoken.count == 6)
    #expect(heard.spoken.last?.hasPrefix("2000 ") == true)
  }

  @Test func `a low is heard again after two seconds`() throws {
    func sixth(at time: Double) throws -> [String] {
      var script = Script()
      for number in 0..<5 { script.at(0, "\(number)", murmurs("L\(number)")) }
      script.at(time, "sixth", murmurs("L5"))
      return try script.run().times("sixth")
    }

    #expect(try sixth(at: 2_000) == ["2000"])
    #expect(try sixth(at: 1_999) == ["2000"])
  }

  @Test func `the same low within 1 s of its delivery is a duplicate`() throws {
    func second(at time: Double) throws -> String {
      var script = Script()
      script.at(0, "one", murmurs("Hi"))
      script.at(time, "two", murmurs("Hi"))
      return try script.run().fate("two")
    }

    #expect(try second(at: 999.9) == "duplicate by one")
    #expect(try second(at: 1_000) == "heard")
  }

  @Test func `a low lives 45 seconds`() throws {
    func first(after characters: Int) throws -> Heard {
      var script = Script()
      script.at(0, "high", shouts(text(characters)))
      script.at(100, "one", murmurs("Hi"))
      return try script.run()
    }

    #expect(try first(after: 901).times("one") == ["45050"])
    #expect(try first(after: 903).end("one") == "45100 expired")
  }
}
