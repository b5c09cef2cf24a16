// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

/// Checking and storing, for every field that the schema has.
@Suite struct SchemaTests {
  @Test func `the row of a type is at its number`() {
    for (number, type) in EventType.allCases.enumerated() {
      #expect(type.number == number)
      #expect(EventType(rawValue: type.rawValue) == type)
    }
  }

  @Test(arguments: EventType.allCases)
  func `each field alone is stored byte by byte`(type: EventType) throws {
    var maker = EventMaker(dice: Dice())
    for field in type.fields.all {
      for _ in 0..<12 {
        let made = maker.event(type, with: [field.name.description], isRich: false)

        let stored = try Stored(made.given)

        #expect(stored.text == made.stored, "seed \(maker.dice.seed)")
      }
    }
  }

  @Test(arguments: EventType.allCases)
  func `known fields stand in the schema's order, whatever order they came in`(
    type: EventType
  ) throws {
    var maker = EventMaker(dice: Dice())
    for _ in 0..<60 {
      let made = maker.event(type, isRich: true)

      let stored = try Stored(made.given)

      #expect(stored.text == made.stored, "seed \(maker.dice.seed): \(made.given)")
    }
  }

  @Test(arguments: EventType.allCases)
  func `a stored event is stored the same again`(type: EventType) throws {
    var maker = EventMaker(dice: Dice())
    for _ in 0..<20 {
      let made = maker.event(type, isRich: true)

      let again = try Stored(made.stored)

      #expect(again.text == made.stored, "seed \(maker.dice.seed)")
      #expect(again.unknown == [])
    }
  }

  @Test(arguments: EventType.allCases)
  func `one wrong value is refused by its path`(type: EventType) throws {
    var maker = EventMaker(dice: Dice())
    for field in type.fields.all where field.name.description != "type" {
      let name = field.name.description
      for wrong in wrongValues(of: field.shape) {
        let event = event(type, replacing: name, with: wrong.json, &maker)

        let refusal = try #require(
          try Stored.refusal(of: event),
          "\(name): \(wrong.json.prefix(60)) was stored, seed \(maker.dice.seed)"
        )

        #expect(refusal.field == name + wrong.place, "\(wrong.json.prefix(60))")
        #expect(
          refusal.code == .fieldInvalid || wrong.json == "[{}]" && refusal.code == .fieldMissing
        )
      }
    }
  }

  @Test(arguments: ["upsert", "replace"])
  func `one wrong value of an element is refused by its path`(list: String) throws {
    for field in Schema.record(.element).all {
      let name = field.name.description
      for wrong in wrongValues(of: field.shape) where wrong.json != "null" || !field.isRemovable {
        let id = name == "id" ? "" : #""id":"a","#
        let event = """
          {"type":"elements","window":"w","\(list)":[{"id":"z"},{\(id)"\(name)":\(wrong.json)}]}
          """

        let refusal = try #require(
          try Stored.refusal(of: event),
          "\(name): \(wrong.json.prefix(60)) was stored"
        )

        #expect(refusal.field == "\(list)[1].\(name)\(wrong.place)")
        #expect(refusal.code == .fieldInvalid)
      }
    }
  }

  @Test func `null takes away any field of an element but its id`() throws {
    for field in Schema.record(.element).all where field.name.description != "id" {
      let event = """
        {"type":"elements","upsert":[{"id":"a","\(field.name)":null}],"window":"w"}
        """

      #expect(try Stored(event).text == event)
    }
  }

  @Test(arguments: EventType.allCases)
  func `every required field is missed by its name`(type: EventType) throws {
    var maker = EventMaker(dice: Dice())
    let fields = type.fields
    for field in fields.all where field.isRequired && field.name.description != "type" {
      let name = field.name.description
      let chosen = maker.choose(fields, [], isRich: false).subtracting([name])
      let made = maker.object(fields, chosen, type: type)

      let refusal = try #require(try Stored.refusal(of: made.given), "\(made.given) was stored")

      #expect(refusal.code == .fieldMissing)
      #expect(refusal.field == name)
    }
  }

  /// A valid event in which one field has another value.
  private func event(
    _ type: EventType,
    replacing name: String,
    with json: String,
    _ maker: inout EventMaker
  ) -> String {
    let fields = type.fields
    let chosen = maker.choose(fields, [name], isRich: false)
    let rest = maker.object(fields, chosen.subtracting([name]), type: type)
    return rest.given.dropLast() + ",\"\(name)\":\(json)}"
  }
}
