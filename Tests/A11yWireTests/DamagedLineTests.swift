// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Foundation
import Testing

/// Lines of clients whose bytes got mixed up, one after the other into one reader.
///
/// One reader for all, because its memory still holds earlier lines, and a line that lacks its end
/// must not find it there.
@Suite struct DamagedLineTests {
  private let reader = JSONReader(limit: 65_536)

  private static let requests = [
    #"{"op":"hello","id":1,"app":"org.example.Contacts","role":"reader","proto":1}"#,
    #"{"op":"publish","id":2,"event":{"type":"announcement","text":"Item was added"}}"#,
    #"{"op":"publish","event":{"type":"focus","element":{"id":"a","name":"\u00dcber \"x\"\\"}}}"#,
    #"{"op":"publish","event":{"type":"announcement","text":[{"text":"a","lang":"de"},{}]}}"#,
    #"{"op":"subscribe","id":"s","from":-1,"filter":{"types":["focus","screen"],"apps":[]}}"#,
    #"{"a":[[1,2.5e-3,-0],[true,false,null],[[]],{"b":{"c":[{"k":"v"},{"k":"🙂"}]}}],"b":""}"#,
    #"{"op":"ping"}"#, "{}", #" { "x" : [ { "k" : "v" } ] , "y" : "\ud83d\ude42" } "#,
  ]

  /// The only reasons for which a line is refused that Foundation accepts.
  private static let stricter = [
    "a string has a lone surrogate", "a string has U+0000 in it", "nested deeper than 32",
    "an object has the same key twice", "expected one object",
    "the line starts with a byte order mark", "a number is malformed or not finite",
  ]

  @Test func `damaged lines are judged as Foundation does, whatever came before them`() {
    var dice = Dice()
    var counts = (accepted: 0, refused: 0)
    for _ in 0..<20_000 {
      let line = Self.damaged(&dice)
      let words = refusal(line)
      let text = String(decoding: line, as: UTF8.self)

      if words == nil { counts.accepted += 1 } else { counts.refused += 1 }
      if let words, Self.stricter.contains(words) || Self.endsInComma(text) { continue }
      #expect((words == nil) == Self.isJSON(line), "seed \(dice.seed): \(words ?? "read"): \(text)")
    }
    #expect(counts.accepted > 500, "some damage leaves a line valid")
    #expect(counts.refused > 5_000, "most damage does not")
  }

  @Test func `a line cut off anywhere is refused behind every other line`() {
    for before in Self.requests {
      for line in Self.requests {
        let bytes = Array(line.trimmingCharacters(in: .whitespaces).utf8)
        for length in 0..<bytes.count {
          #expect(refusal(Array(before.utf8)) == nil)
          #expect(refusal(Array(bytes.prefix(length))) != nil, "\(length) bytes of \(line)")
        }
      }
    }
  }

  // MARK: Reading

  /// The words with which a line is refused; an accepted one is walked through to its last byte.
  private func refusal(_ line: [UInt8]) -> String? {
    do throws(JSONFault) { try reader.read(line.span) } catch { return error.words }
    let document = reader.document
    var bytes = 0
    for index in 0..<document.end(0) {
      switch document.kind(index) {
      case .string: bytes += document.string(index).utf8.count
      case .number, .yes, .no, .null: bytes += document.raw(index).string.utf8.count
      case .object, .list: bytes += 2
      }
    }
    #expect(bytes <= line.count, "tokens are parts of the line")
    return nil
  }

  private static func isJSON(_ line: [UInt8]) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]) != nil
  }

  /// Whether an object may have a comma behind its last member, which Foundation lets pass.
  private static func endsInComma(_ text: String) -> Bool { text.contains(/,\s*}/) }

  // MARK: Damaging

  private static func damaged(_ dice: inout Dice) -> [UInt8] {
    var line = Array(dice.pick(requests).utf8)
    // Now and then a line that leaves much structure behind in the reader's memory.
    if dice.once(in: 20) {
      let filling = dice.pick([",", "{", "[", "]", "}", ":", "\\\"", #"{\"k\":\"v\"},"#])
      line = Array("{\"op\":\"\(String(repeating: filling, count: dice.roll(1...300)))\"}".utf8)
    }
    for _ in 0..<dice.roll(0...3) { damage(&line, &dice) }
    return line
  }

  private static func damage(_ line: inout [UInt8], _ dice: inout Dice) {
    guard !line.isEmpty else { return }
    let from = dice.roll(0...line.count - 1)
    let part = from..<min(line.count, from + dice.roll(1...8))
    switch dice.roll(1...6) {
    case 1: line.removeLast(line.count - from)
    case 2: line.removeSubrange(part)
    case 3: line.insert(contentsOf: line[part], at: from)
    case 4: line.swapAt(from, dice.roll(0...line.count - 1))
    case 5: line[from] = UInt8(truncatingIfNeeded: dice.next())
    default: line.insert(dice.pick(Array(#"{}[]",:\0-. "#.utf8)), at: from)
    }
  }
}
