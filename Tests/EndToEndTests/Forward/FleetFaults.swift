// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Machines that publish to an engine for a while, among faults that a seed chooses.
///
/// All kinds of faults occur; the seed gives their order, their instants and those whom they hit.
struct FleetFaults {
  /// The size of a play.
  struct Scale {
    /// Announcements of each machine; each makes two entries.
    var announcements: Int
    /// The time in which they are published.
    var span: Duration
    /// The times that each kind of fault occurs.
    var repeats: Int
    /// The time for which a link is cut.
    var cut: Duration
    /// The wait for the engine behind the last fault.
    var patience: Duration

    static let everyday = Scale(
      announcements: 6_000,
      span: .seconds(15),
      repeats: 1,
      cut: .seconds(4),
      patience: .seconds(120)
    )
    static let full = Scale(
      announcements: 100_000,
      span: .seconds(240),
      repeats: 3,
      cut: .seconds(60),
      patience: .seconds(480)
    )

    /// The scale that `A11Y_FLEET` names.
    static let wanted =
      ProcessInfo.processInfo.environment["A11Y_FLEET"] == "full" ? full : everyday
  }

  private enum Kind: CaseIterable {
    case leader
    case link
    case epoch
    case retention
    case forgetting
    case bus
  }

  /// Something that is to be done when so much of the time has gone.
  private struct Act {
    let instant: Duration
    let run: () throws -> Void
  }

  let engine: any FleetEngine
  let machines: [FleetMachine]
  private let scale: Scale
  private var dice: Dice
  private var acts: [Act] = []
  /// Starts the server again that is down.
  private var repair: Act?
  private let start = ContinuousClock.now
  private var published = 0
  private var nextDeath = Duration.seconds(1)
  /// The faults that have been, for the words of a failure.
  private(set) var told: [String] = []

  private static let atOnce = 250
  /// Announcements behind a cut link, of which retention takes most: four times what it keeps.
  private static let dropped = 3_000

  init(_ engine: any FleetEngine, _ dice: Dice, _ scale: Scale) throws {
    self.engine = engine
    self.scale = scale
    self.dice = dice
    // An older nats-server crashes where it is asked for a stream that it is just making.
    let first = try FleetMachine("a", engine)
    _ = try first.forwarder.line(containing: "sending the log to", within: .seconds(60))
    machines = [first] + (try ["b", "c"].map { try FleetMachine($0, engine) })
  }

  /// Publishes all, and leaves an engine without faults behind.
  mutating func play() throws {
    var kinds = (0..<scale.repeats).flatMap { _ in Kind.allCases }
    kinds.shuffle(using: &dice)
    var faults = kinds.map { ($0, scale.span * Double(dice.roll(5...90)) / 100) }
    faults.sort { $0.1 < $1.1 }
    while published < scale.announcements || !faults.isEmpty || !acts.isEmpty || repair != nil {
      let now = ContinuousClock.now - start
      if let next = faults.first, next.1 <= now {
        faults.removeFirst()
        try strike(next.0, now)
      }
      for act in acts where act.instant <= now { try act.run() }
      acts.removeAll { $0.instant <= now }
      if let repair, repair.instant <= now { try mendServer() }
      if now >= nextDeath {
        nextDeath = now + .seconds(1)
        try dice.pick(machines).restartForwarder()
      }
      try publish(at: now)
      poll(nil, 0, 20)
    }
    for machine in machines { machine.mendLinks() }
  }

  /// Publishes what is due, evenly over the time.
  private mutating func publish(at now: Duration) throws {
    let due = min(scale.announcements, Int(Double(scale.announcements) * (now / scale.span)))
    guard published < due else { return }
    let count = min(due - published, Self.atOnce)
    for machine in machines { try machine.announce(count, as: app(published)) }
    published += count
  }

  /// The app of an announcement, of which a fiftieth is forgotten at once.
  private func app(_ number: Int) -> String {
    "org.r\(number * 50 / scale.announcements)"
  }

  private mutating func strike(_ kind: Kind, _ now: Duration) throws {
    let machine = dice.pick(machines)
    told.append("\(kind) of \(machine.name) at \(now)")
    switch kind {
    case .leader:
      // Two of three servers at once are more than an engine bears.
      try mendServer()
      let place = try engine.killLeader(of: machine.name)
      let away = Duration.milliseconds(dice.roll(engine.hasSpares ? 1_000...8_000 : 100...1_000))
      let engine = engine
      repair = Act(instant: now + away) { try engine.restart(place) }
    case .link:
      machine.cutLinks()
      acts.append(Act(instant: now + scale.cut) { machine.mendLinks() })
    case .epoch: try machine.beginEpoch()
    case .retention:
      machine.cutLinks()
      try machine.announce(Self.dropped, as: "org.dropped")
      try machine.dropOldest()
      acts.append(Act(instant: now + .seconds(1)) { machine.mendLinks() })
    case .forgetting: try machine.forget(app(dice.roll(0...published)))
    case .bus: try machine.restartBus()
    }
  }

  private mutating func mendServer() throws {
    try repair?.run()
    repair = nil
  }

  /// Expects that the engine has what the machines have.
  func expectWhole(_ words: String) throws {
    for machine in machines {
      try machine.expectWhole("\(words), \(told)", within: scale.patience)
    }
  }
}
