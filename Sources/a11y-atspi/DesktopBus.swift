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

/// The way to the accessibility bus, whose address the session's bus knows.
///
/// When either is lost, both are made anew.
final class AccessibilityDoor {
  /// The connections to the session's bus and to the accessibility bus.
  struct Buses {
    let session: DBusConnection
    let accessibility: DBusConnection
  }

  static let patience: UInt64 = 5_000_000
  static let bus = "org.a11y.Bus"
  static let path = "/org/a11y/bus"

  private let loop: EventLoop
  private let onOpen: (Buses) throws(Errno) -> Void
  private var session: DesktopBus?
  private(set) var buses: Buses?

  /// A door that opens with `join`.
  ///
  /// - Parameters:
  ///   - loop: The loop that serves both connections.
  ///   - onOpen: Told of new connections, before anything has come on the second one.
  ///   - onLoss: Told the reason when they are lost, or cannot be made.
  /// - Throws: The refusal of the kernel.
  init(
    on loop: EventLoop,
    onOpen: @escaping (Buses) throws(Errno) -> Void,
    onLoss: @escaping (String) -> Void
  ) throws(Errno) {
    self.loop = loop
    self.onOpen = onOpen
    session = try DesktopBus(
      on: loop,
      address: { SessionBus.address() },
      onOpen: { [unowned self] connection throws(Errno) in askAddress(connection) },
      onLoss: onLoss
    )
  }

  func join() { session?.connect() }

  func shut() {
    buses = nil
    session?.leave()
  }

  /// Ends the row of losses: the accessibility bus has answered.
  func confirm() { session?.confirm() }

  func lose(_ reason: String) { session?.lose(reason) }

  private func askAddress(_ connection: DBusConnection) {
    let address = DBusMethod(Self.bus, Self.path, Self.bus, "GetAddress")
    connection.call(address, deadlineMicroseconds: Self.patience) {
      [unowned self, unowned connection] answer in
      guard let address = (try? answer.values())?.first?.text else {
        return lose(answer.error?.words ?? "there is no accessibility bus")
      }
      do throws(Errno) {
        let fresh = try DBusConnection(to: address, on: loop) { [unowned self] in
          lose("the accessibility bus has gone")
        }
        let both = Buses(session: connection, accessibility: fresh)
        buses = both
        try onOpen(both)
      } catch {
        lose("\(error)")
      }
    }
  }
}
