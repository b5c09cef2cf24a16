// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

@testable import A11yClient
@testable import a11yctl

struct MarkWordsTests {
  private static let cursor = LogCursor(epoch: Says.epoch, seq: 1_042)

  @Test(arguments: [
    (SubscriptionMark.caughtUp(cursor), ["Caught up at entry 1042."]),
    (.checkpoint(cursor), []),
    (.gap(from: 12, to: 40, reason: "retention"), ["Entries 12 to 40 are missing: retention."]),
    (.gap(from: 12, to: 12, reason: "corruption"), ["Entry 12 is missing: corruption."]),
    (.skipped(count: 3), ["3 entries were skipped for newer ones."]),
    (
      .secret(of: 9, kind: "text", speak: "12345", masked: nil),
      ["The text of entry 9 was given to readers only."]
    ),
    (.other(name: "new\u{202E}", .null), ["The bus says new<U+202E>."]),
  ])
  func `marks are told in words`(mark: SubscriptionMark, lines: [String]) {
    #expect(MarkWords.lines(mark) == lines)
  }

  @Test func `the state is told in words`() {
    let state: JSONValue = [
      "focus": ["app": "org.x", "window": "main", "element": "save"],
      "windows": [["app": "org.x", "window": "main", "state": "active", "title": "Contacts"]],
      "reader": ["running": true, "name": "Orca"],
      "do_not_disturb": 50,
      "pending": [["seq": 9, "type": "announcement", "app": "org.x", "state": "held"]],
    ]

    #expect(
      MarkWords.lines(.state(state, at: Self.cursor)) == [
        "This is the state at entry 1042.",
        "The focus is on save in main of org.x.",
        #"org.x has the window "Contacts", which is active."#,
        "The reader Orca is running.",
        "Do not disturb is at 50.",
        "Entry 9 of org.x is held back.",
      ]
    )
  }

  @Test func `an empty state is told in words`() {
    let state: JSONValue = [
      "focus": .null, "windows": [], "reader": ["running": false], "pending": [],
    ]

    #expect(
      MarkWords.lines(.state(state, at: Self.cursor)) == [
        "This is the state at entry 1042.", "The focus is nowhere.", "No window is open.",
        "No reader is running.", "Nothing waits to be spoken.",
      ]
    )
  }

  @Test func `counters are told one on a line`() {
    let stats: JSONValue = [
      "server": "a11yd/0.1.0", "uptime_ms": 12, "log": ["last": 7, "degraded": false],
      "apps": [["app": "org.x", "published": 3]], "subscribers": [],
    ]

    #expect(
      CounterWords.lines(stats) == [
        "server: a11yd/0.1.0", "uptime ms: 12", "log, last: 7", "log, degraded: no",
        "apps: app org.x, published 3", "subscribers: none",
      ]
    )
  }
}
