// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// The way of the user's gestures to those who respond to them.
@Suite struct GestureTests {
  private static let dialog: [JSON] = [
    ["id": "outer", "responds": ["escape"]],
    ["id": "inner", "parent": "outer", "responds": ["magic-tap"]],
    button("a", "Apple", ["parent": "inner"]),
    button("b", "Bean", ["parent": "outer"]),
  ]

  @Test func `escape goes outwards, a second each, and at last nobody is told of`() throws {
    var script = Script(Self.dialog)
    script.at(0, "act", user("escape"))

    let heard = try script.run()

    #expect(
      heard.gestures == ["0 escape to outer", "1000 escape to window w", "2000 escape to app App"]
    )
    #expect(heard.end("act") == "3000 unhandled")
    #expect(heard.delivered.last == "3000 (earcon no-action)")
  }

  @Test func `magic-tap goes to those who respond to it`() throws {
    var script = Script(Self.dialog)
    script.at(0, "act", user("magic-tap"))
    script.at(500, event("handled", ["of": "gesture:@act", "handled": true]))

    let heard = try script.run()

    #expect(heard.gestures == ["0 magic-tap to inner"])
    #expect(heard.end("act") == "500 handled")
    #expect(heard.delivered == [])
  }

  @Test func `who does not handle a gesture passes it on at once`() throws {
    var script = Script(Self.dialog)
    script.at(0, "act", user("escape"))
    script.at(300, event("handled", ["of": "gesture:@act", "handled": false]))
    script.at(1_000, event("handled", ["of": "gesture:@act", "handled": true]))

    let heard = try script.run()

    #expect(heard.gestures == ["0 escape to outer", "300 escape to window w"])
    #expect(heard.end("act") == "1000 handled")
  }

  @Test func `an answer after a second comes too late`() throws {
    var script = Script(Self.dialog)
    script.at(0, "act", user("activate"))
    script.at(1_001, event("handled", ["of": "gesture:@act", "handled": true]))

    let heard = try script.run()

    #expect(heard.gestures == ["0 activate to a"])
    #expect(heard.end("act") == "1000 unhandled")
  }

  @Test func `an answer just within the second counts`() throws {
    var script = Script(Self.dialog)
    script.at(0, "act", user("activate"))
    script.at(999, event("handled", ["of": "gesture:@act", "handled": true]))

    #expect(try script.run().end("act") == "999 handled")
  }

  @Test func `increment, scroll and custom go to the element and say nothing`() throws {
    for action in ["increment", "scroll", "custom"] {
      var script = Script(threeButtons)
      script.at(0, "act", user(action, ["element": "a", "name": "archive"]))
      script.at(10, event("handled", ["of": "gesture:@act", "handled": true]))

      let heard = try script.run()

      #expect(heard.gestures.count == 1)
      #expect(heard.end("act") == "10 handled")
      #expect(heard.delivered == [])
    }
  }

  @Test func `escape cuts what is spoken, and it is not said again`() throws {
    var script = Script(Self.dialog)
    script.at(0, "one", says(text(40)))
    script.at(1_000, "act", user("escape"))
    script.at(1_010, event("handled", ["of": "gesture:@act", "handled": true]))

    let heard = try script.run()

    #expect(heard.times("one") == ["0"])
  }
}
