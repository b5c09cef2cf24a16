// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yModel
import A11yPosix
import A11yWire

/// The answers to actions that keys have asked for, so that no key is met with silence.
///
/// The decisions on an action stand right behind it on the log. Once all of them have been looked
/// at and none was worth a line, a sentence says what did not happen.
struct KeyAnswers {
  private struct Awaited {
    let action: String
    let seq: Int64
    /// The last entry that may be a decision on it.
    let through: Int64
    var hasAnswer = false
  }

  /// The most actions that are awaited: more keys than anybody presses before the bus answers.
  private static let most = 64

  private var awaited: [Awaited] = []

  /// Awaits the answer to an action with this seq; `through` is the last entry after it was asked.
  mutating func await(_ action: String, _ seq: Int64, through: Int64) {
    if awaited.count == Self.most { awaited.removeFirst() }
    awaited.append(Awaited(action: action, seq: seq, through: through))
  }

  /// The answer in an entry; `hasChange` tells whether lines about the focus answer already.
  mutating func findAnswer(in entry: Entry, hasChange: Bool) -> String? {
    let place = awaited.firstIndex { Self.isAbout(entry, $0.seq) }
    guard let place else { return nil }
    let words = Self.words(entry)
    if words != nil || hasChange { awaited[place].hasAnswer = true }
    return words
  }

  /// The sentences for actions of which nothing has come.
  mutating func overdue(at last: Seq, _ model: Model) -> [String] {
    let due = awaited.filter { $0.through <= last.number }
    awaited.removeAll { $0.through <= last.number }
    return due.filter { !$0.hasAnswer }.map { Self.silence($0.action, model) }
  }

  private static func isAbout(_ entry: Entry, _ seq: Int64) -> Bool {
    entry.integer("by") == seq || entry.integer("action") == seq || entry.integer("of") == seq
      || entry.event["of"]?.list?.contains { $0.integer == seq } == true
  }

  private static func words(_ entry: Entry) -> String? {
    switch (entry.type, entry.string("earcon")) {
    case ("deliver", "boundary"): "There is nothing further, and the focus stays."
    case ("deliver", "no-action"): "There is nothing for it to act on."
    case ("deliver", _), ("gesture", _), ("silence", _):
      VisibleText.of(EntryWords.sentence(entry).asSentence(of: entry.string("app")) + ".")
    default: nil
    }
  }

  private static func silence(_ action: String, _ model: Model) -> String {
    switch action {
    case "next", "previous", "first", "last":
      model.focusSpot.map { spot in
        let end = action == "next" || action == "previous" ? "There is nothing further; t" : "T"
        let place = "\(spot.element.text) in \(spot.window.text)"
        return VisibleText.of("\(end)he focus stays on \(place).")
      } ?? "The focus is nowhere; w tells the windows."
    case "stop": "Nothing was being spoken."
    case "repeat": "There is nothing to say again."
    default: "No app was there for \(action); w tells the windows."
    }
  }
}
