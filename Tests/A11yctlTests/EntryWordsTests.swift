// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yClient
@testable import a11yctl

/// A table: what is in the log, and what a person hears of it.
struct EntryWordsTests {
  @Test(arguments: [
    (#"{"type":"announcement","text":"Item was added"}"#, "org.test announces: Item was added"),
    (
      #"{"type":"announcement","text":"Saved","priority":"high","class":"status"}"#,
      "org.test announces as status with high priority: Saved"
    ),
    (
      #"{"type":"announcement","text":"Hi","priority":"default","class":"message"}"#,
      "org.test announces: Hi"
    ),
    (
      #"{"type":"announcement","text":[{"text":"98110","spell":true},{"text":" it is"}]}"#,
      "org.test announces: 98110 it is"
    ),
    (
      #"{"type":"announcement","redacted":"9-32","sensitive":true}"#,
      "org.test announces: a hidden text of 9 to 32 characters"
    ),
    (
      #"{"type":"announcement","redacted":"33+"}"#,
      "org.test announces: a hidden text of 33 characters or more"
    ),
    (#"{"type":"layout-changed"}"#, "org.test says the layout changed"),
    (
      #"{"type":"layout-changed","element":"save","window":"main"}"#,
      "org.test says the layout changed in main, at save"
    ),
    (
      #"{"type":"screen-changed","text":"Settings","modal":true}"#,
      "org.test says the screen changed, and is modal: Settings"
    ),
    (
      #"{"type":"page-scrolled","text":"Page 1 of 2","element":"list"}"#,
      "org.test scrolled list: Page 1 of 2"
    ),
    (#"{"type":"page-scrolled","continuous":true}"#, "org.test is scrolling"),
    (
      #"{"type":"focus-changed","element":"save","window":"main"}"#,
      "org.test reports the focus on save in main"
    ),
    (
      #"{"type":"voiceover-status","running":true,"reader":"Orca"}"#,
      "org.test says the reader Orca is running"
    ),
    (
      #"{"type":"voiceover-status","running":false}"#,
      "org.test says the screen reader is not running"
    ),
    (
      #"{"type":"elements","upsert":[{"id":"a"}],"window":"main"}"#,
      "org.test updates 1 element of main"
    ),
    (
      #"{"type":"elements","upsert":[{"id":"a"},{"id":"b"}],"remove":["c"],"window":"main"}"#,
      "org.test updates 2 elements of main and removes 1"
    ),
    (
      #"{"type":"elements","remove":["c"],"window":"main"}"#,
      "org.test removes 1 element from main"
    ),
    (
      #"{"type":"elements","replace":[],"window":"main"}"#,
      "org.test lists 0 elements as all of main"
    ),
    (
      #"{"type":"window","state":"active","title":"Contacts","window":"main"}"#,
      #"org.test is now the active window "Contacts""#
    ),
    (#"{"type":"window","state":"opened","window":"main"}"#, "org.test opens the window main"),
    (#"{"type":"window","state":"closed","window":"main"}"#, "org.test closes the window main"),
    (
      #"{"type":"window","title":"New","window":"main"}"#, #"org.test names its window main "New""#
    ),
    (#"{"type":"handled","of":7,"handled":false}"#, "org.test did not handle the gesture 7"),
    (#"{"type":"busy","busy":true,"element":"list"}"#, "org.test is busy at list"),
    (#"{"type":"pause"}"#, "org.test asks readers to be quiet"),
    (#"{"type":"cancel","of":7}"#, "org.test withdraws entry 7"),
    (
      #"{"type":"action","action":"activate","app":"contacts","element":"clear"}"#,
      "org.test passes on the user's action activate on clear of contacts"
    ),
    (#"{"type":"do-not-disturb","level":50}"#, "org.test sets do not disturb to 50"),
    (
      #"{"type":"do-not-disturb","level":50,"for_ms":3600000}"#,
      "org.test sets do not disturb to 50 for 1 h"
    ),
    (#"{"type":"speech","of":7,"state":"started"}"#, "org.test began to speak 7"),
    (
      #"{"type":"speech","of":7,"state":"finished","estimated":true}"#,
      "org.test has spoken 7, by an estimate"
    ),
    (
      #"{"type":"speech","of":7,"state":"interrupted","heard_ms":300}"#,
      "org.test was interrupted in 7 after 0.3 s"
    ),
    (
      #"{"type":"speech","reading":true,"state":"started"}"#,
      "org.test says the user's own reading started"
    ),
    (#"{"type":"something-new"}"#, "org.test sends something-new"),
    (#"{"type":"client","state":"joined"}"#, "org.test sends client"),
  ])
  func `what an app says`(event: String, sentence: String) throws {
    #expect(EntryWords.sentence(try entry(event, conn: 1)) == sentence)
  }

  @Test(arguments: [
    (
      #"{"type":"opened","recovery":{"clean":true,"torn_bytes":0,"first":1,"last":0}}"#,
      "the bus started: the log is empty"
    ),
    (
      #"{"type":"opened","recovery":{"clean":false,"torn_bytes":12,"first":3,"last":9}}"#,
      "the bus started: the log has entries 3 to 9, it had not been stopped properly, "
        + "12 bytes of an unfinished entry were dropped"
    ),
    (
      #"{"type":"opened","recovery":{"clean":true,"known_from":3,"first":3,"last":9}}"#,
      "the bus started: the log has entries 3 to 9, windows and focus before entry 3 are not known"
    ),
    (#"{"type":"closed"}"#, "the bus stopped"),
    (#"{"type":"client","state":"joined","app":"org.x"}"#, "client org.x joined"),
    (
      #"{"type":"client","state":"joined","app":"orca","role":"reader"}"#,
      "client orca joined, as a reader"
    ),
    (
      #"{"type":"client","state":"left","app":"org.x","reason":"disconnected"}"#,
      "client org.x left: disconnected"
    ),
    (
      #"{"type":"focus","app":"org.x","window":"main","element":"save","by":3}"#,
      "the focus is on save in main of org.x"
    ),
    (#"{"type":"focus","app":"org.x","element":null}"#, "the focus is nowhere"),
    (
      #"{"type":"deliver","of":[3],"speak":[{"text":"Saved"}],"priority":"high"}"#,
      "the reader is asked to say with high priority: Saved"
    ),
    (
      #"{"type":"deliver","of":[3],"speak":[],"earcon":"screen"}"#,
      "the reader is asked to play the sound screen"
    ),
    (#"{"type":"silence","of":4,"by":5}"#, "the reader is told to stop 4"),
    (#"{"type":"silence","of":4,"hold":true}"#, "the reader is told to hold 4"),
    (
      #"{"type":"deliver","of":[3,4,5],"speak":[]}"#, "the reader is told of 3 to 5, without words"
    ),
    (
      #"{"type":"deliver","of":[3],"speak":[{"text":"Home"}],"earcon":"screen","again":true}"#,
      "the reader is asked to play the sound screen and to say once more: Home"
    ),
    (
      #"{"type":"outcome","of":43,"result":"handled"}"#,
      "43 was handled: its app did what the user asked for"
    ),
    (
      #"{"type":"outcome","of":43,"result":"heard","why":{"silent":true}}"#,
      "43 was heard, without words"
    ),
    (
      #"{"type":"outcome","of":3,"result":"superseded","by":5,"rule":"status"}"#,
      "3 was not heard: 5 is newer and came in its place"
    ),
    (
      #"{"type":"outcome","of":3,"result":"expired"}"#,
      "3 was not heard: it could not begin in time"
    ),
    (
      #"{"type":"deliver","of":[3],"speak":[{"redacted":"1-8"},{"text":"text field"}]}"#,
      "the reader is asked to say: a hidden text of 1 to 8 characters, text field"
    ),
    (
      #"{"type":"gesture","action":3,"app":"org.x","element":"save","name":"escape"}"#,
      "org.x is asked to handle escape on save"
    ),
    (#"{"type":"forgotten"}"#, "this entry was forgotten"),
  ])
  func `what the bus says`(event: String, sentence: String) throws {
    #expect(EntryWords.sentence(try entry(event, conn: 0)) == sentence)
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
