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
    Prints a line for each machine: its name, its newest entry in the engine, and the age of that.
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
    var count: Int64 = 0
    try source.forEachEntry(["*", "--newest"]) { machine, epoch, line throws(Failure) in
      guard (try? reader.read(line)) != nil else { return true }
      var health = MachineHealth()
      health.noteNewest(reader.document)
      count += 1
      if isJSON {
        output.line(
          JSONValue.object([
            .init("machine", .string(machine)), .init("epoch", .string(epoch)),
            .init("seq", .integer(health.last)), .init("time", .integer(health.lastTime)),
          ]).description
        )
      } else {
        output.line(
          FleetWords.newest(machine, seq: health.last, time: health.lastTime, now: now)
        )
      }
      try output.check()
      return true
    }
    if !isJSON { output.line("\(SeqWords.count(count, "machine", "machines")).") }
  }
}
