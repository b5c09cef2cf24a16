// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yTestKit
import DBus
import Testing

@Suite(.timeLimit(.minutes(hangs))) struct AtspiSignalTests {
  private static let source = SourceObject(":1.7", "/org/a11y/atspi/accessible/5")

  private static func read(
    _ kind: String,
    _ member: String,
    _ detail: String = "",
    _ first: Int32 = 0,
    _ value: DBusValue = .int32(0),
    last: DBusValue = .dictionary([])
  ) throws -> AtspiSignal.News? {
    let values: [DBusValue] = [.string(detail), .int32(first), .int32(0), .variant(value), last]
    return try AtspiSignal(
      interface: "org.a11y.atspi.Event.\(kind)",
      member: member,
      from: source,
      values
    )?.news
  }

  @Test func `signals that say nothing here are passed over`() throws {
    #expect(try Self.read("Object", "StateChanged", "focused", 0) == nil)
    #expect(try Self.read("Object", "StateChanged", "defunct", 1) == nil)
    #expect(try Self.read("Object", "TextChanged", "insert", 0, .string("")) == nil)
    #expect(try Self.read("Object", "StateChanged", "defunct", 0) == nil)
    #expect(try Self.read("Mouse", "Abs") == nil)
  }

  @Test func `a window signal of GTK 4.18, whose title is a zero, is passed over`() throws {
    #expect(try Self.read("Window", "Activate", "", 0, .string("0")) == nil)
    #expect(
      try Self.read("Window", "Activate", "", 0, .string("Letter"))
        == .window(.activated, title: "Letter")
    )
  }

  @Test func `an announcement is polite, assertive, or neither`() throws {
    let word = DBusValue.string("Saved")
    for (number, isAssertive) in [(Int32(0), false), (1, false), (2, true)] {
      #expect(
        try Self.read("Object", "Announcement", "", number, word)
          == .announcement("Saved", isAssertive: isAssertive)
      )
    }
  }

  @Test func `text is read from Firefox, from Qt and with its places of objects`() throws {
    let qt = DBusValue.structure([.string(":1.7"), .path("/root")])
    let text = DBusValue.string("one\u{fffc}two")
    for detail in ["insert:system", "insert/system", "insert"] {
      #expect(
        try Self.read("Object", "TextChanged", detail, 3, text, last: qt)
          == .inserted("one\u{fffc}two", at: 3)
      )
    }
    #expect(
      try Self.read("Object", "TextChanged", "delete/system", 0, .string("x")) == .removed("x")
    )
  }

  @Test func `states come in two words of 32 bits`() {
    let states = AtspiStates(words: [1 << 4 | 1 << 24, 1])
    #expect(states[.checked] && states[.sensitive] && !states[.expanded])
    #expect(AtspiStates(words: [-1])[.showing])
  }

  @Test func `the descendant that is active is of the same program`() throws {
    let mine = DBusValue.structure([.string(":1.7"), .path("/row")])
    let foreign = DBusValue.structure([.string(":1.8"), .path("/row")])
    #expect(
      try Self.read("Object", "ActiveDescendantChanged", "", 0, mine)
        == .activeDescendant(SourceObject(":1.7", "/row"))
    )
    #expect(try Self.read("Object", "ActiveDescendantChanged", "", 0, foreign) == nil)
  }

  @Test func `a window tells its title`() throws {
    #expect(
      try Self.read("Window", "Activate", "", 0, .string("Contacts"))
        == .window(.activated, title: "Contacts")
    )
  }

  @Test(
    arguments: [
      [], [.string("insert")],
      [.int32(1), .int32(1), .int32(1), .variant(.string("")), .dictionary([])],
      [.string(""), .int32(1), .int32(1), .string(""), .dictionary([])],
    ] as [[DBusValue]]
  )
  func `a signal of another form is malformed`(values: [DBusValue]) {
    #expect(throws: DBusMistake.malformed) {
      try AtspiSignal(
        interface: "org.a11y.atspi.Event.Object",
        member: "TextChanged",
        from: Self.source,
        values
      )
    }
  }

  @Test func `an element is named by its source, within the bound of names`() {
    #expect(Self.source.element == ":1.7/5")
    let long = SourceObject(":1.7", "/" + String(repeating: "a", count: 200))
    #expect(long.element.utf8.count <= 128)
  }
}
