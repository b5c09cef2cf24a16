// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yTestKit
import A11yWire
import Testing

/// Elements: their merging, their parents, and the secrets among their texts.
@Suite struct ElementTests {
  var story = Story()
  let app: Story.Client

  init() { app = story.join("mail") }

  @Test mutating func `an upsert merges field by field, and null takes one away`() throws {
    story.elements(
      app,
      "w",
      #""upsert":[{"id":"a","label":"A","hint":"Do it.","traits":["button","button"],"#
        + #""frame":[1,2,3,4],"actions":["x"]}]"#
    )
    story.elements(
      app,
      "w",
      #""upsert":[{"id":"\u0061","label":"\u0042","#
        + #""hint":null,"modal":true,"responds":["magic-tap","escape"]}]"#
    )

    #expect(
      try story.elements("w") == [
        [
          "id": "a", "label": "B", "traits": ["button"], "frame": [1, 2, 3, 4], "modal": true,
          "actions": ["x"], "responds": ["escape", "magic-tap"],
        ]
      ]
    )
  }

  @Test mutating func `windows and users have name spaces of their own`() throws {
    let other = story.join("mail", uid: 7)
    story.elements(app, "w", #""upsert":[{"id":"a","label":"mine"}]"#)
    story.elements(app, "v", #""upsert":[{"id":"a","label":"next door"}]"#)
    story.elements(other, "w", #""remove":["a"],"upsert":[{"id":"b"}]"#)

    #expect(try story.element("a")["label"] == "mine")
    #expect(try story.element("a", in: "v")["label"] == "next door")
    #expect(try story.ids("w") == ["a", "b"])
  }

  @Test mutating func `an index that nobody may have given is the nearest that is one`() throws {
    story.elements(app, "w", #""upsert":[{"id":"a"},{"id":"b"}]"#)
    story.elements(app, "w", #""upsert":[{"id":"b","index":-1}]"#)
    story.elements(app, "w", #""upsert":[{"id":"c","index":-9223372036854775808}]"#)
    story.elements(app, "w", #""upsert":[{"id":"d","index":9223372036854775807}]"#)

    #expect(try story.ids() == ["c", "b", "a", "d"])
  }

  @Test mutating func `two spellings of one letter are two ids`() throws {
    story.elements(app, "w", #""upsert":[{"id":"\u00e9"},{"id":"e\u0301"}]"#)

    #expect(try story.ids().count == 2)
  }

  @Test mutating func `a removed element takes all below it along`() throws {
    story.elements(
      app,
      "w",
      #""upsert":[{"id":"list"},{"id":"row","parent":"list"},{"id":"cell","parent":"row"},"#
        + #"{"id":"button"}]"#
    )
    story.elements(app, "w", #""remove":["list","nobody"]"#)
    #expect(try story.ids() == ["button"])

    story.elements(app, "w", #""upsert":[{"id":"cell"}]"#)
    #expect(try story.element("cell") == ["id": "cell"])
  }

  @Test mutating func `an element moved away in the same event outlives its old parent`() throws {
    story.elements(
      app,
      "w",
      #""upsert":[{"id":"a"},{"id":"b"},{"id":"c","parent":"a","label":"C"}]"#
    )
    story.elements(app, "w", #""upsert":[{"id":"c","parent":"b"}],"remove":["a"]"#)

    #expect(try story.ids() == ["b", "c"])
    #expect(try story.element("c") == ["id": "c", "parent": "b", "label": "C"])
  }

  @Test mutating func `a child may come before its parent, and go with it`() throws {
    story.elements(app, "w", #""upsert":[{"id":"child","parent":"list"}]"#)
    #expect(try story.ids() == ["child"])
    story.elements(app, "w", #""upsert":[{"id":"list"}]"#)
    #expect(try story.element("child")["parent"] == "list")
    story.elements(app, "w", #""remove":["list"]"#)
    #expect(try story.ids() == [])

    story.elements(app, "w", #""upsert":[{"id":"child","parent":"list"}]"#)
    story.elements(app, "w", #""remove":["list"]"#)
    #expect(try story.ids() == [])
  }

  @Test mutating func `elements in a circle exist, and are removed together`() throws {
    story.elements(
      app,
      "w",
      #""upsert":[{"id":"a","parent":"c"},{"id":"b","parent":"a"},{"id":"c","parent":"b"},"#
        + #"{"id":"me","parent":"me"}]"#
    )
    #expect(try story.ids() == ["a", "b", "c", "me"])
    #expect(restored(replica(story.model, budget: 1)) == story.model)

    story.elements(app, "w", #""remove":["b"]"#)
    #expect(try story.ids() == ["me"])
    story.elements(app, "w", #""remove":["me"]"#)
    #expect(try story.ids() == [])
  }

  @Test mutating func `elements stand in the order of their arrival below their parent`() throws {
    story.elements(app, "w", #""upsert":[{"id":"a"},{"id":"b"},{"id":"c"},{"id":"box"}]"#)
    story.elements(app, "w", #""upsert":[{"id":"a","label":"still first"}]"#)
    #expect(try story.ids() == ["a", "b", "c", "box"])

    story.elements(app, "w", #""upsert":[{"id":"b","parent":"box"}]"#)
    #expect(try story.ids() == ["a", "c", "box", "b"])

    story.elements(app, "w", #""upsert":[{"id":"b","parent":null}]"#)
    #expect(try story.ids() == ["a", "c", "box", "b"])
    #expect(try story.element("b")["parent"] == .absent)
  }

  @Test mutating func `a replace is the whole window, of which nothing old is left`() throws {
    story.elements(app, "w", #""upsert":[{"id":"a","label":"A"},{"id":"b"}]"#)
    story.elements(
      app,
      "w",
      #""upsert":[{"id":"c","hint":"H"}],"remove":["d"],"replace":[{"id":"d"},"#
        + #"{"id":"c","label":"C"},{"id":"a","hint":"X"}]"#
    )

    #expect(
      try story.elements("w") == [
        ["id": "c", "label": "C", "hint": "H"], ["id": "a", "hint": "X"],
      ]
    )
    story.elements(app, "w", #""replace":[]"#)
    #expect(try story.elements("w") == [])
    #expect(try story.state["windows"].count == 1)
  }

  // MARK: Secrets

  @Test mutating func `the value of an element that becomes secure is forgotten`() throws {
    story.elements(app, "w", #""upsert":[{"id":"a","label":"PIN","value":"4\u00311\"1"}]"#)
    story.elements(app, "w", #""upsert":[{"id":"a","traits":["secure"]}]"#)

    #expect(
      try story.element("a") == [
        "id": "a", "label": "PIN", "traits": ["secure"], "redacted": "1-8", "withheld": ["value"],
      ]
    )
    let key = AppKey(uid: 1_000, app: Name("mail"))
    #expect(story.model.isSecure(ElementPlace(app: key, window: Name("w"), element: Name("a"))))
    #expect(!story.model.isSecure(ElementPlace(app: key, window: Name("v"), element: Name("a"))))
  }

  @Test mutating func `an empty password field is known to be empty`() throws {
    story.elements(app, "w", #""upsert":[{"id":"a","traits":["secure"],"redacted":"9-32"}]"#)
    story.elements(app, "w", #""upsert":[{"id":"a","hint":"H"}]"#)
    #expect(try story.element("a")["redacted"] == "9-32")

    story.elements(app, "w", #""upsert":[{"id":"a","value":""}]"#)
    #expect(try story.element("a")["redacted"] == .absent)
    #expect(try story.element("a")["value"] == "")
  }

  @Test mutating func `a text that a sensitive event may have changed is not known any more`()
    throws
  {
    story.elements(app, "w", #""upsert":[{"id":"a","label":"L","value":"V","hint":"H"}]"#)
    story.elements(app, "w", #""upsert":[{"id":"a","hint":"","redacted":"33+"}],"sensitive":true"#)
    #expect(
      try story.element("a") == [
        "id": "a", "hint": "", "redacted": "33+", "withheld": ["label", "value", "actions"],
      ]
    )

    story.elements(app, "w", #""upsert":[{"id":"a","label":"L"}]"#)
    #expect(try story.element("a")["withheld"] == ["value", "actions"])
    story.elements(app, "w", #""upsert":[{"id":"a","value":null,"actions":null}]"#)
    #expect(try story.element("a") == ["id": "a", "label": "L", "hint": ""])
  }

  @Test mutating func `a replace that says nothing of traits leaves a secret one`() throws {
    let key = AppKey(uid: 1_000, app: Name("mail"))
    story.elements(app, "w", #""upsert":[{"id":"a","label":"PIN","traits":["secure","button"]}]"#)
    story.elements(app, "w", #""replace":[{"id":"a","hint":"H"}]"#)
    #expect(try story.element("a") == ["id": "a", "hint": "H", "traits": ["secure"]])

    story.elements(app, "w", #""replace":[{"id":"a","traits":["button"]}]"#)
    #expect(!story.model.isSecure(ElementPlace(app: key, window: Name("w"), element: Name("a"))))
  }

  // MARK: Bounds

  private func excess(
    _ members: String,
    _ type: String = "elements",
    quotas: Quotas = Quotas()
  ) -> Model.Overflow? {
    var excess: Model.Overflow?
    Story.read(#"{"event":{"type":"\#(type)",\#(members)}}"#) { line in
      guard let type = EventType(rawValue: type) else { return }
      let key = AppKey(uid: 1_000, app: Name("mail"))
      excess = story.model.overflow(of: 2, type, in: line, from: key, quotas: quotas)
    }
    return excess
  }

  @Test mutating func `an app has so many windows and no more`() {
    for index in 0..<Limits.windowsPerApp {
      story.window(app, "w\(index)", #""state":"opened""#)
    }

    #expect(excess(#""window":"new","state":"opened""#, "window") == .windows)
    #expect(excess(#""window":"new","modal":true"#, "screen-changed") == .windows)
    #expect(excess(#""window":"new","upsert":[]"#) == .windows)
    #expect(excess(#""window":"new","remove":["a"]"#) == nil)
    #expect(excess(#""window":"new","state":"closed""#, "window") == nil)
    #expect(excess(#""window":"new""#, "screen-changed") == nil)
    #expect(excess(#""window":"w7","state":"active""#, "window") == nil)
    #expect(excess(#""window":"w7","upsert":[{"id":"a"}]"#) == nil)
    story.window(app, "w7", #""state":"closed""#)
    #expect(excess(#""window":"new","state":"opened""#, "window") == nil)
  }

  @Test mutating func `ids and texts of an app have so many bytes and no more`() {
    var quotas = Quotas()
    quotas.elementBytesPerApp = 30
    story.elements(app, "w", #""upsert":[{"id":"a","label":"123456789","value":"1234567890"}]"#)
    // The window's id, the element's, nineteen characters: 21 of 30 bytes.
    #expect(story.model.bytes(of: AppKey(uid: 1_000, app: Name("mail"))) == 21)

    let fits = [
      #""window":"w","upsert":[{"id":"b","hint":"12345678"}]"#,
      #""window":"w","upsert":[{"id":"a","value":"1234567890123456789"}]"#,
      #""window":"w","upsert":[{"id":"a","label":null,"value":"1234567890123456789012345678"}]"#,
      #""window":"w","replace":[{"id":"a","label":"1234567890123456789012345678"}]"#,
      #""window":"w","upsert":[{"id":"a","traits":["button"],"frame":[1000000,2000000,3,4]}]"#,
    ]
    for members in fits { #expect(excess(members, quotas: quotas) == nil, "\(members)") }
    let exceeds = [
      #""window":"w","upsert":[{"id":"b","hint":"123456789"}]"#,
      #""window":"w","upsert":[{"id":"a","value":"12345678901234567890"}]"#,
      #""window":"w","upsert":[{"id":"b","lang":"de-AT-1996"}]"#,
      #""window":"w","upsert":[{"id":"b","actions":["Archive","Go"]}]"#,
      #""window":"v","upsert":[{"id":"b","hint":"12345678"}]"#,
    ]
    for members in exceeds { #expect(excess(members, quotas: quotas) == .bytes, "\(members)") }
    #expect(excess(#""window":"w","title":"1234567890""#, "window", quotas: quotas) == .bytes)

    quotas.elementBytesPerApp = 1_000
    quotas.elementBytesPerUser = 30
    #expect(excess(fits[0], quotas: quotas) == nil)
    #expect(excess(exceeds[0], quotas: quotas) == .userBytes)
  }

  @Test mutating func `removed elements give their bytes back`() {
    let key = AppKey(uid: 1_000, app: Name("mail"))
    story.window(app, "v", #""title":"Title""#)
    story.elements(
      app,
      "w",
      #""upsert":[{"id":"a","label":"A"},{"id":"b","parent":"a","label":"B"},"#
        + #"{"id":"c","parent":"x"}]"#
    )
    #expect(story.model.bytes(of: key) == 6 + 1 + 6)
    #expect(restored(replica(story.model, budget: 1)) == story.model)
    #expect(restored(replica(story.model, budget: 1))?.bytes(of: 1_000) == 13)

    story.elements(app, "w", #""remove":["a"]"#)
    #expect(story.model.bytes(of: key) == 6 + 1 + 2)
    story.elements(app, "w", #""remove":["c"]"#)
    #expect(story.model.bytes(of: key) == 6 + 1)
    story.window(app, "v", #""title":"T""#)
    story.window(app, "w", #""state":"closed""#)
    #expect(story.model.bytes(of: key) == 2)
    story.leave(app)
    story.wait(6)
    _ = story.join("other")
    #expect(story.model.bytes(of: 1_000) == 0)
  }

  @Test mutating func `an app has so many elements and no more, in all its windows`() {
    let half = Limits.elementsPerApp / 2
    for (window, count) in [("v", half), ("w", Limits.elementsPerApp - half - 1)] {
      for start in stride(from: 0, to: count, by: 1_000) {
        let ids = (start..<min(start + 1_000, count)).map { #"{"id":"\#($0)"}"# }
        story.elements(app, window, #""upsert":[\#(ids.joined(separator: ","))]"#)
      }
    }

    #expect(excess(#""window":"w","upsert":[{"id":"a"}]"#) == nil)
    #expect(excess(#""window":"w","upsert":[{"id":"a"},{"id":"b"}]"#) == .elements("upsert"))
    #expect(excess(#""window":"w","upsert":[{"id":"a"},{"id":"a"},{"id":"7"}]"#) == nil)
    #expect(excess(#""window":"u","upsert":[{"id":"1"},{"id":"2"}]"#) == .elements("upsert"))
    #expect(excess(#""window":"u","replace":[{"id":"1"},{"id":"2"}]"#) == .elements("replace"))
    #expect(excess(#""window":"w","replace":[{"id":"a"},{"id":"b"}],"upsert":[{"id":"c"}]"#) == nil)
    #expect(
      excess(#""window":"u","replace":[{"id":"1"}],"upsert":[{"id":"2"}]"#) == .elements("upsert")
    )
  }
}
