// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import DBus
import Testing

/// The ears by themselves: signals and answers in, questions and events out, time as a number.
protocol EarsTrial {
  var ears: Ears { get set }
  var now: Int64 { get set }
}

/// The outcome of a signal or an answer.
struct EarsTurn {
  var questions: [SourceQuestion] = []
  var events: [JSONValue] = []
  var apps: [String] = []
  var left: [String] = []

  var texts: [String] { events.compactMap { $0["text"]?.string } }
  var types: [String] { events.compactMap { $0["type"]?.string } }
}

extension EarsTrial {
  static var sender: String { ":1.7" }
  static var region: SourceObject { SourceObject(sender, "/org/a11y/atspi/accessible/5") }
  static var button: SourceObject { SourceObject(sender, "/org/a11y/atspi/accessible/6") }
  static var frame: SourceObject { SourceObject(sender, "/org/a11y/atspi/accessible/1") }
  static var polite: [String: String] { ["container-live": "polite"] }
  static var second: Int64 { 1_000_000 }

  mutating func turn() throws -> EarsTurn {
    var turn = EarsTurn()
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
  mutating func hear(
    _ news: AtspiSignal.News,
    from source: SourceObject = Self.region
  ) throws -> EarsTurn {
    ears.hear(AtspiSignal(source, news), at: now)
    return try turn()
  }

  @discardableResult
  mutating func answer(_ question: SourceQuestion, _ answer: SourceAnswer) throws -> EarsTurn {
    ears.answer(question, answer, at: now)
    return try turn()
  }

  /// Has a program be known by its name.
  mutating func introduce(_ name: String = "chromium", _ sender: String = Self.sender) throws {
    let source = SourceObject(sender, Self.frame.path)
    ears.hear(AtspiSignal(source, .window(.activated, title: "Page")), at: now)
    _ = try answer(SourceQuestion(.program, .root(of: sender)), .program(name: name))
    // The title of the window is told without a focus.
    now += Self.second
    ears.catchUp(at: now)
    _ = try turn()
  }

  /// Has facts about a source be known.
  mutating func teach(_ source: SourceObject, _ facts: SourceFacts) throws {
    try hear(.inserted("before"), from: source)
    try answer(SourceQuestion(.facts, source), .facts(facts))
    now += 10 * Self.second
  }
}
