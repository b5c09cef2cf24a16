// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// The table of who interrupts whom, row by row.
@Suite struct InterruptionTests {
  /// Three buttons, and one whose name takes three seconds.
  private static let scene = threeButtons + [button("l", text(52, "l"))]

  /// The speech when `late` comes a second after `early` has begun.
  private func heard(_ early: JSON, _ late: JSON, by conn: String? = nil) throws -> Heard {
    var script = Script(Self.scene)
    script.at(0, "early", early)
    script.at(1_000, "late", late, by: conn)
    return try script.run()
  }

  private let long = text(40)
  private let other = "Other"

  // MARK: Low is being spoken

  @Test func `a low waits for a low`() throws {
    let heard = try heard(murmurs(long), murmurs("Next"))

    #expect(heard.spoken == ["0 \(long)", "2000 Next"])
  }

  @Test func `a default cuts a low, and the low is said once more`() throws {
    let heard = try heard(murmurs(long), says("Next"))

    #expect(
      heard.spoken == ["0 \(long)", "1000 Next, cutting early", "1200 \(long), again, late 1200"]
    )
    #expect(heard.end("early") == "3200 heard")
  }

  @Test(
    arguments: [
      (shouts("No network", ["key": "k"]), says(text(40), ["key": "k"])),
      (says("No network", ["key": "k"]), murmurs(text(40), ["key": "k"])),
      (
        shouts("No network", ["key": "k", "mode": "latest"]),
        says(text(40), ["key": "k", "mode": "latest"])
      ),
    ]
  )
  func `what a newer one with its key has cut is not said once more`(
    newer: JSON,
    older: JSON
  ) throws {
    let heard = try heard(older, newer)

    #expect(heard.spoken == ["0 \(long)", "1000 No network, cutting early"])
    #expect(heard.fate("early") == "superseded by late")
  }

  @Test func `a low that was cut by a default is said once more only while it lives`() throws {
    let heard = try heard(murmurs(long, ["ttl_ms": 1_100]), says("Next"))

    #expect(heard.spoken == ["0 \(long)", "1000 Next, cutting early"])
    #expect(heard.result("early") == "interrupted" || heard.result("early") == "expired")
  }

  @Test func `a high cuts a low, and the low is said once more`() throws {
    let heard = try heard(murmurs(long), shouts("Next"))

    #expect(
      heard.spoken == ["0 \(long)", "1000 Next, cutting early", "1200 \(long), again, late 1200"]
    )
  }

  @Test func `the user's focus cuts a low`() throws {
    let heard = try heard(murmurs(long), user("next"))

    #expect(Array(heard.spoken.prefix(2)) == ["0 \(long)", "1000 Bean, button, cutting early"])
  }

  @Test func `an app's focus and screen cut a low`() throws {
    let focus = try heard(murmurs(text(20)), focused("b"))
    #expect(focus.spoken[0] == "0 \(text(20))")
    let longer = try heard(murmurs(long), focused("b"))
    #expect(longer.spoken[1] == "1000 Bean, button, cutting early")
    let screen = try heard(murmurs(long), screen(["text": "New"]))
    #expect(screen.spoken[1] == "1000 New, earcon screen, cutting early")
  }

  @Test func `a page cuts a low`() throws {
    let heard = try heard(murmurs(long), page("Page 2"))

    #expect(Array(heard.spoken.prefix(2)) == ["0 \(long)", "1000 Page 2, cutting early"])
  }

  // MARK: Default is being spoken

  @Test func `a low waits for a default`() throws {
    #expect(try heard(says(long), murmurs("Next")).spoken == ["0 \(long)", "2000 Next"])
  }

  @Test func `a default cuts a default for good`() throws {
    let heard = try heard(says(long), says("Next"))

    #expect(heard.spoken == ["0 \(long)", "1000 Next, cutting early"])
    #expect(heard.end("early") == "1000 interrupted by late")
    #expect(heard.why("early")["heard_ms"] == 1_000)
  }

  @Test func `a default with queue waits for a default`() throws {
    let heard = try heard(says(long), says("Next", ["queue": true]))

    #expect(heard.spoken == ["0 \(long)", "2000 Next"])
    #expect(heard.end("early") == "2000 heard")
  }

  @Test func `a high cuts a default, which is said once more`() throws {
    let heard = try heard(says(long), shouts("Next"))

    #expect(
      heard.spoken == ["0 \(long)", "1000 Next, cutting early", "1200 \(long), again, late 1200"]
    )
    #expect(heard.end("early") == "3200 heard")
  }

  @Test func `the user's focus cuts a default, which is said once more`() throws {
    let heard = try heard(says(long), user("next"))

    #expect(
      heard.spoken == [
        "0 \(long)", "1000 Bean, button, cutting early", "1600 \(long), again, late 1600",
      ]
    )
    #expect(heard.end("early") == "3600 heard")
  }

  @Test func `a short announcement of the same app finishes before the app's focus`() throws {
    let short = try heard(says(text(30)), focused("b"))
    #expect(short.spoken == ["0 \(text(30))", "1500 Bean, button"])

    let longer = try heard(says(text(31)), focused("b"))
    #expect(
      Array(longer.spoken.prefix(2)) == ["0 \(text(31))", "1000 Bean, button, cutting early"]
    )
    #expect(longer.spoken.last?.contains("again") == true)
  }

  @Test func `a short announcement finishes before the app's screen`() throws {
    let short = try heard(says(text(30)), screen(["text": "New"]))
    #expect(short.spoken == ["0 \(text(30))", "1500 New, earcon screen"])

    let longer = try heard(says(text(31)), screen(["text": "New"]))
    #expect(longer.spoken[1] == "1000 New, earcon screen, cutting early")
  }

  @Test func `a short announcement of another app does not hold up a focus`() throws {
    var script = Script(Self.scene)
    script.at(0, "early", says(text(30)), by: "Mail")
    script.at(1_000, focused("b"))

    #expect(try script.run().spoken[1] == "1000 Bean, button, cutting early")
  }

  @Test func `a short announcement does not hold up the user`() throws {
    #expect(try heard(says(text(30)), user("next")).spoken[1] == "1000 Bean, button, cutting early")
  }

  @Test func `a page waits for a default`() throws {
    #expect(try heard(says(long), page("Page 2")).spoken == ["0 \(long)", "2000 Page 2"])
  }

  // MARK: High is being spoken

  @Test func `all wait for a high`() throws {
    for late in [
      murmurs("Next"), says("Next"), shouts("Next"), page("Next"), screen(["text": "Next"]),
    ] {
      let heard = try heard(shouts(long), late)
      #expect(heard.spoken.count == 2)
      #expect(heard.times("late") == ["2000"], "\(late)")
      #expect(heard.end("early") == "2000 heard")
    }
    for late in [user("next"), focused("b")] {
      #expect(try heard(shouts(long), late).spoken == ["0 \(long)", "2000 Bean, button"])
    }
  }

  // MARK: Focus, screen, value or page is being spoken

  /// Texts that take two seconds or more, and their ends when something newer of their kind comes.
  private static let places = [
    user("last"), focused("l"), screen(["text": .string(text(60))]),
    tells("value", text(60), ["window": "w", "element": "a"]), page(text(60)),
  ]

  @Test func `low and default wait for focus, screen, value and page`() throws {
    for early in Self.places {
      for late in [murmurs("Next", ["cause": "auto"]), says("Next", ["cause": "auto"])] {
        let heard = try heard(early, late)
        #expect(heard.spoken.count == 2, "\(heard)")
        #expect(heard.times("late") == ["3000"], "\(early) \(late)")
      }
    }
  }

  @Test func `a high cuts focus, screen, value and page`() throws {
    for early in Self.places {
      let heard = try heard(early, shouts("Next"))
      #expect(heard.times("late") == ["1000"], "\(early)")
      #expect(heard.delivery("late")["event"]["interrupts"].isThere, "\(early)")
    }
  }

  @Test func `focus of the user or an app supersedes focus, screen, value and page`() throws {
    for early in Self.places {
      for late in [user("focus", ["element": "b"]), focused("b", ["cause": "user"])] {
        let heard = try heard(early, late)
        #expect(heard.spoken.count == 2, "\(heard)")
        #expect(heard.spoken.last?.hasPrefix("1000 ") == true, "\(early)")
        let end =
          early["type"] == "screen-changed" || early["type"] == "page-scrolled"
            || early["type"] == "announcement" ? heard.result("early") : heard.focusEnds[0]
        #expect(end.contains("superseded"), "\(early) \(end)")
      }
    }
  }

  @Test func `a screen supersedes focus, screen, value and page`() throws {
    for early in Self.places {
      let heard = try heard(early, screen(["text": "Next"]))
      #expect(heard.times("late") == ["1000"], "\(early)")
      #expect(heard.delivery("late")["event"]["interrupts"].isThere, "\(early)")
    }
  }

  @Test func `a page cuts a page and waits for focus, screen and value`() throws {
    let late = page("Next", ["element": "other", "cause": "auto"])
    for early in Self.places.dropLast() {
      #expect(try heard(early, late).times("late") == ["3000"], "\(early)")
    }
    let heard = try heard(page(text(60)), late)
    #expect(heard.times("late") == ["1000"])
    #expect(
      heard.fate("early") == "superseded by late" || heard.fate("early") == "interrupted by late"
    )
  }

  // MARK: The user reads on her own

  /// The deliveries from a second after the user has begun to read until she is done after three.
  private func reading(_ late: JSON) throws -> [String] {
    var script = Script(Self.scene, .whenJoined)
    script.joins(0, "Reader", role: "reader")
    script.startOver(at: 10_000)
    script.at(0, ownReading("started"))
    script.at(1_000, "late", late)
    script.at(3_000, ownReading("finished"))
    return try script.run().spoken
  }

  @Test func `low, default, page and an app's focus wait for the user's own reading`() throws {
    #expect(try reading(murmurs("Next")) == ["3000 Next, late 2000"])
    #expect(try reading(says("Next")) == ["3000 Next, late 2000"])
    #expect(try reading(page("Next")) == ["3000 Next, late 2000"])
    #expect(try reading(focused("b")).first?.hasPrefix("3000 Bean, button") == true)
    #expect(try reading(screen(["text": "Next"])).first?.hasPrefix("3000 Next") == true)
  }

  @Test func `a high and the user's focus cut her own reading`() throws {
    #expect(try reading(shouts("Next")) == ["1000 Next, cutting the user"])
    #expect(try reading(user("next")) == ["1000 Bean, button, cutting the user"])
  }

  // MARK: current-then-latest

  @Test func `what lets the current one finish cuts nothing`() throws {
    var script = Script(threeButtons)
    script.at(0, "one", says(text(40)))
    script.at(500, "two", says("Two", ["mode": "current-then-latest", "key": "k"]))

    #expect(try script.run().spoken == ["0 \(text(40))", "2000 Two, late 1500"])
  }

  @Test func `what is to finish is not cut by its own key, but by others`() throws {
    func spoken(_ key: String) throws -> [String] {
      var script = Script(threeButtons)
      script.at(0, "one", says(text(40), ["mode": "current-then-latest", "key": "k"]))
      script.at(500, "two", says("Two", ["mode": "latest-interrupt", "key": .string(key)]))
      return try script.run().spoken
    }

    #expect(try spoken("k") == ["0 \(text(40))", "2000 Two, late 1500"])
    #expect(try spoken("other") == ["0 \(text(40))", "500 Two, cutting one"])
  }

  // MARK: A newer value

  @Test func `a value that cuts its element's speech is next, before what is offered once more`()
    throws
  {
    var script = Script([
      button("b", "Bean"), element("s", "Volume of the machine", ["value": "0"]),
    ])
    script.at(0, "note", says(text(60)), by: "n")
    script.at(500, "focus", focused("s", ["cause": "user"]))
    script.at(1_000, "value", changes(["id": "s", "value": "42"]))

    let spoken = try script.run().spoken

    #expect(spoken.count == 4)
    #expect(spoken[2].hasPrefix("1000 42"))
    #expect(spoken[3].contains(text(60)))
  }
}
