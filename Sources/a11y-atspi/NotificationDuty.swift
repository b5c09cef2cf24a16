// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import A11yPosix
import DBus
import Systemd

/// The desktop's notifications, from the session's bus to ours.
final class NotificationDuty: AtspiDuty {
  private var notices = Notices()
  private var monitor: NotificationMonitor?
  private var lock: SessionLock?
  private var links: AppLinks?
  /// The connection with the name by which ears know that notifications are told here.
  private var sign: DesktopBus?
  private let onChange: () -> Void
  private var trouble: String? = "waiting for the session's message bus"
  private var isLocked = false
  private(set) var malformed = 0

  static let name = "org.a11yd.Notifications"
  /// The app in whose name the bus is told of the lock.
  private static let lock = "session-lock"
  /// The ticket of that word; those of notifications begin with 1.
  private static let unlocking: Int64 = 0

  init(busPath: String, on loop: EventLoop, onChange: @escaping () -> Void) throws {
    self.onChange = onChange
    links = try AppLinks(path: busPath, on: loop) { [unowned self] news in hear(news) }
    lock = try SessionLock(on: loop) { [unowned self] isLocked in
      self.isLocked = isLocked
      tellLock()
      onChange()
    }
    links?.onReturn = { [unowned self] app in if app == Self.lock, !isLocked { tellLock() } }
    monitor = try NotificationMonitor(on: loop) { [unowned self] in hear($0) }
    sign = try DesktopBus(
      on: loop,
      address: { SessionBus.address() },
      onOpen: { [unowned self] connection throws(Errno) in
        connection.requestName(Self.name) { [weak self] _ in self?.sign?.confirm() }
      },
      onLoss: { _ in }
    )
  }

  func begin() {
    lock?.join()
    monitor?.join()
    sign?.connect()
  }

  func end() {
    lock?.leave()
    monitor?.leave()
    sign?.leave()
  }

  func apply(_ settings: AtspiSettings) { notices.silentApps = settings.silentNotifiers }

  var isBusAway: Bool { links?.isAway ?? false }

  var lostEvents: Int { links?.lostEvents ?? 0 }

  var refusals: (count: Int, last: String) { links?.refusals ?? (0, "") }

  var overrun: Int { notices.overrun }

  var sentence: String {
    let usual =
      isLocked
      ? "keeping the desktop's notifications while the session is locked"
      : "hearing the desktop's notifications"
    return trouble ?? usual
  }

  /// Has the bus keep what other apps say, too, until the session is not locked any more.
  private func tellLock() {
    if isLocked { perform(notices.setLocked(true)) }
    let window: Event = isLocked ? .window("lock", .opened).lock() : .window("lock", .closed)
    links?.post(window, of: Self.lock, ticket: isLocked ? nil : Self.unlocking)
  }

  /// The bus knows that the session is not locked, so that what has waited is heard.
  private func unlock(_ ticket: Int64) {
    if ticket == Self.unlocking, !isLocked { perform(notices.setLocked(false)) }
  }

  private func hear(_ news: NotificationMonitor.News) {
    switch news {
    case .call(let call): perform(notices.announce(call))
    case .answered(let sender, let serial, let server, let id):
      notices.answered(sender: sender, serial: serial, by: server, id: id)
    case .closed(let id, let reason, let closer):
      perform(notices.closed(id: id, reason: reason, by: closer))
    case .withdrawn(let id): perform(notices.withdrawn(id: id))
    case .malformed:
      malformed += 1
      onChange()
    case .opened:
      trouble = nil
      onChange()
    case .away(let reason):
      trouble = "waiting for the session's message bus: \(reason)"
      onChange()
    }
  }

  private func hear(_ news: BusLink.News) {
    switch news {
    case .recorded(let ticket, let seq):
      unlock(ticket)
      perform(notices.recorded(ticket: ticket, seq: seq))
    case .unrecorded(let ticket, _):
      unlock(ticket)
      onChange()
    case .connected:
      // A word about the lock that has waited for long is dropped.
      if isLocked { tellLock() }
      onChange()
    case .away, .refused: onChange()
    case .entry, .secret: break
    }
  }

  private func perform(_ acts: [Notices.Act]) {
    for act in acts {
      switch act {
      case .post(let event, let app, let ticket): links?.post(event, of: app, ticket: ticket)
      case .cancel(let seq, let app): links?.post(.cancel(seq), of: app)
      }
    }
  }
}

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
