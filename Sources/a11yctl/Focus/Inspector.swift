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

  /// Looks at an entry that the course has folded, and returns the changed facts.
  mutating func update(with entry: Entry, _ course: Course) -> [Fact] {
    if entry.type == "focus" { move = entry }
    if let line = keepOutcome(entry) {
      let isHere = course.model.focusSpot?.app.app.text == entry.string("app")
      // The outcome may suggest another place for the focus.
      return (isHere ? [Fact(name: "", words: "\(line).")] : []) + refresh(course)
    }
    guard Self.matters(entry) else { return [] }
    return refresh(course)
  }

  /// Looks at the focus anew, and returns the changed facts.
  mutating func refresh(_ course: Course) -> [Fact] {
    let old = facts
    facts = Self.facts(course.model, course.pace)
    if let spot = course.model.focusSpot, let move, move.string("element") == spot.element.text {
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
