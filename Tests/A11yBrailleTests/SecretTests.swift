// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import A11yBraille

/// Words that the log does not hold.
@Suite struct SecretTests {
  @Test func `the value of a password field is as many bullets`() throws {
    var display = try Delivered()
    let speak = #"[{"text":"Password"},{"redacted":"1-8"},{"text":"secure text field"}]"#
    try display.deliver(speak: speak, seq: 2, of: [1])
    #expect(display.shown == nil)

    display.secret(of: 2, kind: "value", "Password", "geheim", "secure text field")
    #expect(display.shown == "Password, ••••••, secure text field")
  }

  @Test func `a value of several runs is bullets from its beginning to its end`() throws {
    var display = try Delivered()
    try display.deliver(speak: #"[{"text":"Password"},{"redacted":"1-8"}]"#, seq: 2, of: [1])
    display.secret(of: 2, kind: "value", "Password", "ge", "heim")

    #expect(display.shown == "Password, ••, ••••")
  }

  @Test func `a sensitive text is shown in full, and cannot be gone back to`() throws {
    var display = try Delivered()
    try display.deliver("Mail", seq: 2)
    display.wait(1_000)
    try display.deliver(speak: #"[{"redacted":"9-32"}]"#, seq: 4, of: [3])
    display.secret(of: 4, kind: "text", "Your code is ", "98110")
    #expect(display.shown == "Your code is 98110")

    display.wait(1_800)
    try display.deliver("Saved", seq: 6)
    display.press(.left)
    #expect(display.shown == "Mail")
  }

  @Test func `going back from a secret leaves it behind`() throws {
    var display = try Delivered()
    try display.deliver("Mail", seq: 2)
    display.wait(1_000)
    try display.deliver(speak: #"[{"redacted":"9-32"}]"#, seq: 4, of: [3])
    display.secret(of: 4, kind: "text", "98110")

    display.press(.left)
    #expect(display.shown == "Mail")
    display.press(.right)
    #expect(display.shown == nil)
  }

  @Test func `without the secret line the open words are shown after a moment`() throws {
    var display = try Delivered()
    let speak = #"[{"text":"Password"},{"redacted":"1-8"},{"text":"secure text field"}]"#
    try display.deliver(speak: speak, seq: 2, of: [1])

    display.wait(50)
    #expect(display.shown == "Password, secure text field")
    display.secret(of: 2, kind: "value", "Password", "geheim", "secure text field")
    #expect(display.shown == "Password, secure text field")
  }

  @Test func `a secret that was withdrawn is not shown`() throws {
    var display = try Delivered()
    try display.deliver(speak: #"[{"redacted":"9-32"}]"#, seq: 4, of: [3])
    display.withdraw(3)
    display.secret(of: 4, kind: "text", "98110")

    #expect(display.shown == nil)
    #expect(display.board.due == nil)
  }
}
