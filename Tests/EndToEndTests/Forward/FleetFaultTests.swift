// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Three machines and one engine, among faults that a seed chooses.
@Suite(.timeLimit(.minutes(hangs)), .fleet)
struct FleetFaultTests {
  static let kinds = ForwardTests.kinds
  static let seeds: [UInt64] = [1, 2]

  @Test(arguments: kinds, seeds)
  func `all that the machines have is in the engine behind any faults`(
    kind: EngineServer.Kind,
    seed: UInt64
  ) throws {
    var dice = Dice(seed: seed)
    let engine = try EngineServer(kind)
    let machines = try ["a", "b", "c"].map { try FleetMachine($0, engine) }
    // An older nats-server crashes where it is asked for a stream that it is just making.
    _ = try machines[0].forwarder.line(containing: "sending the log to")
    var faults: [String] = []
    for round in 0..<14 {
      for machine in machines { try machine.announce(dice.roll(1...250), as: "org.r\(round)") }
      let machine = dice.pick(machines)
      switch dice.roll(1...6) {
      case 1:
        faults.append("forwarder of \(machine.name) killed")
        try machine.restartForwarder()
      case 2:
        faults.append("link of \(machine.name) cut")
        machine.link.cut()
      case 3:
        faults.append("links mended")
        for machine in machines { machine.link.mend() }
      case 4:
        faults.append("engine killed")
        engine.kill()
        try engine.start()
      case 5:
        faults.append("bus of \(machine.name) killed")
        machine.daemon.kill()
        try machine.daemon.start()
      default:
        faults.append("\(machine.name) forgets")
        _ = try machine.daemon.connect().ask(
          #"{"id":1,"op":"forget","apps":["org.r\#(dice.roll(0...round))"]}"#
        )
      }
    }
    for machine in machines { machine.link.mend() }

    for machine in machines {
      let deadline = Deadline(after: .seconds(60))
      var difference = try machine.difference(engine.stored(machine.name).map(\.line))
      while difference != nil, !deadline.isOver {
        poll(nil, 0, 100)
        difference = try machine.difference(engine.stored(machine.name).map(\.line))
      }
      #expect(
        difference == nil,
        "seed \(seed), machine \(machine.name), \(faults): \(machine.forwarder.said.suffix(600))"
      )
    }
  }
}
