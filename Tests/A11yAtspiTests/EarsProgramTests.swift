// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import A11yTestKit
import Testing

/// Windows, rows, combo boxes and terminals, as the toolkits of programs tell them.
@Suite(.timeLimit(.minutes(hangs))) struct EarsProgramTests: EarsTrial {
  var ears = Ears()
  var now: Int64 = 1_000_000_000

  private static let other = SourceObject(sender, "/org/a11y/atspi/accessible/30")
  private static let third = SourceObject(sender, "/org/a11y/atspi/accessible/31")

  @discardableResult
  private mutating func focus(
    _ found: ControlFacts,
    at source: SourceObject = Self.button
  ) throws -> EarsTurn {
    try hear(.focused, from: source)
    return try answer(SourceQuestion(.control, source), .control(found))
  }

  /// Moves the focus within a window that is new, where it comes to rest.
  private mutating func settle(
    _ found: ControlFacts,
    at source: SourceObject = Self.button
  ) throws -> EarsTurn {
    try focus(found, at: source)
    return try rest()
  }

  private mutating func rest() throws -> EarsTurn {
    now = try #require(ears.due)
    ears.catchUp(at: now)
    return try turn()
  }

  private static func control(_ role: Int64, _ name: String = "") -> ControlFacts {
    ControlFacts(SourceFacts(role: AtspiRole(role), name: name))
  }

  // MARK: Windows

  @Test mutating func `the title of a window comes before its focus, which is its first element`()
    throws
  {
    try introduce()
    try focus(Self.control(43, "Save"))
    try hear(.window(.deactivated, title: "Page"), from: Self.frame)
    try hear(.window(.activated, title: "Other"), from: Self.other)
    let other = try settle(Self.control(43, "Close"), at: Self.region)
    try hear(.window(.deactivated, title: "Other"), from: Self.other)
    let back = try hear(.window(.activated, title: "Page"), from: Self.frame)
    let focus = try settle(Self.control(43, "Save"))

    #expect(other.types == ["elements", "screen-changed"])
    #expect(other.events[0]["upsert"]?.list?.first?["index"] == 0)
    #expect(other.texts == ["Other"])
    // The bus would tell the element at once that had the focus in the window.
    #expect(back.types == ["elements", "window"])
    #expect(back.events[0]["remove"]?.list == [.string(Self.button.element)])
    #expect(focus.types == ["elements", "screen-changed"])
    #expect(focus.texts == ["Page"])
  }

  @Test mutating func `a focus that moves about in a new window is told where it rests`() throws {
    try introduce()
    try hear(.window(.activated, title: "Open"), from: Self.other)
    let places = try focus(Self.control(31, "Places"), at: Self.region)
    let told = try settle(Self.control(61, "Name"))

    #expect(places.events == [])
    #expect(told.types == ["elements", "screen-changed"])
    #expect(told.events[0]["upsert"]?.list?.map { $0["label"]?.string } == ["Name"])
  }

  @Test mutating func `a menu in a window of its own takes nobody out of the window`() throws {
    try introduce()
    try focus(Self.control(43, "Save"))
    try hear(.window(.deactivated, title: "Page"), from: Self.frame)
    try hear(.window(.activated, title: ""), from: Self.other)
    let menu = try focus(Self.control(35, "Copy"), at: Self.region)
    try hear(.window(.deactivated, title: ""), from: Self.other)
    let back = try hear(.window(.activated, title: "Page"), from: Self.frame)
    let focus = try focus(Self.control(43, "Save"))

    #expect(menu.types == ["elements", "focus-changed"])
    #expect(back.types == ["window"])
    #expect(focus.types == ["elements", "focus-changed"])
  }

  @Test mutating func `an item that is chosen in a menu without a focus has it`() throws {
    try introduce()
    try focus(Self.control(61, "City"))
    let behind = try hear(.state(.selected, true), from: Self.region)
    try hear(.window(.deactivated, title: "Page"), from: Self.frame)
    try hear(.window(.activated, title: ""), from: Self.other)
    let chosen = try hear(.state(.selected, true), from: Self.region)
    let first = try answer(.init(.control, Self.region), .control(Self.control(35, "Cut")))
    try hear(.state(.selected, false), from: Self.region)
    try hear(.state(.selected, true), from: Self.third)
    let second = try answer(.init(.control, Self.third), .control(Self.control(35, "Copy")))
    try hear(.window(.deactivated, title: ""), from: Self.other)
    try hear(.window(.activated, title: "Page"), from: Self.frame)
    var gone = Self.control(0)
    gone.states = AtspiStates([.defunct])
    let last = try focus(gone, at: Self.third)
    let back = try focus(Self.control(61, "City"))

    #expect(behind.questions == [])
    #expect(chosen.questions == [SourceQuestion(.control, Self.region)])
    #expect(first.types == ["elements", "focus-changed"])
    #expect(second.types == ["elements", "focus-changed"])
    #expect(second.events[1]["element"] == .string(Self.third.element))
    #expect(last.events == [])
    #expect(back.types == ["elements", "focus-changed"])
  }

  @Test(arguments: [
    ("127", "First page 127.0.0.1, 3 of 4", true), ("Ber", "x", false), ("Ber", "Berlin", false),
    ("Berlin", "Ber", false),
  ])
  mutating func `a suggestion that takes the place of what was typed is told`(
    gone: String,
    come: String,
    isTold: Bool
  ) throws {
    try introduce()
    try focus(Self.control(61, "Address"))
    now += Self.second
    try teach(Self.button, SourceFacts(role: AtspiRole(61), name: "Address"))
    try hear(.removed(gone), from: Self.button)
    let asked = try hear(.inserted(come), from: Self.button)
    let told = try answer(SourceQuestion(.choice, Self.button), .text(come))
    let alone = try hear(.inserted("pasted words"), from: Self.button)

    #expect(asked.questions == (isTold ? [SourceQuestion(.choice, Self.button)] : []))
    let values = told.events.map { $0["upsert"]?.list?.first?["value"] }
    #expect(values == (isTold ? [.string(come)] : []))
    #expect(alone.questions == [])
  }

  @Test(arguments: [false, true])
  mutating func `a text that comes with the focus is a choice, and later it is typed`(
    isLater: Bool
  ) throws {
    try introduce()
    try teach(Self.button, SourceFacts(role: AtspiRole(11), name: "City"))
    try focus(Self.control(11, "City"))
    if isLater { now += Self.second }
    let come = try hear(.inserted("n", at: 3), from: Self.button)
    #expect(come.questions == (isLater ? [] : [SourceQuestion(.choice, Self.button)]))
  }

  @Test(arguments: [false, true])
  mutating func `a control that opens by itself is told once more, with its name`(
    isLater: Bool
  ) throws {
    try introduce()
    try focus(Self.control(11, "Address"))
    if isLater { now += Self.second }
    let open = try hear(.state(.expanded, true), from: Self.button)
    #expect(open.types == (isLater ? ["elements"] : ["elements", "focus-changed"]))
  }

  @Test mutating func `a control with the title of its window says it alone`() throws {
    try introduce()
    try hear(.window(.activated, title: "Letter"), from: Self.other)
    let told = try settle(Self.control(49, "Letter"))
    #expect(told.types == ["elements", "focus-changed"])
    #expect(ears.due == nil)
  }

  @Test mutating func `the pane of a window says its title no second time`() throws {
    try introduce()
    try hear(.window(.activated, title: "Sums"), from: Self.other)
    let cell = try settle(Self.control(56, "A1"))
    let pane = try focus(Self.control(46, "Sums"), at: Self.region)
    let named = try focus(Self.control(46, "Log"), at: Self.region)

    #expect(cell.texts == ["Sums"])
    #expect(pane.events == [])
    #expect(named.types == ["elements", "focus-changed"])
  }

  @Test mutating func `the pane of a window that is made for long says no title again`() throws {
    try introduce()
    try hear(.window(.activated, title: "Letter"), from: Self.other)
    let title = try rest()
    let pane = try focus(Self.control(46, "Letter"), at: Self.region)
    let text = try focus(Self.control(73))

    #expect(title.texts == ["Letter"])
    #expect(pane.events == [])
    #expect(text.types == ["elements", "focus-changed"])
  }

  @Test mutating func `the title of a window without a focus is told after a second`() throws {
    try introduce()
    try hear(.window(.activated, title: "Load"), from: Self.other)
    now = try #require(ears.due)
    ears.catchUp(at: now)
    #expect(try turn().texts == ["Load"])
    #expect(ears.due == nil)
  }

  @Test mutating func `a window that is told by its state alone has its title`() throws {
    try hear(.focused, from: Self.button)
    try answer(SourceQuestion(.program, .root(of: Self.sender)), .program(name: "editor"))
    let asked = try hear(.state(.active, true), from: Self.frame)
    let early = try answer(
      SourceQuestion(.control, Self.button),
      .control(Self.control(43, "Save"))
    )
    let facts = SourceFacts(role: AtspiRole(23), name: "Notes")
    let window = try answer(SourceQuestion(.window, Self.frame), .facts(facts))
    let told = try rest()

    #expect(asked.questions == [])
    #expect(early.questions == [SourceQuestion(.window, Self.frame)])
    #expect(early.events == [])
    #expect(window.events[0]["title"]?.string == "Notes")
    #expect(told.types == ["elements", "screen-changed"])
  }

  @Test mutating func `an active cell of a program with signals for windows is no window`() throws {
    try introduce()
    #expect(try hear(.state(.active, true), from: Self.region).questions == [])
  }

  // MARK: Dialogs

  private static func dialog(_ source: SourceObject, _ found: ControlFacts) -> ControlFacts {
    var found = found
    found.dialog = ControlFacts.Dialog(source, SourceFacts(role: AtspiRole(16)))
    return found
  }

  @Test mutating func `a dialog behind a menu is not gone into`() throws {
    try introduce()
    try hear(.window(.activated, title: ""), from: Self.other)
    let told = try focus(Self.dialog(Self.frame, Self.control(35, "Cherry")))
    #expect(told.questions == [])
    #expect(told.events[0]["upsert"]?.list?.count == 1)
  }

  @Test mutating func `a dialog has no title of the one before it`() throws {
    try introduce()
    try focus(Self.dialog(Self.other, Self.control(43, "Yes")))
    try answer(SourceQuestion(.dialog, Self.other), .dialog(title: "First", text: ""))
    try hear(.focused, from: Self.region)
    try hear(.focused, from: Self.button)
    let question = SourceQuestion(.control, Self.region)
    let again = SourceQuestion(.control, Self.button)
    try answer(question, .control(Self.dialog(Self.third, Self.control(61, "Places"))))
    let early = try answer(again, .control(Self.dialog(Self.third, Self.control(61, "Name"))))
    let told = try answer(
      SourceQuestion(.dialog, Self.third),
      .dialog(title: "Second", text: "")
    )

    #expect(early.events == [])
    #expect(told.events[0]["upsert"]?.list?.map { $0["label"]?.string } == ["Second", "Name"])
  }

  @Test mutating func `a dialog that does not answer has the title of its window`() throws {
    try introduce()
    try hear(.window(.activated, title: "Open"), from: Self.other)
    try focus(Self.dialog(Self.other, Self.control(61, "Name")))
    try answer(SourceQuestion(.dialog, Self.other), .none)
    let told = try rest()
    let labels = told.events[0]["upsert"]?.list?.map { $0["label"]?.string }
    #expect(labels == ["Open", "Name"])
    #expect(told.types == ["elements", "focus-changed"])
  }

  @Test mutating func `a dialog of a page is told on the way back into it from a nested one`()
    throws
  {
    try introduce()
    try hear(.loaded, from: Self.region)
    try answer(SourceQuestion(.page, Self.region), .none)
    try hear(.window(.activated, title: ""), from: Self.other)
    try hear(.window(.activated, title: "Shop"), from: Self.frame)
    let back = try focus(Self.dialog(Self.other, Self.control(43, "Verify")))

    #expect(back.questions.contains(SourceQuestion(.dialog, Self.other)))
  }

  @Test mutating func `a window that has not answered is asked once more`() throws {
    try hear(.state(.active, true), from: Self.frame)
    try answer(SourceQuestion(.program, .root(of: Self.sender)), .program(name: "editor"))
    let question = SourceQuestion(.window, Self.frame)
    try answer(question, .none)
    now = try #require(ears.due)
    ears.catchUp(at: now)
    let again = try turn()
    try answer(question, .none)

    #expect(again.questions == [question])
    #expect(ears.due == nil)
  }

  // MARK: Controls

  @Test mutating func `the choice of a combo box whose button has the focus is told`() throws {
    try introduce()
    var box = Self.control(11, "Apple")
    box.box = Self.region
    try focus(box)
    let other = try hear(.renamed("Cherry"), from: Self.other)
    let asked = try hear(.renamed("Cherry"), from: Self.region)
    box.facts.name = "Cherry"
    let told = try answer(SourceQuestion(.control, Self.button), .control(box))

    #expect(other.questions == [])
    #expect(asked.questions == [SourceQuestion(.control, Self.button)])
    #expect(told.events.map { $0["upsert"]?.list?.first?["label"]?.string } == ["Cherry"])
  }

  @Test mutating func `a description that has repeated the value is no hint beside a new one`()
    throws
  {
    try introduce()
    var slider = Self.control(51)
    (slider.description, slider.text) = ("20", "20")
    try focus(slider)
    try hear(.valueChanged, from: Self.button)
    let told = try answer(
      SourceQuestion(.value, Self.button),
      .value(present: 21, lowest: 0, highest: 100)
    )
    let element = told.events.first?["upsert"]?.list?.first

    #expect(element?["value"]?.string == "21")
    #expect(element?["hint"] == nil)
  }

  @Test mutating func `a row is told with the first of its cells, and each other by itself`() throws
  {
    try introduce()
    func cell(_ name: String, _ index: Int64) -> ControlFacts {
      var cell = ControlFacts(SourceFacts(role: .tableCell, name: name))
      cell.row = ControlFacts.Row(Self.frame, index, ["Ada", "London"], isChecked: true)
      return cell
    }
    let first = try focus(cell("Ada", 0)).events[0]["upsert"]?.list?.first
    let second = try focus(cell("London", 0), at: Self.region).events[0]["upsert"]?.list?.first
    let below = try focus(cell("", 1), at: Self.other).events[0]["upsert"]?.list?.first

    #expect(first?["label"]?.string == "Ada, London")
    #expect(first?["checked"] == true)
    #expect(second?["label"]?.string == "London")
    #expect(second?["checked"] == nil)
    #expect(below?["label"]?.string == "Ada, London")
  }

  @Test func `a switch of GTK is a switch`() {
    #expect(SourceFacts(role: .checkBox, name: "GtkSwitch").kind == .switch)
    #expect(SourceFacts(role: .toggleButton, name: "Wi-Fi").ofSwitch.kind == .switch)
    #expect(SourceFacts(role: .toggleButton, name: "Bold").kind == .toggleButton)
  }

  @Test(arguments: [
    ("n;<Alt>f:n;<Primary>n", "Ctrl+N"), ("s;<Alt>f:s;<Primary><Shift>s", "Ctrl+Shift+S"),
    ("a;<Alt>h:a;F1", "F1"), ("u;<Alt>e:u;", ""), ("n", ""), ("", ""),
  ])
  mutating func `the keys of a menu item are its hint`(binding: String, keys: String) throws {
    try introduce()
    var item = Self.control(35, "New")
    (item.keys, item.description) = (AtspiKeys.shortcut(in: binding), "Makes a file")
    let hint = try focus(item).events[0]["upsert"]?.list?.first?["hint"]?.string
    #expect(hint == (keys.isEmpty ? "Makes a file" : "\(keys). Makes a file"))
  }

  // MARK: Notifications

  @Test(arguments: [7, 8])
  mutating func `a notification is told once, by the call for it or by its window`(
    server: Int64
  ) throws {
    ears.noticeServer = server
    try hear(.window(.activated, title: ""), from: Self.frame)
    let program = SourceQuestion(.program, .root(of: Self.sender))
    try answer(program, .program(name: "notification-daemon", process: 7))
    try teach(Self.other, SourceFacts(role: .alert, name: "Notification"))
    let asked = try hear(.shown, from: Self.other)
    #expect(asked.questions == (server == 7 ? [] : [SourceQuestion(.labels, Self.other)]))
  }

  // MARK: Terminals

  private mutating func openTerminal() throws {
    try introduce()
    try focus(ControlFacts(SourceFacts(role: .terminal, name: "Terminal")), at: Self.region)
    try write("user@host:~$ \n\n\n", at: 0)
  }

  @discardableResult
  private mutating func write(_ text: String, at place: Int64) throws -> [String] {
    let told = try hear(.inserted(text, at: place), from: Self.region).texts
    guard let due = ears.due else { return told }
    now = due
    ears.catchUp(at: now)
    return told + (try turn().texts)
  }

  @Test mutating func `output of a terminal is told by lines, and no echo of what is typed`() throws
  {
    try openTerminal()
    let typed = try write("m", at: 13) + write("ake", at: 14)
    let output = try write("Compiling one", at: 18)
    now += 10 * Self.second
    let lines = try write("Compiling two\nBuild complete\nuser@host:~$ ", at: 32)

    #expect(typed == [])
    #expect(output == ["Compiling one"])
    #expect(lines.joined(separator: " ") == "Compiling two. Build complete. user@host:~$")
  }

  @Test mutating func `a terminal without the focus is silent`() throws {
    try openTerminal()
    try focus(Self.control(43, "Close"))
    #expect(try write("Build complete\n", at: 20) == [])
  }

  @Test mutating func `a line that goes on after one that was erased is typed, too`() throws {
    try openTerminal()
    try write("make", at: 13)
    try hear(.removed("user@host:~$ make", at: 0), from: Self.region)
    #expect(try write("user@host:~$ make all", at: 0) == [])
  }
}
