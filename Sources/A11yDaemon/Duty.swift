// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yPosix
import Systemd

/// Work that falls due though nobody is ready.
enum Duty: Int, CaseIterable {
  /// Written entries are to be brought to the medium.
  case synchronize
  /// Subscribers that were left out of entries are to hear how far they are.
  case checkpoint
  /// `systemctl status` is to be told of the last turns, and closed doors are tried again.
  case status
  /// The disk, which takes nothing, is to be tried again.
  case heal
  /// The log has work that nobody waits for.
  case logWork
  /// The log has work that somebody waits for.
  case errand
  /// Somebody has asked for configuration and rules to be read again.
  case reload
  /// The presenter is due.
  case presenter
  /// Entries may have become too old.
  case retention
  /// A connection to a metrics socket has had its time.
  case metrics
  /// The service manager is owed words that it had no room for.
  case notify
  /// Code and data that only the start has needed are to leave memory.
  case forgetStart

  /// How long after its reason the duty falls due, in microseconds; nil where the reason names a
  /// time.
  var delay: UInt64? {
    switch self {
    // Well within the loss window.
    case .synchronize: 500_000
    case .checkpoint: Subscription.checkpointDelay
    case .status: 1_000_000
    // The log is back within five seconds of the disk's recovery.
    case .heal: 1_000_000
    // Connections that are ready by then are served between two slices.
    case .logWork: 1_000
    case .errand, .reload: 0
    case .presenter, .metrics: nil
    case .retention: 600_000_000
    case .notify: 100_000
    // Behind the first of the other duties, which need some of the start's code once more.
    case .forgetStart: 1_500_000
    }
  }

  var priority: EventPriority {
    switch self {
    // An errand takes turns with the connections that are ready.
    case .synchronize, .checkpoint, .heal, .errand, .reload, .presenter, .metrics: .normal
    case .status, .logWork, .retention, .forgetStart: .low
    case .notify: .high
    }
  }

  var clock: Timer.Clock { self == .notify ? .monotonic : .boot }
}

/// The timers of the daemon, one for each duty.
struct DutyTimers {
  private let timers: [Timer]

  init(on loop: EventLoop, onDue: @escaping (Duty) -> Void) throws(Errno) {
    var timers: [Timer] = []
    for duty in Duty.allCases {
      let timer = try Timer(on: duty.clock, priority: duty.priority, on: loop) { onDue(duty) }
      timers.append(timer)
    }
    self.timers = timers
  }

  /// Has a duty fall due after its delay, unless it is scheduled already.
  func schedule(_ duty: Duty) {
    guard let delay = duty.delay else { preconditionFailure("\(duty) falls due at a time") }
    timers[duty.rawValue].armIfIdle(afterMicroseconds: delay)
  }

  /// Has a duty fall due at a time of its clock, whenever it was scheduled for before.
  func schedule(_ duty: Duty, atMicroseconds time: UInt64) {
    timers[duty.rawValue].arm(atMicroseconds: time)
  }
}
