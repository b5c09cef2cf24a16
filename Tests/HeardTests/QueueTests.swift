// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// The order of the queue, and the user's commands to it.
@Suite struct QueueTests {
  @Test func `what is pending goes by its kind and then by its age`() throws {
    var script = Script(threeButtons)
    script.at(0, "first", shouts(text(20)))
    script.at(100, "low", murmurs("Low"))
    script.at(110, "page", page("Page"))
    script.at(120, "default", says("Default"))
    script.at(130, "default2", says("Default2"))
    script.at(140, "screen", screen(["text": "Screen"]))
    script.at(150, user("next"))
    script.at(160, "high", shouts("High"))

    let heard = try script.run()

    let words = heard.spoken.map { $0.split(separator: " ")[1].split(separator: ",")[0] }
    #expect(
      words.dropFirst() == ["High", "Screen", "Bean", "Default", "Default2", "Page", "Low"]
    )
  }

  // MARK: Once more

  /// A default that the user's move cuts at 1,000, where the new place takes so many characters.
  private func cut(_ characters: Int) throws -> Heard {
    var script = Script([button("a", "Apple"), button("b", text(characters - 8, "b"))])
    script.at(0, "one", says(text(40)))
    script.at(1_000, "act", user("next"))
    return try script.run()
  }

  @Test func `what was cut is said once more as soon as what has cut it is over`() throws {
    let soon = try cut(59)
    #expect(soon.spoken.last == "3950 \(text(40)), again, late 3950")
    #expect(soon.end("one") == "5950 heard")
    let late = try cut(161)
    #expect(late.spoken.last == "9050 \(text(40)), again, late 9050")
    #expect(late.end("one") == "11050 heard")
  }

  @Test func `what is cut twice ends interrupted`() throws {
    var script = Script(threeButtons)
    script.at(0, "one", says(text(40)))
    script.at(1_000, user("next"))
    script.at(2_000, user("next"))

    let heard = try script.run()

    #expect(
      heard.spoken == [
        "0 \(text(40))", "1000 Bean, button, cutting one", "1600 \(text(40)), again, late 1600",
        "2000 Cherry, button, cutting one",
      ]
    )
    #expect(heard.result("one") == "interrupted")
  }

  @Test func `what is cut by a newer one with its key is not said again`() throws {
    var script = Script()
    script.at(0, "one", says(text(40), ["key": "k", "mode": "latest-interrupt"]))
    script.at(1_000, "two", says("Two", ["key": "k", "mode": "latest-interrupt"]))

    let heard = try script.run()

    #expect(heard.spoken == ["0 \(text(40))", "1000 Two, cutting one"])
    #expect(["interrupted", "superseded"].contains(heard.result("one")))
  }

  // MARK: What the user says

  @Test func `stop silences at once, and nothing is tried again`() throws {
    for event in [says(text(40)), murmurs(text(40)), shouts(text(40))] {
      var script = Script()
      script.at(0, "one", event)
      script.at(1_000, "stop", user("stop"))

      let heard = try script.run()

      #expect(heard.silenced == ["1000 one"])
      #expect(heard.spoken == ["0 \(text(40))"])
      #expect(heard.end("one") == "1000 interrupted by stop")
    }
  }

  @Test func `after stop the next event is heard`() throws {
    var script = Script()
    script.at(0, "one", says(text(40)))
    script.at(1_000, user("stop"))
    script.at(2_100, "two", says("Two"))

    #expect(try script.run().spoken == ["0 \(text(40))", "2100 Two"])
  }

  @Test func `stop drops what waits, but for high that has not begun`() throws {
    var script = Script()
    script.at(0, "one", shouts(text(40)))
    script.at(100, "two", says("Two"))
    script.at(200, "three", murmurs("Three"))
    script.at(300, "four", shouts("Four"))
    script.at(1_000, "stop", user("stop"))

    let heard = try script.run()

    #expect(heard.spoken == ["0 \(text(40))", "1000 Four"])
    for label in ["one", "two", "three"] { #expect(heard.fate(label) == "interrupted by stop") }
  }

  @Test func `repeat says the last announcement again, from its start`() throws {
    var script = Script(threeButtons)
    script.at(0, "one", says("One"))
    script.at(1_500, user("next"))
    script.at(4_000, user("repeat"))

    let heard = try script.run()

    #expect(heard.spoken.count == 3)
    #expect(heard.spoken.last?.hasPrefix("4000 One") == true)
    #expect(heard.delivery("one")["event"]["again"] == true)
    #expect(heard.end("one") == "150 heard")
  }

  @Test func `repeat says a screen and a page again`() throws {
    for event in [screen(["text": "One"]), page("One")] {
      var script = Script(threeButtons)
      script.at(0, "one", event)
      script.at(4_000, user("repeat"))

      #expect(try script.run().spoken.last?.hasPrefix("4000 One") == true)
    }
  }

  @Test func `repeat says what was stopped again`() throws {
    var script = Script()
    script.at(0, "one", says(text(40)))
    script.at(1_000, "stop", user("stop"))
    script.at(2_000, user("repeat"))

    let heard = try script.run()

    #expect(heard.spoken.count == 2)
    #expect(heard.spoken.last?.hasPrefix("2000 \(text(40))") == true)
    #expect(heard.end("one") == "1000 interrupted by stop")
  }

  @Test func `repeat says the focus where nothing else was said`() throws {
    var script = Script(threeButtons)
    script.at(0, user("next"))
    script.at(2_000, user("repeat"))

    #expect(try script.run().spoken == ["0 Bean, button", "2000 Bean, button, again, late 2000"])
  }

  @Test func `pause holds what is spoken, and resume goes on with it`() throws {
    var script = Script()
    script.at(0, "one", says(text(40)))
    script.at(500, user("pause"))
    script.at(700, "two", says("Two", ["queue": true, "cause": "auto"]))
    script.at(1_500, user("resume"))

    let heard = try script.run()

    #expect(heard.silenced == ["500 one, on hold"])
    #expect(heard.spoken.count == 3)
    #expect(heard.times("one") == ["0", "1500"])
    #expect(heard.delivery("one")["event"]["again"] == true)
    #expect(heard.times("two") == ["3500"])
    #expect(heard.end("one") == "3500 heard")
  }

  @Test func `the ttl of a low or default goes on while the user has paused`() throws {
    var script = Script()
    script.at(0, user("pause"))
    script.at(2_000, "low", murmurs("Low", ["ttl_ms": 1_000]))
    script.at(2_000, "default", says("Default", ["ttl_ms": 1_000]))
    script.at(2_000, "high", shouts("High", ["ttl_ms": 1_000]))
    script.at(4_000, user("resume"))

    let heard = try script.run()

    #expect(heard.end("low") == "3000 expired")
    #expect(heard.end("default") == "3000 expired")
    #expect(heard.spoken == ["2000 High"])
  }

  @Test func `an app's pause keeps readers quiet until it resumes`() throws {
    var script = Script()
    script.at(0, event("pause", [:]))
    script.at(0, event("pause", [:]))
    script.at(100, "one", says("One"))
    script.at(1_000, event("resume", [:]))
    script.at(1_500, event("resume", [:]))

    #expect(try script.run().spoken == ["1500 One, late 1400"])
  }

  @Test func `an app's pause that is forgotten ends after 30 s`() throws {
    var script = Script()
    script.at(0, event("pause", [:]))
    script.at(100, "one", murmurs("One"))

    #expect(try script.run().spoken == ["30000 One, late 29900"])
  }

  @Test func `an app's pause ends when the app goes`() throws {
    var script = Script()
    script.at(0, event("pause", [:]), by: "Player")
    script.at(100, "one", says("One"))
    script.leaves(700, "Player")

    #expect(try script.run().spoken == ["700 One"])
  }

  // MARK: Its bound

  @Test func `nine lows of an app may wait, and more are counted`() throws {
    var script = Script()
    script.at(0, "high", shouts(text(100)), by: "Else")
    // Not faster than their rate.
    for number in 0..<12 {
      script.at(Double(number) * 10, "\(number)", murmurs("L\(number)"), by: "A\(number % 3)")
    }

    let heard = try script.run()

    #expect(heard.counts.reduce(0, +) == Int64(heard.count("summarised")))
    #expect(heard.count("heard") + heard.count("summarised") == 13)
    #expect(heard.count("summarised") >= 2)
    #expect(heard.spoken.contains { $0.contains("more from A0") })
  }

  // MARK: Texts

  @Test func `a text over 4,000 characters is cut off and says so`() throws {
    var script = Script()
    script.at(0, "fits", shouts(text(4_000)))
    script.at(1, "over", shouts(text(4_001)))

    let heard = try script.run()

    #expect(heard.delivery("fits")["event"]["truncated"] == .absent)
    let over = heard.delivery("over")["event"]
    #expect(over["truncated"] == true)
    #expect(
      over["speak"].list?.map { $0["text"].string?.unicodeScalars.count ?? 0 }.reduce(0, +) == 4_000
    )
  }

  @Test func `redacted texts are never duplicates of each other`() throws {
    var script = Script()
    script.at(0, "one", says("Secret", ["sensitive": true, "queue": true]))
    script.at(500, "two", says("Secret", ["sensitive": true, "queue": true]))

    let heard = try script.run()

    #expect(heard.result("one") == "heard")
    #expect(heard.result("two") == "heard")
    #expect(!heard.description.contains("Secret"))
    #expect(heard.delivery("two")["event"]["speak"][0]["redacted"] == "1-8")
  }

  @Test func `a redacted text is as long as the longest of its class`() throws {
    // Of 9 to 32 characters, so it is no short announcement.
    var script = Script(threeButtons)
    script.at(0, "one", says(text(12), ["sensitive": true]))
    script.at(200, focused("b"))

    #expect(try script.run().spoken[1] == "200 Bean, button, cutting one")
  }

  @Test func `runs reach the reader as they were given`() throws {
    var script = Script()
    let runs: JSON = [["text": "Box "], ["text": "98110", "spell": true, "lang": "en"]]
    script.at(0, "one", event("announcement", ["text": runs]))

    let heard = try script.run()

    #expect(heard.delivery("one")["event"]["speak"] == runs)
    #expect(heard.end("one") == "450 heard", "nine characters")
  }

  @Test func `the length of a text is that of all its runs`() throws {
    func first(_ length: Int) throws -> String {
      var script = Script(threeButtons)
      let runs: JSON = [["text": .string(text(15))], ["text": .string(text(length - 15))]]
      script.at(0, "one", event("announcement", ["text": runs]))
      script.at(500, focused("b"))
      return try script.run().end("one")
    }

    #expect(try first(30) == "1500 heard")
    #expect(try first(31) != "1550 heard")
  }

  @Test func `what waits is no duplicate's excuse when it is never heard`() throws {
    var script = Script()
    script.at(0, shouts(text(40)))
    script.at(100, "one", says("Saved", ["ttl_ms": 500]))
    script.at(200, "two", says("Saved"))

    let heard = try script.run()

    #expect(heard.spoken.contains { $0.contains("Saved") })
  }

  // MARK: Cancel

  @Test func `an app withdraws what is spoken, held or waiting`() throws {
    var script = Script()
    script.at(0, "one", says(text(40)))
    script.at(100, "two", says("Two", ["queue": true]))
    script.at(200, "off2", event("cancel", ["of": "@two"]))
    script.at(1_000, "off", event("cancel", ["of": "@one"]))

    let heard = try script.run()

    #expect(heard.end("two") == "200 cancelled by off2")
    #expect(heard.end("one") == "1000 cancelled by off")
    #expect(heard.silenced == ["1000 one"])
    #expect(heard.spoken == ["0 \(text(40))"])
  }

  @Test func `what is stopped or withdrawn while its cut is told has one end`() throws {
    for wish in [user("stop"), event("cancel", ["of": "@one"])] {
      var script = Script(threeButtons, .whenJoined)
      script.joins(0, "Reader", role: "reader")
      script.startOver(at: 10_000)
      script.at(0, "one", says(text(40)))
      script.at(1_000, user("next"))
      script.at(1_100, wish)
      script.at(1_200, report("one", "finished"))

      let heard = try script.run()

      #expect(heard.times("one") == ["0"])
      #expect(heard.outcome("one").mono == 71_100_000 || heard.result("one") == "heard")
    }
  }

  @Test func `what was heard cannot be withdrawn`() throws {
    var script = Script()
    script.at(0, "one", says("One"))
    script.at(1_000, event("cancel", ["of": "@one"]))

    #expect(try script.run().end("one") == "150 heard")
  }

  // MARK: A publisher that goes

  @Test func `what a publisher has pending stays when it goes`() throws {
    var script = Script()
    script.at(0, "s0", tells("status", "S0", ["key": "k"]))
    script.at(50, "s1", tells("status", "S1", ["key": "k"]))
    script.leaves(60, "App")

    #expect(try script.run().spoken == ["0 S0", "200 S1"])
  }
}
