// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPlay
import A11yPosix
import A11yRules
import A11yToml
import A11yWire

/// Plays a script on the bus in virtual time.
struct SimulateCommand: Command {
  static let name = "simulate"
  static let summary = "play a script on the bus in virtual time"
  static let usage = "[OPTION]... [SCRIPT]"
  static let notes = """
    Prints the entries that the daemon would have written, with no daemon and no waiting. Without
    SCRIPT, or where it is -, the script is read from standard input. Each of its lines is JSON:

      {"mono":0,"conn":"A","hello":{"app":"contacts"}}
      {"mono":0,"conn":"U","hello":{"app":"seat","role":"control"}}
      {"mono":5000,"conn":"U","label":"a1","event":{"type":"action","action":"activate"}}
      {"mono":9000,"conn":"A","event":{"type":"announcement","text":"Deleted","cause":"@a1"}}
      {"mono":20000,"conn":"A","gone":true}

    mono is the time in microseconds, and never goes back. role is publish, reader, control or bus;
    advice may stand beside it, as in a hello to the daemon.
    uid, dedupe and ack may stand beside event. "@a1" stands for the seq of the line with this
    label, "deliver:@a1" and "gesture:@a1" for the last deliver or gesture of it, and "focus" in
    basis for the last focus entry. An entry whose line has a label bears it.
    A line that is refused is answered in its place; then the program ends with 65.
    """
  static let options = [
    RulesOption.flag,
    Flag(
      "reader",
      "READER",
      "auto: one that speaks everything, which is usual; none: the script's"
    ),
  ]
  static let common = Flag.explaining

  private let path: String
  private let rules: RuleSet
  private let reader: Simulation.Reader

  init(_ words: CommandWords) throws(Failure) {
    if words.operands.count > 1 {
      throw Failure(.usage, "\(words.operands[1]) is not expected here; one script is played.")
    }
    path = words.operands.first ?? "-"
    reader = try words.choice("reader", Simulation.Reader.self) ?? .auto
    rules = try RulesOption.rules(words)
  }

  /// The bytes that are collected before they are printed.
  private static let batch = 262_144

  func run(_ output: Output) throws(Failure) {
    var script = try InputLines(path, limit: Limits.lineBytes)
    var out = ByteBuffer(capacity: 2 * Self.batch)
    var simulation = Simulation(rules: rules, reader: reader, into: &out)
    var isGoingOn = true
    while isGoingOn {
      switch try script.nextStep() {
      case .line: simulation.take(script.line, into: &out)
      case .tooLong: simulation.refuseTooLong(into: &out)
      case .end:
        simulation.finish(into: &out)
        isGoingOn = false
      }
      guard out.count >= Self.batch || !isGoingOn else { continue }
      output.printBlock(out.bytes)
      out.clear()
      try output.check()
    }
    try output.flush()
    guard simulation.refusals > 0 else { return }
    let count = SeqWords.count(simulation.refusals, "line was", "lines were")
    throw Failure(.refused, "\(count) refused.")
  }
}
