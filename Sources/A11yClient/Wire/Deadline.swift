// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix

/// The end of a wait.
struct Deadline {
  /// The moment on the monotonic clock; nil is never.
  let microseconds: UInt64?

  /// This long from now; nil waits for ever.
  init(after time: Duration?) {
    microseconds = time.map { time in
      let room = UInt64(clamping: time.milliseconds).multipliedReportingOverflow(by: 1_000)
      let end = SystemClock.monotonicMicroseconds()
        .addingReportingOverflow(room.overflow ? .max : room.partialValue)
      return end.overflow ? .max : end.partialValue
    }
  }

  static let never = Deadline(after: nil)

  /// A wait that only looks.
  static let now = Deadline(after: .zero)

  var hasPassed: Bool { remaining == 0 }

  /// The timeout for poll(2): rounded up, so that a wait never ends too early; -1 for ever.
  var remaining: Int32 {
    guard let microseconds else { return -1 }
    let now = SystemClock.monotonicMicroseconds()
    guard microseconds > now else { return 0 }
    return Int32(clamping: (microseconds - now) / 1_000 + 1)
  }

  /// The sooner of the two.
  func sooner(_ other: Deadline) -> Deadline {
    guard let mine = microseconds else { return other }
    guard let theirs = other.microseconds else { return self }
    return mine <= theirs ? self : other
  }
}
