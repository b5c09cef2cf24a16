// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yModel

/// Events that tell once more what an app has shown.
@Suite struct RetellingTests {
  private let key = AppKey(uid: 0, app: Name("a"))
  private let head = EntryHead(
    seq: Seq(1),
    mono: 0,
    app: AppKey(uid: 0, app: Name("a")),
    conn: 1
  )

  private func fold(_ events: [String]) throws -> Model {
    var model = Model()
    for event in events {
      let reader = JSONReader(limit: event.utf8.count)
      try reader.read(Array(event.utf8).span)
      let type = try #require(
        reader.document.string("type", of: 0).flatMap(EventType.init(rawValue:))
      )
      model.apply(head, type, reader.document.root, of: reader.document)
    }
    return model
  }

  private func told(_ model: Model, _ sensitive: Retelling.Sensitive = .init()) -> [String] {
    let windows = model.windowSights.map(\.window)
    var retelling = Retelling(model, of: key, windows: windows, sensitive: sensitive)
    var events: [String] = []
    var out = ByteBuffer(capacity: 64)
    while retelling.writeNext(into: &out) {
      events.append(out.bytes.string)
      out.clear()
    }
    return events
  }

  private func sights(_ model: Model) -> [Model.ElementSight] {
    var sights: [Model.ElementSight] = []
    for window in model.windowSights {
      model.eachSight(in: window.window, of: key) { sights.append($0) }
    }
    return sights
  }

  @Test func `a retold app shows the same as before`() throws {
    var dice = Dice()
    for _ in 0..<200 {
      var events: [String] = []
      for _ in 0..<dice.roll(1...40) { events.append(event(&dice)) }
      let model = try fold(events)

      let again = try fold(told(model))

      let note = Comment(rawValue: "seed \(dice.seed)")
      #expect(again.windowSights == model.windowSights, note)
      #expect(sights(again) == sights(model), note)
    }
  }

  private func event(_ dice: inout Dice) -> String {
    let window = dice.pick(["v", "w"])
    let id = dice.roll(1...9)
    let fields = [
      #""label":"\#(dice.roll(1...99))""#, #""parent":"\#(dice.roll(1...9))""#,
      #""index":\#(dice.roll(0...3))"#, #""hidden":true"#, #""traits":["button","selected"]"#,
      #""label":null"#, #""frame":[1,2,3,\#(id)]"#, #""actions":["Delete"]"#,
    ]
    let element = #"{"id":"\#(id)",\#(dice.pick(fields)),"hint":"Hint."}"#
    switch dice.roll(1...10) {
    case 1: return #"{"type":"window","window":"\#(window)","state":"active","title":"T"}"#
    case 2: return #"{"type":"window","window":"\#(window)","state":"inactive"}"#
    case 3 where dice.once(in: 3):
      return #"{"type":"window","window":"\#(window)","state":"closed"}"#
    case 4: return #"{"type":"window","window":"\#(window)","modal":\#(dice.once(in: 2))}"#
    case 5: return #"{"type":"elements","window":"\#(window)","remove":["\#(id)"]}"#
    default: return #"{"type":"elements","window":"\#(window)","upsert":[\#(element)]}"#
    }
  }

  @Test func `many elements are told in events that fit a line, in their order`() throws {
    let elements = (0..<5_000).map { #"{"id":"\#($0)","label":"Contact number \#($0)"}"# }
    let model = try fold([
      #"{"type":"elements","window":"w","replace":[\#(elements.joined(separator: ","))]}"#
    ])

    let events = told(model)

    #expect(events.allSatisfy { $0.utf8.count < 32_768 })
    #expect(events.count { $0.contains("replace") } == 1)
    #expect(try sights(fold(events)) == sights(model))
  }

  @Test func `sensitive elements are retold as sensitive, at their places`() throws {
    let model = try fold([
      #"{"type":"window","window":"w","title":"Diary"}"#,
      #"{"type":"elements","window":"w","upsert":[{"id":"a"},{"id":"s","label":"S"},{"id":"b"}]}"#,
    ])
    var sensitive = Retelling.Sensitive()
    sensitive.titles = [Name("w")]
    sensitive.elements = [Name("w"): [Name("s")]]

    let events = told(model, sensitive)

    #expect(events.count == 4)
    #expect(events[0].contains(#""title":"Diary""#) && events[0].contains(#""sensitive":true"#))
    #expect(events[1].contains(#""replace":[{"id":"a"}]"#) && !events[1].contains("sensitive"))
    #expect(events[2].contains(#""sensitive":true,"upsert":[{"id":"s","label":"S"}]"#))
    #expect(events[3].contains(#""upsert":[{"id":"b"}]"#) && !events[3].contains("sensitive"))
  }
}
