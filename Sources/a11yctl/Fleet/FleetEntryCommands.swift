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

  @Operands(atMost: 2) private var words: [String]
  private let question = WhyQuestion()
  private let source = FleetSource()

  /// The entries that are looked through for the last one that was not heard.
  private static let newest: Int64 = 50_000
  /// The entries before and behind one that may tell of it.
  private static let before: Int64 = 20_000
  private static let behind: Int64 = 100_000

  func run(_ output: Output) throws(Failure) {
    let machine = try FleetSource.machine(words)
    let seq = try words.dropFirst().first.map { word throws(Failure) in
      try ExplainCommand.seq(word).number
    }
    let spool = try FleetSpool(source, machine)
    guard let seq else {
      try spool.fill(["--last", String(Self.newest)])
      guard spool.last > 0 else { throw Failure(.refused, spool.absence(of: 0)) }
      do throws(Failure) {
        try question.explainUnheard(from: entries(of: spool), isJSON: source.isJSON, output)
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
      let answer = try entries(of: spool).explain(Seq(seq))
      ExplainCommand.show(answer, isJSON: source.isJSON, output)
    } catch  where error.code == .refused || error.code == .noInput {
      throw Failure(.refused, spool.absence(of: seq))
    }
  }

  private func entries(of spool: FleetSpool) throws(Failure) -> LogReader {
    try LogReader(spool.path, Progress("Read", clock: { 0 }, onProgress: nil))
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
    \(FleetSource.readingNotes)
    \(FleetSource.notes)
    """

  @Operands(atMost: 1) private var words: [String]
  @Option(
    "count",
    "N",
    "begin with the last so many; 10 if nothing is given",
    as: .number(in: 0...1_000_000)
  )
  private var count: Int64?
  private let source = FleetSource(reading: "the last ones")

  func run(_ output: Output) throws(Failure) {
    let machine = try FleetSource.machine(words)
    let beginning = source.beginning
    if beginning.isStated, count != nil {
      throw Failure(.usage, "--count does not go with a place that --from or --since names.")
    }
    var listing = EntryListing(isJSON: source.isJSON, withSeq: true)
    listing.withDays = false
    var lives = FleetLives()
    let start =
      beginning.isStated ? FleetSource.question(beginning) : ["--last", String(count ?? 10)]
    try source.forEachEntry([machine, "--follow"] + start) {
      _,
      epoch,
      line throws(Failure) in
      if lives.isAnother(line) { output.complain(FleetWords.anotherLife(epoch)) }
      listing.show(line, output) { beginning.admits($0) }
      // The next entry may be long in coming.
      try output.flush()
      return true
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
    \(FleetSource.readingNotes)
    \(FleetSource.notes)
    """

  @Operands(atMost: 1) private var words: [String]
  @Flag("seq", "begin each line with the seq") private var withSeq: Bool
  private let source = FleetSource(reading: "the oldest")

  func run(_ output: Output) throws(Failure) {
    let machine = try FleetSource.machine(words)
    let beginning = source.beginning
    var listing = EntryListing(isJSON: source.isJSON, withSeq: withSeq)
    var lives = FleetLives()
    let question = [machine] + FleetSource.question(beginning)
    try source.forEachEntry(question) { _, epoch, line throws(Failure) in
      if lives.isAnother(line) { output.complain(FleetWords.anotherLife(epoch)) }
      listing.show(line, output) { beginning.admits($0) }
      try output.check()
      return true
    }
    try output.flush()
    if !lives.hasBegun { output.complain("The engine has no entries of \(machine).") }
  }
}

/// Notices where the entries of a machine that was made anew begin.
struct FleetLives {
  private var last = Seq.none

  var hasBegun: Bool { last > .none }

  mutating func isAnother(_ line: Span<UInt8>) -> Bool {
    guard let seq = LineSeq.of(line) else { return false }
    defer { last = seq }
    return seq <= last
  }
}
