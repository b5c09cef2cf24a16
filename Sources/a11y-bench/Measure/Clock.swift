// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The clock of all measurements, which nobody sets and all processes share.
enum Clock {
  static func nanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// Waits until the clock shows `nanoseconds`.
  static func sleep(until nanoseconds: Int) {
    var time = timespec(
      tv_sec: nanoseconds / 1_000_000_000,
      tv_nsec: nanoseconds % 1_000_000_000
    )
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }

  /// Waits for `milliseconds`.
  static func sleep(milliseconds: Int) {
    sleep(until: nanoseconds() + milliseconds * 1_000_000)
  }
}
