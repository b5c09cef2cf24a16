// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yClient
@testable import a11yctl

/// Entries of the log in words.
struct EntryWordsTests {
  @Test func `what is in the log, and what a person hears of it`() throws {
    let kept = KeptText("Tests/A11yctlTests/entries.txt")
    let difference = try kept.difference { heading, event in
      let entry = try entry(event, conn: heading.contains("of the bus") ? 0 : 1)
      return [EntryWords.sentence(entry)]
    }
    #expect(difference == nil)
  }

  @Test func `a line says when, who and what, and nothing in it acts on the terminal`() throws {
    let event = #"{"type":"announcement","text":"a\u001b[2J\u202eb"}"#
    let entry = try entry(event, conn: 1)

    let line = EntryWords.line(entry, withSeq: false) { _ in "12:03:04" }
    let numbered = EntryWords.line(entry, withSeq: true) { _ in "12:03:04" }

    #expect(line == "12:03:04 org.test announces: a<U+001B>[2J<U+202E>b")
    #expect(numbered == "7 " + line)
  }

  @Test func `an outcome stands under the number of its event`() throws {
    let outcome = try entry(
      #"{"type":"outcome","of":3,"result":"duplicate","by":2,"rule":"r","why":{}}"#,
      conn: 0
    )

    #expect(
      EntryWords.line(outcome, withSeq: true) { _ in "12:03:04" }
        == "3 12:03:04 was not heard: it repeats 2"
    )
    #expect(
      EntryWords.line(outcome, withSeq: false) { _ in "12:03:04" }
        == "12:03:04 3 was not heard: it repeats 2"
    )
  }

  @Test func `times have two digits`() {
    #expect(ClockTime.text(hour: 2, minute: 3, second: 40) == "02:03:40")
  }

  private func entry(_ event: String, conn: Int) throws -> Entry {
    let line = Says.entry(7, app: "org.test", event: event)
      .replacing(#""conn":1,"#, with: #""conn":\#(conn),"#)
    let reader = JSONReader(limit: 4_096)
    try reader.read(Array(line.utf8).span)
    return try Entry(7, reader.document)
  }
}
