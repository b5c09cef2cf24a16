// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
import CSystemd

/// What the service manager is told, where there is one; without it nothing happens.
package enum Notify {
  package static func ready() { send("READY=1") }

  /// Shows a line in `systemctl status`.
  package static func status(_ text: String) { send("STATUS=\(VisibleText.of(text))") }

  package static func stopping() { send("STOPPING=1") }

  /// Says that a reload begins; it ends with `ready`.
  ///
  /// The time lets the manager tell the answer to its latest request from one to an earlier.
  package static func reloading() {
    send("RELOADING=1\nMONOTONIC_USEC=\(SystemClock.monotonicMicroseconds())")
  }

  /// Says why the service fails.
  package static func errno(_ error: Errno) { send("ERRNO=\(error.rawValue)") }

  /// Asks for more time to start, reload or stop, counted from now.
  package static func extendTimeout(microseconds: UInt64) {
    send("EXTEND_TIMEOUT_USEC=\(microseconds)")
  }

  /// A manager that cannot be reached cannot be told so either; it notices by its own timeouts.
  private static func send(_ state: String) {
    _ = sd_notify(0, state)
  }
}
