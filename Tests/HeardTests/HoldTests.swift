// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// An app's words right after the user has done something.
@Suite struct HoldTests {
  private static let contacts = [button("a", "Apple"), button("clear", "Clear Contacts")]

  /// Tells when that is heard which an app says so many milliseconds after the user has activated a
  /// button.
  private func said(
    _ event: JSON,
    after milliseconds: Double,
    activating element: JSON = "a"
  ) throws -> Heard {
    var script = Script(Self.contacts)
    script.at(0, "act", user("activate", ["element": element]))
    script.at(milliseconds, "said", event)
    return try script.run()
  }

  @Test func `what has been done follows the name of the button`() throws {
    for cause in [["cause": "@act"], ["cause": "user"], [:]] as [[String: JSON]] {
      let heard = try said(says("Contacts have been deleted", cause), after: 4, activating: "clear")

      #expect(
        heard.spoken == ["0 Clear Contacts, button", "1100 Contacts have been deleted, late 1096"]
      )
      #expect(heard.result("said") == "heard")
    }
  }

  @Test func `activating the focused element says nothing of itself`() throws {
    #expect(try said(says("Done"), after: 10).spoken == ["160 Done"])
  }

  @Test func `without feedback an announcement of the action waits 150 ms`() throws {
    #expect(try said(says("Done", ["cause": "@act"]), after: 10).times("said") == ["160"])
    #expect(try said(says("Done", ["cause": "@act"]), after: 5_000).times("said") == ["5150"])
    #expect(try said(says("Done", ["cause": "user"]), after: 5_000).times("said") == ["5150"])
  }

  @Test func `an announcement without a cause is of the action within 1 s`() throws {
    #expect(try said(says("Done"), after: 999.9).times("said") == ["1149.9"])
    #expect(try said(says("Done"), after: 1_000.1).times("said") == ["1000.1"])
  }

  @Test func `an announcement that says it is nobody's doing does not wait`() throws {
    #expect(try said(says("Done", ["cause": "auto"]), after: 10).times("said") == ["10"])
  }

  @Test func `another app's announcement does not wait`() throws {
    var script = Script(Self.contacts)
    script.at(0, user("activate"))
    script.at(10, "said", says("Mail"), by: "Mail")

    #expect(try script.run().times("said") == ["10"])
  }

  @Test func `a high skips the hold`() throws {
    let heard = try said(shouts("Done", ["cause": "@act"]), after: 10, activating: "clear")

    #expect(heard.times("said") == ["10"])
  }

  @Test func `a status is held, too, and a low`() throws {
    #expect(try said(tells("status", "Done", ["key": "k"]), after: 10).times("said") == ["160"])
    #expect(try said(murmurs("Done"), after: 10).times("said") == ["160"])
  }

  @Test func `values, pages and screens are never held`() throws {
    let value = tells("value", "5%", ["window": "w", "element": "a"])
    for event in [value, page("Page 2"), screen(["text": "New"])] {
      #expect(try said(event, after: 10).times("said") == ["10"], "\(event)")
    }
  }

  @Test func `a layout without an element is held`() throws {
    #expect(try said(layout(), after: 10).times("said") == ["160"])
    #expect(try said(layout(["cause": "auto"]), after: 10).times("said") == ["10"])
    // The name of the button takes 1,100 ms; what is held is on its way after 700 at the latest.
    let behind = try said(layout(), after: 10, activating: "clear")
    #expect(behind.times("said") == ["710"])
  }

  @Test func `feedback that comes within the 150 ms is heard first`() throws {
    var script = Script(Self.contacts)
    script.at(0, "act", user("activate"))
    script.at(10, "said", says("Done", ["cause": "@act"]))
    script.at(100, "page", page("Page 2 of 9", ["cause": "@act"]))

    #expect(try script.run().spoken == ["100 Page 2 of 9", "650 Done"])
  }

  @Test func `feedback that comes after the 150 ms waits`() throws {
    var script = Script(Self.contacts)
    script.at(0, "act", user("activate"))
    script.at(10, "said", says("Done", ["cause": "@act"]))
    script.at(170, "page", page("Page 2 of 9", ["cause": "@act"]))

    #expect(try script.run().spoken == ["160 Done", "360 Page 2 of 9"])
  }

  @Test func `what was held stands directly behind its feedback`() throws {
    var script = Script([button("a", "Apple"), button("b", text(52, "b"))])
    script.at(0, "act", user("activate", ["element": "b"]))
    script.at(10, "before", says("Before", ["cause": "auto"]))
    script.at(20, "said", says("Done", ["cause": "@act"]))
    script.at(900, "behind", says("Behind", ["cause": "auto"]))

    let heard = try script.run()

    let order = heard.spoken.map { $0.split(separator: " ")[1].split(separator: ",")[0] }
    #expect(order == [text(52, "b")[...], "Done", "Before", "Behind"])
  }

  @Test func `what was held interrupts nothing`() throws {
    var script = Script(Self.contacts)
    script.at(0, "mail", says(text(40)), by: "Mail")
    script.at(100, "act", user("activate"))
    script.at(110, "said", says("Done"))

    let heard = try script.run()

    #expect(heard.spoken == ["0 \(text(40))", "2000 Done, late 1890"])
    #expect(heard.end("mail") == "2000 heard")
  }

  @Test func `two that were held come one behind the other`() throws {
    var script = Script(Self.contacts)
    script.at(0, "act", user("activate", ["element": "clear"]))
    script.at(10, "one", says("One", ["cause": "@act"]))
    script.at(20, "two", says("Two", ["cause": "@act"]))

    let heard = try script.run()

    #expect(
      heard.spoken == ["0 Clear Contacts, button", "1100 One, late 1090", "1250 Two, late 1230"]
    )
  }

  @Test func `what has been done follows the new screen and its focus`() throws {
    var script = Script(Self.contacts)
    script.at(0, "act", user("activate", ["element": "clear"]))
    script.at(10, "said", says("Done", ["cause": "@act"]))
    script.at(50, "screen", screen(["cause": "@act"]))

    let heard = try script.run()

    #expect(
      heard.delivered.prefix(4) == [
        "0 Clear Contacts, button", "50 (earcon screen)", "50 Apple, button, cutting focus",
        "700 Done",
      ]
    )
  }

  @Test func `a layout held behind its action is heard silently after its feedback`() throws {
    var script = Script(Self.contacts)
    script.at(0, "act", user("next"))
    script.at(10, "short", layout())
    script.at(5_000, "act2", user("previous"))
    script.at(5_010, "other", layout(["cause": "@act"]))

    let heard = try script.run()

    #expect(heard.times("short") == ["710"], "Clear Contacts, button takes 1,100 ms")
    #expect(heard.result("other") == "heard")
  }

  @Test func `a high that skips the hold cuts the feedback`() throws {
    let heard = try said(shouts("Done", ["cause": "@act"]), after: 10, activating: "clear")

    #expect(
      heard.spoken == [
        "0 Clear Contacts, button", "10 Done, cutting focus", "210 Clear Contacts, button, again",
      ]
    )
    #expect(heard.focusEnds == ["1310 heard"])
  }

  @Test func `a focus without an action holds nothing`() throws {
    var script = Script(Self.contacts)
    script.at(0, focused("clear"))
    script.at(10, "said", says("Done"))

    let heard = try script.run()

    #expect(heard.times("said") == ["1100"], "it waits for the focus in the queue")
    #expect(heard.rule("said") == "announcement default")
  }
}
