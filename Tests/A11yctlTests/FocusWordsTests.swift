// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yClient
@testable import a11yctl

/// Moves of the focus, as a person hears them.
struct FocusWordsTests {
  private func move(_ reason: String, element: String = #""save""#) throws -> Entry {
    let event =
      #"{"type":"focus","app":"org.x","window":"main","element":\#(element),"reason":"\#(reason)"}"#
    let reader = JSONReader(limit: 4_096)
    let line = Says.entry(7, app: "a11yd", event: event)
      .replacing(#""conn":1,"#, with: #""conn":0,"#)
    try reader.read(Array(line.utf8).span)
    return try Entry(7, reader.document)
  }

  @Test(arguments: [
    ("next", "the user moved the focus to save in main of org.x, with the action next"),
    ("user", "the user moved the focus to save in main of org.x, as org.x reports"),
    ("auto", "org.x moved the focus to save in main of org.x, as it reports itself"),
    (
      "repair",
      "the bus moved the focus to save in main of org.x, because the element before is gone"
    ),
    ("layout-changed", "org.x moved the focus to save in main of org.x, with layout-changed"),
  ])
  func `a move in the history says who moved what where`(reason: String, words: String) throws {
    #expect(FocusWords.line(try move(reason)) { _ in "12:03:04" } == "7 12:03:04 " + words)
  }

  @Test func `a focus that goes nowhere was taken away`() throws {
    let move = try move("repair", element: "null")

    #expect(
      FocusWords.line(move) { _ in "12:03:04" }
        == "7 12:03:04 the bus took the focus away, because the element before is gone"
    )
  }

  @Test func `the origin says who, when and which entry led to it`() throws {
    #expect(
      FocusWords.origin(try move("next"), by: nil) { _ in "2026-11-22 12:03:04" } == [
        "The user moved it there, with the action next, on 2026-11-22 12:03:04, as entry 7 says."
      ]
    )
  }
}
