// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
import CSystemd
import Glibc

/// The loop's interest in a signal, which from then on comes as an event and interrupts nothing.
///
/// The signal is blocked for the calling thread, and stays so when the watch ends: a late one shall
/// not kill a daemon that is already on its way out.
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

    var made: OpaquePointer?
    let context = Unmanaged.passUnretained(self).toOpaque()
    let blocked = signal.number | Int32(SD_EVENT_SIGNAL_PROCMASK)
    try Errno.check(sd_event_add_signal(loop.handle, &made, blocked, signalHasCome, context))
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
