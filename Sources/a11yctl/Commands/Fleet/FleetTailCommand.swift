// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// Shows the entries of another machine as they come to the engine.
struct FleetTailCommand: Command {
  static let name = "fleet tail"
  static let summary = "show the entries of a machine, as they come"
  static let usage = "[OPTION]... MACHINE"
  static let notes = """
    Prints the last entries of a machine, with the seq in front, and goes on until it is ended.
    \(FleetSource.notes)
    """
  static let options =
    [Flag("count", "N", "begin with the last so many; 10 if not given")] + FleetSource.options
  static let common = Flag.explaining

  private static let usual: Int64 = 10
  private static let most: Int64 = 1_000_000

  private let source: FleetSource
  private let machine: String
  private let count: Int64
  private let isJSON: Bool

  init(_ words: CommandWords) throws(Failure) {
    source = FleetSource(words)
    machine = try FleetSource.machine(words)
    count = try words.integer("count", in: 0...Self.most) ?? Self.usual
    isJSON = words.has("json")
  }

  func run(_ output: Output) throws(Failure) {
    var listing = EntryListing(isJSON: isJSON, withSeq: true)
    listing.withDays = false
    var lives = FleetLives()
    try source.forEachEntry([machine, "--last", String(count), "--follow"]) {
      _,
      epoch,
      line throws(Failure) in
      if lives.isAnother(line) { output.complain(FleetWords.anotherLife(epoch)) }
      listing.show(line, output)
      // The next entry may be long in coming.
      try output.flush()
      return true
    }
  }
}
