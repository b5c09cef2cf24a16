// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import DBus
import Systemd

/// A connection to a bus of the desktop that is made again whenever it is lost.
///
/// The owner is handed each new connection before anything has come on it.
final class DesktopBus {
  private let loop: EventLoop
  private let isMonitor: Bool
  private let onOpen: (DBusConnection) throws(Errno) -> Void
  private let onLoss: (String) -> Void
  private var retry: Timer?
  private var backoff = Backoff()
  /// The address; nil while it is not known.
  private let address: () -> String?
  private(set) var connection: DBusConnection?

  init(
    isMonitor: Bool = false,
    on loop: EventLoop,
    address: @escaping () -> String?,
    onOpen: @escaping (DBusConnection) throws(Errno) -> Void,
    onLoss: @escaping (String) -> Void
  ) throws(Errno) {
    self.loop = loop
    self.isMonitor = isMonitor
    self.address = address
    self.onOpen = onOpen
    self.onLoss = onLoss
    retry = try Timer(on: .monotonic, priority: .normal, on: loop) { [unowned self] in connect() }
  }

  /// Connects, and goes on trying.
  func connect() {
    retry?.disarm()
    connection = nil
    guard let address = address() else { return lose("there is no address") }
    do throws(Errno) {
      let fresh = try DBusConnection(to: address, isMonitor: isMonitor, on: loop) {
        [unowned self] in lose("the connection was lost")
      }
      connection = fresh
      try onOpen(fresh)
    } catch {
      lose("\(error)")
    }
  }

  /// Ends the row of losses: the bus has answered.
  func confirm() { backoff.reset() }

  /// Gives the connection up, to connect anew after a while.
  ///
  /// The old one ends with the new attempt, since the loss may be told by one of its callbacks.
  func lose(_ reason: String) {
    onLoss(reason)
    let wait = UInt64(clamping: backoff.nextWait().milliseconds) * 1_000
    retry?.arm(afterMicroseconds: wait)
  }

  /// Ends the connection for good.
  func leave() {
    retry?.disarm()
    connection = nil
  }
}
