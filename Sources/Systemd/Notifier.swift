// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix

/// Notifications to the service manager, where there is one; without it nothing happens.
///
/// `sd_notify` waits while the manager's queue is full, so notifications go out from here, at once
/// or not at all. The states of the service must not be lost: states that found no room are owed,
/// in their order, and so is the newest status. Signs of life and requests for time come again
/// anyway.
package final class Notifier {
  private let manager: UnixDatagram?
  private var owedStates: [String] = []
  private var owedStatus: String?

  /// A start and a reload within it; the manager does not wait for older reloads any more.
  private static let mostOwed = 4
  /// The manager shows one line; a long one would not fit into a datagram of a small queue.
  private static let longestStatus = 1_024

  /// Tells the manager that listens at this address; nil where there is none.
  package init(address: String?) {
    manager = address.flatMap { try? UnixDatagram(to: $0) }
  }

  /// Tells the manager of this process.
  package convenience init() { self.init(address: Environment.value("NOTIFY_SOCKET")) }

  package func ready() { tell(state: "READY=1") }

  package func stopping() { tell(state: "STOPPING=1") }

  /// Says that a reload begins; it ends with `ready`.
  ///
  /// The time lets the manager tell the answer to its latest request from one to an earlier.
  package func reloading() {
    tell(state: "RELOADING=1\nMONOTONIC_USEC=\(SystemClock.monotonicMicroseconds())")
  }

  /// Shows a line in `systemctl status`.
  package func status(_ text: String) {
    let words = VisibleText.of(text).unicodeScalars
    let isShort = words.count <= Self.longestStatus
    let line = isShort ? words : words.prefix(Self.longestStatus) + "…".unicodeScalars
    owedStatus = "STATUS=\(String(String.UnicodeScalarView(line)))"
    tellOwed()
  }

  /// Says why the service fails.
  package func errno(_ error: Errno) { _ = send("ERRNO=\(error.rawValue)") }

  /// Asks for more time to start, reload or stop, counted from now.
  package func extendTimeout(microseconds: UInt64) {
    _ = send("EXTEND_TIMEOUT_USEC=\(microseconds)")
  }

  /// A sign of life.
  package func isAlive() { _ = send("WATCHDOG=1") }

  /// A sign of life, and how soon the next will come; whether the manager knows.
  func isAlive(within microseconds: UInt64) -> Bool {
    send("WATCHDOG_USEC=\(microseconds)\nWATCHDOG=1")
  }

  /// Whether the manager had no room for some notification.
  package var isOwing: Bool { !owedStates.isEmpty || owedStatus != nil }

  /// Sends once more the notifications that the manager had no room for.
  package func tellOwed() {
    while let state = owedStates.first, send(state) { owedStates.removeFirst() }
    if owedStates.isEmpty, let status = owedStatus, send(status) { owedStatus = nil }
  }

  private func tell(state: String) {
    owedStates.append(state)
    owedStates.removeFirst(max(0, owedStates.count - Self.mostOwed))
    tellOwed()
  }

  /// Whether the notification is done with: taken, or there is no manager to take it.
  private func send(_ state: String) -> Bool {
    do throws(Errno) {
      try manager?.send(state)
      return true
    } catch .wouldBlock, .noBufferSpace {
      return false
    } catch {
      // A manager that cannot be reached cannot be told so; it notices by its own timeouts.
      return true
    }
  }
}
