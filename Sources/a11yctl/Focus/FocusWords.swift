// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yModel
import A11yPosix
import A11yPresenter
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

/// Elements in words for the ear.
enum ElementWords {
  /// An element in one line: its level, whether it has the focus or is suggested for it, its facts
  /// and its id.
  static func line(_ element: SeenElement, hasFocus: Bool, isSuggested: Bool) -> String {
    var parts = ["Level \(element.level + 1)"]
    if hasFocus { parts.append("has the focus") }
    if isSuggested { parts.append("suggested") }
    parts += facts(element)
    parts.append("id \(element.id)")
    return VisibleText.of(parts.joined(separator: ", "))
  }

  /// Label, value, traits, role and states, and kind.
  static func facts(_ element: SeenElement) -> [String] {
    var parts: [String] = []
    if let label = element.label { parts.append(label) }
    if let value = element.value { parts.append("value \(value)") }
    if let redacted = element.redacted { parts.append(EntryWords.hidden(redacted)) }
    parts += traits(element)
    parts += states(element)
    if !element.isStop, !element.isHidden { parts.append("container") }
    if element.isModal { parts.append("modal") }
    if element.isHidden { parts.append("hidden") }
    return parts
  }

  static func traits(_ element: SeenElement) -> [String] {
    element.traits.map { $0.rawValue.split(separator: "-").joined(separator: " ") }
  }

  /// The role and the states that are told beside the traits, and the place in a set.
  static func states(_ element: SeenElement) -> [String] {
    var parts: [String] = []
    if let role = element.role { parts.append(role.split(separator: "-").joined(separator: " ")) }
    switch element.checked {
    case .yes: parts.append("checked")
    case .no: parts.append("not checked")
    case .mixed: parts.append("partly checked")
    case nil: break
    }
    if let isExpanded = element.isExpanded { parts.append(isExpanded ? "expanded" : "collapsed") }
    if element.isRequired { parts.append("required") }
    if element.isInvalid { parts.append("invalid") }
    if let place = element.place { parts.append("\(place.index) of \(place.count)") }
    return parts
  }

  static func frame(_ frame: [Int64]) -> String {
    "at \(frame[0]), \(frame[1]), \(frame[2]) wide, \(frame[3]) high"
  }

  /// The words that are spoken when the focus comes to an element.
  static func spoken(_ spot: Model.Spot, in model: Model, _ pace: ReaderPace) -> String? {
    guard let runs = Presenter.runs(of: spot, in: model, pace),
      let list = JSONValue(json: "[" + String(decoding: runs, as: UTF8.self) + "]")?.list
    else { return nil }
    let words = list.compactMap { run in
      run["text"]?.string ?? run["redacted"]?.string.map { "(\(EntryWords.hidden($0)))" }
    }.joined(separator: " ")
    return words.isEmpty ? nil : VisibleText.of(words)
  }

  /// The containers around an element and its window, the innermost first.
  static func path(to spot: Model.Spot, in model: Model) -> String {
    var parts = model.path(to: spot).reversed().map { name in
      let container = Model.Spot(app: spot.app, window: spot.window, element: name)
      let label = model.sight(of: container).flatMap { SeenElement($0).label }
      return label.map { "\($0) (\(name.text))" } ?? name.text
    }
    let window = model.windowSights.first { $0.app == spot.app && $0.window == spot.window }
    parts.append(
      "window "
        + (window?.title.map { "\"\($0)\" (\(spot.window.text))" } ?? spot.window.text)
    )
    return VisibleText.of("\(parts.joined(separator: ", in ")), of \(spot.app.app.text)")
  }

  static func position(_ spot: Model.Spot, in model: Model) -> String {
    let position = model.position(of: spot)
    guard let place = position.place else { return "not in the reading order" }
    return "\(place) of \(position.stops) in the reading order"
  }
}
