// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What one app does again and again, counted in minutes of bus time.
///
/// A minute begins with the first event that is counted, so that what is found depends on the
/// entries' stamps alone.
package struct Habits: Equatable, Sendable {
  private var announcements = Minute()
  private var focus = Minute()

  package init() {}

  /// More high announcements than these within a minute are nobody's emergency.
  package static let highs: Int64 = 5
  /// More requests for the focus denied than these are no accident.
  package static let denials: Int64 = 5

  /// Some events of a minute, and those among them that matter.
  private struct Minute: Equatable, Sendable {
    static let length: Int64 = 60_000_000

    var start: Int64?
    var all: Int64 = 0
    var marked: Int64 = 0

    mutating func countEvent(isMarked: Bool, at mono: Int64) {
      if start.map({ mono >= $0 + Self.length }) ?? true { self = Minute(start: mono) }
      all += 1
      if isMarked { marked += 1 }
    }

    /// Whether those that matter are more than allowed, and no fewer than the rest.
    func exceeds(_ allowed: Int64) -> Bool { marked > allowed && marked * 2 >= all }
  }

  /// Counts an announcement; if it is one high one too many, there is advice.
  package mutating func announce(isHigh: Bool, at mono: Int64, into list: inout AdviceList) {
    announcements.countEvent(isMarked: isHigh, at: mono)
    guard isHigh, announcements.exceeds(Self.highs) else { return }
    list.add(
      .priorityOverused,
      "event.priority",
      "Leave high to what cannot wait; \(announcements.marked) of \(announcements.all) announcements"
        + " within a minute were high."
    )
  }

  /// Counts an event that has asked for the focus; if it is one denied too many, there is advice.
  package mutating func askForFocus(isDenied: Bool, at mono: Int64, into list: inout AdviceList) {
    focus.countEvent(isMarked: isDenied, at: mono)
    guard isDenied, focus.exceeds(Self.denials) else { return }
    list.add(
      .focusDenied,
      "event.element",
      "Ask for the focus only behind an action of the user, with its cause; \(focus.marked) of"
        + " \(focus.all) requests within a minute were denied."
    )
  }
}
