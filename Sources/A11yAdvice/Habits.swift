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

/// The pauses of one connection that are not taken back.
package struct PauseWatch: Equatable, Sendable {
  private var count = 0
  /// The instant of the last one on the bus clock.
  private var since: Instant?

  package init() {}

  /// The time after the last pause at which the bus goes on by itself.
  package static let longest = TimeSpan.seconds(30)

  package var isOpen: Bool { count > 0 }

  package mutating func pause(at now: Instant) {
    count += 1
    since = now
  }

  package mutating func resume() { count = max(0, count - 1) }

  /// Ends pauses that have lasted too long; true if there were any.
  package mutating func endOverlong(by now: Instant) -> Bool {
    guard count > 0, let since, now >= since + Self.longest else { return false }
    count = 0
    return true
  }

  package static func adviseUnresumed(into list: inout AdviceList) {
    list.add(
      .pauseUnresumed,
      "event",
      "Publish a resume as soon as readers may speak again; the bus has ended a pause by itself."
    )
  }

  package static func adviseLeft(into list: inout AdviceList) {
    list.add(
      .pauseUnresumed,
      "event",
      "Publish a resume before the connection ends; it ended while readers were asked to be quiet."
    )
  }
}

/// What an app tells from where the user does not work.
package enum Background {
  package static func adviseLow(into list: inout AdviceList) {
    list.add(
      .backgroundLow,
      "event.priority",
      "Announce it as default if it matters, or not at all; low from the background is not spoken."
    )
  }

  package static func warnOfSeat(into list: inout AdviceList) {
    list.add(
      .backgroundSeat,
      "event.state",
      "The window stays in the background as long as its user does not sit at the machine."
    )
  }
}

/// An unknown class: its events are treated as messages.
package enum ClassUnknown {
  package static func warn(_ word: String, known: [String], into list: inout AdviceList) {
    let near = NearestName.to(word, among: known).map { " Did you mean \($0)?" } ?? ""
    list.add(
      .classUnknown,
      "event.class",
      "The class \"\(word)\" behaves as message; known are \(known.joined(separator: ", "))."
        + near
    )
  }
}

/// A wish for the focus on an element where it cannot be.
package enum FocusMissing {
  package static func warn(_ element: String, into list: inout AdviceList) {
    list.add(
      .focusMissing,
      "event.element",
      "Publish the element \"\(element)\" first, shown and accessible; the focus cannot go there."
    )
  }
}
