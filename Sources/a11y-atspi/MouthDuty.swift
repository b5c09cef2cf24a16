// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import A11yCompanion
import A11yPosix
import DBus
import Systemd

/// The mouth, from our bus to the Orca that runs.
final class MouthDuty: AtspiDuty {
  private let loop: EventLoop
  private let link: BusLink
  private var bus: CompanionLink?
  private let onChange: () -> Void
  private var mouth = Mouth()
  private var door: AccessibilityDoor?
  private var watch: OrcaWatch?
  private var application: MouthApplication?
  private var slots: [DBusSlot] = []
  private var trouble: String? = "waiting for the accessibility bus"
  private var isChosen = false
  private(set) var refusals = (count: 0, last: "")
  let malformed = 0

  /// Deliveries, and the entries that tell what Orca has heard by itself.
  private static let types = [
    "deliver", "silence", "focus", "announcement", "layout-changed", "screen-changed",
    "page-scrolled", "focus-changed", "window", "elements", "client", "opened",
  ]
  /// The name on the session's bus of the one mouth.
  static let name = "org.a11yd.Mouth"
  /// Orca answers when it has handed the text on, and may be busy for a while before.
  private static let patience: UInt64 = 10_000_000

  init(busPath: String, on loop: EventLoop, onChange: @escaping () -> Void) throws {
    self.loop = loop
    self.onChange = onChange
    link = try BusLink(
      path: busPath,
      introduction: Introduction(of: AtspiProgram.name, voice: ReaderVoice(rank: Mouth.rank)),
      types: Self.types
    )
    bus = try CompanionLink(link, on: loop) { [unowned self] in attend() }
    door = try AccessibilityDoor(
      on: loop,
      onOpen: { [unowned self] buses throws(Errno) in try enter(buses) },
      onLoss: { [unowned self] reason in
        (watch, application, slots, isChosen) = (nil, nil, [], false)
        trouble = "waiting for the accessibility bus: \(reason)"
        mouth.meet(nil)
        mouth.choose(false)
        perform()
        onChange()
      }
    )
  }

  func begin() {
    door?.join()
    attend()
  }

  func end() {
    (watch, application, slots) = (nil, nil, [])
    door?.shut()
  }

  func apply(_ settings: AtspiSettings) { mouth.perCharacter = settings.perCharacter }

  var isBusAway: Bool { !link.isConnected }

  var lostEvents: Int { link.lostEvents }

  var sentence: String {
    if let trouble { return trouble }
    guard let orca = mouth.orca else { return "waiting for Orca" }
    return isChosen ? "speaking through \(orca.sentence)" : "leaving Orca to another mouth"
  }

  private var now: Int64 { Int64(clamping: SystemClock.monotonicMicroseconds()) }

  // MARK: The desktop

  private func enter(_ buses: AccessibilityDoor.Buses) throws(Errno) {
    let acquired = DBusMatch(
      sender: "org.freedesktop.DBus",
      interface: "org.freedesktop.DBus",
      member: "NameAcquired",
      arguments: [0: Self.name]
    )
    slots = [try buses.session.listen(acquired) { [unowned self] _ in choose(true) }]
    buses.session.requestName(Self.name) { [weak self] isOurs in self?.choose(isOurs) }
    watch = try OrcaWatch(buses, on: loop) { [unowned self] signs in
      mouth.meet(signs.orca)
      perform()
      onChange()
    }
    buses.accessibility.call(
      .daemon("GetId"),
      deadlineMicroseconds: AccessibilityDoor.patience
    ) { [weak self] answer in
      guard let self else { return }
      guard answer.kind == .reply else {
        door?.lose(answer.error?.words ?? "the accessibility bus does not answer")
        return
      }
      door?.confirm()
      trouble = nil
      onChange()
    }
  }

  private func choose(_ isChosen: Bool) {
    self.isChosen = isChosen
    mouth.choose(isChosen)
    perform()
    onChange()
  }

  // MARK: The bus

  private func attend() {
    do throws(ClientError) {
      for news in try link.serve() { react(to: news) }
    } catch {
      trouble = "the bus cannot be watched: \(error)"
      onChange()
    }
    mouth.elapse(to: now)
    perform()
  }

  private func react(to news: BusLink.News) {
    switch news {
    case .connected(let info):
      mouth.connected(conn: info.conn, epoch: info.epoch, last: info.last)
      onChange()
    case .entry(let entry): mouth.heed(entry, at: now)
    case .secret(let of, let kind, let words, let masked):
      mouth.receiveSecret(of: of, kind: kind, words, masked: masked, at: now)
    case .away:
      // Deliveries come again when the place is known from which they are wanted.
      link.isAble = false
      mouth.disconnected()
      onChange()
    case .refused(let refusal):
      if refusal.code.hasPrefix("cursor.") { mouth.restart() }
      refusals = (refusals.count + 1, "\(refusal)")
      onChange()
    case .recorded, .unrecorded: break
    }
  }

  private func perform() {
    while true {
      let acts = mouth.takeActs()
      if acts.isEmpty { break }
      for act in acts { perform(act) }
    }
    bus?.setAlarm(for: mouth.due)
  }

  private func perform(_ act: Mouth.Act) {
    switch act {
    case .listen(let place):
      link.isAble = false
      guard let place else { return }
      link.start = .cursor(place)
      link.isAble = true
    case .renew:
      link.isAble = false
      link.renew()
    case .rank(let rank):
      link.isAble = false
      link.renew(as: ReaderVoice(rank: rank))
    case .post(let event): try? link.post(event)
    case .hand(let text, let delivery): hand(text, delivery)
    case .interrupt(let delivery): interrupt(delivery)
    }
  }

  // MARK: Orca

  private func hand(_ text: String, _ delivery: Int64) {
    do throws(Errno) {
      switch mouth.orca?.way {
      case .service(let service): present(text, delivery, by: service)
      case .announcement: try show(text, asAnnouncement: true)
      case .notification: try show(text, asAnnouncement: false)
      case nil: mouth.failed(delivery, "Orca has gone")
      }
    } catch {
      mouth.failed(delivery, "the accessibility bus: \(error)")
    }
  }

  private func show(_ text: String, asAnnouncement: Bool) throws(Errno) {
    guard let bus = door?.buses?.accessibility, let name = bus.uniqueName else {
      throw .connectionReset
    }
    if application == nil { application = try MouthApplication(on: bus, named: name, loop: loop) }
    try application?.show(text, asAnnouncement: asAnnouncement, at: now)
  }

  private func present(_ text: String, _ delivery: Int64, by service: OrcaService) {
    let call = service.presenting(text)
    let isSent =
      door?.buses?.session.call(
        call.method,
        call.values,
        deadlineMicroseconds: Self.patience
      ) { [weak self] answer in
        // One that is only slow may speak it still.
        let isLate = answer.error?.name == "org.freedesktop.DBus.Error.NoReply"
        let isTaken = answer.kind == .reply && (try? answer.values())?.first?.flag ?? true
        guard let self, !isTaken, !isLate else { return }
        mouth.failed(delivery, answer.error?.words ?? "Orca does not take it")
        perform()
      } ?? false
    if !isSent { mouth.failed(delivery, "the session's message bus takes nothing") }
  }

  /// Has Orca stop; it has where one of the calls is taken.
  private func interrupt(_ delivery: Int64) {
    guard case .service(let service) = mouth.orca?.way, let bus = door?.buses?.session else {
      return mouth.stopped(delivery, false)
    }
    let calls = service.interruptions
    var open = calls.count
    var hasStopped = false
    let conclude = { [weak self] (isTaken: Bool) in
      open -= 1
      hasStopped = hasStopped || isTaken
      guard open == 0, let self else { return }
      mouth.stopped(delivery, hasStopped)
      perform()
    }
    for call in calls {
      let isSent = bus.call(
        call.method,
        call.values,
        deadlineMicroseconds: Self.interruptionPatience
      ) { answer in
        conclude(answer.kind == .reply && (try? answer.values())?.first?.flag ?? true)
      }
      if !isSent { conclude(false) }
    }
  }

  /// The bus waits half a second for the report on what was cut.
  private static let interruptionPatience: UInt64 = 400_000
}

/// Our application at the accessibility bus, from whose notifications Orca takes words.
///
/// It is in the desktop's tree from the first text on.
final class MouthApplication {
  private let bus: DBusConnection
  private var tree: MouthTree
  private var object: DBusSlot?
  private var changes: DBusSlot?
  private var sweep: Timer?

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
