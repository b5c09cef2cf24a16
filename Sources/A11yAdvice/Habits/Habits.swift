// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// The habits of one app, counted in minutes of bus time.
///
/// A minute begins with the first event that it counts, so that the advice depends on the stamps of
/// entries alone.
package struct Habits: Equatable, Sendable {
  private var announcements = Minute()
  private var focus = Minute()

  package init() {}

  /// The most high announcements within a minute.
  package static let highs: Int64 = 5
  /// The most denied requests for the focus within a minute.
  package static let denials: Int64 = 5

  /// The events of a minute, and the marked ones among them.
  private struct Minute: Equatable, Sendable {
    static let length = TimeSpan.minutes(1)

    var start: Instant?
    var all: Int64 = 0
    var marked: Int64 = 0

    mutating func countEvent(isMarked: Bool, at now: Instant) {
      if start.map({ now >= $0 + Self.length }) ?? true { self = Minute(start: now) }
      all += 1
      if isMarked { marked += 1 }
    }

    /// Whether more are marked than allowed, and no fewer than half of all.
    func exceeds(_ allowed: Int64) -> Bool { marked > allowed && marked * 2 >= all }
  }

  /// Counts an announcement, and advises on one that is high too often.
  package mutating func announce(isHigh: Bool, at now: Instant, into list: inout AdviceList) {
    announcements.countEvent(isMarked: isHigh, at: now)
    guard isHigh, announcements.exceeds(Self.highs) else { return }
    list.add(
      .priorityOverused,
      "event.priority",
      "Leave high to what cannot wait; \(announcements.marked) of \(announcements.all) "
        + "announcements within a minute were high."
    )
  }

  /// Counts a request for the focus, and advises on one that is denied too often.
  package mutating func askForFocus(isDenied: Bool, at now: Instant, into list: inout AdviceList) {
    focus.countEvent(isMarked: isDenied, at: now)
    guard isDenied, focus.exceeds(Self.denials) else { return }
    list.add(
      .focusDenied,
      "event.element",
      "Ask for the focus only behind an action of the user, with its cause; \(focus.marked) of"
        + " \(focus.all) requests within a minute were denied."
    )
  }
}
