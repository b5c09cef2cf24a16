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
  }

  private let loop: EventLoop
  private let setsScreenReader: Bool
  private let onNews: (News) -> Void
  private var door: AccessibilityDoor?
  private var orca: OrcaWatch?
  private var slots: [DBusSlot] = []

  private var connection: DBusConnection? { door?.buses?.accessibility }

  private static let patience: UInt64 = 5_000_000
  /// The time that a program has for an answer about an object; its own name has more time.
  private static let answerPatience: UInt64 = 1_000_000
  /// A page of text; what is longer is no news.
  private static let bounds = DBusBounds(stringBytes: 65_536, values: 64, depth: 6)
  private static let registry = OrcaWatch.registry
  private static let accessible = "org.a11y.atspi.Accessible"

  /// Events without which the registry has GTK send nothing.
  private static let events = [
    "object:announcement", "object:text-changed:insert", "object:state-changed:focused",
    "object:state-changed:showing", "object:state-changed:busy",
    "object:property-change:accessible-value", "object:active-descendant-changed",
    "window:activate", "window:deactivate", "window:create", "window:destroy",
    "document:load-complete",
  ]

  /// The signals by member and first argument, so that floods of other changes stay away.
  private static let matches: [DBusMatch] = {
    let object = "org.a11y.atspi.Event.Object"
    let details = [
      ("TextChanged", "insert"), ("TextChanged", "insert:system"), ("StateChanged", "focused"),
      ("StateChanged", "showing"), ("StateChanged", "busy"),
      ("PropertyChange", "accessible-value"),
    ]
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
    on loop: EventLoop,
    onNews: @escaping (News) -> Void
  ) throws(Errno) {
    self.loop = loop
    self.setsScreenReader = setsScreenReader
    self.onNews = onNews
    door = try AccessibilityDoor(
      on: loop,
      onOpen: { [unowned self] buses throws(Errno) in
        try heed(buses.session)
        try open(buses)
      },
      onLoss: { [unowned self] reason in
        (slots, orca) = ([], nil)
        onNews(.away(reason))
      }
    )
  }

  func join() { door?.join() }

  func leave() {
    (slots, orca) = ([], nil)
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

  private func register() {
    let method = DBusMethod(
      Self.registry,
      "/org/a11y/atspi/registry",
      Self.registry,
      "RegisterEvent"
    )
    for event in Self.events {
      let isLast = event == Self.events.last
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

  // MARK: Signals

  private func sift(_ message: DBusMessage) {
    guard let sender = message.sender, let path = message.path, let member = message.member,
      let interface = message.interface
    else { return }
    do throws(DBusMistake) {
      let values = try message.values(Self.bounds)
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
    // A registry that was started anew has forgotten us.
    if name == Self.registry, !owner.isEmpty { register() }
  }

  // MARK: Questions

  /// Asks a program; the answer comes once, by its deadline.
  func inquire(_ question: SourceQuestion, _ onAnswer: @escaping (SourceAnswer) -> Void) {
    switch question.topic {
    case .program:
      call(question, "Get", [.string(Self.accessible), .string("Name")]) {
        [unowned self] answer in
        if let name = answer.first?.text, AppName.of(name) != nil {
          onAnswer(.program(name: name))
        } else {
          askProcess(question.source.sender, onAnswer)
        }
      }
    case .facts: askFacts(question, onAnswer)
    case .text:
      call(question, "GetText", in: "org.a11y.atspi.Text", [.int32(0), .int32(-1)]) { answer in
        onAnswer(answer.first?.text.map { .text($0) } ?? .none)
      }
    case .labels:
      LabelWalk(
        from: question.source,
        asking: { [unowned self] source, onAnswer in askMember(source, onAnswer) },
        onEnd: { onAnswer(.text($0)) }
      ).proceed()
    case .value:
      call(question, "GetAll", [.string("org.a11y.atspi.Value")]) { answer in
        guard let all = answer.first, let present = all["CurrentValue"]?.real else {
          return onAnswer(.none)
        }
        let (lowest, highest) = (all["MinimumValue"]?.real, all["MaximumValue"]?.real)
        onAnswer(.value(present: present, lowest: lowest ?? 0, highest: highest ?? 0))
      }
    }
  }

  /// Asks the daemon for the process of a program that has no name, and takes that process's name.
  private func askProcess(_ sender: String, _ onAnswer: @escaping (SourceAnswer) -> Void) {
    let isSent =
      connection?.call(
        .daemon("GetConnectionUnixProcessID"),
        [.string(sender)],
        deadlineMicroseconds: Self.answerPatience
      ) { answer in
        let process = (try? answer.values(Self.bounds))?.first?.number
        let name = process.flatMap { Processes.name(of: Int32(clamping: $0)) }
        onAnswer(name.map { .program(name: $0) } ?? .none)
      } ?? false
    if !isSent { onAnswer(.none) }
  }

  private func askFacts(_ question: SourceQuestion, _ onAnswer: @escaping (SourceAnswer) -> Void) {
    var role: AtspiRole?
    var attributes: [String: String] = [:]
    call(question, "GetRole", in: Self.accessible, []) { answer in
      role = answer.first?.number.map(AtspiRole.init)
    }
    call(question, "GetAttributes", in: Self.accessible, []) { answer in
      for entry in answer.first?.entries ?? [] { attributes[entry.name] = entry.value.text }
    }
    // A program answers in the order of the questions.
    call(question, "Get", [.string(Self.accessible), .string("Name")]) { answer in
      guard let role else { return onAnswer(.none) }
      let name = answer.first?.text ?? ""
      onAnswer(.facts(SourceFacts(role: role, name: name, attributes: attributes)))
    }
  }

  /// Asks for the facts about an object within an alert, and for its children.
  private func askMember(
    _ source: SourceObject,
    _ onAnswer: @escaping (SourceFacts?, [SourceObject]) -> Void
  ) {
    let question = SourceQuestion(.facts, source)
    var children: [SourceObject] = []
    call(question, "GetChildren", in: Self.accessible, []) { answer in
      children = (answer.first?.members ?? []).compactMap { child in
        guard let sender = child.members.first?.text, let path = child.members.last?.text,
          sender == source.sender
        else { return nil }
        return SourceObject(sender, path)
      }
    }
    askFacts(question) { answer in
      guard case .facts(let facts) = answer else { return onAnswer(nil, []) }
      onAnswer(facts, children)
    }
  }

  private func call(
    _ question: SourceQuestion,
    _ member: String,
    in interface: String = "org.freedesktop.DBus.Properties",
    _ values: [DBusValue],
    _ onAnswer: @escaping ([DBusValue]) -> Void
  ) {
    let source = question.source
    let method = DBusMethod(source.sender, source.path, interface, member)
    let patience = question.topic == .program ? Self.patience : Self.answerPatience
    let isSent =
      connection?.call(method, values, deadlineMicroseconds: patience) { answer in
        onAnswer(answer.kind == .reply ? (try? answer.values(Self.bounds)) ?? [] : [])
      } ?? false
    if !isSent { onAnswer([]) }
  }
}
