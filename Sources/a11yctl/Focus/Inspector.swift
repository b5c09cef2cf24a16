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

  private(set) var facts: [Fact] = []
  private var outcomes: [String: [String]] = [:]
  private var move: Entry?

  /// Looks at an entry that the course has folded, and returns the changed facts.
  mutating func update(with entry: Entry, _ course: Course) -> [Fact] {
    if entry.type == "focus" { move = entry }
    if let line = keepOutcome(entry) {
      let isHere = course.model.focusSpot?.app.app.text == entry.string("app")
      // The outcome may suggest another place for the focus.
      return (isHere ? [Fact(name: "", words: "Entry \(line).")] : []) + refresh(course)
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
    let app = model.focusSpot?.app.app.text
    for outcome in app.flatMap({ outcomes[$0] }) ?? [] {
      lines.append(VisibleText.of("Entry \(outcome)."))
    }
    lines += Self.keys
    if let message { lines.append(VisibleText.of(message)) }
    return lines
  }

  static let keys = [
    "Keys: n next, p previous, f first, l last, Enter activate, e escape, m magic tap,",
    "+ and - increment and decrement, s stop, r repeat, q quit.",
  ]

  /// The action that a key stands for.
  static func action(_ key: UInt8) -> String? {
    switch key {
    case UInt8(ascii: "n"): "next"
    case UInt8(ascii: "p"): "previous"
    case UInt8(ascii: "f"): "first"
    case UInt8(ascii: "l"): "last"
    case 10, 13: "activate"
    case UInt8(ascii: "e"): "escape"
    case UInt8(ascii: "m"): "magic-tap"
    // `=` is the key of `+` without shift.
    case UInt8(ascii: "+"), UInt8(ascii: "="): "increment"
    case UInt8(ascii: "-"): "decrement"
    case UInt8(ascii: "s"): "stop"
    case UInt8(ascii: "r"): "repeat"
    default: nil
    }
  }

  // MARK: Facts

  /// Keeps an outcome, and returns its sentence.
  @discardableResult
  mutating func keepOutcome(_ entry: Entry) -> String? {
    guard entry.type == "outcome", let app = entry.string("app"),
      let words = BusWords.sentence(entry)
    else { return nil }
    if outcomes[app] == nil, outcomes.count >= Self.apps { outcomes = [:] }
    outcomes[app, default: []].append(words)
    if outcomes[app, default: []].count > Self.kept { outcomes[app]?.removeFirst() }
    return words
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
      addFact("Frame", element.frame.map(ElementWords.frame))
    }
    addFact("In", ElementWords.path(to: spot, in: model))
    addFact("Position", ElementWords.position(spot, in: model))
    addFact("Spoken", ElementWords.spoken(spot, in: model, pace) ?? "nothing")
    addFact("Suggested", FocusWords.suggestion(model))
    return facts
  }
}
