// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// When patience ends.
///
/// The daemon answers within milliseconds; the length is for a machine that does a lot of other
/// things meanwhile, so that a test which fails by it has found something lost, not slow.
package struct Deadline {
  private let end: ContinuousClock.Instant

  package init(after duration: Duration) { end = .now + duration }

  package static var usual: Deadline { Deadline(after: .seconds(20)) }

  package var isOver: Bool { end <= .now }

  /// For `poll`; 0 when time is up.
  package var millisecondsLeft: Int32 {
    let left = max(.zero, end - .now)
    return Int32(clamping: (left / .milliseconds(1)).rounded(.up))
  }
}

extension Int32 {
  fileprivate init(clamping value: Double) { self = value < 2e9 ? Int32(value) : .max }
}

/// Something that was waited for and did not come in time.
package struct Missing: Error, CustomStringConvertible {
  package let description: String

  package init(_ what: String) { description = "waited in vain for \(what)" }
}
