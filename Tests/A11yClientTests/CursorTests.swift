// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import Testing

struct CursorTests {
  @Test func `a cursor is its text`() throws {
    let text = "0123456789abcdef0123456789abcdef:42"

    let cursor = try #require(LogCursor(text))

    #expect(cursor.seq == 42)
    #expect(cursor.epoch == "0123456789abcdef0123456789abcdef")
    #expect(String(cursor) == text)
  }

  @Test(arguments: ["", "42", ":42", "0123456789abcdef0123456789abcdef:-1", "xyz:1", "now"])
  func `what is no cursor does not become one`(text: String) {
    #expect(LogCursor(text) == nil)
  }
}
