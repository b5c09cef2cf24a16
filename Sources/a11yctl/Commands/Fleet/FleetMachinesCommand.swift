// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// Lists the machines of a fleet.
struct FleetMachinesCommand: Command {
  static let name = "fleet machines"
  static let summary = "list the machines and their newest entries"
  static let usage = "[OPTION]..."
  static let notes = """
    Prints a line for each machine: its name, its newest entry in the engine, and the ages of that
    and of the last sign of life, which an idle machine gives, too.
    \(FleetSource.notes)
    """
  static let options = FleetSource.options
  static let common = Flag.explaining

  private let source: FleetSource
  private let isJSON: Bool

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    source = FleetSource(words)
    isJSON = words.has("json")
  }

  func run(_ output: Output) throws(Failure) {
    let now = SystemClock.wallMicroseconds()
    let reader = JSONReader(limit: Limits.answerBytes)
    var signs: [String: MachineHealth] = [:]
    try source.forEachEntry(["*", "--alive"]) { machine, epoch, line throws(Failure) in
      guard signs.count < QuietMachines.most, (try? reader.read(line)) != nil else { return true }
      signs[machine, default: MachineHealth()].noteSign(reader.document, epoch)
      return true
    }
    var count: Int64 = 0
    func printMachine(_ machine: String, _ health: MachineHealth) {
      count += 1
      output.line(
        isJSON ? Self.json(machine, health) : FleetWords.newest(machine, health, now: now)
      )
    }
    try source.forEachEntry(["*", "--newest"]) { machine, epoch, line throws(Failure) in
      guard (try? reader.read(line)) != nil else { return true }
      var health = signs.removeValue(forKey: machine) ?? MachineHealth()
      health.noteNewest(reader.document, epoch)
      printMachine(machine, health)
      try output.check()
      return true
    }
    // Machines that live, and of which no entry has come.
    for (machine, health) in signs.sorted(by: { $0.key < $1.key }) { printMachine(machine, health) }
    if !isJSON { output.line("\(SeqWords.count(count, "machine", "machines")).") }
  }

  private static func json(_ machine: String, _ health: MachineHealth) -> String {
    JSONValue.object([
      .init("machine", .string(machine)), .init("epoch", .string(health.epoch)),
      .init("seq", .integer(health.last)), .init("time", .integer(health.lastTime)),
      .init("alive", .integer(health.lastSign)),
    ]).description
  }
}
