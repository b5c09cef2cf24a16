// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
import CSystemd
import Glibc

/// The one loop of the process: it sleeps until a registered source is ready, and calls its owner.
///
/// Of the sources that are ready the one with the lowest priority value goes first, one at a time.
/// A registration keeps the loop alive, not the other way round: a watch, timer or signal ends with
/// the object that stands for it.
package final class EventLoop {
  /// The loop for libsystemd's own functions.
  package let handle: OpaquePointer
  /// How often it has come to something to do.
  private(set) var rounds: UInt64 = 0
  /// Called when there is something to do, before any of it is done.
  var onRound: (() -> Void)?

  package init() throws(Errno) {
    var made: OpaquePointer?
    try Errno.check(sd_event_new(&made))
    guard let made else { throw .noMemory }
    handle = made
  }

  deinit { sd_event_unref(handle) }

  /// Serves the registered sources until `exit`, and returns the code given there.
  package func run() throws(Errno) -> Int32 {
    while sd_event_get_state(handle) != Int32(SD_EVENT_FINISHED) {
      if try Errno.check(sd_event_prepare(handle)) == 0 {
        guard try Errno.check(sd_event_wait(handle, .max)) > 0 else { continue }
      }
      rounds &+= 1
      onRound?()
      try Errno.check(sd_event_dispatch(handle))
    }
    var code: Int32 = 0
    try Errno.check(sd_event_get_exit_code(handle, &code))
    return code
  }

  /// Ends `run` after the present callback.
  package func exit(_ code: Int32) {
    precondition(code >= 0, "a negative code would read as an error of the loop")
    let result = sd_event_exit(handle, code)
    precondition(result >= 0 || result == 0 - ESTALE, "a loop can be asked to end")
  }
}

/// The order in which several ready sources are served; the lower value goes first.
package struct EventPriority: Hashable, Sendable {
  package let rawValue: Int64

  package init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }

  package static let high = EventPriority(-100)
  package static let normal = EventPriority(0)
  package static let low = EventPriority(100)
}

/// One registration with the loop, which ends with this value.
struct EventSource: ~Copyable {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer?, priority: EventPriority) throws(Errno) {
    guard let handle else { throw .noMemory }
    let result = sd_event_source_set_priority(handle, priority.rawValue)
    if result < 0 { sd_event_source_disable_unref(handle) }
    try Errno.check(result)
    self.handle = handle
  }

  deinit { sd_event_source_disable_unref(handle) }

  borrowing func enable(_ mode: Mode) {
    acceptSetting(sd_event_source_set_enabled(handle, mode.rawValue))
  }

  /// How often an enabled source may call.
  enum Mode: Int32 {
    case off = 0
    case on = 1
    case oneShot = -1
  }
}

/// Accepts the answer of a setter that can fail only because the loop has already ended, when
/// nobody is called any more and the setting is of no consequence.
func acceptSetting(_ result: Int32) {
  precondition(result >= 0 || result == 0 - ESTALE, "a source takes a setting while its loop runs")
}

/// The loop's interest in a descriptor that somebody else owns.
///
/// The owner is kept alive as long as the interest, and let go after it: the kernel forgets the
/// descriptor before anybody can close it and its number be reused under the loop's eyes.
package final class Watch {
  private let onReady: (Readiness) -> Void
  private var source: EventSource?
  private let owner: AnyObject

  package init(
    _ descriptor: borrowing FileDescriptor,
    ownedBy owner: AnyObject,
    for interest: Readiness,
    priority: EventPriority,
    on loop: EventLoop,
    onReady: @escaping (Readiness) -> Void
  ) throws(Errno) {
    self.onReady = onReady
    self.owner = owner
    source = nil

    var made: OpaquePointer?
    let context = Unmanaged.passUnretained(self).toOpaque()
    try Errno.check(
      sd_event_add_io(
        loop.handle,
        &made,
        descriptor.number,
        interest.rawValue,
        watchIsReady,
        context
      )
    )
    source = try EventSource(made, priority: priority)
  }

  deinit { source = nil }

  /// Ceases to call, for instance while there is nothing to accept connections with.
  package func pause() { source?.enable(.off) }

  package func resume() { source?.enable(.on) }

  /// Waits for something else from now on.
  package func change(to interest: Readiness) {
    guard let handle = source?.handle else { return }
    acceptSetting(sd_event_source_set_io_events(handle, interest.rawValue))
  }

  fileprivate func ready(_ readiness: Readiness) { onReady(readiness) }
}

@c private func watchIsReady(
  _ source: OpaquePointer?,
  _ descriptor: Int32,
  _ readiness: UInt32,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context else { return 0 }
  Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue()
    .ready(Readiness(rawValue: readiness))
  return 0
}

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

/// The loop's interest in a signal, which from then on comes as an event and interrupts nothing.
///
/// The signal is blocked for the calling thread, and stays so when the watch ends: a late one shall
/// not kill a daemon that is already on its way out. Therefore it is blocked here: what sd-event
/// blocks itself it lets through again.
package final class SignalWatch {
  private let onSignal: () -> Void
  private var source: EventSource?

  package init(
    _ signal: Signal,
    priority: EventPriority,
    on loop: EventLoop,
    onSignal: @escaping () -> Void
  ) throws(Errno) {
    self.onSignal = onSignal
    source = nil

    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, signal.number)
    pthread_sigmask(SIG_BLOCK, &mask, nil)
    var made: OpaquePointer?
    let context = Unmanaged.passUnretained(self).toOpaque()
    try Errno.check(sd_event_add_signal(loop.handle, &made, signal.number, signalHasCome, context))
    source = try EventSource(made, priority: priority)
  }

  deinit { source = nil }

  fileprivate func come() { onSignal() }
}

extension SignalWatch {
  /// The signals that a daemon is governed by.
  package enum Signal: CaseIterable, Sendable {
    case terminate
    case interrupt
    case hangUp

    package var number: Int32 {
      switch self {
      case .terminate: SIGTERM
      case .interrupt: SIGINT
      case .hangUp: SIGHUP
      }
    }
  }
}

@c private func signalHasCome(
  _ source: OpaquePointer?,
  _ information: UnsafePointer<signalfd_siginfo>?,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context else { return 0 }
  Unmanaged<SignalWatch>.fromOpaque(context).takeUnretainedValue().come()
  return 0
}

/// Sends the service manager signs of life from the loop itself, where it has asked for them.
///
/// They come from the loop and not from a helper thread, because a loop that hangs shall be
/// noticed; and not from `sd_event_set_watchdog`, which waits for a manager whose queue is full.
///
/// A loop that has had nothing to do for a minute asks the manager for hours of patience, because
/// signs every ten seconds would be all that keeps the processor from resting. When something
/// comes, the patience is as short as ever before any of it is done.
package final class Watchdog {
  private let manager: Notifier
  private let loop: EventLoop
  /// The patience of the manager with a loop at work.
  private let patience: UInt64
  private var timer: Timer?
  private var isResting = false
  /// The round of the last sign of life, and how many have come since something was done.
  private var round: UInt64 = 0
  private var idleSigns: UInt64 = 0

  /// How long the loop has nothing to do until it rests.
  private let restlessness: UInt64
  /// The patience that it then asks for.
  private static let restingPatience: UInt64 = 12 * 3_600_000_000

  /// Nil where the manager has asked for none.
  package init?(
    for manager: Notifier,
    on loop: EventLoop,
    restingAfter restlessness: UInt64 = 60_000_000
  ) throws(Errno) {
    var patience: UInt64 = 0
    guard try Errno.check(sd_watchdog_enabled(0, &patience)) > 0 else { return nil }
    self.manager = manager
    self.loop = loop
    self.restlessness = restlessness
    self.patience = max(3, patience)
    timer = nil
    timer = try Timer(on: .monotonic, priority: .high, on: loop) { [unowned self] in beat() }
    loop.onRound = { [unowned self] in wake() }
    beat()
  }

  deinit { loop.onRound = nil }

  /// One sign may be lost to a full queue.
  private func interval(_ patience: UInt64) -> UInt64 { patience / 3 }

  private func beat() {
    // The round that this timer has brought is no work.
    let isIdle = loop.rounds <= round &+ 1
    idleSigns = isIdle ? idleSigns + 1 : 0
    round = loop.rounds
    if idleSigns > restlessness / interval(patience) {
      isResting = manager.isAlive(within: Self.restingPatience)
    } else {
      manager.isAlive()
    }
    timer?.arm(afterMicroseconds: interval(isResting ? Self.restingPatience : patience))
  }

  private func wake() {
    // Where the manager has no room for it, the next round tries again.
    guard isResting, manager.isAlive(within: patience) else { return }
    isResting = false
    idleSigns = 0
    round = loop.rounds
    timer?.arm(afterMicroseconds: interval(patience))
  }
}
