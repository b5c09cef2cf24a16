// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yPosix
import A11yPresenter
import A11yWire

/// The machines of a fleet about which somebody should know.
struct QuietMachines {
  /// The bounds of what is usual.
  struct Bounds {
    /// Microseconds without an entry or a sign of life.
    var silence: Int64
    /// Lost texts of a hundred.
    var lost: Int64
  }

  /// A machine, and the reasons for which it is told.
  struct Finding {
    let machine: String
    let health: MachineHealth
    let reasons: [Reason]
  }

  enum Reason: String {
    case silent
    case noReader = "no-reader"
    case unheard
  }

  /// More machines than these are counted, and not looked at.
  static let most = 65_536

  private(set) var machines: [String: MachineHealth] = [:]
  /// The entries of machines that are not looked at.
  private(set) var unseen: Int64 = 0

  /// The readings of an engine from which the condition of its machines follows.
  enum Reading: CaseIterable {
    case signs
    case newest
    case entries
  }

  /// Takes an entry, or a sign of life, of a machine in an epoch.
  mutating func include(
    _ line: JSONDocument,
    of machine: String,
    in epoch: String,
    from reading: Reading
  ) {
    guard machines[machine] != nil || machines.count < Self.most else {
      unseen += 1
      return
    }
    switch reading {
    case .signs: machines[machine, default: MachineHealth()].noteSign(line, epoch)
    case .newest: machines[machine, default: MachineHealth()].noteNewest(line, epoch)
    case .entries: machines[machine, default: MachineHealth()].followEntry(line, epoch)
    }
  }

  /// The machines out of bounds, by name.
  func findings(_ bounds: Bounds, now: Int64) -> [Finding] {
    machines.sorted { $0.key < $1.key }.compactMap { machine, health in
      var reasons: [Reason] = []
      if now - health.lastHeardOf > bounds.silence { reasons.append(.silent) }
      if health.lacksReader { reasons.append(.noReader) }
      if let share = health.lostShare, share > bounds.lost { reasons.append(.unheard) }
      return reasons.isEmpty ? nil : Finding(machine: machine, health: health, reasons: reasons)
    }
  }
}

/// The condition of one machine, as its entries since a moment tell it.
struct MachineHealth {
  /// The seq and the time of its newest entry.
  private(set) var last: Int64 = 0
  private(set) var lastTime: Int64 = 0
  /// The instant of the last sign of life; 0 without one.
  private(set) var lastSign: Int64 = 0
  private(set) var heard: Int64 = 0
  /// The texts that a person has lost: not those that were repeated, replaced or kept by a rule.
  private(set) var lost: Int64 = 0
  /// Whether a screen reader is there; nil where no entry tells.
  private(set) var hasReader: Bool? {
    didSet { readerSeq = last }
  }
  /// The seq that told of it.
  private var readerSeq: Int64 = 0
  /// The epoch of its newest entry.
  private(set) var epoch = ""
  private var sign: (epoch: String, last: Int64, readers: Int64)?
  /// The entries that are missing in the engine, by its own account.
  private(set) var missing: Int64 = 0
  private var readers: [Int64] = []

  /// The connections of readers that are kept apart; a machine has one or two.
  private static let mostReaders = 16
  /// Fewer ends than these are no share.
  private static let fewest: Int64 = 10

  /// Notes that the machine lives: idle ones write no entries.
  mutating func noteSign(_ mark: JSONDocument, _ epoch: String) {
    guard let last = mark.integer("last", of: mark.root),
      let readers = mark.integer("readers", of: mark.root)
    else { return }
    lastSign = mark.integer("time", of: mark.root) ?? 0
    sign = (epoch, last, readers)
  }

  mutating func noteNewest(_ entry: JSONDocument, _ epoch: String) {
    self.epoch = epoch
    let envelope = EntryView(of: entry)
    last = envelope.seq?.number ?? entry.integer("to", of: entry.root) ?? last
    lastTime = max(lastTime, envelope.time ?? 0)
  }

  mutating func followEntry(_ entry: JSONDocument, _ epoch: String) {
    noteNewest(entry, epoch)
    if entry.string("mark", of: entry.root) == "gap" {
      let from = entry.integer("from", of: entry.root) ?? last
      missing += max(0, last - from) + 1
    }
    let envelope = EntryView(of: entry)
    guard let event = envelope.event, let type = envelope.type else { return }
    switch EventType.Own(rawValue: type) {
    case .opened: (hasReader, readers) = (false, [])
    case .client: noteClient(entry, event)
    case .deliver: hasReader = true
    case .outcome: noteEnd(entry)
    default: break
    }
  }

  private mutating func noteClient(_ entry: JSONDocument, _ event: JSONIndex) {
    guard entry.string("role", of: event) == "reader",
      let conn = entry.integer("conn", of: event)
    else { return }
    readers.removeAll { $0 == conn }
    if entry.string("state", of: event) != "left", readers.count < Self.mostReaders {
      readers.append(conn)
    }
    hasReader = !readers.isEmpty
  }

  private mutating func noteEnd(_ entry: JSONDocument) {
    guard let seq = EntryView(of: entry).seq, let ending = EventEnding(entry, seq) else { return }
    if ending.heardPart?.isHeard == true { heard += 1 }
    guard let reason = MissedReason(ending) else { return }
    if reason == .noReader { hasReader = false }
    if reason.isLoss { lost += 1 }
  }

  /// The instant at which it last told anything.
  var lastHeardOf: Int64 { max(lastTime, lastSign) }

  /// Whether no screen reader is there, by the later word of sign and entries.
  var lacksReader: Bool {
    // A machine that was made anew has other numbers than its old sign.
    guard let sign, sign.epoch == epoch || epoch.isEmpty, sign.last >= readerSeq else {
      return hasReader == false
    }
    return sign.readers == 0
  }

  /// The texts that were lost, of a hundred; nil where too few have ended.
  var lostShare: Int64? {
    let ends = heard + lost
    return ends < Self.fewest ? nil : lost * 100 / ends
  }
}

extension MissedReason {
  /// Whether a person has missed something that was meant to be heard.
  var isLoss: Bool {
    switch self {
    case .expired, .noReader, .readerOff, .failed, .secret, .other: true
    case .away, .locked, .cut, .muted, .background, .media, .modal, .rule, .stopped, .counted,
      .withdrawn, .newer, .repeated:
      false
    }
  }
}

/// The machines of a fleet, as sentences.
enum FleetWords {
  static func sentence(_ finding: QuietMachines.Finding, now: Int64) -> String {
    let health = finding.health
    let parts = finding.reasons.map { reason in
      switch reason {
      case .silent: silence(health, now)
      case .noReader: "no screen reader is connected"
      case .unheard:
        "\(health.lost) of \((health.heard + health.lost).counted("text")) "
          + "\(health.lost.verbed("was")) not heard"
      }
    }
    return VisibleText.of("\(finding.machine): \(parts.joined(separator: "; ")).")
  }

  private static func silence(_ health: MachineHealth, _ now: Int64) -> String {
    guard health.lastHeardOf > 0 else { return "no entry tells a time" }
    let missing = health.lastSign > 0 ? "sign of life" : "entry"
    return "no \(missing) for \(AgeWords.length(microseconds: now - health.lastHeardOf))"
  }

  static func sum(_ found: Int, of all: Int) -> String {
    if all == 0 { return "No machine has sent anything." }
    let machines = all.counted("machine")
    return found == 0
      ? "All is well on \(machines)." : "\(found) of \(machines) should be looked at."
  }

  /// The line about a machine's newest entry and its last sign of life.
  static func newest(_ machine: String, _ health: MachineHealth, now: Int64) -> String {
    let age = health.lastTime > 0 ? ", \(AgeWords.age(of: health.lastTime, now: now))" : ""
    let entry = health.last > 0 ? "the last entry is \(health.last)\(age)" : "no entries"
    let sign =
      health.lastSign > 0
      ? "; the last sign of life, \(AgeWords.age(of: health.lastSign, now: now))" : ""
    return VisibleText.of("\(machine): \(entry)\(sign).")
  }

  static func missing(_ count: Int64) -> String {
    "\(count.counted("entry of other machines", "was")) not looked at: "
      + "a list holds \(QuietMachines.most) machines."
  }

  /// The line in front of the first entry of another life.
  static func anotherLife(_ epoch: String) -> String {
    VisibleText.of("The machine has another log from here on, in epoch \(epoch.prefix(8)).")
  }
}
