// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yModel
import A11yPresenter
import A11yPosix
import A11yRules
import A11yWire

/// The place of the focus, and the move that brought it there, in words.
enum FocusWords {
  /// The place of the focus, its spoken words, its containers and its position.
  static func lines(_ model: Model, _ pace: ReaderPace) -> [String] {
    guard let spot = model.focusSpot else { return ["The focus is nowhere."] }
    let place = "\(spot.element.text) in \(spot.window.text) of \(spot.app.app.text)"
    var lines = [VisibleText.of("The focus is on \(place).")]
    lines.append(
      ElementWords.spoken(spot, in: model, pace).map { "It is spoken as: \($0)" }
        ?? "Nothing of it is spoken."
    )
    lines.append("It is in \(ElementWords.path(to: spot, in: model)).")
    lines.append("It is \(ElementWords.position(spot, in: model)).")
    if let words = suggestion(model) {
      lines.append(VisibleText.of("An app asked for the focus on \(words)."))
    }
    return lines
  }

  /// The place where an app would have the focus, and the reason why it is not there.
  static func suggestion(_ model: Model) -> String? {
    guard let suggestion = model.suggestion else { return nil }
    let spot = suggestion.spot
    let label = model.sight(of: spot).flatMap { SeenElement($0).label }.map { "\($0), " } ?? ""
    let reason = Sentences.refusedFocus(Reason(rawValue: suggestion.reason))
    return "\(label)\(spot.element.text) in \(spot.window.text) of \(spot.app.app.text),"
      + " where it did not go because \(reason),"
      + " as entry \(suggestion.seq.number) says"
  }

  /// The mover of the focus, with time and reason; `by` is the entry that led to the move.
  static func origin(_ move: Entry, by: Entry?, clock: (Int64) -> String) -> [String] {
    let mover = Mover(move, by)
    let place = move.string("element") == nil ? "took it away" : "moved it there"
    var lines = [
      "\(mover.name.asSentence(of: mover.app)) \(place)\(mover.how), on \(clock(move.time)),"
        + " as entry \(move.seq) says."
    ]
    if let by {
      lines.append("Entry \(by.seq) led to that: \(EntryWords.sentence(by)).")
    } else if let seq = move.integer("by") {
      lines.append("Entry \(seq) led to that; it is not on record any more.")
    }
    return lines.map(VisibleText.of)
  }

  /// A move in one line, for a list of them.
  static func line(_ move: Entry, clock: (Int64) -> String) -> String {
    let mover = Mover(move, nil)
    var words = "\(mover.name) took the focus away"
    if move.string("element") != nil {
      let app = move.string("app") ?? "an app"
      words = "\(mover.name) moved the focus\(EntryWords.place(move, "to")) of \(app)"
    }
    return VisibleText.of("\(move.seq) \(clock(move.time)) \(words)\(mover.how)")
  }
}

extension FocusWords {
  /// The user, an app or the bus itself, as the one that moves the focus.
  struct Mover {
    let name: String
    /// The app's id, where it is the app.
    var app: String? { isApp ? name : nil }
    private let isApp: Bool
    /// The manner, as in “, with the action next”; empty where it is unknown.
    let how: String

    init(_ move: Entry, _ by: Entry?) {
      let app = by.flatMap { $0.conn > 0 ? $0.app : nil } ?? move.string("app") ?? "the app"
      let word = move.string("reason") ?? ""
      (name, how) =
        switch MoveReason(rawValue: word) {
        case .next, .previous, .first, .last, .focus, .touch, .activate:
          ("the user", ", with the action \(word)")
        case .user: ("the user", ", as \(app) reports")
        case .auto: (app, ", as it reports itself")
        case .again: (app, ", to have it spoken again")
        case .window: ("the bus", ", because the window became active")
        case .modal: ("the bus", ", because what covered the rest is gone")
        case .cover: ("the bus", ", because something modal covers the rest")
        case .repair: ("the bus", ", because the element before is gone")
        case .layoutChanged, .screenChanged: (app, ", with \(word)")
        case nil: word.isEmpty ? ("the bus", "") : (app, ", with \(word)")
        }
      isApp = name == app
    }
  }
}
