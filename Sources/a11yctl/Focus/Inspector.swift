// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yModel
import A11yPosix
import A11yRules
import A11yWire

/// What is shown of the element with the focus, as lines that begin with what they tell.
struct Inspector {
  /// One of the things that are told.
  struct Fact: Equatable {
    /// Empty where the words are a sentence.
    let name: String
    let words: String

    var line: String { VisibleText.of(name.isEmpty ? words : "\(name): \(words)") }
  }

  /// Outcomes that are kept of an app, and apps of which they are.
  private static let kept = 5
  private static let apps = 64

  private(set) var facts: [Fact] = []
  private var outcomes: [String: [String]] = [:]
  private var move: Entry?

  /// Takes note of an entry that the course has taken, and says what has changed.
  mutating func take(_ entry: Entry, _ course: Course) -> [Fact] {
    if entry.type == "focus" { move = entry }
    if let line = note(entry) {
      let isHere = course.model.focusSpot?.app.app.text == entry.string("app")
      // It may suggest a place, too.
      return (isHere ? [Fact(name: "", words: "Entry \(line).")] : []) + look(course)
    }
    guard Self.matters(entry) else { return [] }
    return look(course)
  }

  /// Looks at the focus anew, and says what has changed.
  mutating func look(_ course: Course) -> [Fact] {
    let old = facts
    facts = Self.facts(course.model, course.pace)
    if let spot = course.model.focusSpot, let move, move.string("element") == spot.element.text {
      let mover = FocusWords.Mover(move, nil)
      facts.append(Fact(name: "Moved", words: "by \(mover.name)\(mover.how)"))
    }
    let isElsewhere = facts.first != old.first
    var changed = isElsewhere ? facts : facts.filter { !old.contains($0) }
    // The order in which a person wants to know.
    if let spoken = changed.firstIndex(where: { $0.name == "Spoken" }), isElsewhere {
      changed.insert(changed.remove(at: spoken), at: 0)
    }
    let gone = old.filter { fact in !facts.contains { $0.name == fact.name } }
    if !isElsewhere { changed += gone.map { Fact(name: $0.name, words: "none") } }
    return changed
  }

  mutating func begin(with move: Entry?) { self.move = move }

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
    // The same key, without shift.
    case UInt8(ascii: "+"), UInt8(ascii: "="): "increment"
    case UInt8(ascii: "-"): "decrement"
    case UInt8(ascii: "s"): "stop"
    case UInt8(ascii: "r"): "repeat"
    default: nil
    }
  }

  // MARK: Facts

  /// Keeps an outcome, and says it.
  @discardableResult
  mutating func note(_ entry: Entry) -> String? {
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
    func add(_ name: String, _ words: String?) {
      if let words, !words.isEmpty { facts.append(Fact(name: name, words: words)) }
    }
    guard let spot = model.focusSpot else {
      add("Focus", "nowhere")
      add("Suggested", FocusWords.suggestion(model))
      return facts
    }
    let place = "\(spot.element.text) in \(spot.window.text) of \(spot.app.app.text)"
    add("Focus", place)
    if let sight = model.sight(of: spot) {
      let element = SeenElement(sight)
      add("Label", element.label)
      add("Value", element.value)
      add("Hidden", element.redacted.map(EntryWords.hidden))
      add("Hint", element.hint)
      add("Traits", ElementWords.traits(element).joined(separator: ", "))
      add("Frame", element.frame.map(ElementWords.frame))
    }
    add("In", ElementWords.path(to: spot, in: model))
    add("Position", ElementWords.position(spot, in: model))
    add("Spoken", ElementWords.spoken(spot, in: model, pace) ?? "nothing")
    add("Suggested", FocusWords.suggestion(model))
    return facts
  }
}
