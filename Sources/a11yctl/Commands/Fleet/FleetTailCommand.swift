// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

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
  static let options =
    [Flag("count", "N", "begin with the last so many; 10 if nothing is given")]
    + FleetSource.reading(usually: "the last ones")
  static let common = Flag.explaining

  private static let usual: Int64 = 10
  private static let most: Int64 = 1_000_000

  private let source: FleetSource
  private let machine: String
  private let count: Int64
  private let isJSON: Bool
  private let beginning: Beginning

  init(_ words: CommandWords) throws(Failure) {
    source = FleetSource(words)
    machine = try FleetSource.machine(words)
    count = try words.integer("count", in: 0...Self.most) ?? Self.usual
    isJSON = words.has("json")
    beginning = try FleetSource.beginning(words, now: SystemClock.wallMicroseconds())
    if beginning.isStated, words.has("count") {
      throw Failure(.usage, "--count does not go with a place that --from or --since names.")
    }
  }

  func run(_ output: Output) throws(Failure) {
    var listing = EntryListing(isJSON: isJSON, withSeq: true)
    listing.withDays = false
    var lives = FleetLives()
    let isLast = !beginning.isStated
    let start = isLast ? ["--last", String(count)] : FleetSource.question(beginning)
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
