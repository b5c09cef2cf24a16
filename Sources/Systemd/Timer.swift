// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
import CSystemd

/// An alarm that rings once each time it is set.
///
/// The accuracy is always given as one microsecond. Zero would mean libsystemd's default, a quarter
/// of a second, by which it may delay an alarm to wake up less often: too much for a burst of
/// 20 ms.
package final class Timer {
  private let clock: Clock
  private let onElapsed: () -> Void
  private var source: EventSource?
  /// When the alarm rings, on its clock; nil while it is not set.
  package private(set) var due: UInt64?

  /// Makes an alarm that is not set.
  package init(
    on clock: Clock,
    priority: EventPriority,
    on loop: EventLoop,
    onElapsed: @escaping () -> Void
  ) throws(Errno) {
    self.clock = clock
    self.onElapsed = onElapsed
    source = nil

    var made: OpaquePointer?
    let context = Unmanaged.passUnretained(self).toOpaque()
    try Errno.check(
      sd_event_add_time(
        loop.handle,
        &made,
        clock.number,
        .max,
        Timer.accuracyMicroseconds,
        timerHasElapsed,
        context
      )
    )
    source = try EventSource(made, priority: priority)
    disarm()
  }

  deinit { source = nil }

  /// Sets the alarm to a time of its clock; one that has passed rings with the next turn.
  ///
  /// The loop is left alone where the alarm is set to that time already.
  package func arm(atMicroseconds time: UInt64) {
    guard time != due, let handle = source?.handle else { return }
    due = time
    acceptSetting(sd_event_source_set_time(handle, time))
    source?.enable(.oneShot)
  }

  /// Sets the alarm to a time from now, not from the beginning of the loop's turn.
  package func arm(afterMicroseconds delay: UInt64) {
    let (time, overflows) = clock.now().addingReportingOverflow(delay)
    arm(atMicroseconds: overflows ? .max : time)
  }

  /// Sets the alarm to a time from now, unless it is set already.
  package func armIfIdle(afterMicroseconds delay: UInt64) {
    if due == nil { arm(afterMicroseconds: delay) }
  }

  package func disarm() {
    due = nil
    source?.enable(.off)
  }

  fileprivate func elapsed() {
    due = nil
    onElapsed()
  }

  private static let accuracyMicroseconds: UInt64 = 1
}

extension Timer {
  /// The clock that an alarm goes by.
  package enum Clock {
    /// Stands still while the machine sleeps.
    case monotonic
    /// Goes on while the machine sleeps.
    case boot

    fileprivate var number: Int32 {
      switch self {
      case .monotonic: CLOCK_MONOTONIC
      case .boot: CLOCK_BOOTTIME
      }
    }

    fileprivate func now() -> UInt64 {
      switch self {
      case .monotonic: SystemClock.monotonicMicroseconds()
      case .boot: SystemClock.bootMicroseconds()
      }
    }
  }
}

@c private func timerHasElapsed(
  _ source: OpaquePointer?,
  _ time: UInt64,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context else { return 0 }
  Unmanaged<Timer>.fromOpaque(context).takeUnretainedValue().elapsed()
  return 0
}
