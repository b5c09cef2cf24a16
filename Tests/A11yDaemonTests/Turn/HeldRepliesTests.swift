// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yDaemon

/// Replies stay in their order, however long the disk takes for some of them.
@Suite struct HeldRepliesTests {
  private func released(_ held: inout HeldReplies, through seq: Int64) -> String {
    var text = ""
    held.release(through: Seq(seq)) { text += $0.string }
    return text
  }

  private func append(_ text: String, until seq: Int64?, _ held: inout HeldReplies) {
    let bytes = Array(text.utf8)
    if let seq {
      held.append(bytes.span, until: Seq(seq), id: Array("\(seq)".utf8).span)
    } else {
      held.append(bytes.span)
    }
  }

  @Test func `a reply waits for its entry, and what is behind it waits too`() {
    var held = HeldReplies()
    append("a", until: 5, &held)
    append("b", until: nil, &held)
    append("c", until: 7, &held)
    append("d", until: nil, &held)

    #expect(held.bytes == 4)
    #expect(released(&held, through: 4) == "")
    #expect(released(&held, through: 5) == "ab")
    #expect(held.bytes == 2)
    #expect(released(&held, through: 6) == "")
    #expect(released(&held, through: 9) == "cd")
    #expect(held.isEmpty)
    #expect(released(&held, through: 99) == "")
  }

  @Test func `a later entry does not go before an earlier one`() {
    var held = HeldReplies()
    append("a", until: 7, &held)
    append("b", until: 3, &held)

    #expect(released(&held, through: 3) == "")
    #expect(released(&held, through: 7) == "ab")
  }

  @Test func `those who wait in vain are refused by name, and what is behind them goes`() {
    var held = HeldReplies()
    append("a\n", until: 5, &held)
    append("b\n", until: nil, &held)
    append("c\n", until: 7, &held)
    append("d\n", until: 9, &held)
    append("e\n", until: nil, &held)
    #expect(released(&held, through: 5) == "a\nb\n")

    var text = ""
    held.refuse({ seq in Refusal(.storageDegraded, "seq \(seq.number)") }) { text += $0.string }

    let lines = text.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix(#"{"id":7,"err":{"code":"storage.degraded""#))
    #expect(lines[0].contains("seq 7"))
    #expect(lines[1].hasPrefix(#"{"id":9,"err""#))
    #expect(lines[2] == "e")
    #expect(held.isEmpty)
  }

  @Test func `whatever is held and released, the order stays and nothing is lost`() {
    var dice = Dice()
    for _ in 0..<200 {
      var held = HeldReplies()
      var sent = ""
      var given = ""
      var seq: Int64 = 0
      for _ in 0..<60 {
        if dice.once(in: 3) {
          let synced = Int64(dice.roll(0...Int(seq)))
          sent += released(&held, through: synced)
          #expect(given.hasPrefix(sent), "seed \(dice.seed)")
          continue
        }
        let text = String(repeating: dice.pick(["a", "b", "c"]), count: dice.roll(1...9))
        // Without anything that waits a reply goes out at once and is never held.
        let waits = held.isEmpty || dice.once(in: 2)
        if waits { seq += Int64(dice.roll(1...2)) }
        append(text, until: waits ? seq : nil, &held)
        given += text
        #expect(held.bytes == given.utf8.count - sent.utf8.count, "seed \(dice.seed)")
      }
      sent += released(&held, through: seq)
      #expect(sent == given, "seed \(dice.seed)")
    }
  }
}
