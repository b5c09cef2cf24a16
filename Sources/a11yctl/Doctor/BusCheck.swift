// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import Glibc

/// The bus itself: its socket, its unit, and the rights of this user.
struct BusCheck {
  /// The words of a bus that answers.
  struct Bus {
    let info: ServerInfo
    /// The answers to these operations; nil where this user may not ask.
    let state: JSONValue?
    let stats: JSONValue?
    let rules: JSONValue?
  }

  let path: String
  private let facts: MachineFacts
  private(set) var bus: Bus?
  private(set) var diagnoses: [Diagnosis] = []

  init(path: String, _ facts: MachineFacts) {
    self.path = path
    self.facts = facts
    let start = SystemClock.monotonicMicroseconds()
    do throws(Failure) {
      bus = try Self.ask(path)
      let time = Int64(SystemClock.monotonicMicroseconds() - start) / 1_000
      diagnoses.append(
        Diagnosis(.bus, .good, "The bus answers at \(path), within \(max(1, time)) ms.")
      )
    } catch {
      diagnoses.append(unreachable(error))
    }
    diagnoses += unit()
    if let bus { diagnoses.append(rights(bus.info.roles.first ?? "")) }
  }

  private static func ask(_ path: String) throws(Failure) -> Bus {
    try asking { () throws(ClientError) in
      let bus = try BusConnection(path: path)
      let info = try bus.hello()
      // A socket for apps alone refuses these.
      return Bus(
        info: info,
        state: try? bus.request("state"),
        stats: try? bus.request("stats"),
        rules: try? bus.request("rules")
      )
    }
  }

  /// The reason that a voice has given for its last loss, where nothing was spoken since.
  func lastLoss(of app: String) -> String? {
    (try? BusEntries(path).fold(LastLoss(voice: app)))?.reason
  }

  private struct LastLoss: EntryFold {
    let voice: String
    let types: [String]? = ["speech"]
    let isEnough = true
    private(set) var reason: String?

    init(voice: String) { self.voice = voice }

    mutating func take(_ entry: Entry) {
      guard entry.app == voice, let state = entry.string("state") else { return }
      if state == "lost" { reason = entry.string("reason") }
      if state == "finished" { reason = nil }
    }
  }

  private func unreachable(_ failure: Failure) -> Diagnosis {
    guard facts.isThere(path) else {
      return Diagnosis(
        .bus,
        .wrong,
        "The bus does not run: there is no socket at \(path).",
        try: StartAdvice(facts.units).command(for: path)
      )
    }
    // The words end in advice, which has a place of its own here.
    let words = (failure.words ?? "").split(separator: " Is it running?")[0]
    let isForbidden = words.contains("permission denied")
    let remedy = isForbidden ? joining() : StartAdvice(facts.units).command(for: path)
    return Diagnosis(.bus, .wrong, String(words), try: remedy)
  }

  // MARK: Its unit

  private func unit() -> [Diagnosis] {
    guard let socket = StartAdvice(facts.units).unit(of: path) else {
      return [
        Diagnosis(
          .unit,
          .note,
          "No unit of systemd is installed for \(path), so that the bus does not start by itself."
        )
      ]
    }
    let owner = socket.owner
    guard let condition = facts.units.condition(of: socket.name, owner) else {
      let words = "The \(owner == .user ? "user's" : "machine's") systemd does not answer, so that"
      return [
        Diagnosis(.unit, .unchecked, "\(words) \(socket.name) cannot be asked for its state.")
      ]
    }
    var found: [Diagnosis] = []
    let service = "a11yd.service"
    if facts.units.condition(of: service, owner)?.active == "failed" {
      found.append(
        Diagnosis(
          .unit,
          .wrong,
          "\(service) has failed.",
          try: "\(owner.command) restart \(service)"
        )
      )
    }
    if !condition.isEnabled {
      found.append(
        Diagnosis(
          .unit,
          .wrong,
          "\(socket.name) is installed and not enabled, so that the bus does not start by itself.",
          try: "\(owner.command) enable --now \(socket.name)"
        )
      )
    } else if !condition.isActive {
      found.append(
        Diagnosis(
          .unit,
          .wrong,
          "\(socket.name) is enabled, but \(condition.active).",
          try: "\(owner.command) start \(socket.name)"
        )
      )
    }
    guard found.isEmpty else { return found }
    return [Diagnosis(.unit, .good, "\(socket.name) is active, and enabled for the next start.")]
  }

  // MARK: The rights of this user

  private func rights(_ role: String) -> Diagnosis {
    switch role {
    case "bus", "control": return Diagnosis(.rights, .good, "You may do everything on this bus.")
    case "read":
      return Diagnosis(
        .rights,
        .note,
        "You may read everything and be a screen reader; quiet and stop need control.sock."
      )
    default:
      return Diagnosis(
        .rights,
        .wrong,
        "You may only publish on this bus; reading it is for members of the group"
          + " \(Self.group), after their next login.",
        try: joining()
      )
    }
  }

  private static let group = "a11y-readers"

  /// The command that makes this user a member of the readers, if there is that group.
  private func joining() -> String? {
    guard path.hasPrefix("/run/a11yd/"), getgrnam(Self.group) != nil,
      let user = getpwuid(getuid()), let name = user.pointee.pw_name
    else { return nil }
    return "sudo usermod --append --groups \(Self.group) \(String(cString: name))"
  }
}
