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
    \(FleetOptions.notes)
    """

  @Operands(atMost: 2) private var words: [String]
  private let question = WhyQuestion()
  private let fleet = FleetOptions()

  func run(_ output: Output) throws(Failure) {
    let entries = try MachineEntries(of: FleetOptions.machine(words), in: fleet.engine)
    try Self.explain(words, question, in: entries, isJSON: fleet.isJSON, output)
  }

  /// Explains the entry of a machine that the words name, or its last ones that were not heard.
  static func explain(
    _ words: [String],
    _ question: WhyQuestion,
    in entries: MachineEntries,
    isJSON: Bool,
    _ output: Output
  ) throws(Failure) {
    let seq = try words.dropFirst().first.map(ExplainCommand.seq)
    guard let seq else {
      _ = try question.explainUnheard(from: entries, isJSON: isJSON, output)
      return
    }
    ExplainCommand.show(try entries.explain(seq), isJSON: isJSON, output)
  }
}

/// Shows the entries of another machine as they come to the engine.
struct FleetTailCommand: Command {
  static let name = "fleet tail"
  static let summary = "show the entries of a machine, as they come"
  static let usage = "[OPTION]... MACHINE"
  static let notes = """
    Prints the last entries of a machine, or those from a place on, with the seq in front, and goes
    on until it is ended.
    \(Beginning.notes)
    \(FleetOptions.readingNotes)
    \(FleetOptions.notes)
    """

  @Operands(atMost: 1) private var words: [String]
  @Option(
    "count",
    "N",
    "begin with the last so many; 10 if nothing is given",
    as: .number(in: 0...1_000_000)
  )
  private var count: Int64?
  private let fleet = FleetOptions(reading: "the last ones")

  func run(_ output: Output) throws(Failure) {
    let machine = try FleetOptions.machine(words)
    let beginning = fleet.beginning
    if beginning.isStated, count != nil {
      throw Failure(.usage, "--count does not go with a place that --from or --since names.")
    }
    var listing = EntryListing(isJSON: fleet.isJSON, withSeq: true)
    listing.withDays = false
    let start =
      beginning.isStated ? FleetOptions.question(beginning) : ["--last", String(count ?? 10)]
    try fleet.engine.show([machine, "--follow"] + start, &listing, output) {
      beginning.admits($0)
    }
  }
}

/// Prints entries of another machine.
struct FleetCatCommand: Command {
  static let name = "fleet cat"
  static let summary = "print what the engine has of a machine"
  static let usage = "[OPTION]... MACHINE"
  static let notes = """
    Prints each entry as a line that reads well aloud, as a11yctl log cat does on the machine, and
    the gaps in the log. Forgotten entries are not in the engine. Where the machine was made anew, a
    line says so, and the seqs begin anew.
    \(Beginning.notes)
    \(FleetOptions.readingNotes)
    \(FleetOptions.notes)
    """

  @Operands(atMost: 1) private var words: [String]
  @Flag("seq", "begin each line with the seq") private var withSeq: Bool
  private let fleet = FleetOptions(reading: "the oldest")

  func run(_ output: Output) throws(Failure) {
    let machine = try FleetOptions.machine(words)
    let beginning = fleet.beginning
    var listing = EntryListing(isJSON: fleet.isJSON, withSeq: withSeq)
    let question = [machine] + FleetOptions.question(beginning)
    let isKnown = try fleet.engine.show(question, &listing, output, beginning.admits) {
      output throws(Failure) in try output.check()
    }
    try output.flush()
    if !isKnown { output.complain("The engine has no entries of \(machine).") }
  }
}

extension FleetEngine {
  /// Shows the entries that the engine gives for these words, as they come; false where there was
  /// none.
  ///
  /// Each is written out at once, for the next one may be long in coming.
  @discardableResult
  func show(
    _ words: [String],
    _ listing: inout EntryListing,
    _ output: Output,
    _ admits: (JSONDocument) -> Bool,
    onEach: (Output) throws(Failure) -> Void = { output throws(Failure) in try output.flush() }
  ) throws(Failure) -> Bool {
    var lives = FleetLives()
    try forEachEntry(words) { _, epoch, line throws(Failure) in
      if lives.isAnother(line) { output.complain(FleetWords.anotherLife(epoch)) }
      listing.show(line, output, admits: admits)
      try onEach(output)
      return true
    }
    return lives.hasBegun
  }
}

/// Notices where the entries of a machine that was made anew begin.
struct FleetLives {
  private var last = Seq.none

  var hasBegun: Bool { last > .none }

  mutating func isAnother(_ line: Span<UInt8>) -> Bool {
    guard let seq = Seq(of: line) else { return false }
    defer { last = seq }
    return seq <= last
  }
}
