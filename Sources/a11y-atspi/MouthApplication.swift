// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yPosix
import DBus
import Systemd

/// Our application at the accessibility bus, from whose notifications Orca takes words.
///
/// It is in the desktop's tree from the first text on.
final class MouthApplication {
  private let bus: DBusConnection
  private var tree: MouthTree
  private var object: DBusSlot?
  private var changes: DBusSlot?
  private var sweep: Timer?
  private var isEmbedded = false

  private static let cache = "/org/a11y/atspi/cache"
  private static let object = "org.a11y.atspi.Event.Object"
  private static let patience: UInt64 = 5_000_000

  init(on bus: DBusConnection, named name: String, loop: EventLoop) throws(Errno) {
    self.bus = bus
    tree = MouthTree(connection: name)
    object = try bus.export(below: "/org/a11y/atspi") { [unowned self] call in respond(to: call) }
    let change = DBusMatch(
      sender: "org.freedesktop.DBus",
      interface: "org.freedesktop.DBus",
      member: "NameOwnerChanged",
      arguments: [0: OrcaWatch.registry]
    )
    changes = try bus.listen(change) { [unowned self] message in
      // A registry that was started anew does not know us.
      guard let owner = (try? message.values())?.last?.text, !owner.isEmpty else { return }
      embed()
    }
    sweep = try Timer(on: .monotonic, priority: .low, on: loop) { [unowned self] in clean() }
    embed()
  }

  private func embed() {
    let method = DBusMethod(
      OrcaWatch.registry,
      MouthTree.root,
      "org.a11y.atspi.Socket",
      "Embed"
    )
    let root = tree.reference(to: MouthTree.root)
    bus.call(method, [root], deadlineMicroseconds: Self.patience) { [weak self] answer in
      guard answer.kind == .reply, let desktop = (try? answer.values())?.first?.members,
        desktop.count == 2, let sender = desktop[0].text, let path = desktop[1].text
      else { return }
      self?.tree.desktop = SourceObject(sender, path)
    }
  }

  private func respond(to call: DBusMessage) -> DBusAnswer {
    guard let path = call.path, let interface = call.interface, let member = call.member,
      let values = try? call.values()
    else { return .unknown }
    return tree.respond(path, interface, member, values)
  }

  /// Has Orca speak a text, by an announcement or by a notification that appears.
  func show(_ text: String, asAnnouncement: Bool, at now: Int64) throws(Errno) {
    let path = tree.hang(text, at: now)
    let (member, detail, value): (String, String, DBusValue) =
      asAnnouncement
      ? ("Announcement", "", .string(text)) : ("StateChanged", "showing", .int32(0))
    // The number is 1 for “is showing”, and for a polite announcement: all keep their order.
    try bus.emit(
      DBusSignal(path, Self.object, member),
      [.string(detail), .int32(1), .int32(0), .variant(value), .dictionary([])]
    )
    clean()
  }

  /// Forgets notifications that Orca asks about no more, and has others forget them.
  private func clean() {
    let now = Int64(clamping: SystemClock.monotonicMicroseconds())
    for path in tree.removeOld(at: now) {
      let signal = DBusSignal(Self.cache, "org.a11y.atspi.Cache", "RemoveAccessible")
      try? bus.emit(signal, [tree.reference(to: path)])
    }
    if let due = tree.due { sweep?.arm(atMicroseconds: UInt64(clamping: due)) }
  }
}
