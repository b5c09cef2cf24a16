// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
import CSystemd

/// Sends the service manager signs of life from the loop itself, where it has asked for them.
///
/// They come from the loop and not from a helper thread, because a loop that hangs shall be
/// noticed; and not from `sd_event_set_watchdog`, which waits for a manager whose queue is full.
package final class Watchdog {
  private let manager: Notifier
  private let interval: UInt64
  private var timer: Timer?

  /// Nil where the manager has asked for none.
  package init?(for manager: Notifier, on loop: EventLoop) throws(Errno) {
    var patience: UInt64 = 0
    guard try Errno.check(sd_watchdog_enabled(0, &patience)) > 0 else { return nil }
    self.manager = manager
    // One sign may be lost to a full queue.
    interval = max(1, patience / 3)
    timer = nil
    timer = try Timer(on: .monotonic, priority: .high, on: loop) { [unowned self] in beat() }
    beat()
  }

  private func beat() {
    manager.isAlive()
    timer?.arm(afterMicroseconds: interval)
  }
}
