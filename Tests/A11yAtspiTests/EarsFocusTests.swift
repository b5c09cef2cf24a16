// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import A11yTestKit
import DBus
import Testing

/// Focus, windows, pages and values.
@Suite(.timeLimit(.minutes(hangs))) struct EarsFocusTests: EarsTrial {
  var ears = Ears()
  var now: Int64 = 1_000_000_000

  // MARK: Focus and windows

  @Test mutating func `GTK's doubled focus is one move of the user`() throws {
    try introduce()
    let asked = try hear(.focused, from: Self.button)
    try hear(.focused, from: Self.button)
    let told = try answer(
      SourceQuestion(.control, Self.button),
      .control(ControlFacts(SourceFacts(role: AtspiRole(43), name: "Save")))
    )
    let later = try hear(.focused, from: Self.button)

    #expect(asked.questions == [SourceQuestion(.control, Self.button)])
    #expect(told.types == ["elements", "focus-changed"])
    #expect(told.events[0]["upsert"]?.list?.first?["label"]?.string == "Save")
    #expect(told.events[0]["upsert"]?.list?.first?["traits"]?.list == ["button"])
    #expect(told.events[1]["element"]?.string == ":1.7/6")
    #expect(told.events[1]["window"]?.string == ":1.7/1")
    #expect(told.events[1]["cause"]?.string == "user")
    #expect(later.events == [])
  }

  @Test(arguments: [true, false])
  mutating func `a focus that does not answer is asked once more, unless it moves`(
    hasMoved: Bool
  ) throws {
    try introduce()
    let question = SourceQuestion(.control, Self.button)
    try hear(.focused, from: Self.button)
    try answer(question, .none)
    let due = try #require(ears.due)
    if hasMoved {
      try hear(.focused, from: Self.region)
      try answer(SourceQuestion(.control, Self.region), .control(ControlFacts(SourceFacts())))
    }
    now = due
    ears.catchUp(at: now)
    let again = try turn()
    if !hasMoved { try answer(question, .none) }

    #expect(again.questions == (hasMoved ? [] : [question]))
    #expect(ears.due == nil)
  }

  @Test mutating func `a focus that comes back with its window is told again`() throws {
    try introduce()
    try hear(.focused, from: Self.button)
    try answer(
      SourceQuestion(.control, Self.button),
      .control(ControlFacts(SourceFacts(role: AtspiRole(43))))
    )
    let left = try hear(.window(.deactivated, title: ""), from: Self.frame)
    let back = try hear(.window(.activated, title: "Page"), from: Self.frame)
    try hear(.focused, from: Self.button)
    try answer(
      SourceQuestion(.control, Self.button),
      .control(ControlFacts(SourceFacts(role: AtspiRole(43))))
    )
    now = try #require(ears.due)
    ears.catchUp(at: now)
    let focus = try turn()

    #expect(left.events.map { $0["state"]?.string } == ["inactive"])
    #expect(back.types == ["elements", "window"])
    #expect(back.events[1]["state"]?.string == "active")
    #expect(back.events[1]["title"]?.string == "Page")
    #expect(focus.types == ["elements", "screen-changed"])
  }

  @Test mutating func `the window of a focus that came before its window is closed by it`() throws {
    try hear(.focused, from: Self.button)
    try answer(SourceQuestion(.program, .root(of: Self.sender)), .program(name: "one"))
    let focus = try answer(
      SourceQuestion(.control, Self.button),
      .control(ControlFacts(SourceFacts()))
    )
    let active = try hear(.window(.activated, title: "Page"), from: Self.frame)

    #expect(focus.events.last?["window"]?.string == ":1.7/window")
    #expect(active.events.map { $0["state"]?.string } == ["closed", "active"])
    #expect(active.events.map { $0["window"]?.string } == [":1.7/window", ":1.7/1"])
  }

  @Test mutating func `the member of a list has the focus`() throws {
    try introduce()
    let asked = try hear(.activeDescendant(Self.button), from: Self.region)
    let told = try answer(
      SourceQuestion(.control, Self.button),
      .control(ControlFacts(SourceFacts(role: AtspiRole(32), name: "Row")))
    )

    #expect(asked.questions == [SourceQuestion(.control, Self.button)])
    #expect(told.events.last?["element"]?.string == ":1.7/6")
  }

  @Test mutating func `a table that tells its focus once more takes it from no member`() throws {
    try introduce()
    let cell = ControlFacts(SourceFacts(role: .tableCell, name: "Ada"))
    try hear(.focused, from: Self.region)
    try answer(SourceQuestion(.control, Self.region), .control(ControlFacts(SourceFacts())))
    try hear(.activeDescendant(Self.button), from: Self.region)
    let early = try hear(.focused, from: Self.region)
    try answer(SourceQuestion(.control, Self.button), .control(cell))
    let late = try hear(.focused, from: Self.region)
    try hear(.focused, from: Self.frame)
    try answer(SourceQuestion(.control, Self.frame), .control(ControlFacts(SourceFacts())))
    let back = try hear(.focused, from: Self.region)

    #expect(early.questions + late.questions == [])
    #expect(back.questions == [SourceQuestion(.control, Self.region)])
  }

  @Test mutating func `a password field is secure, and its value is not asked for`() throws {
    try introduce()
    try hear(.focused, from: Self.button)
    let told = try answer(
      SourceQuestion(.control, Self.button),
      .control(ControlFacts(SourceFacts(role: .passwordText, name: "PIN")))
    )
    let value = try hear(.valueChanged, from: Self.button)
    let typed = try hear(.inserted("1"), from: Self.button)

    #expect(told.events[0]["upsert"]?.list?.first?["traits"]?.list == ["text-field", "secure"])
    #expect(value.questions == [])
    #expect(typed.events == [])
  }

  @Test mutating func `windows open and close once`() throws {
    try introduce()
    let dialog = SourceObject(Self.sender, "/org/a11y/atspi/accessible/9")
    let opened = try hear(.window(.created, title: "Open file"), from: dialog)
    let closed = try hear(.window(.destroyed, title: ""), from: dialog)
    let again = try hear(.window(.destroyed, title: ""), from: dialog)

    #expect(opened.events.map { $0["state"]?.string } == ["opened"])
    #expect(closed.events.map { $0["state"]?.string } == ["closed"])
    #expect(again.events == [])
  }

  @Test(
    arguments: [
      ("Contacts", AtspiStates([.showing]), ["Contacts"]), ("Contacts", AtspiStates(), []),
      ("", AtspiStates([.showing]), []),
    ]
  )
  mutating func `a page that has a name, has loaded and shows is a new screen`(
    name: String,
    states: AtspiStates,
    texts: [String]
  ) throws {
    try introduce()
    try hear(.loaded)
    let page = SourceFacts(role: AtspiRole(95), name: name)
    let told = try answer(
      SourceQuestion(.page, Self.region),
      .control(ControlFacts(page, states: states))
    )

    #expect(told.types == texts.map { _ in "screen-changed" })
    #expect(told.texts == texts)
  }

  @Test mutating func `the focus brings its states, its hint and its text`() throws {
    try introduce()
    try hear(.focused, from: Self.button)
    let facts = SourceFacts(role: AtspiRole(79), name: "Name")
    let found = ControlFacts(
      facts,
      states: AtspiStates([.selected]),
      description: "Your full name",
      text: "Ann"
    )
    let told = try answer(SourceQuestion(.control, Self.button), .control(found))
    let element = try #require(told.events[0]["upsert"]?.list?.first)

    #expect(element["value"]?.string == "Ann")
    #expect(element["hint"]?.string == "Your full name")
    #expect(element["traits"]?.list == ["text-field", "selected", "not-enabled"])
  }

  @Test(arguments: [("Saves the file", "Saves the file"), ("Save", nil)] as [(String, String?)])
  mutating func `a control without a value has its description as hint`(
    description: String,
    hint: String?
  ) throws {
    try introduce()
    try hear(.focused, from: Self.button)
    let save = ControlFacts(
      SourceFacts(role: AtspiRole(43), name: "Save"),
      description: description
    )
    let told = try answer(SourceQuestion(.control, Self.button), .control(save))

    #expect(told.events[0]["upsert"]?.list?.first?["hint"]?.string == hint)
  }

  @Test mutating func `a state of the control with the focus is told, and of others is not`() throws
  {
    try introduce()
    try hear(.focused, from: Self.button)
    let found = ControlFacts(
      SourceFacts(role: AtspiRole(7), name: "Agree"),
      states: AtspiStates([.enabled])
    )
    let focus = try answer(SourceQuestion(.control, Self.button), .control(found))
    let checked = try hear(.state(.checked, true), from: Self.button)
    let again = try hear(.state(.checked, true), from: Self.button)
    let opened = try hear(.state(.expanded, true), from: Self.button)
    let other = try hear(.state(.checked, true), from: Self.region)

    #expect(focus.events[0]["upsert"]?.list?.first?["role"]?.string == "checkbox")
    #expect(focus.events[0]["upsert"]?.list?.first?["checked"]?.flag == false)
    #expect(checked.events[0]["upsert"]?.list?.first?["checked"]?.flag == true)
    #expect(opened.events[0]["upsert"]?.list?.first?["expanded"]?.flag == true)
    #expect(again.events + other.events == [])
  }

  private mutating func tellFocus(_ found: ControlFacts) throws -> JSONValue {
    try hear(.focused, from: Self.button)
    let told = try answer(SourceQuestion(.control, Self.button), .control(found))
    return try #require(told.events[0]["upsert"]?.list?.first)
  }

  @Test(
    arguments: [
      (62, ["xml-roles": "switch"], [.checked, .enabled], "switch", true),
      (62, [:], [.pressed, .enabled], "toggle-button", true),
      (62, [:], [.enabled], "toggle-button", false),
      (44, [:], [.enabled, .checked], "radio", true),
      (8, [:], [.enabled], "menu-item", false),
      (91, [:], [.enabled, .checkable], "tree-item", false),
      (32, ["xml-roles": "option"], [.enabled], "option", nil),
      (37, [:], [.enabled], "tab", nil), (43, [:], [.enabled, .pressed], "button", nil),
    ] as [(Int64, [String: String], [AtspiState], String, Bool?)]
  )
  mutating func `a control has its role, and whether it is checked or on`(
    number: Int64,
    attributes: [String: String],
    states: [AtspiState],
    role: String,
    isChecked: Bool?
  ) throws {
    try introduce()
    let facts = SourceFacts(role: AtspiRole(number), name: "Wi-Fi", attributes: attributes)
    let element = try tellFocus(ControlFacts(facts, states: AtspiStates(states)))

    #expect(element["role"]?.string == role)
    #expect(element["checked"]?.flag == isChecked)
    #expect(element["traits"]?.list?.contains("selected") == false)
  }

  @Test mutating func `a control has its place, and what is wrong with it`() throws {
    try introduce()
    let facts = SourceFacts(
      role: AtspiRole(79),
      name: "Mail",
      attributes: ["posinset": "2", "setsize": "5"]
    )
    let element = try tellFocus(
      ControlFacts(
        facts,
        states: AtspiStates([.enabled, .required, .invalid, .indeterminate]),
        description: "As in a@b.org",
        error: "An @ is missing"
      )
    )

    #expect(element["set"] == ["index": 2, "count": 5])
    #expect(element["required"]?.flag == true)
    #expect(element["invalid"]?.flag == true)
    #expect(element["hint"]?.string == "An @ is missing. As in a@b.org")
  }

  @Test mutating func `a value that is accepted again is told, and a wrong one is asked for`()
    throws
  {
    try introduce()
    let facts = SourceFacts(role: AtspiRole(79), name: "Mail")
    _ = try tellFocus(ControlFacts(facts, states: AtspiStates([.enabled]), text: "a"))
    let wrong = try hear(.state(.invalid, true), from: Self.button)
    let states = AtspiStates([.enabled, .invalid])
    let message = try answer(
      SourceQuestion(.control, Self.button),
      .control(ControlFacts(facts, states: states, text: "ab", error: "An @ is missing"))
    )
    let right = try hear(.state(.invalid, false), from: Self.button)

    #expect(wrong.events[0]["upsert"]?.list?.first?["invalid"]?.flag == true)
    #expect(message.events[0]["upsert"]?.list?.first?["hint"]?.string == "An @ is missing")
    // Typing is the reader's to echo.
    #expect(message.events[0]["upsert"]?.list?.first?["value"] == nil)
    #expect(right.events[0]["upsert"]?.list?.first?["invalid"]?.flag == false)
  }

  @Test mutating func `a new name of the control with the focus is told, and of others is not`()
    throws
  {
    try introduce()
    _ = try tellFocus(ControlFacts(SourceFacts(role: AtspiRole(43), name: "Play")))
    let other = try hear(.renamed("Play"), from: Self.region)
    let asked = try hear(.renamed("Play"), from: Self.button)
    let told = try answer(
      SourceQuestion(.control, Self.button),
      .control(ControlFacts(SourceFacts(role: AtspiRole(43), name: "Pause")))
    )

    #expect(other.questions == [])
    #expect(asked.questions == [SourceQuestion(.control, Self.button)])
    #expect(told.types == ["elements"])
    #expect(told.events[0]["upsert"]?.list?.first?["label"]?.string == "Pause")
  }

  @Test mutating func `a new name of a control that the focus has left meanwhile moves no focus`()
    throws
  {
    try introduce()
    try focusItem(Self.region)
    try hear(.focused, from: Self.button)
    try hear(.renamed("Old"), from: Self.region)
    let found = ControlFacts(SourceFacts(role: AtspiRole(43), name: "Save"))
    let moved = try answer(SourceQuestion(.control, Self.button), .control(found))
    let late = try answer(SourceQuestion(.control, Self.region), .control(found))

    #expect(moved.types == ["elements", "focus-changed"])
    #expect(late.types == [])
  }

  @Test(arguments: [
    ("GtkImage", ""), ("AdwBanner", ""), ("Gtk", "Gtk"), ("Gtk Demo", "Gtk Demo"),
    ("_Save Save", "Save"), ("Save _As Save As", "Save As"), ("a_b a_b", "a_b a_b"), ("_", "_"),
    ("", ""),
  ])
  mutating func `the class of a widget is no name, and a name is told once`(
    name: String,
    label: String
  ) throws {
    try introduce()
    let element = try tellFocus(ControlFacts(SourceFacts(role: AtspiRole(27), name: name)))
    #expect(element["label"]?.string == label)
  }

  @Test mutating func `of a long text the beginning is told`() throws {
    try introduce()
    let text = String(repeating: "word ", count: 100)
    let facts = SourceFacts(role: AtspiRole(79), name: "Letter")
    let value = try tellFocus(ControlFacts(facts, text: text))["value"]?.string

    #expect(value == String(repeating: "word ", count: 31) + "word…")
  }

  @Test mutating func `a secret has no value, whatever a program tells`() throws {
    try introduce()
    try hear(.focused, from: Self.button)
    let found = ControlFacts(
      SourceFacts(role: .passwordText, name: "PIN"),
      states: AtspiStates([.enabled, .expandable]),
      text: "1234"
    )
    let told = try answer(SourceQuestion(.control, Self.button), .control(found))

    #expect(told.events[0]["upsert"]?.list?.first?["value"] == nil)
  }

  // MARK: Values

  @Test(arguments: [(0.25, "Copying 25 %", nil), (1, "Copying 100 %", true)])
  mutating func `a progress bar is told in hundredths`(
    value: Double,
    text: String,
    isFinal: Bool?
  ) throws {
    try introduce()
    try teach(Self.region, SourceFacts(role: .progressBar, name: "Copying"))
    let asked = try hear(.valueChanged)
    let twice = try hear(.valueChanged)
    let told = try answer(
      SourceQuestion(.value, Self.region),
      .value(present: value, lowest: 0, highest: 1)
    )

    #expect(asked.questions == [SourceQuestion(.value, Self.region)])
    #expect(twice.questions == [])
    #expect(told.texts == [text])
    #expect(told.events[0]["class"]?.string == "progress")
    #expect(told.events[0]["final"]?.flag == isFinal)
  }

  @Test mutating func `the value of the focused control is kept with its element`() throws {
    try introduce()
    try hear(.focused, from: Self.button)
    let focused = try answer(
      SourceQuestion(.control, Self.button),
      .control(ControlFacts(SourceFacts(role: AtspiRole(51)), description: "40.50", text: "40.5"))
    )

    try hear(.valueChanged, from: Self.button)
    let changed = try answer(
      SourceQuestion(.value, Self.button),
      .value(present: 41, lowest: 0, highest: 100)
    )

    let element = try #require(focused.events[0]["upsert"]?.list?.first)
    #expect(element["value"]?.string == "40.5")
    #expect(element["hint"] == nil)
    #expect(changed.events[0]["upsert"]?.list?.first?["value"]?.string == "41")
  }

  // MARK: Choices

  @Test mutating func `the choice of a combo box is its value, and a new one is told`() throws {
    try introduce()
    let box = ControlFacts(
      SourceFacts(role: .comboBox, name: "Colour"),
      states: AtspiStates([.enabled, .expandable]),
      text: "Green"
    )
    try hear(.focused, from: Self.button)
    let focus = try answer(SourceQuestion(.control, Self.button), .control(box))
    let asked = try hear(.state(.selected, true), from: Self.region)
    let told = try answer(SourceQuestion(.choice, Self.button), .text("Blue"))
    try hear(.state(.selected, true), from: Self.region)
    let same = try answer(SourceQuestion(.choice, Self.button), .text("Blue"))
    let open = try hear(.state(.expanded, true), from: Self.button)

    #expect(focus.events[0]["upsert"]?.list?.first?["value"]?.string == "Green")
    #expect(asked.questions == [SourceQuestion(.choice, Self.button)])
    #expect(told.events.map { $0["upsert"]?.list?.first?["value"]?.string } == ["Blue"])
    #expect(same.events == [])
    #expect(focus.events[0]["upsert"]?.list?.first?["expanded"]?.flag == false)
    #expect(open.events[0]["upsert"]?.list?.first?["expanded"]?.flag == true)
  }

  @Test mutating func `an item that loses choice and focus together is not told`() throws {
    try introduce()
    try focusItem(Self.button)
    try hear(.state(.selected, false), from: Self.button)
    try focusItem(Self.region)
    now += Self.second
    ears.catchUp(at: now)

    #expect(try turn().events == [])
    #expect(ears.due == nil)
  }

  @Test mutating func `an item that loses its choice alone is told after a moment`() throws {
    try introduce()
    try focusItem(Self.button)
    let atOnce = try hear(.state(.selected, false), from: Self.button)
    now = try #require(ears.due)
    ears.catchUp(at: now)
    let later = try turn()

    #expect(atOnce.events == [])
    #expect(later.events.map { $0["upsert"]?.list?.first?["traits"]?.list } == [[]])
  }

  private mutating func focusItem(_ source: SourceObject) throws {
    try hear(.focused, from: source)
    let item = SourceFacts(role: AtspiRole(32), name: "Row")
    let found = ControlFacts(item, states: AtspiStates([.enabled, .selected]))
    try answer(SourceQuestion(.control, source), .control(found))
  }

  @Test(
    arguments: [("", "First and last"), ("Ann", nil)] as [(String, String?)]
  )
  mutating func `the placeholder of an empty field is its hint`(text: String, hint: String?) throws
  {
    try introduce()
    try hear(.focused, from: Self.button)
    let facts = SourceFacts(role: AtspiRole(79), attributes: ["placeholder": "First and last"])
    let told = try answer(
      SourceQuestion(.control, Self.button),
      .control(ControlFacts(facts, text: text))
    )

    #expect(told.events[0]["upsert"]?.list?.first?["hint"]?.string == hint)
  }

  // MARK: The focus of a page

  @Test mutating func `a page takes the elements before it away, and its focus comes first`() throws
  {
    try introduce()
    try focusItem(Self.region)
    try focusItem(Self.button)
    let page = try loadPage()

    #expect(page.types == ["elements", "elements", "screen-changed"])
    #expect(page.events[0]["remove"]?.list?.compactMap(\.string) == [":1.7/5", ":1.7/6"])
    #expect(page.events[1]["upsert"]?.list?.first?["id"]?.string == ":1.7/6")
    #expect(page.events[1]["upsert"]?.list?.first?["label"]?.string == "Row")
  }

  @Test(arguments: [
    ("Contacts", ["elements", "elements", "screen-changed"]), ("", ["focus-changed"]),
  ])
  mutating func `a focus whose page loads waits for the title, if there is one`(
    name: String,
    types: [String]
  ) throws {
    try introduce()
    try hear(.focused, from: Self.button)
    try hear(.loaded, from: Self.document)
    let focus = try answer(
      SourceQuestion(.control, Self.button),
      .control(ControlFacts(SourceFacts(role: AtspiRole(43), name: "Save")))
    )

    #expect(focus.types == ["elements"])
    #expect(try answerPage(name).types == types)
  }

  @Test mutating func `a control without a name is asked once more when its page is there`() throws
  {
    try introduce()
    try hear(.focused, from: Self.button)
    let question = SourceQuestion(.control, Self.button)
    try answer(question, .control(ControlFacts(SourceFacts(role: AtspiRole(43)))))
    let loaded = try hear(.loaded, from: Self.document)
    let named = SourceFacts(role: AtspiRole(43), name: "Save")
    try answer(question, .control(ControlFacts(named)))

    #expect(loaded.questions == [question])
    let page = try answerPage("Contacts")
    #expect(page.events[1]["upsert"]?.list?.first?["label"]?.string == "Save")
  }

  @Test mutating func `a page with the focus itself stays the element that it is`() throws {
    try introduce()
    try focusPage()

    #expect(try loadPage().types == ["screen-changed"])
  }

  @Test mutating func `a page that gets the focus behind another is named once`() throws {
    try introduce()
    try focusItem(Self.region)
    try focusPage()
    let page = try loadPage()

    #expect(page.types == ["elements", "screen-changed", "elements"])
    #expect(page.events[0]["remove"]?.list?.compactMap(\.string) == [":1.7/5"])
    #expect(page.events[0]["upsert"]?.list?.first?["label"] == .null)
    #expect(page.events[2]["replace"]?.list?.first?["label"]?.string == "Contacts")
  }

  @Test mutating func `the focus on a page that loads for long is told, and its title is not then`()
    throws
  {
    try introduce()
    let focus = try focusPage()
    now = try #require(ears.due)
    ears.catchUp(at: now)
    let late = try turn()
    let page = try loadPage()
    try focusItem(Self.region)
    let again = try focusPage()

    #expect(focus.types == ["elements"])
    #expect(late.types == ["focus-changed"])
    #expect(page.types == [])
    // It has loaded.
    #expect(again.types == ["elements", "focus-changed"])
  }

  @Test mutating func `a page is told though its texts are more than the ears ask for`() throws {
    try introduce()
    for number in 0..<40 {
      try hear(.inserted("text"), from: SourceObject(Self.sender, "/o/\(number)"))
    }
    try hear(.loaded, from: Self.document)
    for number in 0..<31 {
      let source = SourceObject(Self.sender, "/o/\(number)")
      try answer(SourceQuestion(.facts, source), .facts(SourceFacts()))
    }

    #expect(try answerPage("Contacts").types == ["screen-changed"])
    #expect(ears.overrun == 9)
  }

  @discardableResult
  private mutating func focusPage() throws -> EarsTurn {
    try hear(.focused, from: Self.document)
    let page = ControlFacts(SourceFacts(role: AtspiRole(95), name: "Contacts"))
    return try answer(SourceQuestion(.control, Self.document), .control(page))
  }

  private static var document: SourceObject {
    SourceObject(sender, "/org/a11y/atspi/accessible/2")
  }

  private mutating func loadPage() throws -> EarsTurn {
    try hear(.loaded, from: Self.document)
    return try answerPage("Contacts")
  }

  private mutating func answerPage(_ name: String) throws -> EarsTurn {
    let facts = SourceFacts(role: AtspiRole(95), name: name)
    return try answer(
      SourceQuestion(.page, Self.document),
      .control(ControlFacts(facts, states: AtspiStates([.showing])))
    )
  }
}
