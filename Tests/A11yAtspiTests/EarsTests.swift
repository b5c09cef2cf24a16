// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import A11yTestKit
import DBus
import Testing

/// The ears by themselves: signals and answers in, questions and events out, time as a number.
@Suite(.timeLimit(.minutes(hangs))) struct EarsTests {
  private var ears = Ears()
  private var now: Int64 = 1_000_000_000
  private static let sender = ":1.7"
  private static let region = SourceObject(sender, "/org/a11y/atspi/accessible/5")
  private static let button = SourceObject(sender, "/org/a11y/atspi/accessible/6")
  private static let frame = SourceObject(sender, "/org/a11y/atspi/accessible/1")
  private static let polite = ["container-live": "polite"]
  private static let second: Int64 = 1_000_000

  /// The outcome of a signal or an answer.
  private struct Turn {
    var questions: [SourceQuestion] = []
    var events: [JSONValue] = []
    var apps: [String] = []
    var left: [String] = []

    var texts: [String] { events.compactMap { $0["text"]?.string } }
    var types: [String] { events.compactMap { $0["type"]?.string } }
  }

  private mutating func turn() throws -> Turn {
    var turn = Turn()
    for act in ears.takeActs() {
      switch act {
      case .ask(let question): turn.questions.append(question)
      case .post(let event, let app):
        turn.events.append(try #require(JSONValue(json: event.json)))
        turn.apps.append(app)
      case .leave(let app): turn.left.append(app)
      }
    }
    return turn
  }

  @discardableResult
  private mutating func hear(
    _ news: AtspiSignal.News,
    from source: SourceObject = region
  ) throws -> Turn {
    ears.hear(AtspiSignal(source, news), at: now)
    return try turn()
  }

  @discardableResult
  private mutating func answer(_ question: SourceQuestion, _ answer: SourceAnswer) throws -> Turn {
    ears.answer(question, answer, at: now)
    return try turn()
  }

  /// Has a program be known by its name.
  private mutating func introduce(_ name: String = "chromium", _ sender: String = sender) throws {
    let source = SourceObject(sender, Self.frame.path)
    ears.hear(AtspiSignal(source, .window(.activated, title: "Page")), at: now)
    _ = try answer(SourceQuestion(.program, .root(of: sender)), .program(name: name))
  }

  /// Has facts about a source be known.
  private mutating func teach(_ source: SourceObject, _ facts: SourceFacts) throws {
    try hear(.inserted("before"), from: source)
    try answer(SourceQuestion(.facts, source), .facts(facts))
    now += 10 * Self.second
  }

  // MARK: Programs

  @Test mutating func `events wait for the name of their program, and come in order`() throws {
    let first = try hear(.announcement("one", isAssertive: false))
    let second = try hear(.announcement("two", isAssertive: true))
    let named = try answer(
      SourceQuestion(.program, .root(of: Self.sender)),
      .program(name: "org.gnome.TextEditor")
    )

    #expect(first.questions == [SourceQuestion(.program, .root(of: Self.sender))])
    #expect(first.events + second.events == [])
    #expect(named.texts == ["one", "two"])
    #expect(named.apps == ["org.gnome.TextEditor", "org.gnome.TextEditor"])
    #expect(named.events.map { $0["priority"]?.string } == ["default", "high"])
    #expect(named.events.allSatisfy { $0["origin"]?.string == "atspi" })
    #expect(named.events[0]["element"]?.string == ":1.7/5")
  }

  @Test mutating func `a program that does not tell its name is heard all the same`() throws {
    try hear(.announcement("one", isAssertive: false))
    let named = try answer(SourceQuestion(.program, .root(of: Self.sender)), .none)

    #expect(named.texts == ["one"])
    #expect(named.apps == ["atspi :1.7"])
  }

  @Test(arguments: ["a11y-atspi", "org.gnome.Terminal"])
  mutating func `the own mouth and apps that are left alone are not heard`(name: String) throws {
    ears.leaveAlone(["org.gnome.Terminal"])
    try hear(.announcement("one", isAssertive: false))
    let named = try answer(SourceQuestion(.program, .root(of: Self.sender)), .program(name: name))
    let later = try hear(.inserted("two"))

    #expect(named.events + later.events == [])
    #expect(later.questions == [])
  }

  @Test mutating func `an app leaves with the last of its connections`() throws {
    try introduce("chromium", ":1.7")
    try introduce("chromium", ":1.8")
    ears.left(":1.7")
    let first = try turn()
    ears.left(":1.8")
    let second = try turn()

    #expect(first.left == [])
    #expect(second.left == ["chromium"])
  }

  @Test mutating func `a program is left alone, and heard again, as the settings change`() throws {
    try introduce("chromium")
    ears.leaveAlone(["chromium"])
    let left = try turn()
    let silent = try hear(.announcement("one", isAssertive: false))
    ears.leaveAlone([])
    let heard = try hear(.announcement("two", isAssertive: false))

    #expect(left.left == ["chromium"])
    #expect(silent.events == [])
    #expect(heard.texts == ["two"])
  }

  // MARK: Live regions

  @Test mutating func `a source is asked once, and each of two changes is told`() throws {
    try introduce()
    let first = try hear(.inserted("Saved"))
    let known = try answer(
      SourceQuestion(.facts, Self.region),
      .facts(SourceFacts(attributes: Self.polite))
    )
    now += 30_000
    let second = try hear(.inserted("Saved again"))

    #expect(first.questions == [SourceQuestion(.facts, Self.region)])
    #expect(known.texts == ["Saved"])
    #expect(second.questions == [])
    #expect(second.texts == ["Saved again"])
  }

  @Test(arguments: [
    (SourceFacts(attributes: ["container-live": "polite"]), "default"),
    (SourceFacts(attributes: ["container-live": "assertive"]), "high"),
    (SourceFacts(role: .alert), "high"),
    (SourceFacts(role: .notification), "default"),
    (SourceFacts(attributes: ["container-live": "off"]), nil),
    (SourceFacts(role: AtspiRole(61)), nil),
    (SourceFacts(role: .passwordText, attributes: ["container-live": "polite"]), nil),
    (
      SourceFacts(attributes: ["container-live": "polite", "container-relevant": "removals"]), nil
    ),
  ])
  mutating func `text is news by its region`(facts: SourceFacts, priority: String?) throws {
    try introduce()
    try hear(.inserted("Text"))
    let told = try answer(SourceQuestion(.facts, Self.region), .facts(facts))

    #expect(told.texts == (priority == nil ? [] : ["Text"]))
    #expect(told.events.first?["priority"]?.string == priority)
  }

  @Test mutating func `of an atomic region the whole is told`() throws {
    try introduce()
    try teach(
      Self.region,
      SourceFacts(attributes: ["container-live": "polite", "container-atomic": "true"])
    )
    _ = try answer(SourceQuestion(.text, Self.region), .none)
    let asked = try hear(.inserted("5"))
    let told = try answer(SourceQuestion(.text, Self.region), .text("Time 10:05"))

    #expect(asked.questions == [SourceQuestion(.text, Self.region)])
    #expect(asked.events == [])
    #expect(told.texts == ["Time 10:05"])
  }

  @Test mutating func `a busy region is told as busy until it is free`() throws {
    try introduce()
    let busy = SourceFacts(attributes: ["container-live": "polite", "container-busy": "true"])
    try hear(.inserted("half"))
    let began = try answer(SourceQuestion(.facts, Self.region), .facts(busy))
    let more = try hear(.inserted("whole"))
    try answer(SourceQuestion(.facts, Self.region), .facts(busy))
    let ended = try hear(.busy(false), from: Self.frame)

    #expect(began.types == ["busy", "announcement"])
    #expect(began.events[0]["busy"]?.flag == true)
    #expect(more.questions == [SourceQuestion(.facts, Self.region)])
    #expect(ended.types == ["busy"])
    #expect(ended.events[0]["busy"]?.flag == false)
    #expect(ended.events[0]["element"] == began.events[1]["element"])
  }

  // MARK: One change on two ways

  @Test mutating func `an alert that is shown and inserted is one event`() throws {
    try introduce()
    let alert = SourceFacts(role: .alert, name: "Disk full")
    try teach(Self.region, alert)
    let inserted = try hear(.inserted("Disk full!"))
    now += 10_000
    let shown = try hear(.shown)
    let ended = try answer(SourceQuestion(.labels, Self.region), .text("Disk full!"))
    now += Self.second
    try hear(.shown)
    let again = try answer(SourceQuestion(.labels, Self.region), .text("Remove some files."))

    #expect(inserted.texts == ["Disk full!"])
    #expect(shown.questions == [SourceQuestion(.labels, Self.region)])
    #expect(ended.texts == [])
    #expect(again.texts == ["Disk full. Remove some files."])
    #expect(again.events.first?["priority"]?.string == "high")
  }

  @Test mutating func `elements that appear are no news unless they are alerts`() throws {
    try introduce()
    try hear(.shown)
    let told = try answer(
      SourceQuestion(.facts, Self.region),
      .facts(SourceFacts(role: AtspiRole(43), name: "Save"))
    )
    #expect(told.events == [])
  }

  // MARK: Focus and windows

  @Test mutating func `GTK's doubled focus is one move of the user`() throws {
    try introduce()
    let asked = try hear(.focused, from: Self.button)
    try hear(.focused, from: Self.button)
    let told = try answer(
      SourceQuestion(.facts, Self.button),
      .facts(SourceFacts(role: AtspiRole(43), name: "Save"))
    )
    let later = try hear(.focused, from: Self.button)

    #expect(asked.questions == [SourceQuestion(.facts, Self.button)])
    #expect(told.types == ["elements", "focus-changed"])
    #expect(told.events[0]["upsert"]?.list?.first?["label"]?.string == "Save")
    #expect(told.events[0]["upsert"]?.list?.first?["traits"]?.list == ["button"])
    #expect(told.events[1]["element"]?.string == ":1.7/6")
    #expect(told.events[1]["window"]?.string == ":1.7/1")
    #expect(told.events[1]["cause"]?.string == "user")
    #expect(later.events == [])
  }

  @Test mutating func `a focus that comes back with its window is told again`() throws {
    try introduce()
    try hear(.focused, from: Self.button)
    try answer(SourceQuestion(.facts, Self.button), .facts(SourceFacts(role: AtspiRole(43))))
    let left = try hear(.window(.deactivated, title: ""), from: Self.frame)
    let back = try hear(.window(.activated, title: "Page"), from: Self.frame)
    let focus = try hear(.focused, from: Self.button)

    #expect(left.events.map { $0["state"]?.string } == ["inactive"])
    #expect(back.events.map { $0["state"]?.string } == ["active"])
    #expect(back.events[0]["title"]?.string == "Page")
    #expect(focus.types == ["elements", "focus-changed"])
  }

  @Test mutating func `the window of a focus that came before its window is closed by it`() throws {
    try hear(.focused, from: Self.button)
    try answer(SourceQuestion(.program, .root(of: Self.sender)), .program(name: "one"))
    let focus = try answer(SourceQuestion(.facts, Self.button), .facts(SourceFacts()))
    let active = try hear(.window(.activated, title: "Page"), from: Self.frame)

    #expect(focus.events.last?["window"]?.string == ":1.7/window")
    #expect(active.events.map { $0["state"]?.string } == ["closed", "active"])
    #expect(active.events.map { $0["window"]?.string } == [":1.7/window", ":1.7/1"])
  }

  @Test mutating func `the member of a list has the focus`() throws {
    try introduce()
    let asked = try hear(.activeDescendant(Self.button), from: Self.region)
    let told = try answer(
      SourceQuestion(.facts, Self.button),
      .facts(SourceFacts(role: AtspiRole(32), name: "Row"))
    )

    #expect(asked.questions == [SourceQuestion(.facts, Self.button)])
    #expect(told.events.last?["element"]?.string == ":1.7/6")
  }

  @Test mutating func `a password field is secure, and its value is not asked for`() throws {
    try introduce()
    try hear(.focused, from: Self.button)
    let told = try answer(
      SourceQuestion(.facts, Self.button),
      .facts(SourceFacts(role: .passwordText, name: "PIN"))
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

  @Test mutating func `a page that has loaded is a new screen`() throws {
    try introduce()
    try hear(.loaded)
    let told = try answer(
      SourceQuestion(.facts, Self.region),
      .facts(SourceFacts(role: AtspiRole(95), name: "Contacts"))
    )

    #expect(told.types == ["screen-changed"])
    #expect(told.texts == ["Contacts"])
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
      SourceQuestion(.facts, Self.button),
      .facts(SourceFacts(role: AtspiRole(51)))
    )
    let told = try answer(
      SourceQuestion(.value, Self.button),
      .value(present: 40.5, lowest: 0, highest: 100)
    )

    try hear(.valueChanged, from: Self.button)
    let changed = try answer(
      SourceQuestion(.value, Self.button),
      .value(present: 41, lowest: 0, highest: 100)
    )

    #expect(focused.questions == [SourceQuestion(.value, Self.button)])
    #expect(told.events[0]["upsert"]?.list?.first?["value"]?.string == "40.5")
    #expect(changed.events[0]["upsert"]?.list?.first?["value"]?.string == "41")
  }

  // MARK: Bounds

  @Test mutating func `one object of a program is asked at a time, and 32 wait`() throws {
    try introduce()
    var questions: [SourceQuestion] = []
    for number in 1...80 {
      let source = SourceObject(Self.sender, "/o/\(number)")
      questions += try hear(.inserted("x"), from: source).questions
    }
    let next = try answer(questions[0], .none)

    #expect(questions == [SourceQuestion(.facts, SourceObject(Self.sender, "/o/1"))])
    #expect(next.questions == [SourceQuestion(.facts, SourceObject(Self.sender, "/o/2"))])
    #expect(ears.overrun == 80 - 32)
  }

  @Test mutating func `64 questions are open in all`() throws {
    for program in 1...5 {
      try introduce("app \(program)", ":2.\(program)")
      for number in 1...20 {
        try hear(.inserted("x"), from: SourceObject(":2.\(program)", "/o/\(number)"))
      }
    }

    #expect(ears.overrun == 100 - 64)
  }

  @Test mutating func `of a flood the first and the last are told, and the rest is counted`() throws
  {
    try introduce()
    try teach(Self.region, SourceFacts(attributes: Self.polite))
    var told = 0
    for number in 1...10_000 {
      told += try hear(.inserted("change \(number)")).events.count
    }
    let due = try #require(ears.due)
    now = due
    ears.catchUp(at: now)
    let last = try turn()

    #expect((250...256).contains(told))
    #expect(last.texts == ["change 10000"])
    #expect(told + ears.overrun + 1 == 10_000)
    #expect(ears.due == nil)
  }

  @Test mutating func `the last word waits for the name of its program, too`() throws {
    for number in 1...100 { try hear(.announcement("\(number)", isAssertive: false)) }
    let named = try answer(SourceQuestion(.program, .root(of: Self.sender)), .program(name: "one"))

    #expect(named.texts == (1...31).map(String.init) + ["100"])
    #expect(ears.overrun == 68)
  }

  @Test mutating func `a bus that has gone takes its programs with it`() throws {
    try introduce()
    ears.forget()
    let gone = try turn()
    let anew = try hear(.announcement("one", isAssertive: false))

    #expect(gone.left == ["chromium"])
    #expect(anew.questions == [SourceQuestion(.program, .root(of: Self.sender))])
  }
}
