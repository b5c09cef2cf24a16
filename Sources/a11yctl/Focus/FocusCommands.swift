// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yModel
import A11yPosix
import A11yWire

/// Tells the place of the focus, and the move that brought it there.
struct FocusCommand: Command {
  static let name = "focus"
  static let summary = "tell where the focus is, and who has moved it there"
  static let usage = "[OPTION]... [LOG]"
  static let notes = """
    Tells the element with the focus, how it would be spoken, its containers, and who moved the
    focus there, when and why. With --history it tells the moves, a line each, the newest at the
    end.
    \(Moment.notes)
    \(ReadingOptions.engineNotes)
    \(ModelTimeline.notes)
    """

  @Operands private var words: [String]
  @Option(
    "at",
    "WHERE",
    "as it was right behind this entry, a seq, or at this TIME",
    as: .place
  )
  private var at: EntryPlace?
  @Flag("history", "tell the last moves") private var isHistory: Bool
  @Option("count", "N", "so many moves; 20 if not given", as: .number(in: 1...1_000_000))
  private var count: Int64?
  @Option("app", "NAME", "only moves to this app") private var app: String?
  private let reading = ReadingOptions(orOf: BusSocket())

  func run(_ output: Output) throws(Failure) {
    for (name, isGiven) in [("count", count != nil), ("app", app != nil)]
    where isGiven && !isHistory {
      throw Failure(.usage, "--\(name) needs --history.")
    }
    if isHistory, at != nil { throw Failure(.usage, "--at and --history do not go together.") }
    let place = try ModelTimeline.Place(reading, words)
    let timeline = try ModelTimeline(place, interrupt: nil, Progress("Read", output))
    guard !isHistory else {
      let moves = try timeline.moves(atMost: Int(count ?? 20), app: app)
      if moves.isEmpty { output.line("The focus has not moved.") }
      return output.lines(moves.map { FocusWords.line($0, clock: ClockTime.dayAndTime) })
    }
    try timeline.catchUp(through: at.map { place throws(Failure) in try timeline.seq(at: place) })
    output.lines(FocusWords.lines(timeline.model, timeline.pace))
    guard let move = try timeline.move() else {
      if timeline.model.focusSpot != nil {
        output.line("How it came there is not on record any more.")
      }
      return
    }
    let by = try move.integer("by").flatMap { by throws(Failure) in try timeline.entry(Seq(by)) }
    output.lines(FocusWords.origin(move, by: by, clock: ClockTime.dayAndTime))
  }
}

/// Lists the elements of a window.
struct TreeCommand: Command {
  static let name = "tree"
  static let summary = "tell the elements of a window, a line each"
  static let usage = "[OPTION]... [LOG]"
  static let notes = """
    Tells the elements of a window in reading order, a line each: the level, which is 1 outside of
    all containers, then label, value, traits and id. The element with the focus says so, and so do
    the element that is suggested for it and hidden ones. Without options the window with the focus
    is told, else the active one.
    \(Moment.notes)
    \(ReadingOptions.engineNotes)
    \(ModelTimeline.notes)
    """

  @Operands private var words: [String]
  @Option("window", "ID", "the window with this id") private var window: String?
  @Option("app", "NAME", "a window of this app: the active one, else the one that came last")
  private var app: String?
  @Option(
    "at",
    "WHERE",
    "as it was right behind this entry, a seq, or at this TIME",
    as: .place
  )
  private var at: EntryPlace?
  @Flag("json", "print each element as JSON, on one line") private var isJSON: Bool
  private let reading = ReadingOptions(orOf: BusSocket())

  func run(_ output: Output) throws(Failure) {
    let place = try ModelTimeline.Place(reading, words)
    let timeline = try ModelTimeline(place, interrupt: nil, Progress("Read", output))
    try timeline.catchUp(through: at.map { place throws(Failure) in try timeline.seq(at: place) })
    let model = timeline.model
    let all = model.windowSights
    guard let found = find(model, all) else {
      throw Failure(.refused, VisibleText.of(missing(all)))
    }
    let focus = model.focusSpot
    let suggested = model.suggestion?.spot
    if !isJSON { describe(found, all, output) }
    model.eachSight(in: found.window, of: found.app) { sight in
      let element = SeenElement(sight)
      let spot = Model.Spot(app: found.app, window: found.window, element: sight.element)
      if isJSON {
        var members = members(sight, element, found)
        if spot == focus { members.append(.init("focus", true)) }
        if spot == suggested { members.append(.init("suggested", true)) }
        output.line(JSONValue.object(members).description)
      } else {
        let words = ElementWords.line(
          element,
          hasFocus: spot == focus,
          isSuggested: spot == suggested
        )
        output.line(words)
      }
    }
  }

  private func find(_ model: Model, _ all: [Model.WindowSight]) -> Model.WindowSight? {
    let candidates = all.filter { sight in
      (app == nil || sight.app.app == Name(app ?? ""))
        && (window == nil || sight.window == Name(window ?? ""))
    }
    let focus = model.focusSpot
    return candidates.first { $0.app == focus?.app && $0.window == focus?.window }
      ?? candidates.first { $0.state == "active" } ?? candidates.last
  }

  private func missing(_ all: [Model.WindowSight]) -> String {
    guard !all.isEmpty else { return "No window is open." }
    let known = all.map { "\($0.window.text) of \($0.app.app.text)" }.joined(separator: ", ")
    return "There is no such window. The windows are: \(known)."
  }

  private func describe(_ window: Model.WindowSight, _ all: [Model.WindowSight], _ output: Output) {
    let title = window.title.map { " \"\($0)\"" } ?? ""
    let modal = window.isModal ? ", modal" : ""
    let count = window.elements.counted("element")
    let name = "\(window.window.text)\(title) of \(window.app.app.text)"
    output.line(VisibleText.of("Window \(name), \(window.state)\(modal), \(count)."))
    let others = all.filter { $0 != window }
    guard !others.isEmpty else { return }
    let list = others.map { "\($0.window.text) of \($0.app.app.text)" }.joined(separator: ", ")
    output.line(VisibleText.of("Other windows: \(list)."))
  }

  /// Role, states and place, as they stand on the wire.
  private func states(_ element: SeenElement) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if let role = element.role { members.append(.init("role", .string(role))) }
    if let checked = element.checked { members.append(.init("checked", checked.json)) }
    if let isExpanded = element.isExpanded {
      members.append(.init("expanded", .flag(isExpanded)))
    }
    for (name, flag) in [("required", element.isRequired), ("invalid", element.isInvalid)]
    where flag { members.append(.init(name, true)) }
    if let place = element.place {
      let numbers: [JSONValue.Member] = [
        .init("index", .integer(place.index)), .init("count", .integer(place.count)),
      ]
      members.append(.init("set", .object(numbers)))
    }
    return members
  }

  private func members(
    _ sight: Model.ElementSight,
    _ element: SeenElement,
    _ window: Model.WindowSight
  ) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("app", .string(window.app.app.text)), .init("uid", .integer(Int64(window.app.uid))),
      .init("window", .string(window.window.text)),
      .init("level", .integer(Int64(sight.level + 1))),
      .init("element", .string(element.id)),
    ]
    let texts = [("label", element.label), ("value", element.value), ("hint", element.hint)]
    for (name, text) in texts {
      if let text { members.append(.init(name, .string(text))) }
    }
    if !sight.traits.isEmpty {
      members.append(.init("traits", .list(sight.traits.map(JSONValue.string))))
    }
    members += states(element)
    if let frame = sight.frame {
      members.append(.init("frame", .list(frame.map(JSONValue.integer))))
    }
    for (name, list) in [("actions", sight.actions), ("responds", sight.responds)] {
      let value = list.flatMap { JSONValue(json: String(decoding: $0, as: UTF8.self)) }
      if let value { members.append(.init(name, value)) }
    }
    if let redacted = element.redacted { members.append(.init("redacted", .string(redacted))) }
    members.append(.init("stop", .flag(sight.isStop)))
    for (name, flag) in [("modal", sight.isModal), ("hidden", sight.isHidden)] where flag {
      members.append(.init(name, true))
    }
    return members
  }
}
