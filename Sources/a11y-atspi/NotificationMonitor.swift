// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yPosix
import DBus
import Systemd

/// The ear at the session's bus: it becomes a monitor of the desktop's notifications, which
/// replaces nobody and needs no server of notifications.
final class NotificationMonitor {
  /// A message about a notification.
  enum News {
    case call(NoticeCall)
    case answered(sender: String, serial: UInt64, by: String, id: UInt32)
    case closed(id: UInt32, reason: Int64, by: String)
    case withdrawn(id: UInt32)
    case malformed
    case opened
    case away(String)
  }

  private static let interface = "org.freedesktop.Notifications"
  private static let patience: UInt64 = 5_000_000
  private static let rules = [
    DBusMatch(type: "method_call", interface: interface, member: "Notify"),
    DBusMatch(type: "method_call", interface: interface, member: "CloseNotification"),
    DBusMatch(interface: interface, member: "NotificationClosed"),
    // The answer to a call has the id.
    DBusMatch(type: "method_return", sender: interface),
  ]

  private let onNews: (News) -> Void
  private var bus: DesktopBus?
  private var filter: DBusSlot?
  private var isMonitor = false

  init(on loop: EventLoop, onNews: @escaping (News) -> Void) throws(Errno) {
    self.onNews = onNews
    bus = try DesktopBus(
      isMonitor: true,
      on: loop,
      address: { SessionBus.address() },
      onOpen: { [unowned self] connection throws(Errno) in try open(connection) },
      onLoss: { [unowned self] reason in
        (filter, isMonitor) = (nil, false)
        onNews(.away(reason))
      }
    )
  }

  func join() { bus?.connect() }

  func leave() {
    filter = nil
    bus?.leave()
  }

  private func open(_ connection: DBusConnection) throws(Errno) {
    filter = try connection.filter { [unowned self] in sift($0) }
    connection.call(
      .becomeMonitor,
      [.list("s", Self.rules.map { .string($0.rule) }), .uint32(0)],
      deadlineMicroseconds: Self.patience
    ) { [unowned self] answer in
      guard answer.kind == .reply else {
        bus?.lose(answer.error?.words ?? "it takes no monitor")
        return
      }
      isMonitor = true
      bus?.confirm()
      onNews(.opened)
    }
  }

  /// A monitor answers nothing, so all messages end here.
  private func sift(_ message: DBusMessage) -> Bool {
    guard isMonitor, message.interface != "org.freedesktop.DBus.Local" else { return false }
    do throws(DBusMistake) {
      if let news = try news(in: message) { onNews(news) }
    } catch {
      onNews(.malformed)
    }
    return true
  }

  private func news(in message: DBusMessage) throws(DBusMistake) -> News? {
    guard let sender = message.sender else { return nil }
    switch (message.kind, message.member) {
    case (.call, "Notify"):
      let call = NoticeCall(sender: sender, serial: message.serial, try message.values())
      return call.map { .call($0) } ?? .malformed
    case (.call, "CloseNotification"):
      guard let id = try message.values().first?.number else { return .malformed }
      return .withdrawn(id: UInt32(clamping: id))
    case (.signal, "NotificationClosed"):
      let values = try message.values()
      guard values.count == 2, let id = values[0].number, let reason = values[1].number else {
        return .malformed
      }
      return .closed(id: UInt32(clamping: id), reason: reason, by: sender)
    case (.reply, _):
      guard message.signature == "u", let caller = message.destination,
        let serial = message.answeredSerial, let id = try message.values().first?.number
      else { return nil }
      return .answered(sender: caller, serial: serial, by: sender, id: UInt32(clamping: id))
    default: return nil
    }
  }
}
