// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// Explains entries of another machine.
struct FleetWhyCommand: Command {
  static let name = "fleet why"
  static let summary = "say why something was not heard on a machine"
  static let usage = "[OPTION]... MACHINE [SEQ]"
  static let notes = """
    Says in plain words what became of an entry of a machine, as a11yctl explain does there; without
    SEQ, why the last event was not heard, as a11yctl why does. The last 50,000 entries are looked
    through for that. Whether an event still waits is known to the machine alone.
    \(FleetSource.notes)
    """
  static let options = WhyCommand.choices + FleetSource.options
  static let common = Flag.explaining

  /// The entries that are looked through for the last one that was not heard.
  private static let newest: Int64 = 50_000
  /// The entries before and behind one that may tell of it.
  private static let before: Int64 = 20_000
  private static let behind: Int64 = 100_000

  private let source: FleetSource
  private let machine: String
  private let seq: Int64?
  private let question: WhyCommand.Question

  init(_ words: CommandWords) throws(Failure) {
    source = FleetSource(words)
    machine = try FleetSource.machine(words, of: 2)
    question = try WhyCommand.Question(words)
    seq = try words.operands.dropFirst().first.map { word throws(Failure) in
      guard let number = Int64(word), number > 0 else {
        throw Failure(.usage, "A seq is expected, which is a number from 1; got \(word).")
      }
      return number
    }
  }

  func run(_ output: Output) throws(Failure) {
    let spool = try FleetSpool(source, machine)
    guard let seq else {
      try spool.fill(["--last", String(Self.newest)])
      guard spool.last > 0 else { throw Failure(.refused, spool.absence(of: 0)) }
      do throws(Failure) {
        try question.explainUnheard(from: try explanations(spool), output)
      } catch  where error.code == .noInput {
        throw Failure(.refused, "No entry of \(machine) has the checksum that it should have.")
      }
      return
    }
    let through = seq.addingReportingOverflow(Self.behind).partialValue
    try spool.fill(
      ["--since-seq", String(max(0, seq - Self.before))],
      through: through < seq ? .max : through
    )
    do throws(Failure) {
      let answer = try explanations(spool).explain(Seq(seq))
      Explanations.show(answer, isJSON: question.isJSON, output)
    } catch  where error.code == .refused || error.code == .noInput {
      throw Failure(.refused, spool.absence(of: seq))
    }
  }

  private func explanations(_ spool: FleetSpool) throws(Failure) -> LogExplanations {
    let silent = Progress("Read", clock: { 0 }, onProgress: nil)
    return LogExplanations(try LogReader(spool.path, silent))
  }
}
