// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import DBus
import Systemd

/// The lock of the user's session, as logind knows it; without logind nothing is ever locked.
final class SessionLock {
  private let onChange: (Bool) -> Void
  private var bus: DesktopBus?
  /// The ears for a new logind, and for the session.
  private var slots: (login: DBusSlot?, session: DBusSlot?) = (nil, nil)
  private var isLocked = false

  private static let login = "org.freedesktop.login1"
  private static let session = "org.freedesktop.login1.Session"
  private static let properties = "org.freedesktop.DBus.Properties"
  private static let patience: UInt64 = 5_000_000

  init(on loop: EventLoop, onChange: @escaping (Bool) -> Void) throws(Errno) {
    self.onChange = onChange
    bus = try DesktopBus(
      on: loop,
      address: {
        Environment.value("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
      },
      onOpen: { [unowned self] connection throws(Errno) in try open(connection) },
      onLoss: { [unowned self] _ in
        slots = (nil, nil)
        note(false)
      }
    )
  }

  func join() { bus?.connect() }

  func leave() {
    slots = (nil, nil)
    bus?.leave()
  }

  private func open(_ connection: DBusConnection) throws(Errno) {
    let change = DBusMatch(
      sender: "org.freedesktop.DBus",
      interface: "org.freedesktop.DBus",
      member: "NameOwnerChanged",
      arguments: [0: Self.login]
    )
    slots.login = try connection.listen(change) { [unowned self] _ in findSession() }
    findSession()
  }

  private func findSession() {
    let method = DBusMethod(
      Self.login,
      "/org/freedesktop/login1",
      "org.freedesktop.login1.Manager",
      "GetSession"
    )
    // logind takes “auto” for the session of the caller, or for the one that its user looks at.
    bus?.connection?.call(method, [.string("auto")], deadlineMicroseconds: Self.patience) {
      [unowned self] answer in
      bus?.confirm()
      guard answer.kind == .reply, let path = (try? answer.values())?.first?.text else { return }
      watch(path)
    }
  }

  private func watch(_ path: String) {
    let change = DBusMatch(
      sender: Self.login,
      interface: Self.properties,
      member: "PropertiesChanged",
      path: path,
      arguments: [0: Self.session]
    )
    slots.session = try? bus?.connection?.listen(change) { [unowned self] message in
      guard let values = try? message.values(), values.count == 3 else { return }
      if let flag = values[1]["LockedHint"]?.flag { note(flag) }
    }
    let get = DBusMethod(Self.login, path, Self.properties, "Get")
    bus?.connection?.call(
      get,
      [.string(Self.session), .string("LockedHint")],
      deadlineMicroseconds: Self.patience
    ) { [unowned self] answer in
      if answer.kind == .reply, let flag = (try? answer.values())?.first?.flag { note(flag) }
    }
  }

  private func note(_ isLocked: Bool) {
    guard isLocked != self.isLocked else { return }
    self.isLocked = isLocked
    onChange(isLocked)
  }
}
