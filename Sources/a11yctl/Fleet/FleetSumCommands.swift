// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yPosix
import A11yPresenter
import A11yWire

/// Lists the machines of a fleet.
struct FleetMachinesCommand: Command {
  static let name = "fleet machines"
  static let summary = "list the machines and their newest entries"
  static let notes = """
    Prints a line for each machine: its name, its newest entry in the engine, and the ages of that
    and of the last sign of life, which an idle machine gives, too.
    \(FleetOptions.notes)
    """

  private let fleet = FleetOptions()

  func run(_ output: Output) throws(Failure) {
    let now = SystemClock.wallMicroseconds()
    let engine = fleet.engine
    var signs: [String: MachineHealth] = [:]
    try engine.forEachDocument(["*", "--alive"]) { machine, epoch, sign in
      guard signs.count < QuietMachines.most else { return }
      signs[machine, default: MachineHealth()].noteSign(sign, epoch)
    }
    var count: Int64 = 0
    func printMachine(_ machine: String, _ health: MachineHealth) {
      count += 1
      output.line(
        fleet.isJSON ? Self.json(machine, health) : FleetWords.newest(machine, health, now: now)
      )
    }
    try engine.forEachDocument(["*", "--newest"]) { machine, epoch, entry throws(Failure) in
      var health = signs.removeValue(forKey: machine) ?? MachineHealth()
      health.noteNewest(entry, epoch)
      printMachine(machine, health)
      try output.check()
    }
    // Machines that live, and of which no entry has come.
    for (machine, health) in signs.sorted(by: { $0.key < $1.key }) { printMachine(machine, health) }
    if !fleet.isJSON { output.line("\(count.counted("machine")).") }
  }

  private static func json(_ machine: String, _ health: MachineHealth) -> String {
    let members: JSONValue = [
      "machine": .string(machine), "epoch": .string(health.epoch), "seq": .integer(health.last),
      "time": .integer(health.lastTime), "alive": .integer(health.lastSign),
    ]
    return members.description
  }
}

/// Names the machines about which somebody should know.
struct FleetQuietCommand: Command {
  static let name = "fleet quiet"
  static let summary = "name machines that are silent, without a reader, or not heard"
  static let notes = """
    Names each machine without a sign of life, without a screen reader, or with many texts that were
    lost: that came too late, or that no reader was there to speak. It ends with 1 where it names
    one. A machine gives signs of life while it is idle, too; where a forwarder gives none, new
    entries are its signs. LENGTH is "90 min", "2 hours" or "1 day".
    \(Moment.notes)
    \(FleetOptions.readingNotes)
    \(FleetOptions.notes)
    """

  @Option(
    "silent",
    "LENGTH",
    "name machines that are silent for so long; \"1 hour\" if not given",
    as: .length(in: .nanoseconds(1) ... .seconds(Int64.max), "a length of time, as in \"2 hours\"")
  )
  private var silence: Duration?
  @Option(
    "unheard",
    "PERCENT",
    "name machines that lose more of their texts; 50 if not given",
    as: .number(in: 0...100)
  )
  private var lost: Int64?
  private let fleet = FleetOptions(reading: "\"1 hour ago\"")

  func run(_ output: Output) throws(Failure) {
    let now = SystemClock.wallMicroseconds()
    let since = try fleet.time()
    let bounds = QuietMachines.Bounds(
      silence: Int64(clamping: (silence ?? .seconds(3_600)).milliseconds) * 1_000,
      lost: lost ?? 50
    )
    var machines = QuietMachines()
    for reading in QuietMachines.Reading.allCases {
      let question = Self.question(reading, since: since)
      try fleet.engine.forEachDocument(question) { machine, epoch, line in
        machines.include(line, of: machine, in: epoch, from: reading)
      }
    }
    let findings = machines.findings(bounds, now: now)
    output.lines(findings.map { fleet.isJSON ? Self.json($0) : FleetWords.sentence($0, now: now) })
    if !fleet.isJSON { output.line(FleetWords.sum(findings.count, of: machines.machines.count)) }
    if machines.unseen > 0 { output.complain(FleetWords.missing(machines.unseen)) }
    try output.flush()
    if !findings.isEmpty { throw Failure(.found, nil) }
  }

  private static func question(
    _ reading: QuietMachines.Reading,
    since: Int64
  ) -> [String] {
    switch reading {
    case .signs: ["*", "--alive"]
    case .newest: ["*", "--newest"]
    case .entries: ["*", "--since", String(since)]
    }
  }

  private static func json(_ finding: QuietMachines.Finding) -> String {
    let health = finding.health
    let members: JSONValue = [
      "machine": .string(finding.machine),
      "reasons": .list(finding.reasons.map { .string($0.rawValue) }),
      "seq": .integer(health.last), "time": .integer(health.lastTime),
      "alive": .integer(health.lastSign), "heard": .integer(health.heard),
      "lost": .integer(health.lost), "missing": .integer(health.missing),
    ]
    return members.description
  }
}

/// Counts the events of apps on all machines.
struct FleetAppsCommand: Command {
  static let name = "fleet apps"
  static let summary = "count the events of each app on all machines"
  static let notes = """
    Prints a line for each app, the busiest first: its events, how many were heard and how many not,
    on how many machines, and the machine with most of them.
    \(Moment.notes)
    \(FleetOptions.readingNotes)
    \(FleetOptions.notes)
    """

  private let fleet = FleetOptions(reading: "\"1 hour ago\"")

  func run(_ output: Output) throws(Failure) {
    let since = try fleet.time()
    var tally = FleetTally()
    try fleet.engine.forEachDocument(["*", "--since", String(since)]) { machine, _, entry in
      Self.tallyEntry(entry, machine, since: since, in: &tally)
    }
    output.lines(tally.sorted.map { fleet.isJSON ? Self.json($0, $1) : Self.appLine($0, $1) })
    if tally.others > 0 {
      output.complain(
        "\(tally.others.counted("event")) of other apps: "
          + "a list holds \(FleetTally.mostApps) apps."
      )
    }
    if tally.isRough { output.complain("The numbers of machines are too low: there are too many.") }
    if tally.apps.isEmpty, !fleet.isJSON { output.line("No app has said anything since then.") }
  }

  private static func tallyEntry(
    _ entry: JSONDocument,
    _ machine: String,
    since: Int64,
    in tally: inout FleetTally
  ) {
    let envelope = EntryView(of: entry)
    guard envelope.time ?? 0 >= since, let event = envelope.event else { return }
    if !envelope.isOwn {
      tally.countEvent(of: envelope.app ?? "", on: machine)
    } else if envelope.type == EventType.Own.outcome.rawValue {
      guard let part = EventEnding(entry, .none)?.heardPart else { return }
      tally.countEnd(of: entry.string("app", of: event) ?? "", isHeard: part.isHeard)
    }
  }

  private static func appLine(_ app: String, _ sum: FleetTally.Sum) -> String {
    let events = sum.published.counted("event")
    let place =
      sum.machines == 1
      ? "on \(sum.busiest)"
      : "on \(sum.machines) machines, most on \(sum.busiest): \(sum.most)"
    return "\(app): \(events), \(sum.heard) heard, \(sum.unheard) not heard; \(place).".visible
  }

  private static func json(_ app: String, _ sum: FleetTally.Sum) -> String {
    let members: JSONValue = [
      "app": .string(app), "events": .integer(sum.published), "heard": .integer(sum.heard),
      "unheard": .integer(sum.unheard), "machines": .integer(sum.machines),
      "busiest": .string(sum.busiest), "most": .integer(sum.most),
    ]
    return members.description
  }
}

/// The events of each app on all machines.
struct FleetTally {
  struct Sum {
    var published: Int64 = 0
    var heard: Int64 = 0
    var unheard: Int64 = 0
    /// The machines that are known to have it, and the one with most events of it.
    var machines: Int64 = 0
    var busiest = ""
    var most: Int64 = 0
  }

  private struct Place: Hashable {
    let app: String
    let machine: String
  }

  /// Apps that are counted; the events of others are counted together.
  static let mostApps = 4_096
  /// Apps on machines that are counted apart.
  static let mostPlaces = 262_144

  private(set) var apps: [String: Sum] = [:]
  private var places: [Place: Int64] = [:]
  /// The events of apps beyond the bound.
  private(set) var others: Int64 = 0
  /// Whether there are more places than are counted.
  private(set) var isRough = false

  mutating func countEvent(of app: String, on machine: String) {
    guard apps[app] != nil || apps.count < Self.mostApps else {
      others += 1
      return
    }
    apps[app, default: Sum()].published += 1
    let place = Place(app: app, machine: machine)
    guard places[place] != nil || places.count < Self.mostPlaces else {
      isRough = true
      return
    }
    let count = places[place, default: 0] + 1
    places[place] = count
    if count == 1 { apps[app]?.machines += 1 }
    if count > apps[app]?.most ?? 0 {
      apps[app]?.most = count
      apps[app]?.busiest = machine
    }
  }

  mutating func countEnd(of app: String, isHeard: Bool) {
    guard apps[app] != nil else { return }
    if isHeard { apps[app]?.heard += 1 } else { apps[app]?.unheard += 1 }
  }

  /// The apps, the busiest first.
  var sorted: [(app: String, sum: Sum)] {
    apps.map { (app: $0.key, sum: $0.value) }.sorted { one, other in
      one.sum.published == other.sum.published
        ? one.app < other.app : one.sum.published > other.sum.published
    }
  }
}
