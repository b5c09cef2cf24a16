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
    \(Course.notes)
    """
  static let options =
    [
      Flag("at", "WHERE", "as it was right behind this entry, a seq, or at this TIME"),
      Flag("history", nil, "tell the last moves"),
      Flag("count", "N", "so many moves; 20 if not given"),
      Flag("app", "NAME", "only moves to this app"),
    ] + Course.options

  private let place: Course.Place
  private let at: EntryPlace?
  /// The number of moves to tell; nil to tell the place.
  private let moves: Int?
  private let app: String?

  init(_ words: CommandWords) throws(Failure) {
    place = try Course.Place(words)
    at = try words.entryPlace("at", now: SystemClock.wallMicroseconds())
    app = words.value("app")
    let count = try words.integer("count", in: 1...1_000_000)
    let isHistory = words.has("history")
    for option in ["count", "app"] where words.has(option) && !isHistory {
      throw Failure(.usage, "--\(option) needs --history.")
    }
    if isHistory, at != nil { throw Failure(.usage, "--at and --history do not go together.") }
    moves = isHistory ? Int(count ?? 20) : nil
  }

  func run(_ output: Output) throws(Failure) {
    let course = try Course(place, interrupt: nil, Progress("Read", output))
    if let moves {
      let moves = try course.moves(atMost: moves, app: app)
      if moves.isEmpty { output.line("The focus has not moved.") }
      for move in moves { output.line(FocusWords.line(move, clock: ClockTime.dayAndTime)) }
      return
    }
    try course.catchUp(through: at.map { place throws(Failure) in try course.seq(at: place) })
    for line in FocusWords.lines(course.model, course.pace) { output.line(line) }
    guard let move = try course.move() else {
      if course.model.focusSpot != nil {
        output.line("How it came there is not on record any more.")
      }
      return
    }
    let by = try move.integer("by").flatMap { by throws(Failure) in try course.entry(Seq(by)) }
    let words = FocusWords.origin(move, by: by, clock: ClockTime.dayAndTime)
    for line in words { output.line(line) }
  }
}
