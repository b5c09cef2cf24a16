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

  init(busPath: String, on loop: EventLoop, onChange: @escaping () -> Void) throws {
    self.onChange = onChange
    links = try AppLinks(path: busPath, on: loop) { [unowned self] news in hear(news) }
    lock = try SessionLock(on: loop) { [unowned self] isLocked in
      self.isLocked = isLocked
      perform(notices.setLocked(isLocked))
      onChange()
    }
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
    case .recorded(let ticket, let seq): perform(notices.recorded(ticket: ticket, seq: seq))
    case .connected, .away, .refused: onChange()
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
