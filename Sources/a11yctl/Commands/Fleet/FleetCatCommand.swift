// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

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
  static let options =
    [Flag("seq", nil, "begin each line with the seq")]
    + FleetSource.reading(usually: "the oldest")
  static let common = Flag.explaining

  private let source: FleetSource
  private let machine: String
  private let beginning: Beginning
  private let isJSON: Bool
  private let withSeq: Bool

  init(_ words: CommandWords) throws(Failure) {
    source = FleetSource(words)
    machine = try FleetSource.machine(words)
    beginning = try FleetSource.beginning(words, now: SystemClock.wallMicroseconds())
    isJSON = words.has("json")
    withSeq = words.has("seq")
  }

  func run(_ output: Output) throws(Failure) {
    var listing = EntryListing(isJSON: isJSON, withSeq: withSeq)
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
