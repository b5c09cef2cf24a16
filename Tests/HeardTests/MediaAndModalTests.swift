// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// Elements that decide by what they are: those that play, and those that cover the rest.
@Suite struct MediaAndModalTests {
  private static let player: [JSON] = [
    button("a", "Apple"),
    button("play", "Play", ["traits": ["button", "starts-media-session"]]),
  ]

  @Test func `the focus returns from a window that became active before it became modal`() throws {
    var script = Script([button("a", "Apple"), button("b", "Pear")])
    script.at(0, user("next"))
    script.at(3_000, window("d", "active"))
    script.at(3_000, tree("d", [button("ok", "OK")]))
    script.at(3_000, event("screen-changed", ["window": "d", "modal": true]))
    script.at(6_000, window("d", "closed"))

    let heard = try script.run()

    #expect(heard.spoken.last?.contains("Pear") == true)
    let last = heard.entries("focus").last?["event"]
    #expect(last?["element"] == "b")
    #expect(last?["reason"] == "modal")
  }

  // MARK: Media

  @Test func `that something could play silences nobody`() throws {
    var script = Script([
      button("a", "Apple"),
      button(
        "play",
        "Play",
        ["traits": ["starts-media-session", "not-enabled"], "hidden": true]
      ),
    ])
    script.at(0, "said", says("Saved"))
    script.at(1_000, user("next"))
    script.at(3_000, "low", murmurs("Low", ["cause": "auto"]))

    let heard = try script.run()

    #expect(heard.result("said") == "heard")
    #expect(heard.result("low") == "heard")
  }

  @Test func `what plays is talked over only by high and by what the user has caused`() throws {
    var script = Script(Self.player)
    script.at(0, "act", user("activate", ["element": "play"]))
    script.at(2_000, "default", says("Saved"))
    script.at(2_100, "low", murmurs("Saved"))
    script.at(2_200, "other", says("Mail", ["origin": "notification"]), by: "Mail")
    script.at(2_300, "caused", says("Playing", ["cause": "@act"]))
    script.at(4_000, "high", shouts("Fire"))
    script.at(6_000, user("next"))
    script.at(8_000, "after", says("Saved"))

    let heard = try script.run()

    for label in ["default", "low", "other"] {
      #expect(heard.fate(label) == "inhibited")
      #expect(heard.rule(label) == "media session")
    }
    for label in ["caused", "high", "after"] { #expect(heard.result(label) == "heard") }
  }

  @Test func `what plays ends with its element and with its window`() throws {
    for end in [removes(["play"]), window("w", "closed")] {
      var script = Script(Self.player)
      script.at(0, user("activate", ["element": "play"]))
      script.at(2_000, end)
      script.at(3_000, "said", says("Saved"))

      #expect(try script.run().result("said") == "heard")
    }
  }

  // MARK: Modal elements

  private static let dialog: [JSON] = [
    .object(["id": "d", "modal": true]),
    button("yes", "Yes", ["parent": "d"]), button("no", "No", ["parent": "d"]),
  ]

  private func opened() -> Script {
    var script = Script(threeButtons)
    script.at(0, user("next"))
    script.startOver(at: 5_000)
    script.at(0, event("elements", ["window": "w", "upsert": .list(Self.dialog)]))
    return script
  }

  @Test func `a modal element covers the rest from the moment it is there`() throws {
    var script = opened()
    script.at(1_000, user("next"))
    script.at(2_000, user("next"))
    script.at(4_000, "out", layout(["element": "a"]))

    let heard = try script.run()

    #expect(heard.focus == ["0 yes", "1000 no"])
    #expect(heard.result("out") == "denied")
    #expect(heard.why("out")["focus"]["reason"].string == "modal")
  }

  @Test func `when a modal element goes the focus is back where it was`() throws {
    let ends = [
      removes(["d"]), changes(["id": "d", "modal": false]), changes(["id": "d", "hidden": true]),
    ]
    for end in ends {
      var script = opened()
      script.at(3_000, end)

      #expect(try script.run().focus == ["0 yes", "3000 b"], "\(end)")
    }
  }

  @Test func `a new screen does not end what no event has made`() throws {
    var script = opened()
    script.at(3_000, "screen", screen())
    script.at(6_000, user("last"))

    #expect(try script.run().focus.last == "6000 no")
  }

  @Test func `a new screen ends what an event has made`() throws {
    var script = opened()
    script.at(1_000, screen(["modal": true, "element": "yes"]))
    script.at(6_000, screen())
    script.at(9_000, user("first"))
    script.at(12_000, changes(["id": "b", "label": "Banana"]))

    #expect(try script.run().focus.suffix(2) == ["6000 b", "9000 a"])
  }

  @Test func `one in another covers the rest of it, and leads back into it`() throws {
    var script = opened()
    script.at(2_000, user("next"))
    script.at(
      4_000,
      event(
        "elements",
        [
          "window": "w",
          "upsert": .list([
            .object(["id": "e", "modal": true, "parent": "d"]),
            button("sure", "Sure", ["parent": "e"]),
          ]),
        ]
      )
    )
    script.at(6_000, removes(["e"]))
    script.at(8_000, removes(["d"]))

    #expect(try script.run().focus == ["0 yes", "2000 no", "4000 sure", "6000 no", "8000 b"])
  }

  @Test func `a modal element waits until the user works in its window`() throws {
    var script = Script(threeButtons)
    script.at(0, window("v", "opened"))
    script.at(0, tree("v", [button("x", "X")] + Self.dialog))
    script.at(1_000, user("next"))
    script.at(3_000, window("v", "active"))

    #expect(try script.run().focus == ["1000 b", "3000 yes"])
  }

  @Test func `what is hidden covers nothing`() throws {
    var script = Script(threeButtons + [.object(["id": "d", "modal": true, "hidden": true])])
    script.at(0, user("next"))
    script.at(3_000, layout(["element": "c", "cause": "auto"]))

    #expect(try script.run().focus == ["0 b", "3000 c"])
  }
}
