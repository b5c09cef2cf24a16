// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The pauses of one connection that are not taken back.
package struct PauseWatch: Equatable, Sendable {
  private var count = 0
  /// The instant of the last one on the bus clock.
  private var since: Int64 = 0

  package init() {}

  /// Microseconds after the last pause at which the bus goes on by itself.
  package static let longest: Int64 = 30_000_000

  package var isOpen: Bool { count > 0 }

  package mutating func pause(at mono: Int64) {
    count += 1
    since = mono
  }

  package mutating func resume() { count = max(0, count - 1) }

  /// Ends pauses that have lasted too long; true if there were any.
  package mutating func end(by mono: Int64) -> Bool {
    guard count > 0, mono >= since + Self.longest else { return false }
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
