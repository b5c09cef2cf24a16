// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import A11yTestKit
import Testing

/// Texts that stand in the place of others, and texts that grow.
@Suite(.timeLimit(.minutes(hangs))) struct EarsChangeTests: EarsTrial {
  var ears = Ears()
  var now: Int64 = 1_000_000_000

  private static let log = ["container-live": "polite", "container-live-role": "log"]

  private mutating func begin(_ attributes: [String: String] = polite) throws {
    try introduce()
    try teach(Self.region, SourceFacts(attributes: attributes))
  }

  /// Everything that is told until nothing is due any more.
  private mutating func wait() throws -> [String] {
    while let due = ears.due {
      now = due
      ears.catchUp(at: now)
    }
    return try turn().texts
  }

  // MARK: Replacements

  @Test mutating func `a text in the place of another is the newest value of its region`() throws {
    try begin()
    let first = try hear(.inserted("Count 1"))
    try hear(.removed("Count 1"))
    let second = try hear(.inserted("Count 2"))

    #expect(first.events[0]["key"] == nil)
    #expect(second.texts == ["Count 2"])
    #expect(second.events[0]["key"]?.string == Self.region.element)
    #expect(second.events[0]["mode"]?.string == "latest")
    #expect(second.events[0]["queue"]?.flag == true)
  }

  @Test mutating func `an urgent text is told though another stands in its place`() throws {
    try begin(["container-live": "assertive"])
    try hear(.removed("Disk full"))
    let told = try hear(.inserted("Disk broken"))

    #expect(told.events[0]["key"] == nil)
    #expect(told.events[0]["mode"] == nil)
  }

  @Test(arguments: [("One", 0), ("Disk full", 4)] as [(String, Int64)])
  mutating func `a text that has gone elsewhere, or long ago, is replaced by none`(
    text: String,
    place: Int64
  ) throws {
    try begin()
    try hear(.removed(text, at: place))
    if place == 0 { now += Self.second }
    #expect(try hear(.inserted("Two")).events[0]["key"] == nil)
  }

  @Test(arguments: [("•", []), ("• Bread", ["Bread"]), ("•••", ["•••"])])
  mutating func `the sign before an item is no news`(text: String, told: [String]) throws {
    try begin()
    #expect(try hear(.inserted(text)).texts == told)
  }

  @Test mutating func `the same text once more in its place is no news`() throws {
    try begin()
    try hear(.removed("Ready"))
    #expect(try hear(.inserted("Ready ")).events == [])
  }

  @Test(arguments: ["Saved", "Saved as well"])
  mutating func `a text that comes a moment after another is a message`(text: String) throws {
    try begin()
    try hear(.removed("Saved"))
    now += 100_000
    let told = try hear(.inserted(text))

    #expect(told.texts == [text])
    #expect(told.events[0]["key"] == nil)
  }

  @Test mutating func `an atomic region has one value`() throws {
    try begin(["container-live": "polite", "container-atomic": "true"])
    _ = try answer(SourceQuestion(.text, Self.region), .none)
    try hear(.inserted("5"))
    let told = try answer(SourceQuestion(.text, Self.region), .text("Score 5"))

    #expect(told.events[0]["key"]?.string == Self.region.element)
    #expect(told.events[0]["mode"]?.string == "latest")
  }

  // MARK: Growth

  /// Chromium tells the whole text again, Firefox the words that were added.
  @Test(arguments: [true, false])
  mutating func `words that are added are told in whole sentences, each once`(
    isWhole: Bool
  ) throws {
    try begin(Self.log)
    var told = try hear(.inserted("Once upon a time.")).texts
    var text = "Once upon a time."
    for word in [" there", " was", " a", " king.", " He", " had"] {
      now += 50_000
      if isWhole { try hear(.removed(text)) }
      let grown = text + word
      let news = isWhole ? grown : word
      told += try hear(.inserted(news, at: isWhole ? 0 : Int64(text.count))).texts
      text = grown
    }
    let later = try wait()

    #expect(told == ["Once upon a time."])
    #expect(later == ["there was a king.", "He had"])
  }

  @Test mutating func `spaces are no news, and stay between words`() throws {
    try begin()
    var told = try hear(.inserted("Hello.")).texts
    told += try hear(.removed("Hello.")).texts
    told += try hear(.inserted(" Hello. ")).texts
    for (place, text) in ["one", " ", "two", " "].enumerated() {
      told += try hear(.inserted(text, at: 10 + Int64(place))).texts
    }
    told += try wait()
    told += try hear(.inserted(" ")).texts

    #expect(told == ["Hello.", "one two"])
  }

  @Test mutating func `words that are added are no value of the region, and live for long`() throws
  {
    try begin()
    try hear(.inserted("One."))
    now += 10 * Self.second
    let told = try hear(.inserted(" Two.", at: 4))

    #expect(told.texts == ["Two."])
    #expect(told.events[0]["key"] == nil)
    #expect(told.events[0]["ttl_ms"]?.integer == 300_000)
    #expect(told.events[0]["queue"]?.flag == true)
  }

  @Test(arguments: [
    ("It costs 3.", []), ("It costs 3.14 euros. ", ["It costs 3.14 euros."]),
    ("He said “no.” Then", ["He said “no.”"]), ("完。次", ["完。"]), ("a.txt", []),
  ])
  mutating func `a sentence ends at a stop`(text: String, told: [String]) throws {
    try begin()
    try hear(.inserted("Before."))
    now += 10 * Self.second
    #expect(try hear(.inserted(" \(text)", at: 7)).texts == told)
  }

  @Test mutating func `half a sentence is told after a second of rest`() throws {
    try begin()
    try hear(.inserted("One."))
    now += 10 * Self.second
    let start = now
    let atOnce = try hear(.inserted(" and then", at: 4))
    let later = try wait()

    #expect(atOnce.texts == [])
    #expect(later == ["and then"])
    #expect(now == start + Self.second)
  }

  @Test mutating func `of a sentence without an end 4,000 characters wait`() throws {
    try begin()
    try hear(.inserted("Begin"))
    var told: [String] = []
    for number in 0..<900 {
      now += 1_000
      told += try hear(.inserted(" word", at: Int64(5 + 5 * number))).texts
    }
    told += try wait()

    #expect(told.count == 2)
    #expect(told.joined(separator: " ").split(separator: " ").count == 900)
  }

  @Test mutating func `a beginning that waits is told with what is added`() throws {
    try introduce()
    let facts = SourceFacts(attributes: ["container-live": "polite", "tag": "p"])
    try hear(.inserted("The "))
    try answer(SourceQuestion(.facts, Self.region), .facts(facts))
    now += 50_000
    let told = try hear(.inserted("end.", at: 4)).texts

    #expect(try told + wait() == ["The end."])
  }

  @Test(arguments: [("The", 250_000), ("The end.", 100_000), ("The end of it", 100_000)])
  mutating func `the first words of a message wait for those behind them`(
    text: String,
    wait: Int64
  ) throws {
    try introduce()
    let attributes = Self.log.merging(["tag": "p"]) { $1 }
    try hear(.inserted(text))
    try answer(SourceQuestion(.facts, Self.region), .facts(SourceFacts(attributes: attributes)))
    #expect(ears.due == now + wait)
  }

  /// A browser that is busy tells the second word late.
  @Test mutating func `where a text has grown the first words of the next wait a second`() throws {
    try introduce()
    let facts = SourceFacts(attributes: ["container-live": "polite", "tag": "p"])
    try hear(.inserted("The"))
    try answer(SourceQuestion(.facts, Self.region), .facts(facts))
    let first = try #require(ears.due) - now
    try hear(.removed("The"))
    var told = try hear(.inserted("The end.")).texts
    told += try wait()
    now += 10 * Self.second
    try hear(.removed("The end."))
    now += Self.second
    told += try hear(.inserted("And")).texts
    let second = try #require(ears.due) - now
    now += 900_000
    told += try hear(.inserted(" so on.", at: 3)).texts

    #expect(told == ["The end.", "And so on."])
    #expect([first, second] == [250_000, Self.second])
  }

  // MARK: Pages that draw their messages anew

  private mutating func draw(_ texts: [String], over gone: Int, from: Int) throws -> EarsTurn {
    let signs = String(repeating: "\u{fffc}", count: texts.count)
    if gone > 0 { try hear(.removed(String(repeating: "\u{fffc}", count: gone))) }
    try hear(.inserted(signs, at: 0))
    let parts = texts.enumerated().map { number, text in
      TextPart(SourceObject(Self.sender, "/o/\(from + number)"), text)
    }
    now += 3 * Self.second
    return try answer(SourceQuestion(.parts(of: signs, at: 0), Self.region), .parts(parts))
  }

  @Test mutating func `messages that are drawn anew are told once, and a new one is told`() throws {
    try begin(Self.log)
    let first = try draw(["Ann: hi", "Bob: yes"], over: 0, from: 1)
    let second = try draw(["Ann: hi", "Bob: yes", "Ann: bye"], over: 2, from: 11)
    let same = try draw(["Ann: hi", "Bob: yes", "Ann: bye"], over: 3, from: 21)

    #expect(first.texts == ["Ann: hi Bob: yes"])
    #expect(second.texts == ["Ann: bye"])
    #expect(second.events[0]["key"] == nil)
    #expect(same.texts == [])
  }

  /// Firefox tells nothing of the messages that a page has brought along.
  @Test(arguments: [(true, [], ["Ann: bye"]), (false, ["hi yes"], ["hi yes Ann: bye"])])
  mutating func `a log that was never told is drawn anew without news`(
    isLog: Bool,
    same: [String],
    more: [String]
  ) throws {
    try begin(isLog ? Self.log : Self.polite)
    #expect(try draw(["hi", "yes"], over: 2, from: 11).texts == same)
    ears = Ears()
    try begin(isLog ? Self.log : Self.polite)
    #expect(try draw(["hi", "yes", "Ann: bye"], over: 2, from: 11).texts == more)
  }

  @Test mutating func `a message that is drawn anew with more words tells those`() throws {
    try begin(Self.log)
    _ = try draw(["Ann: hi", "Bob: one."], over: 0, from: 1)
    let grown = try draw(["Ann: hi", "Bob: one. Two."], over: 2, from: 11)

    #expect(grown.texts == ["Two."])
  }

  @Test mutating func `a region whose objects are others has a new value`() throws {
    try begin()
    _ = try draw(["Monday"], over: 0, from: 1)
    let other = try draw(["Tuesday"], over: 1, from: 11)

    #expect(other.texts == ["Tuesday"])
    #expect(other.events[0]["key"]?.string == Self.region.element)
  }

  // MARK: Pages that come back

  private static let status = [
    "container-live": "polite", "live": "polite", "container-live-role": "status", "tag": "div",
    "container-atomic": "false",
  ]

  /// A new object of the page tells its text.
  private mutating func bring(
    _ text: String,
    by number: Int,
    in root: SourceObject? = nil
  ) throws -> [String] {
    let source = SourceObject(Self.sender, "/o/\(number)")
    try hear(.inserted(text), from: source)
    var facts = SourceFacts(attributes: Self.status)
    facts.region = root.map { LiveRegion(root: $0) }
    return try answer(SourceQuestion(.facts, source), .facts(facts)).texts
  }

  private mutating func moveFocus(to number: Int) throws {
    let source = SourceObject(Self.sender, "/o/\(number)")
    try hear(.focused, from: source)
    try answer(SourceQuestion(.control, source), .control(ControlFacts(SourceFacts())))
    _ = try turn()
  }

  /// Chromium makes all objects of a page anew when a dialog over it closes.
  @Test mutating func `a page that comes back with its focus is no news, and a new text is`() throws
  {
    try introduce()
    var first = try bring("Saved", by: 1)
    first += try bring("Ann: hi", by: 2)
    first += try wait()
    now += 5 * Self.second
    var back = try bring("Saved", by: 11)
    back += try bring("Ann: hi", by: 12)
    back += try bring("Renamed", by: 13)
    try moveFocus(to: 20)
    back += try wait()

    #expect(first == ["Saved", "Ann: hi"])
    #expect(back == ["Renamed"])
  }

  /// A tab that has the focus already shows its panel.
  @Test(arguments: [AtspiState.selected, .expanded])
  mutating func `a part of a page that a tab or a button brings back is no news`(
    state: AtspiState
  ) throws {
    try introduce()
    let tab = ControlFacts(SourceFacts(role: .pageTab, name: "Mail"))
    try hear(.focused, from: Self.button)
    try answer(SourceQuestion(.control, Self.button), .control(tab))
    _ = try turn()
    var told = try bring("2 new", by: 1)
    told += try wait()
    now += 5 * Self.second
    try hear(.state(state, true), from: Self.button)
    told += try bring("2 new", by: 11)
    told += try bring("3 new", by: 12)
    told += try wait()

    #expect(told == ["2 new", "3 new"])
  }

  @Test(arguments: [true, false])
  mutating func `the same text of another object is news unless its page comes back`(
    hasGone: Bool
  ) throws {
    try introduce()
    let root = SourceObject(Self.sender, "/o/root")
    var told = try bring("Saved", by: 1, in: hasGone ? nil : root)
    told += try wait()
    now += 5 * Self.second
    if hasGone { try hear(.removed("Saved"), from: SourceObject(Self.sender, "/o/1")) }
    told += try bring("Saved", by: 2, in: hasGone ? nil : root)
    try moveFocus(to: 20)
    told += try wait()

    #expect(told == ["Saved", "Saved"])
  }

  @Test mutating func `the same text on another page is news, though the focus moves`() throws {
    try introduce()
    var told = try bring("Saved", by: 1)
    told += try wait()
    now += 5 * Self.second
    try hear(.loaded, from: Self.frame)
    let page = ControlFacts(SourceFacts(name: "Contacts"), states: AtspiStates([.showing]))
    try answer(SourceQuestion(.page, Self.frame), .control(page))
    now += 5 * Self.second
    told += try bring("Saved", by: 11)
    try moveFocus(to: 20)
    told += try wait()

    #expect(told == ["Saved", "Saved"])
  }

  /// Chromium tells the texts of a page just before the page has loaded.
  @Test(arguments: [("false", ["3 new"]), ("true", ["3 new"])])
  mutating func `the texts that a page has brought along are known when it comes back`(
    isAtomic: String,
    told: [String]
  ) throws {
    try introduce()
    func bring(_ text: String, by number: Int, _ trial: inout Self) throws {
      let source = SourceObject(Self.sender, "/o/\(number)")
      let facts = SourceFacts(
        attributes: Self.status.merging(["container-atomic": isAtomic]) { $1 }
      )
      try trial.hear(.inserted(text), from: source)
      try trial.answer(SourceQuestion(.facts, source), .facts(facts))
      if isAtomic == "false" { try trial.loadPage() }
      try trial.answer(SourceQuestion(.text, source), .text(text))
      if isAtomic == "true" { try trial.loadPage() }
    }
    try bring("2 new", by: 1, &self)
    var heard = try wait()
    now += 5 * Self.second
    for (number, text) in [(11, "2 new"), (12, "3 new")] {
      let source = SourceObject(Self.sender, "/o/\(number)")
      heard += try self.bring(text, by: number)
      heard += try answer(SourceQuestion(.text, source), .text(text)).texts
    }
    try moveFocus(to: 20)
    heard += try wait()

    #expect(heard == told)
  }

  private mutating func loadPage() throws {
    try hear(.loaded, from: Self.frame)
    let page = ControlFacts(SourceFacts(name: "Contacts"), states: AtspiStates([.showing]))
    try answer(SourceQuestion(.page, Self.frame), .control(page))
  }

  @Test mutating func `of a log that comes back with its page a new message is told`() throws {
    try introduce()
    var heard = try bring("Ann: hi.", by: 1)
    heard += try wait()
    now += 5 * Self.second
    try moveFocus(to: 20)
    try hear(.inserted("\u{fffc}\u{fffc}"))
    let parts = [(11, "Ann: hi."), (12, "Bob: yes.")].map {
      TextPart(SourceObject(Self.sender, "/o/\($0)"), $1)
    }
    for part in parts { try hear(.inserted(part.text), from: part.source) }
    for source in [Self.region] + parts.map(\.source) {
      try answer(SourceQuestion(.facts, source), .facts(SourceFacts(attributes: Self.status)))
    }
    let question = SourceQuestion(.parts(of: "\u{fffc}\u{fffc}", at: 0), Self.region)
    heard += try answer(question, .parts(parts)).texts
    heard += try wait()

    #expect(heard == ["Ann: hi.", "Bob: yes."])
  }

  @Test mutating func `the same text without a move of the focus is news`() throws {
    try introduce()
    var told = try bring("Saved", by: 1)
    told += try wait()
    now += 5 * Self.second
    told += try bring("Saved", by: 2)
    told += try wait()

    #expect(told == ["Saved", "Saved"])
  }
}
