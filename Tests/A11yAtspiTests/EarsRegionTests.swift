// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import A11yTestKit
import DBus
import Testing

/// Live regions, alerts, and changes that come on two ways.
@Suite(.timeLimit(.minutes(hangs))) struct EarsRegionTests: EarsTrial {
  var ears = Ears()
  var now: Int64 = 1_000_000_000

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
    // Each waits for its equals, and those that are urgent are urgent.
    #expect(told.events.first?["queue"]?.flag == (priority == "default" ? true : nil))
  }

  @Test mutating func `what is typed into a region is no news`() throws {
    try introduce()
    try teach(Self.region, SourceFacts(attributes: Self.polite).ofTypedText)
    #expect(try hear(.inserted("a")).events == [])
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

  @Test mutating func `a busy region is told once, by the text that is there in the end`() throws {
    try introduce()
    let busy = SourceFacts(attributes: ["container-live": "polite", "container-busy": "true"])
    let began = try hear(.busy(true))
    try hear(.inserted("half"))
    let half = try answer(SourceQuestion(.facts, Self.region), .facts(busy))
    let more = try hear(.inserted("whole"))
    let ended = try hear(.busy(false))
    let told = try answer(SourceQuestion(.text, Self.region), .text("half and whole"))
    try hear(.inserted("later"))
    let later = try answer(
      SourceQuestion(.facts, Self.region),
      .facts(SourceFacts(attributes: Self.polite))
    )

    #expect(began.events + half.events + more.events + ended.events == [])
    #expect(ended.questions == [SourceQuestion(.text, Self.region)])
    #expect(told.texts == ["half and whole"])
    #expect(later.texts == ["later"])
  }

  @Test mutating func `one busy region does not end another`() throws {
    try introduce()
    let attributes = ["container-live": "polite", "container-busy": "true"]
    let region = LiveRegion(root: Self.region, busy: Self.region)
    try hear(.inserted("half"), from: Self.button)
    let facts = SourceFacts(attributes: attributes, region: region)
    try answer(SourceQuestion(.facts, Self.button), .facts(facts))
    let other = try hear(.busy(false), from: Self.frame)
    let own = try hear(.busy(false), from: Self.region)

    #expect(other.questions == [])
    #expect(own.questions == [SourceQuestion(.text, Self.region)])
  }

  @Test mutating func `of an atomic region that changes twice each text is told once`() throws {
    try introduce()
    let attributes = ["container-live": "polite", "container-atomic": "true"]
    let region = LiveRegion(root: Self.frame, atomic: Self.frame)
    try teach(Self.region, SourceFacts(attributes: attributes, region: region))
    let question = SourceQuestion(.text, Self.frame)
    _ = try answer(question, .none)
    try hear(.inserted("1"))
    now += 30_000
    try hear(.inserted("2"))
    let first = try answer(question, .text("Score 2"))
    let second = try answer(question, .text("Score 2"))

    #expect(first.texts == ["Score 2"])
    #expect(first.questions == [question])
    #expect(second.texts == [])
  }

  @Test(arguments: [(54, "status"), (111, "chat"), (115, "timer")])
  mutating func `the role of a region is the kind of its news`(role: Int64, kind: String) throws {
    try introduce()
    let attributes = ["container-live": "polite", "container-atomic": "false"]
    let region = LiveRegion(root: Self.frame, role: AtspiRole(role))
    try teach(Self.region, SourceFacts(attributes: attributes, region: region))
    let told = try hear(.inserted("News"))

    #expect(told.texts == ["News"])
    #expect(told.events[0]["class"]?.string == kind)
    #expect(told.events[0]["element"]?.string == Self.frame.element)
  }

  @Test mutating func `a clock that is not live says nothing`() throws {
    try introduce()
    let off = ["container-live": "off", "container-live-role": "timer"]
    try teach(Self.region, SourceFacts(attributes: off))
    #expect(try hear(.inserted("9")).events == [])
  }

  @Test mutating func `objects in a text are read with it, and not once more by themselves`() throws
  {
    try introduce()
    try teach(Self.region, SourceFacts(attributes: Self.polite))
    try teach(Self.button, SourceFacts(attributes: Self.polite))
    let asked = try hear(.inserted("Ann: \u{fffc}", at: 3))
    let question = SourceQuestion(.parts(of: "Ann: \u{fffc}", at: 3), Self.region)
    let told = try answer(question, .parts([TextPart(Self.button, "hello")]))
    let itself = try hear(.inserted("hello"), from: Self.button)
    now += Self.second
    try hear(.inserted("bye"), from: Self.button)
    // Chromium may take its time to tell of the object around, and tell it again.
    now += Self.second
    try hear(.inserted("\u{fffc}"))
    let later = try answer(
      SourceQuestion(.parts(of: "\u{fffc}", at: 0), Self.region),
      .parts([TextPart(Self.button, "bye")])
    )

    #expect(asked.questions == [question])
    #expect(told.texts == ["Ann: hello"])
    #expect(itself.events + later.events == [])
  }

  /// Chromium may tell of two new objects at once, in any order, before or after the region.
  @Test(arguments: [
    [button, frame, region], [frame, button, region], [frame, region, button],
    [region, frame, button], [button, region, frame],
  ])
  mutating func `objects that come together are told once, as they stand`(
    order: [SourceObject]
  ) throws {
    try introduce()
    try teach(Self.region, SourceFacts(attributes: Self.polite))
    let texts = [Self.button: "first", Self.frame: "second", Self.region: "\u{fffc}\u{fffc}"]
    for source in order { try hear(.inserted(try #require(texts[source])), from: source) }
    for source in order {
      if source == Self.region {
        let parts = [TextPart(Self.button, "first"), TextPart(Self.frame, "second")]
        let question = SourceQuestion(.parts(of: "\u{fffc}\u{fffc}", at: 0), source)
        ears.answer(question, .parts(parts), at: now)
      } else {
        let facts = SourceFacts(attributes: Self.ofPage)
        ears.answer(SourceQuestion(.facts, source), .facts(facts), at: now)
      }
    }
    while let due = ears.due {
      now = due
      ears.catchUp(at: now)
    }

    #expect(try turn().texts == ["first second"])
  }

  // MARK: Names

  private static func named(
    _ role: Int64,
    _ name: String,
    _ more: [String: String] = [:]
  ) -> SourceFacts {
    let own = ["tag": "img", "explicit-name": "true"].merging(more) { $1 }
    let attributes = polite.merging(own) { $1 }
    return SourceFacts(role: AtspiRole(role), name: name, attributes: attributes)
  }

  /// Has an object of a page be known, and its first text have been told.
  private mutating func know(_ source: SourceObject, _ facts: SourceFacts) throws {
    try teach(source, facts)
    ears.catchUp(at: now)
    _ = try turn()
  }

  @Test(arguments: [27, 43, 88] as [Int64])
  mutating func `a new name of an image or a control in a region is the newest value of it`(
    role: Int64
  ) throws {
    try introduce()
    try know(Self.button, Self.named(role, "Before"))
    let told = try hear(.renamed("After"), from: Self.button)
    let same = try hear(.renamed("After"), from: Self.button)

    #expect(told.texts == ["After"])
    #expect(told.events[0]["key"]?.string == Self.button.element)
    #expect(told.events[0]["mode"]?.string == "latest")
    #expect(same.events == [])
  }

  @Test mutating func `a name that no region tells is no news, and is not asked for in programs`()
    throws
  {
    try introduce()
    let program = try hear(.renamed("Save all"), from: Self.frame)
    try know(Self.button, Self.named(43, "Save", ["container-live": "off"]))
    try know(Self.region, Self.named(27, "Sun", ["container-relevant": "additions"]))
    var told = try hear(.renamed("Save all"), from: Self.button).events
    told += try hear(.renamed("Rain"), from: Self.region).events

    #expect(program.questions == [])
    #expect(told == [])
  }

  /// Firefox tells the name of an image and its text, Chromium that of a button behind its text.
  @Test(arguments: [true, false])
  mutating func `a name that comes as a text, too, is told once`(isBehind: Bool) throws {
    try introduce()
    var facts = Self.named(43, "Before", ["explicit-name": "false"])
    if !isBehind { facts = Self.named(27, "Before", ["explicit-name": "false"]) }
    try know(Self.button, facts)
    var told = isBehind ? [] : try hear(.renamed("After"), from: Self.button).texts
    try hear(.removed("Before"), from: Self.button)
    told += try hear(.inserted("After"), from: Self.button).texts
    if isBehind { told += try hear(.renamed("After"), from: Self.button).texts }

    #expect(told == ["After"])
  }

  @Test mutating func `a control that comes is told by its name, and not by the text in it`() throws
  {
    try introduce()
    try know(Self.region, SourceFacts(attributes: Self.polite))
    try hear(.inserted("X"), from: Self.button)
    let facts = Self.named(43, "Close", ["tag": "button"])
    try answer(SourceQuestion(.facts, Self.button), .facts(facts))
    now = try #require(ears.due)
    ears.catchUp(at: now)
    let told = try turn()
    try hear(.removed("X"), from: Self.button)
    let later = try hear(.inserted("Y"), from: Self.button)

    #expect(told.texts == ["Close"])
    #expect(later.events == [])
    #expect(ears.due == nil)
  }

  @Test mutating func `an atomic region is told with the label that its page gives it`() throws {
    try introduce()
    try know(
      Self.region,
      SourceFacts(attributes: ["container-live": "polite", "container-atomic": "true"])
    )
    _ = try answer(SourceQuestion(.text, Self.region), .none)
    try hear(.inserted("5"))
    let question = SourceQuestion(.text, Self.region)
    let told = try answer(question, .text("5 found", label: "Result"))
    now += Self.second
    try hear(.inserted("6"))
    let inside = try answer(question, .text("Result: 6 found", label: "Result"))

    now += Self.second
    try hear(.inserted("\u{fffc}"))
    let icon = try answer(question, .text("", label: "Playing"))

    #expect(icon.texts == ["Playing"])
    #expect(told.texts == ["Result. 5 found"])
    #expect(inside.texts == ["Result: 6 found"])
  }

  /// Firefox does not tell that an alert is atomic, and shows it with each change.
  @Test mutating func `an alert of a page is told as a whole, once`() throws {
    try introduce()
    try know(Self.region, SourceFacts(role: .alert, attributes: ["tag": "div"]))
    _ = try answer(SourceQuestion(.text, Self.region), .none)
    let grown = try hear(.inserted(" Now full.", at: 4))
    let shown = try hear(.shown)
    var told = try answer(SourceQuestion(.text, Self.region), .text("Disk Now full.")).texts
    told += try answer(SourceQuestion(.labels, Self.region), .text("Disk Now full.")).texts

    #expect(grown.events + shown.events == [])
    #expect(told == ["Disk Now full."])
    #expect(ears.due == nil)
  }

  // MARK: Texts beside objects

  @Test mutating func `a text beside an object that has changed stands as it stood`() throws {
    try introduce()
    try know(Self.region, SourceFacts(attributes: Self.polite))
    try know(Self.button, SourceFacts(attributes: Self.polite))
    var told = try hear(.inserted("new"), from: Self.button).texts
    // Chromium tells the whole text of the region again, here with one space more.
    try hear(.removed("Found\u{fffc}"))
    try hear(.inserted("Found \u{fffc}"))
    told += try answer(
      SourceQuestion(.parts(of: "Found \u{fffc}", at: 0), Self.region),
      .parts([TextPart(Self.button, "new")])
    ).texts

    #expect(told == ["new"])
  }

  // MARK: Regions that come with their texts

  @Test mutating func `a region that comes with its text is told, where its page tells its place`()
    throws
  {
    try introduce()
    try know(Self.frame, SourceFacts(attributes: ["tag": "body"]))
    let asked = try hear(.inserted("\u{fffc}", at: 3), from: Self.frame)
    let question = SourceQuestion(.regions(of: "\u{fffc}", at: 3), Self.frame)
    try answer(question, .objects([Self.region]))
    let status = ["container-live": "polite", "live": "polite", "tag": "div"]
    try answer(SourceQuestion(.facts, Self.region), .facts(SourceFacts(attributes: status)))
    try answer(SourceQuestion(.text, Self.region), .text("Saved"))
    now = try #require(ears.due)
    ears.catchUp(at: now)

    #expect(asked.questions == [question])
    #expect(try turn().texts == ["Saved"])
  }

  @Test(arguments: [("log", []), ("status", ["Saved"])])
  mutating func `a log that comes brings what was written before`(
    role: String,
    told: [String]
  ) throws {
    try introduce()
    try teach(Self.frame, SourceFacts(attributes: ["tag": "body"]))
    try hear(.inserted("\u{fffc}", at: 3), from: Self.frame)
    let question = SourceQuestion(.regions(of: "\u{fffc}", at: 3), Self.frame)
    try answer(question, .objects([Self.region]))
    let facts = SourceFacts(attributes: Self.ofPage.merging(["container-live-role": role]) { $1 })
    try answer(SourceQuestion(.facts, Self.region), .facts(facts))
    try answer(SourceQuestion(.text, Self.region), .text("Saved"))
    now = ears.due ?? now
    ears.catchUp(at: now)

    #expect(try turn().texts == told)
  }

  @Test mutating func `a part of a page that comes is not searched for regions`() throws {
    try introduce()
    try know(Self.frame, SourceFacts(attributes: ["tag": "body"]))
    let many = String(repeating: "\u{fffc}", count: 5)
    #expect(try hear(.inserted(many), from: Self.frame).questions == [])
    try know(Self.button, SourceFacts(role: AtspiRole(39)))
    #expect(try hear(.inserted("\u{fffc}"), from: Self.button).questions == [])
  }

  // MARK: Text that goes

  private static let removing = ["container-live": "polite", "container-relevant": "removals"]

  @Test mutating func `a text that goes is told where the region asks for it`() throws {
    try introduce()
    try teach(Self.region, SourceFacts(attributes: Self.removing))
    try answer(SourceQuestion(.members, Self.region), .none)
    let gone = try hear(.removed("Bob"))
    now = try #require(ears.due)
    ears.catchUp(at: now)
    let told = try turn()

    #expect(gone.events == [])
    #expect(told.texts == ["removed: Bob"])
  }

  @Test mutating func `an object that goes is told by the text that it had`() throws {
    try introduce()
    try teach(Self.region, SourceFacts(attributes: Self.removing))
    let (ann, bob) = (TextPart(Self.button, "Ann"), TextPart(Self.frame, "Bob"))
    try answer(SourceQuestion(.members, Self.region), .parts([ann, bob]))
    try hear(.removed("\u{fffc}"))
    try answer(SourceQuestion(.members, Self.region), .parts([ann]))
    now = try #require(ears.due)
    ears.catchUp(at: now)

    #expect(try turn().texts == ["removed: Bob"])
  }

  @Test mutating func `a text in the place of another is a change and no removal`() throws {
    try introduce()
    let all = ["container-live": "polite", "container-relevant": "all"]
    try teach(Self.region, SourceFacts(attributes: all))
    now = ears.due ?? now
    ears.catchUp(at: now)
    _ = try turn()
    try hear(.removed("old"))
    let told = try hear(.inserted("new"))

    #expect(told.texts == ["new"])
    #expect(ears.due == nil)
  }

  /// Chromium tells the whole text of an object anew, where a part of it has gone.
  @Test(arguments: [
    ("Ann Bob Eve", "Ann Eve", ["removed: Bob"]), ("Ann", "Ann Bob", []),
    ("It was removed", "It is another", ["removed: was removed"]),
    ("Ann", "Bob", ["removed: Ann"]),
  ])
  mutating func `where removals alone are told, the words are that have gone`(
    before: String,
    after: String,
    told: [String]
  ) throws {
    try introduce()
    try teach(Self.region, SourceFacts(attributes: Self.removing))
    try answer(SourceQuestion(.members, Self.region), .none)
    try hear(.removed(before))
    try hear(.inserted(after))
    now = ears.due ?? now
    ears.catchUp(at: now)

    #expect(try turn().texts == told)
  }

  @Test mutating func `a removal is no news elsewhere`() throws {
    try introduce()
    try teach(Self.region, SourceFacts(attributes: Self.polite))
    try hear(.removed("Bob"))
    #expect(ears.due == nil)
  }

  // MARK: Pages

  private static let ofPage = ["container-live": "polite", "live": "polite", "tag": "div"]

  @Test mutating func `the text that a page brings along is not told, and later changes are`()
    throws
  {
    try introduce()
    try hear(.inserted("10"))
    try answer(
      SourceQuestion(.facts, Self.region),
      .facts(SourceFacts(attributes: Self.ofPage))
    )
    try hear(.inserted("20"), from: Self.button)
    try hear(.loaded, from: Self.frame)
    try answer(
      SourceQuestion(.facts, Self.button),
      .facts(SourceFacts(attributes: Self.ofPage))
    )
    let page = ControlFacts(SourceFacts(name: "Contacts"), states: AtspiStates([.showing]))
    try answer(SourceQuestion(.page, Self.frame), .control(page))
    let held = ears.due
    let told = try hear(.inserted("9"))

    #expect(held == nil)
    #expect(told.texts == ["9"])
  }

  @Test mutating func `a page that loads behind another takes no text with it`() throws {
    try introduce()
    try hear(.inserted("10"))
    try answer(
      SourceQuestion(.facts, Self.region),
      .facts(SourceFacts(attributes: Self.ofPage))
    )
    try hear(.loaded, from: Self.frame)
    let page = ControlFacts(SourceFacts(name: "New Tab"), states: AtspiStates())
    try answer(SourceQuestion(.page, Self.frame), .control(page))
    now = try #require(ears.due)
    ears.catchUp(at: now)

    #expect(try turn().texts == ["10"])
  }

  @Test mutating func `a new object of a page is told after a moment, in order`() throws {
    try introduce()
    try hear(.inserted("one"))
    let known = try answer(
      SourceQuestion(.facts, Self.region),
      .facts(SourceFacts(attributes: Self.ofPage))
    )
    now += 30_000
    let second = try hear(.inserted("two"))
    while let due = ears.due {
      now = due
      ears.catchUp(at: now)
    }

    #expect(known.events + second.events == [])
    #expect(try turn().texts == ["one", "two"])
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
}
