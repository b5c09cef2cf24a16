// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import A11yBraille

/// The keys that turn pages and go back.
@Suite struct KeyTests {
  @Test func `the keys turn the pages of a long message`() throws {
    var display = try Delivered(columns: 10)
    try display.deliver("Contacts have been deleted", seq: 2)

    #expect(display.shown == "Contacts")
    display.press(.right)
    #expect(display.shown == "have been")
    display.press(.right)
    #expect(display.shown == "deleted")
    display.press(.left)
    #expect(display.shown == "have been")
  }

  @Test func `to the right of its end a message is read, and the next one comes`() throws {
    var display = try Delivered()
    try display.deliver("One", seq: 2)
    try display.deliver("Two", seq: 4)

    display.press(.right)
    #expect(display.shown == "Two")
    display.press(.right)
    #expect(display.shown == nil)
  }

  @Test func `to the left of its beginning are the earlier messages`() throws {
    var display = try Delivered(columns: 10)
    try display.deliver("The first message", seq: 2)
    try display.deliver("Two", seq: 4)
    display.wait(1_700)
    #expect(display.shown == "Two")

    display.press(.left)
    #expect(display.shown == "The first")
    display.press(.left)
    #expect(display.shown == "The first")
    display.press(.right)
    #expect(display.shown == "message")
    display.press(.right)
    #expect(display.shown == "Two")
  }

  @Test func `an earlier message lets only a high one come before it is read`() throws {
    var display = try Delivered()
    try display.deliver("Battery low", seq: 2, "high")
    try display.deliver("Battery lower", seq: 4, "high")
    display.press(.right, .left)
    #expect(display.shown == "Battery low")

    try display.deliver("Saved", seq: 6)
    #expect(display.shown == "Battery low")
    try display.deliver("Shutting down", seq: 8, "high")
    #expect(display.shown == "Shutting down")
  }

  @Test func `only so many messages can be gone back to`() throws {
    var display = try Delivered()
    for number in 1...Int64(Board.mostRecent + 5) {
      try display.deliver("Number \(number)", seq: 2 * number)
      display.wait(1_000)
    }
    try display.deliver("Last", seq: 1_000)

    for _ in 0..<100 { display.press(.left) }
    #expect(display.shown == "Number 7")
  }

  @Test func `a key on a display that is not ours does nothing`() throws {
    var display = try Delivered()
    try display.deliver("One", seq: 2)
    display.wait(1_000)
    display.press(.left)

    #expect(display.shown == nil)
  }
}
