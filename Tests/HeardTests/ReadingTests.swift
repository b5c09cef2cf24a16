// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// A screen reader that speaks through the bus: its words are the user's own reading.
@Suite struct ReadingTests {
  /// A voice that tells every end, and a screen reader that has its words said.
  private static func script(_ elements: [JSON] = []) -> Script {
    var script = elements.isEmpty ? Script(.whenJoined) : Script(elements, .whenJoined)
    script.joins(0, "Voice", role: "reader", with: ["reports": true, "speech": 50])
    script.joins(0, "orca", role: "reader", with: ["speech": 0])
    return script
  }

  private static let plain: [String: JSON] = ["sensitive": false]

  private func reads(_ text: String, _ fields: [String: JSON] = plain) -> JSON {
    tells("reading", text, fields)
  }

  /// What the voice says of a delivery.
  private func voice(_ label: String, _ state: String, _ fields: [String: JSON] = [:]) -> JSON {
    report(label, state, fields)
  }

  @Test func `a reading cuts an announcement, which is said once more when the reading is over`()
    throws
  {
    var script = Script()
    script.joins(0, "orca", role: "reader", with: ["speech": 0])
    script.at(0, "news", says(text(40)))
    script.at(500, "line", reads("Line one"), by: "orca")
    let heard = try script.run()

    #expect(
      heard.spoken == [
        "0 \(text(40))", "500 Line one, cutting news", "1400 \(text(40)), again, late 1400",
      ]
    )
    #expect(heard.end("line") == "900 heard")
    #expect(heard.end("news") == "3400 heard")
  }

  @Test func `nothing falls between two sentences of a reading`() throws {
    var script = Script()
    script.joins(0, "orca", role: "reader", with: ["speech": 0])
    script.at(0, "one", reads("Line one"), by: "orca")
    script.at(100, "news", says("News"))
    script.at(800, "two", reads("Line two"), by: "orca")
    let heard = try script.run()

    #expect(heard.spoken == ["0 Line one", "800 Line two", "1700 News, late 1600"])
  }

  @Test func `readings of one screen reader wait for each other, in their order`() throws {
    var script = Script()
    script.joins(0, "orca", role: "reader", with: ["speech": 0])
    for number in 1...3 { script.at(0, "\(number)", reads("Line \(number)"), by: "orca") }
    let heard = try script.run()

    #expect(heard.spoken == ["0 Line 1", "300 Line 2", "600 Line 3"])
  }

  @Test func `its sender cuts a reading by withdrawing it`() throws {
    var script = Script()
    script.joins(0, "orca", role: "reader", with: ["speech": 0])
    script.at(0, "one", reads(text(40)), by: "orca")
    script.at(500, event("cancel", ["of": "@one"]), by: "orca")
    script.at(500, "two", reads("Line two"), by: "orca")
    let heard = try script.run()

    #expect(heard.spoken == ["0 \(text(40))", "500 Line two"])
    #expect(heard.result("one") == "cancelled")
    #expect(heard.result("two") == "heard")
  }

  @Test func `an alarm is heard in a reading, which goes on from its last mark`() throws {
    var script = Self.script()
    let runs: JSON = [
      ["text": "One ", "mark": "0:4"], ["text": "two ", "mark": "4:8"],
      ["text": "three", "mark": "8:13"],
    ]
    script.at(
      0,
      "line",
      event("announcement", ["class": "reading", "sensitive": false, "text": runs]),
      by: "orca"
    )
    script.at(0, voice("line", "started"), by: "Voice")
    script.at(0, voice("line", "progress", ["heard_ms": 0, "mark": "0:4"]), by: "Voice")
    script.at(300, voice("line", "progress", ["heard_ms": 300, "mark": "4:8"]), by: "Voice")
    script.at(400, "alarm", shouts("Fire"))
    script.at(410, voice("line", "interrupted", ["heard_ms": 400]), by: "Voice")
    script.at(600, voice("alarm", "finished", ["heard_ms": 200]), by: "Voice")
    script.at(800, voice("line", "finished", ["heard_ms": 200]), by: "Voice")
    let heard = try script.run()

    #expect(heard.spoken == ["0 One two three", "400 Fire, cutting line", "600 two three, again"])
    #expect(heard.end("line") == "800 heard")
    #expect(heard.why("line")["behind"] == .absent)
  }

  @Test func `the words of a screen reader are on no disk unless it says that they may be`() throws
  {
    var script = Script()
    script.joins(0, "orca", role: "reader", with: ["speech": 0])
    script.at(0, "line", tells("reading", "My letter"), by: "orca")
    let heard = try script.run()

    #expect(heard["line"]["event"]["redacted"].string == "9-32")
    #expect(heard["line"]["event"]["text"].string == nil)
    #expect(heard.delivery("line")["event"]["speak"] == [["redacted": "9-32"]])
    #expect(heard.result("line") == "heard")
  }

  @Test(arguments: [JSON.bool(true), "atspi"])
  func `what a screen reader at the door tells itself is told by nobody else`(origin: JSON) throws {
    var script = Self.script(threeButtons)
    script.at(0, "line", reads("Window"), by: "orca")
    script.at(0, voice("line", "finished", ["heard_ms": 100]), by: "Voice")
    script.at(1_000, user("next"))
    script.at(1_000, "page", says("Loaded", origin == "atspi" ? ["origin": origin] : [:]))
    let heard = try script.run()

    #expect(!heard.spoken.contains { $0.contains("Bean") })
    #expect(heard.focusEnds.last?.hasSuffix("heard") == true)
    let isElsewhere = heard.why("page")["elsewhere"].bool == true
    #expect(isElsewhere == (origin == "atspi"))
  }

  @Test func `neither pause nor do-not-disturb nor a rate touches a reading`() throws {
    var script = Script()
    script.joins(0, "orca", role: "reader", with: ["speech": 0])
    script.at(0, quiet(100))
    script.at(0, user("pause"))
    for number in 0..<9 { script.at(Double(number) * 100, reads("ab"), by: "orca") }
    let heard = try script.run()

    #expect(heard.spoken.count == 9)
  }

  @Test func `beyond 256 the oldest that waits is counted`() throws {
    var script = Self.script()
    for number in 0...257 { script.at(0, "\(number)", reads("ab"), by: "orca") }
    script.at(10, user("stop"))
    let heard = try script.run()

    #expect(heard.fate("1") == "summarised by 257")
    #expect(heard.result("2") == "interrupted")
  }
}
