// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Synchronization

/// The instant up to which the sending thread may stay in a call of a library.
///
/// Each call of a library has a deadline, which the library itself has to keep. Where it does not,
/// the loop sees that here, and starts the program anew.
enum ThreadWatch {
  /// Microseconds of the monotonic clock; `never` while the thread may wait for ever.
  private static let deadline = Atomic<UInt64>(never)
  private static let never = UInt64.max
  /// Twice what one call may take.
  private static let patience: UInt64 = 12_000_000

  /// Tells that the thread lives, and begins a call that may take so many more microseconds.
  static func beat(_ more: UInt64 = 0) {
    deadline.store(SystemClock.monotonicMicroseconds() + patience + more, ordering: .relaxed)
  }

  static func rest() { deadline.store(never, ordering: .relaxed) }

  /// Whether the thread hangs in a call.
  static func isMissing(at now: UInt64) -> Bool { now > deadline.load(ordering: .relaxed) }
}
