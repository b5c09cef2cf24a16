// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yCore
import A11yModel
import A11yPosix
import A11yRules
import A11yWire

/// Where the focus is, and how it came there.
enum FocusWords {
  /// Where it is, how that would be spoken, and where in the tree that is.
  static func lines(_ model: Model, _ pace: ReaderPace) -> [String] {
    guard let spot = model.focusSpot else { return ["The focus is nowhere."] }
    let place = "\(spot.element.text) in \(spot.window.text) of \(spot.app.app.text)"
    var lines = [VisibleText.of("The focus is on \(place).")]
    lines.append(
      ElementWords.spoken(spot, in: model, pace).map { "Spoken: \($0)" } ?? "Nothing is spoken."
    )
    lines.append("In: \(ElementWords.path(to: spot, in: model)).")
    lines.append("Position: \(ElementWords.position(spot, in: model)).")
    if let words = suggestion(model) { lines.append(VisibleText.of("Suggested: \(words).")) }
    return lines
  }

  /// Where an app would have the focus, and why it is not there.
  static func suggestion(_ model: Model) -> String? {
    guard let suggestion = model.suggestion else { return nil }
    let spot = suggestion.spot
    let label = model.sight(of: spot).flatMap { SeenElement($0).label }.map { "\($0), " } ?? ""
    return "\(label)\(spot.element.text) in \(spot.window.text) of \(spot.app.app.text),"
      + " not moved there because \(Sentences.refusedFocus(suggestion.reason)),"
      + " seq \(suggestion.seq.number)"
  }

  /// Who has moved it, when and why; `by` is the entry that has led to it.
  static func origin(_ move: Entry, by: Entry?, clock: (Int64) -> String) -> [String] {
    var lines = ["Moved by \(mover(move, by)), \(clock(move.time)), seq \(move.seq)."]
    if let by {
      lines.append("That was because of seq \(by.seq): \(EntryWords.sentence(by)).")
    } else if let seq = move.integer("by") {
      lines.append("That was because of seq \(seq), which is not on record any more.")
    }
    return lines.map(VisibleText.of)
  }

  /// A move in one line, for a list of them.
  static func line(_ move: Entry, clock: (Int64) -> String) -> String {
    let place =
      move.string("element") == nil
      ? "to nowhere"
      : "\(EntryWords.place(move, "to").dropFirst()) of \(move.string("app") ?? "an app")"
    return VisibleText.of("\(move.seq) \(clock(move.time)) \(place), by \(mover(move, nil))")
  }

  /// Who moves the focus for a reason: the user, an app, or the bus itself.
  static func mover(_ move: Entry, _ by: Entry?) -> String {
    let app = by.flatMap { $0.conn > 0 ? $0.app : nil } ?? move.string("app") ?? "the app"
    switch move.string("reason") ?? "" {
    case let action where actions.contains(action): return "the user, with the action \(action)"
    case "user": return "the user, as \(app) reports"
    case "auto": return "\(app), which reports it"
    case "again": return "\(app), to have it spoken again"
    case "window": return "the bus, since the window became active"
    case "modal": return "the bus, since what covered the rest is gone"
    case "cover": return "the bus, into what covers the rest"
    case "repair": return "the bus, since the element before is gone"
    case "": return "the bus"
    case let type: return "\(app), which asked with \(type)"
    }
  }

  private static let actions = ["next", "previous", "first", "last", "focus", "touch", "activate"]
}
