// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// The rows layout-changed and screen-changed of the defaults.
@Suite struct LayoutAndScreenTests {
  @Test func `a changed layout is on its way at once, and says nothing`() throws {
    var script = Script()
    script.at(0, "one", layout())

    let heard = try script.run()

    #expect(heard.times("one") == ["0"])
    #expect(heard.spoken == [])
    #expect(heard.end("one") == "0 heard")
    #expect(heard.why("one")["silent"] == true)
  }

  @Test func `a burst of layouts ends 100 ms after its last one`() throws {
    var script = Script()
    script.at(0, "one", layout())
    script.at(50, "two", layout())
    script.at(100, "three", layout())
    script.at(180, "four", layout())

    let heard = try script.run()

    #expect(heard.times("one") == ["0"])
    #expect(heard.times("four") == ["280"])
    #expect(heard.result("two") == "coalesced")
    #expect(heard.result("three") == "coalesced")
    #expect(heard.end("four") == "280 heard")
  }

  @Test func `a layout within 100 ms is debounced, at 100 ms it is not`() throws {
    var inside = Script()
    inside.at(0, "one", layout())
    inside.at(99.9, "two", layout())
    var outside = Script()
    outside.at(0, "one", layout())
    outside.at(100, "two", layout())

    #expect(try inside.run().times("two") == ["199.9"])
    #expect(try outside.run().times("two") == ["100"])
  }

  @Test func `what names no window is the app's: the latest is heard, and none is counted`() throws
  {
    func heard(_ make: (Int) -> JSON, every gap: Double) throws -> Heard {
      var script = Script()
      for number in 0..<9 { script.at(Double(number) * gap, "\(number)", make(number)) }
      return try script.run()
    }

    let layouts = try heard({ _ in event("layout-changed", [:]) }, every: 10)
    let screens = try heard(
      { event("screen-changed", ["text": .string("Screen \($0)")]) },
      every: 50
    )
    let pages = try heard(
      { event("page-scrolled", ["text": .string("Page \($0)")]) },
      every: 50
    )

    #expect(layouts.spoken == [])
    #expect(layouts.result("8") == "heard")
    #expect(screens.spoken.last?.contains("Screen 8") == true)
    #expect(pages.spoken.last?.contains("Page 8") == true)
    for heard in [layouts, screens, pages] {
      #expect(heard.count("summarised") == 0)
      #expect(!heard.spoken.contains { $0.contains(" more") })
    }
  }

  @Test func `a burst of layouts waits 350 ms at most`() throws {
    var script = Script()
    for number in 0..<6 { script.at(Double(number) * 90, "\(number)", layout()) }

    let heard = try script.run()

    #expect(heard.times("0") == ["0"])
    #expect(heard.times("4") == ["440"], "350 ms after the first that waited, at 90")
    #expect(heard.result("3") == "coalesced")
    #expect(heard.result("5") == "heard")
  }

  @Test func `each window has its layouts for itself`() throws {
    var script = Script()
    script.at(0, "one", layout())
    script.at(10, "other", layout(["window": "v"]))

    #expect(try script.run().times("other") == ["10"])
  }

  @Test func `the last argument that is not empty wins in a burst of layouts`() throws {
    var script = Script(threeButtons)
    script.at(0, "one", layout())
    script.at(50, "two", layout(["element": "b"]))
    script.at(80, "three", layout())

    let heard = try script.run()

    // The reply to an app says whether the focus has moved, so it moves at once.
    #expect(heard.focus == ["50 b"])
    #expect(heard.spoken == ["50 Bean, button"])
    #expect(heard.result("two") == "coalesced")
    #expect(heard.delivery("three")["event"]["element"] == "b")
  }

  @Test func `a layout with a text is heard like a default announcement`() throws {
    var script = Script()
    script.at(0, "one", layout(["text": "Three results"]))

    let heard = try script.run()

    #expect(heard.spoken == ["0 Three results"])
    #expect(heard.delivery("one")["event"]["priority"] == "default")
    #expect(heard.end("one") == "650 heard")
  }

  // MARK: Screens

  @Test func `a new screen has its earcon and its text at once`() throws {
    var script = Script()
    script.at(0, "one", screen(["text": "Settings"]))

    let heard = try script.run()

    #expect(heard.delivered == ["0 Settings, earcon screen"])
    #expect(heard.end("one") == "400 heard")
  }

  @Test func `a new screen without a text is an earcon alone`() throws {
    var script = Script()
    script.at(0, "one", screen())

    let heard = try script.run()

    #expect(heard.delivered == ["0 (earcon screen)"])
    #expect(heard.end("one") == "0 heard")
  }

  @Test func `a burst of screens ends 200 ms after its last one, and has one earcon`() throws {
    var script = Script()
    script.at(0, "one", screen(["text": "One"]))
    script.at(100, "two", screen(["text": "Two"]))
    script.at(250, "three", screen(["text": "Three"]))

    let heard = try script.run()

    #expect(heard.spoken == ["0 One, earcon screen", "450 Three"])
    #expect(heard.result("two") == "coalesced")
    #expect(heard.end("three") == "700 heard")
  }

  @Test func `a screen within 200 ms is debounced, at 200 ms it is not`() throws {
    var inside = Script()
    inside.at(0, "one", screen(["text": "One"]))
    inside.at(199.9, "two", screen(["text": "Two"]))
    var outside = Script()
    outside.at(0, "one", screen(["text": "One"]))
    outside.at(200, "two", screen(["text": "Two"]))

    #expect(try inside.run().times("two") == ["399.9"])
    #expect(try outside.run().times("two") == ["200"])
  }

  @Test func `a burst of screens waits 550 ms at most`() throws {
    var script = Script()
    for number in 0..<6 {
      script.at(Double(number) * 190, "\(number)", screen(["text": .string("S\(number)")]))
    }

    let heard = try script.run()

    #expect(heard.times("0") == ["0"])
    #expect(heard.times("3") == ["740"], "550 ms after the first that waited, at 190")
    #expect(heard.times("5").count == 1)
  }

  @Test func `the same screen within 550 ms is a duplicate`() throws {
    var inside = Script()
    inside.at(0, "one", screen(["text": "One"]))
    inside.at(549.9, "two", screen(["text": "One"]))
    var outside = Script()
    outside.at(0, "one", screen(["text": "One"]))
    outside.at(550, "two", screen(["text": "One"]))
    var other = Script()
    other.at(0, "one", screen(["text": "One"]))
    other.at(549.9, "two", screen(["text": "Two"]))

    let heard = try inside.run()
    #expect(heard.fate("two") == "duplicate by one")
    #expect(heard.times("two") == [])
    #expect(heard.rule("two") == "screen-changed")
    #expect(try outside.run().times("two") == ["550"])
    #expect(try other.run().times("two") == ["549.9"])
  }

  @Test func `three screens come at once and then two a second`() throws {
    var script = Script()
    for number in 0..<5 {
      script.at(Double(number) * 210, "\(number)", screen(["text": .string("S\(number)")]))
    }

    let heard = try script.run()

    // The bucket holds three and gains one in 500 ms: at 630 there is one, at 840 none.
    #expect((0..<4).map { heard.times("\($0)") } == [["0"], ["210"], ["420"], ["630"]])
    #expect(heard.times("4") == ["1040"] || heard.times("4") == ["1000"])
  }

  @Test func `a screen that waits is worth nothing when the next one comes`() throws {
    var script = Script()
    script.at(0, "high", shouts(text(40)))
    script.at(100, "one", screen(["text": "One"]))
    script.at(900, "two", screen(["text": "Two"]))

    let heard = try script.run()

    #expect(heard.spoken.count == 2)
    #expect(heard.times("two") == ["2000"])
    #expect(heard.fate("one") == "superseded by two")
  }

  @Test func `a screen that no other follows is kept`() throws {
    var script = Script()
    script.at(0, "high", shouts(text(4_000)))
    script.at(100, "one", screen(["text": "One"]))

    #expect(try script.run().times("one") == ["200000"])
  }

  @Test func `the focus of a screen stands behind its words, though it comes a moment later`()
    throws
  {
    var script = Script()
    script.at(0, window("w", "active"))
    script.at(0, tree("w", [button("a", "Apple")]))
    script.at(0, focused("a"))
    script.at(5_000, event("elements", ["window": "w", "remove": ["a"]]))
    script.at(5_000, tree("w", [button("b", "Bean")]))
    script.at(5_000, "screen", event("screen-changed", ["window": "w", "text": "Fruit"]))

    let heard = try script.run()

    #expect(heard.spoken.suffix(2) == ["5000 Fruit, earcon screen", "5250 Bean, button"])
    #expect(heard.result("screen") == "heard")
  }
}
