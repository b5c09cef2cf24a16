// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

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
