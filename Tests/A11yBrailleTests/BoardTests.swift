// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

@testable import A11yBraille

/// The content of the display, and the time for which it stays.
@Suite struct BoardTests {
  // MARK: Time

  @Test(
    arguments: [
      ("Saved", 1_000), ("Four words on display", 2_100),
      (String(repeating: "long ", count: 100), 10_000),
    ] as [(String, Int64)]
  )
  func `a message stays for as long as its length needs, within bounds`(
    text: String,
    milliseconds: Int64
  ) throws {
    var display = try Delivered()
    try display.deliver(text, seq: 2)

    display.wait(milliseconds - 1)
    #expect(display.shown != nil)
    display.wait(1)
    #expect(display.shown == nil)
    #expect(display.board.due == nil)
  }

  @Test func `a key makes the message stay as if it were new`() throws {
    var display = try Delivered(columns: 10)
    try display.deliver("Twenty characters ok", seq: 2)

    display.wait(1_999)
    display.press(.right)
    display.wait(1_999)
    #expect(display.shown != nil)
    display.wait(1)
    #expect(display.shown == nil)
  }

  @Test func `an earcon alone shows nothing, and neither do blanks`() throws {
    var display = try Delivered()
    try display.deliver(speak: "[]", seq: 2, of: [1], #","earcon":"screen""#)
    try display.deliver(" \u{200D} ", seq: 4)

    #expect(display.shown == nil)
    #expect(display.board.due == nil)
  }

  @Test func `new settings hold from the next message on`() throws {
    var display = try Delivered()
    try display.deliver("Saved", seq: 2)
    display.board.settings = BrailleSettings()
    display.wait(1_000)
    #expect(display.shown == nil)

    try display.deliver("Saved", seq: 4)
    display.wait(3_999)
    #expect(display.shown == "Saved")
    display.wait(1)
    #expect(display.shown == nil)
  }

  // MARK: Order

  @Test func `the next message waits until the first has had its time`() throws {
    var display = try Delivered()
    try display.deliver("One", seq: 2)
    try display.deliver("Two", seq: 4)

    #expect(display.shown == "One")
    display.wait(1_000)
    #expect(display.shown == "Two")
    display.wait(1_000)
    #expect(display.shown == nil)
  }

  @Test(arguments: ["low", "default"])
  func `a message of high priority is not pushed away before its time`(priority: String) throws {
    var display = try Delivered()
    try display.deliver("Battery low", seq: 2, "high")
    display.board.goOn()
    try display.deliver("Saved", seq: 4, priority, #","interrupts":2"#)

    #expect(display.shown == "Battery low")
    display.wait(1_100)
    #expect(display.shown == "Saved")
  }

  @Test(arguments: [("low", "default"), ("default", "high"), ("low", "high")])
  func `a more important message comes at once, and the other one is found again`(
    lesser: String,
    greater: String
  ) throws {
    var display = try Delivered()
    try display.deliver("Lesser", seq: 2, lesser)
    try display.deliver("Greater", seq: 4, greater)

    #expect(display.shown == "Greater")
    display.press(.left)
    #expect(display.shown == "Lesser")
  }

  @Test func `of those that wait the most important is next, and then the oldest`() throws {
    var display = try Delivered()
    try display.deliver("First", seq: 2, "high")
    try display.deliver("Low", seq: 4, "low")
    try display.deliver("Default", seq: 6)
    try display.deliver("High", seq: 8, "high")
    try display.deliver("Default again", seq: 10)

    var order: [String] = []
    while let shown = display.shown {
      order.append(shown)
      display.press(.right)
    }
    #expect(order == ["First", "High", "Default", "Default again", "Low"])
  }

  @Test func `a delivery that the bus has cut off gives way to the one that cuts it`() throws {
    var display = try Delivered()
    try display.deliver("Delete, button", seq: 2)
    try display.deliver("Cancel, button", seq: 4, "default", #","interrupts":2"#)

    #expect(display.shown == "Cancel, button")
    display.wait(1_400)
    #expect(display.shown == nil)
  }

  @Test func `a delivery that is cut off while it waits is not waited for`() throws {
    var display = try Delivered()
    try display.deliver("Battery low", seq: 2, "high")
    try display.deliver("Delete, button", seq: 4)
    try display.deliver("Cancel, button", seq: 6, "default", #","interrupts":4"#)

    display.press(.right)
    #expect(display.shown == "Cancel, button")
    display.press(.left)
    #expect(display.shown == "Battery low")
    display.press(.left)
    #expect(display.shown == "Delete, button")
  }

  @Test func `when the user goes on, the display follows at once`() throws {
    var display = try Delivered()
    try display.deliver("Your message was sent", seq: 2)
    display.board.goOn()
    #expect(display.shown == "Your message was sent")

    try display.deliver("Inbox", seq: 5, "low")
    #expect(display.shown == "Inbox")
  }

  @Test func `a message that the user turns pages of is not pushed away`() throws {
    var display = try Delivered(columns: 10)
    try display.deliver("Your message was sent", seq: 2)
    display.board.goOn()
    display.press(.right)
    try display.deliver("Inbox", seq: 5)

    #expect(display.shown == "message")
  }

  @Test func `the bus's repetition of the words at hand gives them more time`() throws {
    var display = try Delivered()
    try display.deliver("Saved", seq: 3, of: [1])
    display.wait(900)
    try display.deliver("Saved", seq: 5, of: [1], "default", #","again":true"#)

    display.wait(999)
    #expect(display.shown == "Saved")
    display.wait(1)
    #expect(display.shown == nil)
  }

  @Test func `a flood passes over its oldest, which can be gone back to`() throws {
    var display = try Delivered()
    for number in 0...Int64(Board.mostWaiting + 1) {
      try display.deliver("Number \(number)", seq: 2 + 2 * number)
    }

    #expect(display.shown == "Number 0")
    display.press(.left)
    #expect(display.shown == "Number 1")
    display.press(.right, .right)
    #expect(display.shown == "Number 2")
  }

  @Test func `a flood of unimportant messages costs no important one`() throws {
    var display = try Delivered()
    try display.deliver("First", seq: 2, "high")
    try display.deliver("Second", seq: 4, "high")
    for number in 3...Int64(100) { try display.deliver("Low", seq: 2 * number, "low") }

    display.press(.right)
    #expect(display.shown == "Second")
  }

  // MARK: Ends

  @Test func `a withdrawn event leaves the display, the line and the earlier ones`() throws {
    var display = try Delivered()
    try display.deliver("Incoming call", seq: 2, of: [1])
    try display.deliver("Ann calls", seq: 4, of: [3])
    try display.deliver("Saved", seq: 6, of: [5])

    display.withdraw(3)
    display.withdraw(1)
    #expect(display.shown == "Saved")
    display.press(.left)
    #expect(display.shown == "Saved")
  }

  @Test func `a withdrawn earlier message leaves the present one in its place`() throws {
    var display = try Delivered()
    try display.deliver("One", seq: 2)
    try display.deliver("Two", seq: 4)
    display.press(.right)
    display.withdraw(1)

    #expect(display.shown == "Two")
    display.press(.right)
    #expect(display.shown == nil)
  }

  @Test func `the time of a message stands still while the display is away`() throws {
    var display = try Delivered()
    try display.deliver("One", seq: 2)
    display.wait(900)
    display.resize(to: nil)
    try display.deliver("Two", seq: 4)
    display.wait(14_999)
    display.resize(to: DisplaySize(columns: 40, rows: 1))

    #expect(display.shown == "One")
    display.wait(1_000)
    #expect(display.shown == "Two")
  }

  @Test func `after a long absence there is nothing to show, and all to go back to`() throws {
    var display = try Delivered()
    try display.deliver("One", seq: 2)
    display.resize(to: nil)
    try display.deliver("Two", seq: 4)
    display.wait(15_000)
    #expect(display.board.due == nil)
    display.resize(to: DisplaySize(columns: 40, rows: 1))

    #expect(display.shown == nil)
    try display.deliver("Three", seq: 6)
    display.press(.left)
    #expect(display.shown == "Two")
  }

  @Test func `a short absence of the display costs no message`() throws {
    var display = try Delivered()
    try display.deliver("A message of forty characters in length", seq: 2)
    display.resize(to: nil)
    #expect(display.shown == nil)

    display.wait(1_000)
    display.resize(to: DisplaySize(columns: 20, rows: 1))
    #expect(display.shown == "A message of forty")
    display.wait(10_000)
    #expect(display.shown == nil)
  }

  @Test func `a new life of the log leaves nothing that its seqs could name`() throws {
    var display = try Delivered()
    try display.deliver("One", seq: 2)
    try display.deliver("Two", seq: 4)
    display.board.startOver(at: 0)

    #expect(display.shown == nil)
    try display.deliver("New", seq: 2)
    display.press(.left)
    #expect(display.shown == "New")
  }

  // MARK: Random

  @Test func `whatever comes, the display holds a window of a message or is given back`() throws {
    var seeds = Dice()
    for _ in 1...200 {
      let seed = seeds.next()
      var dice = Dice(seed: seed)
      var display = try Delivered(columns: 8)
      for seq in Int64(1)...120 {
        switch dice.roll(0...7) {
        case 0...2:
          let text = String(repeating: "word ", count: dice.roll(1...8))
          let cut = dice.once(in: 3) ? #","interrupts":\#(max(1, seq - 2))"# : ""
          try display.deliver(text, seq: seq, dice.pick(["low", "default", "high"]), cut)
        case 3: display.press(.left)
        case 4: display.press(.right)
        case 5: display.wait(Int64(dice.roll(0...2_000)))
        case 6: display.withdraw(max(1, seq - Int64(dice.roll(0...20))))
        default: display.board.goOn()
        }
        let cells = display.board.cells
        #expect(cells == nil || cells?.unicodeScalars.count == 8, "seed \(seed)")
        #expect((cells == nil) == (display.board.due == nil), "seed \(seed)")
      }
      // With nothing more to come, the display is given back within a bound.
      display.wait(10_000 * Int64(Board.mostWaiting + 1))
      #expect(display.shown == nil, "seed \(seed)")
    }
  }
}
