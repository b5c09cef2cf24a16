// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPresenter
import A11yModel
import A11yPosix
import A11yRules
import A11yWire

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
