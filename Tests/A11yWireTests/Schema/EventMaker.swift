// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire

/// Makes events out of the schema, with every freedom that JSON leaves to a client.
struct EventMaker {
  /// A value as a client might send it, and as it is expected to be stored.
  struct Made {
    let given: String
    let stored: String

    init(given: String, stored: String) {
      self.given = given
      self.stored = stored
    }

    init(_ both: String) { self.init(given: both, stored: both) }
  }

  var dice: Dice

  /// An event with at least the fields `wanted`, and with others if `isRich`.
  mutating func event(_ type: EventType, with wanted: Set<String> = [], isRich: Bool) -> Made {
    let fields = type.fields
    return object(fields, choose(fields, wanted, isRich: isRich), type: type)
  }

  /// The names of fields that may stand together.
  mutating func choose(_ fields: Fields, _ wanted: Set<String>, isRich: Bool) -> Set<String> {
    var chosen = wanted
    for field in fields.all where field.isRequired || isRich && dice.once(in: 2) {
      chosen.insert(field.name.description)
    }
    let needed = fields.names(fields.needsOneOf)
    if chosen.isDisjoint(with: needed), !needed.isEmpty { chosen.insert(dice.pick(needed)) }
    let rivals = fields.names(fields.atMostOneOf).filter(chosen.contains)
    if rivals.count > 1 {
      let winner = rivals.first(where: wanted.contains) ?? dice.pick(rivals)
      chosen.subtract(rivals.filter { $0 != winner })
    }
    return chosen
  }

  mutating func object(_ fields: Fields, _ chosen: Set<String>, type: EventType? = nil) -> Made {
    var given: [String] = []
    var stored: [String] = []
    for field in fields.all where chosen.contains(field.name.description) {
      let name = field.name.description
      let made: Made
      if let type, name == "type" {
        made = Made("\"\(type.rawValue)\"")
      } else if name == "sensitive" {
        // Hidden texts have tests of their own.
        made = Made("false")
      } else if field.isRemovable, dice.once(in: 6) {
        made = Made("null")
      } else {
        made = value(field.shape)
      }
      given.append("\(quoted(name))\(space())\(space()):\(space())\(made.given)")
      stored.append("\"\(name)\":\(made.stored)")
    }
    while dice.once(in: 4) { given.append("\"unknown-\(given.count)\":{\"a\":[1,{}]}") }
    given.shuffle(using: &dice)
    let separator = space() + "," + space()
    return Made(
      given: "{\(space())\(given.joined(separator: separator))\(space())}",
      stored: "{\(stored.joined(separator: ","))}"
    )
  }

  mutating func value(_ shape: Shape) -> Made {
    switch shape {
    case .flag: Made(dice.pick(["true", "false"]))
    case .flagOr(let set):
      Made(dice.pick(["true", "false"] + set.words.map { "\"\($0)\"" }))
    case .integer(let range): Made(integer(range))
    case .number: Made(dice.pick(["0", "-0", "1", "-0.5", "1e3", "1E-2", "12345678901234567890"]))
    case .seq: Made(integer(1...Int64.max))
    case .cause: Made(dice.pick(["\"auto\"", "\"user\"", integer(1...Int64.max)]))
    case .name(let bytes): Made(string(1...bytes, controls: true))
    case .text(let bytes): Made(string(0...bytes, controls: true))
    case .label(let bytes): Made(string(1...bytes, controls: false))
    case .word:
      Made("\"" + (0..<dice.roll(1...32)).map { _ in dice.pick(["a", "z", "-"]) }.joined() + "\"")
    case .oneOf(let set): Made("\"\(word(set))\"")
    case .speakable: speech()
    case .integers(let count):
      list((0..<count).map { _ in Made(integer(Int64.min...Int64.max)) })
    case .list(let item): list((0..<dice.roll(0...3)).map { _ in self.item(item) })
    case .object(let record): item(.object(record))
    }
  }

  private mutating func item(_ item: Shape.Item) -> Made {
    switch item {
    case .name(let bytes): return value(.name(bytes: bytes))
    case .oneOf(let set): return value(.oneOf(set))
    case .integer: return value(.integer(Int64.min...Int64.max))
    case .object(let record):
      let fields = Schema.record(record)
      return object(fields, choose(fields, [], isRich: true))
    }
  }

  private mutating func speech() -> Made {
    if dice.once(in: 2) { return Made(string(1...Limits.textBytes, controls: true)) }
    let runs = (0..<dice.roll(0...2)).map { _ in item(.object(.run)) }
    return list(runs + [Made(#"{"text":"a"}"#)])
  }

  private mutating func word(_ set: WordSet) -> String {
    // These three ask for more than their own field.
    let plain = set.words.map(\.description).filter { !["custom", "touch", "secure"].contains($0) }
    return dice.pick(plain)
  }

  private mutating func list(_ items: [Made]) -> Made {
    Made(
      given: "[\(space())\(items.map(\.given).joined(separator: " ,"))\(space())]",
      stored: "[\(items.map(\.stored).joined(separator: ","))]"
    )
  }

  private mutating func integer(_ range: ClosedRange<Int64>) -> String {
    switch dice.roll(1...4) {
    case 1: String(range.lowerBound)
    case 2: String(range.upperBound)
    default: String(Int64.random(in: range, using: &dice))
    }
  }

  /// A string of `bytes` bytes, some of them written as escapes.
  private mutating func string(_ bytes: ClosedRange<Int>, controls: Bool) -> String {
    let length =
      switch dice.roll(1...6) {
      case 1: bytes.lowerBound
      case 2: bytes.upperBound
      default: min(bytes.upperBound, dice.roll(1...40))
      }
    var text = ""
    var count = 0
    while count < length {
      let choices: [(String, Int)] =
        controls
        ? [("a", 1), (" ", 1), ("ß", 2), ("🙂", 4), (#"\n"#, 1), (#"\u0041"#, 1), (#"\u00e9"#, 2)]
        : [("a", 1), (" ", 1), ("ß", 2), ("🙂", 4), (#"\/"#, 1), (#"\u0041"#, 1), (#"\"#, 9)]
      let (letter, size) = dice.pick(choices)
      if count + size > length || letter == #"\"# {
        text += "x"
        count += 1
      } else {
        text += letter
        count += size
      }
    }
    return "\"\(text)\""
  }

  private mutating func quoted(_ name: String) -> String {
    guard dice.once(in: 12), let first = name.unicodeScalars.first else { return "\"\(name)\"" }
    let digits = String(first.value, radix: 16)
    return "\"\\u00\(digits)\(name.dropFirst())\""
  }

  private mutating func space() -> String { dice.once(in: 8) ? dice.pick([" ", "\t", "  "]) : "" }
}

/// Values that a shape does not allow, each with the place in it where it is wrong.
func wrongValues(of shape: Shape) -> [(json: String, place: String)] {
  func long(_ bytes: Int) -> String { "\"" + String(repeating: "a", count: bytes) + "\"" }
  switch shape {
  case .flag: return here(["1", "\"true\"", "null", "[]", "{}"])
  case .flagOr: return here(["1", "\"true\"", "\"\"", "null", "[]"])
  case .integer(let range):
    var wrong = ["1.0", "1e0", "\"1\"", "true", "null", "9223372036854775808"]
    if range.lowerBound > .min { wrong.append(String(range.lowerBound - 1)) }
    if range.upperBound < .max { wrong.append(String(range.upperBound + 1)) }
    return here(wrong)
  case .number: return here(["\"1\"", "null", "true", "[]"])
  case .seq: return here(["0", "-1", "1.5", "1.0", "\"1\"", "null"])
  case .cause: return here(["0", "-1", "1.5", "\"\"", "\"Auto\"", "null", "true", "[]"])
  case .name(let bytes): return here(["\"\"", long(bytes + 1), "1", "null", "[]"])
  case .text(let bytes): return here([long(bytes + 1), "1", "null", "{}"])
  case .label(let bytes):
    return here(["\"\"", long(bytes + 1), "1", "null", #""a\u0001""#, #""\u007f""#, #""\u0085""#])
  case .word: return here(["\"\"", long(33), "\"A\"", "\"a b\"", "\"ä\"", "\"a1\"", "1", "null"])
  case .oneOf: return here(["\"nonsense\"", "\"\"", "\"HIGH\"", "1", "null", "[]"])
  case .speakable:
    return here(["\"\"", long(Limits.textBytes + 1), "[]", #"[{"text":""}]"#, "1", "null", "{}"])
      + [
        ("[1]", "[0]"), ("[{}]", "[0].text"),
        (#"[{"text":"a"},{"text":"b","spell":1}]"#, "[1].spell"),
      ]
      + [(#"[{"text":"a","pitch":"high"}]"#, "[0].pitch"), (#"[{"text":null}]"#, "[0].text")]
  case .integers(let count):
    let numbers = (0..<count).map(String.init)
    let bad = (numbers.dropLast() + ["1.5"]).joined(separator: ",")
    return here([
      "[\(numbers.dropLast().joined(separator: ","))]",
      "[\((numbers + ["9"]).joined(separator: ","))]", "null", "1", "{}",
    ]) + [("[\(bad)]", "[\(count - 1)]")]
  case .list(let item):
    let not = here(["null", "{}", "1", "\"a\""])
    return switch item {
    case .name(let bytes): not + [("[\"a\",\(long(bytes + 1))]", "[1]"), ("[1]", "[0]")]
    case .oneOf: not + [(#"["nonsense"]"#, "[0]"), ("[null]", "[0]")]
    case .integer: not + [("[1,2.5]", "[1]"), ("[\"1\"]", "[0]")]
    case .object: not + [("[1]", "[0]"), ("[[]]", "[0]")]
    }
  case .object: return here(["null", "[]", "1", "\"a\""])
  }
}

private func here(_ values: [String]) -> [(json: String, place: String)] { values.map { ($0, "") } }
