// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import A11yPosix
import DBus
import Systemd

/// Looks for Orca: by the names of its service on the session's bus, and by the connection that is
/// told events at the accessibility bus and whose process is Orca.
final class OrcaWatch {
  /// The process behind a connection.
  private enum Verdict {
    case asked
    case other
    case orca(OrcaVersion?)
  }

  private(set) var signs = OrcaSigns()
  private let buses: AccessibilityDoor.Buses
  private let onChange: (OrcaSigns) -> Void
  private var slots: [DBusSlot] = []
  private var quiet: Timer?
  /// The waits after questions that were not answered.
  private var backoff = Backoff()
  private var verdicts: [String: Verdict] = [:]
  /// The connections that are told events, and whether announcements are among these.
  private var listeners: [String: Bool] = [:]

  static let registry = "org.a11y.atspi.Registry"
  private static let registryPath = "/org/a11y/atspi/registry"
  /// Orca asks for its events one after the other.
  private static let pause: UInt64 = 100_000
  private static let mostListeners = 64
  /// Room for the events of that many programs.
  private static let bounds = DBusBounds(stringBytes: 1_024, values: 16_384, depth: 4)

  init(
    _ buses: AccessibilityDoor.Buses,
    on loop: EventLoop,
    onChange: @escaping (OrcaSigns) -> Void
  ) throws(Errno) {
    self.buses = buses
    self.onChange = onChange
    quiet = try Timer(on: .monotonic, priority: .normal, on: loop) { [unowned self] in
      askListeners()
    }
    for service in OrcaService.allCases { try watch(service) }
    for member in ["EventListenerRegistered", "EventListenerDeregistered"] {
      let match = DBusMatch(interface: Self.registry, member: member)
      slots.append(
        try buses.accessibility.listen(match) { [unowned self] _ in
          quiet?.arm(afterMicroseconds: Self.pause)
        }
      )
    }
    let changes = DBusMatch(
      sender: "org.freedesktop.DBus",
      interface: "org.freedesktop.DBus",
      member: "NameOwnerChanged"
    )
    slots.append(
      try buses.accessibility.listen(changes) { [unowned self] in noteOwner($0) }
    )
    askListeners()
  }

  // MARK: The service

  private func watch(_ service: OrcaService) throws(Errno) {
    let change = DBusMatch(
      sender: "org.freedesktop.DBus",
      interface: "org.freedesktop.DBus",
      member: "NameOwnerChanged",
      arguments: [0: service.rawValue]
    )
    slots.append(
      try buses.session.listen(change) { [unowned self] message in
        guard let values = try? message.values(), values.count == 3 else { return }
        noteService(service, values[2].text ?? "")
      }
    )
    buses.session.call(
      .daemon("GetNameOwner"),
      [.string(service.rawValue)],
      deadlineMicroseconds: AccessibilityDoor.patience
    ) { [weak self] answer in
      guard answer.kind == .reply, let owner = (try? answer.values())?.first?.text else { return }
      self?.noteService(service, owner)
    }
  }

  private func noteService(_ service: OrcaService, _ owner: String) {
    signs.services[service] = owner.isEmpty ? nil : owner
    onChange(signs)
  }

  // MARK: The listener

  private func noteOwner(_ message: DBusMessage) {
    guard let values = try? message.values(), values.count == 3, let name = values[0].text,
      let owner = values[2].text
    else { return }
    if name == Self.registry, !owner.isEmpty { quiet?.arm(afterMicroseconds: Self.pause) }
    guard owner.isEmpty, verdicts.removeValue(forKey: name) != nil else { return }
    listeners[name] = nil
    settle()
  }

  private func askListeners() {
    let method = DBusMethod(
      Self.registry,
      Self.registryPath,
      Self.registry,
      "GetRegisteredEvents"
    )
    buses.accessibility.call(method, deadlineMicroseconds: AccessibilityDoor.patience) {
      [weak self] answer in
      guard let self else { return }
      guard answer.kind == .reply, let values = try? answer.values(Self.bounds) else {
        return askLater()
      }
      backoff.reset()
      var found: [String: Bool] = [:]
      for pair in values.first?.members ?? [] {
        guard let name = pair.members.first?.text, let event = pair.members.last?.text,
          found[name] != nil || found.count < Self.mostListeners
        else { continue }
        let isAnnouncement = event.lowercased().hasPrefix("object:announcement")
        found[name] = found[name] ?? false || isAnnouncement
      }
      listeners = found
      verdicts = verdicts.filter { found[$0.key] != nil }
      for name in found.keys.sorted() where verdicts[name] == nil { askProcess(of: name) }
      settle()
    }
  }

  /// A registry or a message bus that was too busy may know of an Orca all the same.
  private func askLater() {
    let wait = UInt64(clamping: backoff.nextWait().milliseconds) * 1_000
    quiet?.armIfIdle(afterMicroseconds: wait)
  }

  private func askProcess(of name: String) {
    verdicts[name] = .asked
    buses.accessibility.call(
      .daemon("GetConnectionUnixProcessID"),
      [.string(name)],
      deadlineMicroseconds: AccessibilityDoor.patience
    ) { [weak self] answer in
      guard let self, case .asked = verdicts[name] else { return }
      guard answer.kind == .reply, let number = (try? answer.values())?.first?.number else {
        verdicts[name] = nil
        return askLater()
      }
      let process = Int32(clamping: number)
      guard OrcaProcess.isOrca(process) else { return verdicts[name] = .other }
      verdicts[name] = .orca(OrcaProcess.version(of: process))
      settle()
    }
  }

  private func settle() {
    var found: OrcaSigns.Listener?
    for (name, hears) in listeners.sorted(by: { $0.key < $1.key }) where found == nil {
      guard case .orca(let version) = verdicts[name] else { continue }
      found = OrcaSigns.Listener(connection: name, version: version, hearsAnnouncements: hears)
    }
    guard found != signs.listener else { return }
    signs.listener = found
    onChange(signs)
  }
}

/// The process of an Orca, known by its name, and the installation that it comes from.
enum OrcaProcess {
  private static let name = "orca"
  private static let mostArguments = 4_096
  private static let mostOfFile = 16_384

  /// Whether a process is Orca: by the name that it gives itself, or by its program.
  static func isOrca(_ process: Int32) -> Bool {
    if Processes.name(of: process) == name { return true }
    guard let bytes = try? File.read("/proc/\(process)/cmdline", limit: mostArguments) else {
      return false
    }
    // An interpreter comes before its program.
    return bytes.split(separator: 0).prefix(2).contains { word in
      word.split(separator: UInt8(ascii: "/")).last?.elementsEqual(name.utf8) ?? false
    }
  }

  /// The version that the files beside the process's interpreter tell, without asking Orca.
  static func version(of process: Int32) -> OrcaVersion? {
    guard let program = File.resolved("/proc/\(process)/exe") else { return nil }
    let parts = program.split(separator: "/")
    guard let python = parts.last else { return nil }
    let own = "/" + parts.dropLast(2).joined(separator: "/")
    let folders = [
      "lib/python3/dist-packages", "lib/\(python)/site-packages", "lib64/\(python)/site-packages",
    ]
    for prefix in [own, "/usr"] {
      for folder in folders {
        let path = "\(prefix)/\(folder)/orca/orca_platform.py"
        guard let bytes = try? File.read(path, limit: mostOfFile) else { continue }
        return OrcaVersion(platformFile: String(decoding: bytes, as: UTF8.self))
      }
    }
    return nil
  }
}
