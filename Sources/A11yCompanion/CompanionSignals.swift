// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import Systemd

/// The signals that every program around the bus obeys, and its signs of life.
package final class CompanionSignals {
  private var watches: [AnyObject] = []

  package init(
    _ manager: Notifier,
    on loop: EventLoop,
    onStop: @escaping () -> Void,
    onReload: @escaping () -> Void
  ) throws(Errno) {
    for signal in [SignalWatch.Signal.terminate, .interrupt] {
      watches.append(try SignalWatch(signal, priority: .high, on: loop, onSignal: onStop))
    }
    watches.append(try SignalWatch(.hangUp, priority: .normal, on: loop, onSignal: onReload))
    if let watchdog = try Watchdog(for: manager, on: loop) { watches.append(watchdog) }
  }
}
