// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yPosix
import DBus
import Systemd

/// The ears' connection to the accessibility bus.
final class AccessibilityBus {
  enum News {
    case signal(AtspiSignal)
    case left(String)
    case malformed
    case opened
    case away(String)
    /// Orca has come, or has gone.
    case orca(isThere: Bool)
    /// Somebody has set whether a screen reader is to run.
    case screenReader(isWanted: Bool)
    /// Notifications are told by the calls for them, and this process shows them; nil where not.
    case notices(from: Int64?)
  }

  private let loop: EventLoop
  private let setsScreenReader: Bool
  private let isMirroring: Bool
  private let onNews: (News) -> Void
  private var door: AccessibilityDoor?
  private var orca: OrcaWatch?
  private var slots: [DBusSlot] = []
  /// Changes of the window that is mirrored.
  private var mirrorSlots: [DBusSlot] = []
  let inquiry = SourceInquiry()

  private var connection: DBusConnection? { door?.buses?.accessibility }

  private static let patience: UInt64 = 5_000_000
  /// A text of a signal; one that is longer is no news.
  private static let bounds = DBusBounds(stringBytes: 65_536, values: 64, depth: 6)
  private static let registry = OrcaWatch.registry

  /// Changes of states that are heard.
  private static let states = [
    "focused", "active", "showing", "busy", "checked", "expanded", "pressed", "selected",
    "sensitive", "indeterminate", "invalid-entry", "required",
  ]

  /// Events without which the registry has GTK send nothing.
  private static let events =
    [
      "object:announcement", "object:text-changed:insert", "object:text-changed:delete",
      "object:property-change:accessible-value", "object:property-change:accessible-name",
      "object:property-change:accessible-description", "object:active-descendant-changed",
      "window:activate", "window:deactivate", "window:create", "window:destroy",
      "document:load-complete",
    ] + states.map { "object:state-changed:\($0)" }

  /// Further events for the elements of a window.
  private static let mirrorEvents = ["object:children-changed"]

  /// The signals by member and first argument, so that floods of other changes stay away.
  private static let matches: [DBusMatch] = {
    let object = "org.a11y.atspi.Event.Object"
    // Firefox has two ways to mark the changes that are not the user's.
    let texts = ["insert", "delete"].flatMap { ["\($0)", "\($0)/system", "\($0):system"] }
    let details =
      texts.map { ("TextChanged", $0) } + states.map { ("StateChanged", $0) }
      + ["value", "name", "description"].map { ("PropertyChange", "accessible-\($0)") }
    return details.map { DBusMatch(interface: object, member: $0.0, arguments: [0: $0.1]) }
      + ["Announcement", "ActiveDescendantChanged"].map {
        DBusMatch(interface: object, member: $0)
      }
      + ["Activate", "Deactivate", "Create", "Destroy"].map {
        DBusMatch(interface: "org.a11y.atspi.Event.Window", member: $0)
      }
      + [DBusMatch(interface: "org.a11y.atspi.Event.Document", member: "LoadComplete")]
  }()

  init(
    setsScreenReader: Bool,
    isMirroring: Bool,
    on loop: EventLoop,
    onNews: @escaping (News) -> Void
  ) throws(Errno) {
    self.loop = loop
    self.setsScreenReader = setsScreenReader
    self.isMirroring = isMirroring
    self.onNews = onNews
    door = try AccessibilityDoor(
      on: loop,
      onOpen: { [unowned self] buses throws(Errno) in
        try heed(buses.session)
        try watchNotices(buses.session)
        try open(buses)
      },
      onLoss: { [unowned self] reason in
        (slots, mirrorSlots, inquiry.connection, orca) = ([], [], nil, nil)
        inquiry.dialogs.removeAll()
        onNews(.away(reason))
      }
    )
  }

  func join() { door?.join() }

  func leave() {
    (slots, mirrorSlots, inquiry.connection, orca) = ([], [], nil, nil)
    door?.shut()
  }

  // MARK: Connecting

  private static let status = "org.a11y.Status"
  private static let properties = "org.freedesktop.DBus.Properties"

  /// Tells the desktop that assistive technology runs, and hears of another screen reader.
  private func heed(_ session: DBusConnection) throws(Errno) {
    set("IsEnabled", at: session)
    guard setsScreenReader else {
      let change = DBusMatch(
        interface: Self.properties,
        member: "PropertiesChanged",
        path: AccessibilityDoor.path,
        arguments: [0: Self.status]
      )
      slots.append(
        try session.listen(change) { [unowned self] message in
          guard let values = try? message.values(Self.bounds), values.count == 3,
            let flag = values[1]["ScreenReaderEnabled"]?.flag
          else { return }
          onNews(.screenReader(isWanted: flag))
        }
      )
      return
    }
    // Beside a mouth it would start another voice.
    session.call(
      .daemon("NameHasOwner"),
      [.string(MouthDuty.name)],
      deadlineMicroseconds: Self.patience
    ) { [unowned self, unowned session] answer in
      guard (try? answer.values())?.first?.flag == false else { return }
      set("ScreenReaderEnabled", at: session)
    }
  }

  // MARK: Notifications

  private static let notices = "org.freedesktop.Notifications"

  /// Follows who tells the desktop's notifications, and who shows them.
  private func watchNotices(_ session: DBusConnection) throws(Errno) {
    for name in [NotificationDuty.name, Self.notices] {
      let change = DBusMatch(
        sender: "org.freedesktop.DBus",
        interface: "org.freedesktop.DBus",
        member: "NameOwnerChanged",
        arguments: [0: name]
      )
      slots.append(
        try session.listen(change) { [unowned self, unowned session] _ in askNotices(session) }
      )
    }
    askNotices(session)
  }

  private func askNotices(_ session: DBusConnection) {
    var isTold = false
    session.call(
      .daemon("NameHasOwner"),
      [.string(NotificationDuty.name)],
      deadlineMicroseconds: Self.patience
    ) { isTold = (try? $0.values())?.first?.flag ?? false }
    // The daemon answers in the order of the questions.
    session.call(
      .daemon("GetConnectionUnixProcessID"),
      [.string(Self.notices)],
      deadlineMicroseconds: Self.patience
    ) { [unowned self] answer in
      let process = answer.kind == .reply ? (try? answer.values())?.first?.number : nil
      onNews(.notices(from: isTold ? process : nil))
    }
  }

  private func set(_ property: String, at session: DBusConnection) {
    let method = DBusMethod(AccessibilityDoor.bus, AccessibilityDoor.path, Self.properties, "Set")
    session.call(
      method,
      [.string(Self.status), .string(property), .variant(.boolean(true))],
      deadlineMicroseconds: Self.patience
    ) { _ in }
  }

  private func open(_ buses: AccessibilityDoor.Buses) throws(Errno) {
    let fresh = buses.accessibility
    inquiry.connection = fresh
    for match in Self.matches {
      slots.append(try fresh.listen(match) { [unowned self] in sift($0) })
    }
    let changes = DBusMatch(
      sender: "org.freedesktop.DBus",
      interface: "org.freedesktop.DBus",
      member: "NameOwnerChanged"
    )
    slots.append(try fresh.listen(changes) { [unowned self] in noteOwner($0) })
    orca = try OrcaWatch(buses, on: loop) { [unowned self] signs in
      onNews(.orca(isThere: signs.orca != nil))
    }
    register()
  }

  private func startRegistry() {
    let values: [DBusValue] = [.string(Self.registry), .uint32(0)]
    connection?.call(
      .daemon("StartServiceByName"),
      values,
      deadlineMicroseconds: Self.patience
    ) { _ in }
  }

  private func register() {
    let method = DBusMethod(
      Self.registry,
      "/org/a11y/atspi/registry",
      Self.registry,
      "RegisterEvent"
    )
    let events = isMirroring ? Self.events + Self.mirrorEvents : Self.events
    for event in events {
      let isLast = event == events.last
      let values: [DBusValue] = [.string(event), .list("s", []), .string("")]
      connection?.call(method, values, deadlineMicroseconds: Self.patience) {
        [unowned self] answer in
        guard isLast else { return }
        guard answer.kind == .reply else {
          door?.lose(answer.error?.words ?? "the registry does not answer")
          return
        }
        door?.confirm()
        onNews(.opened)
      }
    }
  }

  /// Listens for changes of the elements of one program alone; nil for none.
  func watchElements(of sender: String?) {
    mirrorSlots = []
    guard let sender, let connection else { return }
    let changes = DBusMatch(
      sender: sender,
      interface: "org.a11y.atspi.Event.Object",
      member: "ChildrenChanged"
    )
    // A daemon that refuses a match ends the connection.
    if let slot = try? connection.listen(changes, { [unowned self] in sift($0) }) {
      mirrorSlots.append(slot)
    }
  }

  // MARK: Signals

  private func sift(_ message: DBusMessage) {
    guard let sender = message.sender, let path = message.path, let member = message.member,
      let interface = message.interface
    else { return }
    do throws(DBusMistake) {
      let values = try message.values(Self.bounds, first: 4)
      let source = SourceObject(sender, path)
      if let signal = try AtspiSignal(interface: interface, member: member, from: source, values) {
        onNews(.signal(signal))
      }
    } catch {
      onNews(.malformed)
    }
  }

  private func noteOwner(_ message: DBusMessage) {
    guard let values = try? message.values(Self.bounds), values.count == 3,
      let name = values[0].text, let owner = values[2].text
    else { return }
    if name.hasPrefix(":"), owner.isEmpty { onNews(.left(name)) }
    guard name == Self.registry else { return }
    // A registry that is started anew has forgotten us, and none is started unless it is wanted.
    if owner.isEmpty { startRegistry() } else { register() }
  }

  /// Asks a program; the answer comes once, by its deadline.
  func inquire(_ question: SourceQuestion, _ onAnswer: @escaping (SourceAnswer) -> Void) {
    inquiry.inquire(question, onAnswer)
  }
}
