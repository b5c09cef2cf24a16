// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yModel
import A11yPosix
import A11yRules
import A11yWire

/// The element with the focus as lines, each of which begins with the name of its fact.
struct Inspector {
  /// One fact about the element.
  struct Fact: Equatable {
    /// The name; empty where the words are a sentence.
    let name: String
    let words: String

    var line: String { VisibleText.of(name.isEmpty ? words : "\(name): \(words)") }
  }

  /// The outcomes that are kept of each app, and the most apps.
  private static let kept = 5
  private static let apps = 64
  /// The events whose names are kept for their outcomes, and the characters of a text in a name.
  private static let namesKept = 1_024
  private static let textLength = 60

  private(set) var facts: [Fact] = []
  private var outcomes: [String: [String]] = [:]
  private var names: [Int64: String] = [:]
  private var move: Entry?

  /// Looks at an entry that the timeline has folded, and returns the changed facts.
  mutating func update(with entry: Entry, _ timeline: ModelTimeline) -> [Fact] {
    if entry.type == "focus" { move = entry }
    if let line = keepOutcome(entry) {
      let isHere = timeline.model.focusSpot?.app.app.text == entry.string("app")
      // The outcome may suggest another place for the focus.
      return (isHere ? [Fact(name: "", words: "\(line).")] : []) + refresh(timeline)
    }
    guard Self.matters(entry) else { return [] }
    return refresh(timeline)
  }

  /// Looks at the focus anew, and returns the changed facts.
  mutating func refresh(_ timeline: ModelTimeline) -> [Fact] {
    let old = facts
    facts = Self.facts(timeline.model, timeline.pace)
    if let spot = timeline.model.focusSpot, let move, move.string("element") == spot.element.text {
      let mover = FocusWords.Mover(move, nil)
      facts.append(Fact(name: "Moved", words: "by \(mover.name)\(mover.how)"))
    }
    let isElsewhere = facts.first != old.first
    var changed = isElsewhere ? facts : facts.filter { !old.contains($0) }
    // A person wants the spoken words first.
    if let spoken = changed.firstIndex(where: { $0.name == "Spoken" }), isElsewhere {
      changed.insert(changed.remove(at: spoken), at: 0)
    }
    let gone = old.filter { fact in !facts.contains { $0.name == fact.name } }
    if !isElsewhere { changed += gone.map { Fact(name: $0.name, words: "none") } }
    return changed
  }

  mutating func start(with move: Entry?) { self.move = move }

  /// The whole screen.
  func lines(_ model: Model, message: String?) -> [String] {
    var lines = facts.map(\.line)
    lines += results(model)
    lines.append("h tells the keys.")
    if let message { lines.append(VisibleText.of(message)) }
    return lines
  }

  /// The last outcomes of the app with the focus, as sentences.
  func results(_ model: Model) -> [String] {
    let app = model.focusSpot?.app.app.text
    return (app.flatMap { outcomes[$0] } ?? []).map { VisibleText.of("\($0).") }
  }

  // MARK: Facts

  /// Keeps an outcome, and returns its sentence.
  @discardableResult
  mutating func keepOutcome(_ entry: Entry) -> String? {
    keepName(of: entry)
    // A focus that was heard is what the lines about it say already.
    let isUsual = entry.string("rule") == "focus" && entry.string("result") == "heard"
    guard entry.type == "outcome", !isUsual, let app = entry.string("app"),
      let end = BusWords.brief(entry)
    else { return nil }
    let of = entry.integer("of") ?? 0
    let words = names[of].map { "\($0), entry \(of), \(end)" } ?? "Entry \(of) \(end)"
    if outcomes[app] == nil, outcomes.count >= Self.apps { outcomes = [:] }
    outcomes[app, default: []].append(words)
    if outcomes[app, default: []].count > Self.kept { outcomes[app]?.removeFirst() }
    return words
  }

  /// Keeps the words by which the outcome of an event is told.
  private mutating func keepName(of entry: Entry) {
    guard let name = Self.eventName(of: entry) else { return }
    if names.count >= Self.namesKept { names = [:] }
    names[entry.seq] = name
  }

  private static func eventName(of entry: Entry) -> String? {
    switch entry.type {
    case "focus": return entry.string("element").map { "The focus on \($0)" }
    case "gesture": return entry.string("name").map { "The gesture \($0)" }
    case "announcement", "layout-changed", "screen-changed", "page-scrolled":
      return EntryWords.spoken(entry).map { text in
        "“\(text.count <= textLength ? text : text.prefix(textLength) + "…")”"
      }
    default: return nil
    }
  }

  private static func matters(_ entry: Entry) -> Bool {
    ["focus", "elements", "window", "screen-changed", "opened", "client", "rules"]
      .contains(entry.type)
  }

  private static func facts(_ model: Model, _ pace: ReaderPace) -> [Fact] {
    var facts: [Fact] = []
    func addFact(_ name: String, _ words: String?) {
      if let words, !words.isEmpty { facts.append(Fact(name: name, words: words)) }
    }
    guard let spot = model.focusSpot else {
      addFact("Focus", "nowhere")
      addFact("Suggested", FocusWords.suggestion(model))
      return facts
    }
    let place = "\(spot.element.text) in \(spot.window.text) of \(spot.app.app.text)"
    addFact("Focus", place)
    if let sight = model.sight(of: spot) {
      let element = SeenElement(sight)
      addFact("Label", element.label)
      addFact("Value", element.value)
      addFact("Hidden", element.redacted.map(EntryWords.hidden))
      addFact("Hint", element.hint)
      addFact("Traits", ElementWords.traits(element).joined(separator: ", "))
      addFact("State", ElementWords.states(element).joined(separator: ", "))
      addFact("Frame", element.frame.map(ElementWords.frame))
    }
    addFact("In", ElementWords.path(to: spot, in: model))
    addFact("Position", ElementWords.position(spot, in: model))
    addFact("Spoken", ElementWords.spoken(spot, in: model, pace) ?? "nothing")
    addFact("Suggested", FocusWords.suggestion(model))
    return facts
  }
}

/// A key of `a11yctl inspect`.
enum InspectKey: Equatable {
  /// An action of the user.
  case act(String)
  case tell(Subject)
  /// The window with this number.
  case window(Int)
  case quit
  /// A key without a meaning, by its name.
  case unknown(String)

  /// The things that a key tells.
  enum Subject {
    case element, outcomes, windows, elements, keys
  }

  /// All keys, in lines that are heard one by one.
  static let help = [
    "n or Down goes to the next element, p or Up to the previous one.",
    "f or Home goes to the first element, l or End to the last one.",
    "Enter activates, e escapes, m is the magic tap, + increments and - decrements.",
    "s stops the speech, r says the last text again.",
    "i or Space tells all about the element, o the last results of its app.",
    "w tells the windows, each with a number; that number goes to the window.",
    "t tells the elements of the window.",
    "h or ? tells these keys, q quits.",
  ]

  /// The keys that some bytes of a terminal stand for.
  static func parse(_ bytes: [UInt8]) -> [InspectKey] {
    var keys: [InspectKey] = []
    var rest = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
    while let first = rest.popFirst() {
      if first == "\u{1B}", let opening = rest.first, opening == "[" || opening == "O" {
        rest = rest.dropFirst()
        let numbers = rest.prefix { !("@"..."~").contains($0) }
        rest = rest.dropFirst(numbers.count)
        keys.append(escaped(rest.popFirst(), numbers))
      } else {
        keys.append(single(first))
      }
    }
    return keys
  }

  private static func escaped(
    _ last: Unicode.Scalar?,
    _ numbers: ArraySlice<Unicode.Scalar>
  ) -> InspectKey {
    switch (last, String(String.UnicodeScalarView(numbers))) {
    case ("A", _), ("D", _): .act("previous")
    case ("B", _), ("C", _): .act("next")
    case ("H", _), ("~", "1"), ("~", "7"): .act("first")
    case ("F", _), ("~", "4"), ("~", "8"): .act("last")
    default: .unknown("That key")
    }
  }

  private static func single(_ key: Unicode.Scalar) -> InspectKey {
    switch key {
    case "n": .act("next")
    case "p": .act("previous")
    case "f": .act("first")
    case "l": .act("last")
    case "\n", "\r": .act("activate")
    case "e": .act("escape")
    case "m": .act("magic-tap")
    // `=` is the key of `+` without shift.
    case "+", "=": .act("increment")
    case "-": .act("decrement")
    case "s": .act("stop")
    case "r": .act("repeat")
    case "i", " ": .tell(.element)
    case "o": .tell(.outcomes)
    case "w": .tell(.windows)
    case "t": .tell(.elements)
    case "h", "?": .tell(.keys)
    case "1"..."9": .window(Int(key.value) - 48)
    // Ctrl-C and Ctrl-D too.
    case "q", "\u{3}", "\u{4}": .quit
    case "\u{1B}": .unknown("Escape")
    case "\t": .unknown("Tab")
    case let key where key.value < 32 || key.value == 127: .unknown("That key")
    default: .unknown(String(Character(key)))
    }
  }
}

/// The answers to actions that keys have asked for, so that no key is met with silence.
///
/// The decisions on an action stand right behind it on the log. Once all of them have been looked
/// at and none was worth a line, a sentence says what did not happen.
struct KeyAnswers {
  private struct Awaited {
    let action: String
    let seq: Int64
    /// The last entry that may be a decision on it.
    let through: Int64
    var hasAnswer = false
  }

  /// The most actions that are awaited: more keys than anybody presses before the bus answers.
  private static let most = 64

  private var awaited: [Awaited] = []

  /// Awaits the answer to an action with this seq; `through` is the last entry after it was asked.
  mutating func await(_ action: String, _ seq: Int64, through: Int64) {
    if awaited.count == Self.most { awaited.removeFirst() }
    awaited.append(Awaited(action: action, seq: seq, through: through))
  }

  /// The answer in an entry; `hasChange` tells whether lines about the focus answer already.
  mutating func findAnswer(in entry: Entry, hasChange: Bool) -> String? {
    let place = awaited.firstIndex { Self.isAbout(entry, $0.seq) }
    guard let place else { return nil }
    let words = Self.words(entry)
    if words != nil || hasChange { awaited[place].hasAnswer = true }
    return words
  }

  /// The sentences for actions of which nothing has come.
  mutating func overdue(at last: Seq, _ model: Model) -> [String] {
    let due = awaited.filter { $0.through <= last.number }
    awaited.removeAll { $0.through <= last.number }
    return due.filter { !$0.hasAnswer }.map { Self.silence($0.action, model) }
  }

  private static func isAbout(_ entry: Entry, _ seq: Int64) -> Bool {
    entry.integer("by") == seq || entry.integer("action") == seq || entry.integer("of") == seq
      || entry.event["of"]?.list?.contains { $0.integer == seq } == true
  }

  private static func words(_ entry: Entry) -> String? {
    switch (entry.type, entry.string("earcon")) {
    case ("deliver", "boundary"): "There is nothing further, and the focus stays."
    case ("deliver", "no-action"): "There is nothing for it to act on."
    case ("deliver", _), ("gesture", _), ("silence", _):
      VisibleText.of(EntryWords.sentence(entry).asSentence(of: entry.string("app")) + ".")
    default: nil
    }
  }

  private static func silence(_ action: String, _ model: Model) -> String {
    switch action {
    case "next", "previous", "first", "last":
      model.focusSpot.map { spot in
        let end = action == "next" || action == "previous" ? "There is nothing further; t" : "T"
        let place = "\(spot.element.text) in \(spot.window.text)"
        return VisibleText.of("\(end)he focus stays on \(place).")
      } ?? "The focus is nowhere; w tells the windows."
    case "stop": "Nothing was being spoken."
    case "repeat": "There is nothing to say again."
    default: "No app was there for \(action); w tells the windows."
    }
  }
}
