// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Three machines and one engine, among faults that a seed chooses.
@Suite(.serialized, .timeLimit(.minutes(hangs)), .fleet)
struct FleetFaultTests {
  /// Nothing is passed over in silence where everything should be there.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["CI"] == "true", "for CI alone"))
  func `the engines of the fleet are there`() {
    for kind in EngineServer.Kind.allCases { #expect(kind.obstacle == nil) }
    #expect(FileManager.default.isExecutableFile(atPath: EngineServer.debianNats))
    #expect(NatsCluster.obstacle == nil)
    #expect(FileManager.default.isExecutableFile(atPath: "/usr/sbin/rsyslogd"))
  }

  @Test(arguments: ForwardTests.kinds)
  func `all that the machines have is in one server behind any faults`(
    kind: EngineServer.Kind
  ) throws {
    try Self.play(EngineServer(kind), Dice())
  }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: EngineServer.debianNats),
      "nats-server is missing"
    )
  )
  func `an older server without batches has all, too`() throws {
    let engine = try EngineServer(.nats, program: EngineServer.debianNats)
    try Self.play(engine, Dice())
  }

  @Test(.enabled(if: NatsCluster.obstacle == nil, "make deps-fleet fetches a nats-server"))
  func `all that the machines have is in three servers of NATS behind any faults`() throws {
    let cluster = try NatsCluster()
    do {
      try Self.play(cluster, Dice())
    } catch {
      Issue.record("\(error): \(cluster.said)")
    }
  }

  /// Plays, and then lets a machine be made anew, and a second user have a log.
  static func play(_ engine: any FleetEngine, _ dice: Dice) throws {
    var faults = try FleetFaults(engine, dice, .wanted)
    try faults.play()
    try faults.expectWhole("seed \(dice.seed)")

    let anew = faults.machines[0]
    try anew.beginLife()
    try anew.announce(300, as: "org.anew")
    let second = try FleetMachine("\(anew.name)-1001", engine)
    try second.announce(300, as: "org.second")

    for machine in faults.machines + [second] {
      try machine.expectWhole("a new life, and a second user", within: .seconds(60))
    }
  }
}
