// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Foundation
import Testing

/// Foundation's reader is the judge: slower and laxer, but of another make.
@Suite struct RandomJSONTests {
  private let reader = JSONReader(limit: 65_536)

  @Test func `every valid document is read, and means what Foundation says`() throws {
    var dice = Dice()
    for _ in 0..<600 {
      let text = object(&dice, depth: 1)

      let ours = try #require(read(Array(text.utf8)), "seed \(dice.seed): \(text)")
      let theirs = try #require(judge(Array(text.utf8)), "seed \(dice.seed): \(text)")

      #expect(ours == theirs, "seed \(dice.seed): \(text)")
    }
  }

  @Test func `no damaged document is accepted that Foundation refuses`() {
    var dice = Dice()
    var accepted = 0
    for _ in 0..<4_000 {
      var bytes = Array(object(&dice, depth: 3).utf8)
      for _ in 0..<dice.roll(1...3) {
        let place = dice.roll(0...bytes.count - 1)
        let byte = dice.pick(Array(#"{}[]",:\u0129-+.eEtrufalsn /"#.utf8) + [0, 9, 10, 0xff, 0xc3])
        switch dice.roll(1...4) {
        case 1: bytes[place] = byte
        case 2: bytes.insert(byte, at: place)
        case 3: bytes.remove(at: place)
        default: bytes.removeLast(bytes.count - max(place, 1))
        }
        if bytes.isEmpty { bytes = [123] }
      }
      guard let ours = read(bytes) else { continue }
      accepted += 1

      let text = String(decoding: bytes, as: UTF8.self)
      #expect(judge(bytes) == ours, "seed \(dice.seed): \(text)")
    }
    #expect(accepted > 0, "some damage leaves a document valid, else nothing was tested")
  }

  // MARK: Reading

  private func read(_ bytes: [UInt8]) -> Value? {
    do throws(JSONFault) { try reader.read(bytes.span) } catch { return nil }
    return Self.value(reader.document, 0)
  }

  private func judge(_ bytes: [UInt8]) -> Value? {
    try? JSONDecoder().decode(Value.self, from: Data(bytes))
  }

  private static func value(_ document: JSONDocument, _ index: JSONIndex) -> Value {
    switch document.kind(index) {
    case .object:
      var members: [String: Value] = [:]
      var key = index + 1
      while key < document.end(index) {
        members[document.string(key)] = value(document, key + 1)
        key = document.end(key + 1)
      }
      return .object(members)
    case .list:
      var values: [Value] = []
      var item = index + 1
      while item < document.end(index) {
        values.append(value(document, item))
        item = document.end(item)
      }
      return .list(values)
    case .string: return .string(document.string(index))
    case .number: return .number(Double(document.raw(index).string) ?? .nan)
    case .yes: return .flag(true)
    case .no: return .flag(false)
    case .null: return .null
    }
  }

  // MARK: Making

  private func object(_ dice: inout Dice, depth: Int) -> String {
    var members: [String] = []
    for index in 0..<dice.roll(0...(depth > 4 ? 1 : 20)) where dice.once(in: 3) {
      let value = value(&dice, depth: depth + 1)
      members.append(space(&dice) + "\"k\(index)\(letters(&dice))\"" + space(&dice) + ":" + value)
    }
    return "{" + members.joined(separator: ",") + space(&dice) + "}"
  }

  private func value(_ dice: inout Dice, depth: Int) -> String {
    let text: String
    switch dice.roll(depth > 6 ? 3...9 : 1...9) {
    case 1: text = object(&dice, depth: depth)
    case 2:
      text =
        "["
        + (0..<dice.roll(0...4)).map { _ in value(&dice, depth: depth + 1) }
        .joined(separator: ",") + "]"
    case 3, 4: text = "\"" + letters(&dice) + "\""
    case 5: text = String(Int64(truncatingIfNeeded: dice.next()) >> Int64(dice.roll(0...63)))
    case 6: text = "\(dice.roll(-999...999)).\(dice.roll(0...99))e\(dice.roll(-9...9))"
    case 7: text = "true"
    case 8: text = "false"
    default: text = "null"
    }
    return space(&dice) + text + space(&dice)
  }

  private func letters(_ dice: inout Dice) -> String {
    let choices = [
      "a", "Z", " ", "ß", "🙂", "{", "}", "[", ",", ":", "\u{7f}", #"\""#, #"\\"#, #"\/"#, #"\n"#,
      #"\u0041"#, #"\u00e4"#, #"\u20AC"#, #"\ud83d\ude42"#, #"\u001f"#,
    ]
    return (0..<dice.roll(0...9)).map { _ in dice.pick(choices) }.joined()
  }

  private func space(_ dice: inout Dice) -> String {
    dice.once(in: 4) ? dice.pick([" ", "\t", "\r\n", "  "]) : ""
  }
}

private indirect enum Value: Equatable, Decodable {
  case object([String: Value])
  case list([Value])
  case string(String)
  case number(Double)
  case flag(Bool)
  case null

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let list = try? container.decode([Value].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: Value].self))
    }
  }
}
