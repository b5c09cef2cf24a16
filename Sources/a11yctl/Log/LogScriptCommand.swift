// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yPlay
import A11yPosix
import A11yWire

/// Turns a log into a script for `simulate`.
struct LogScriptCommand: Command {
  static let name = "log script"
  static let summary = "turn a log into a script for a11yctl simulate"
  static let usage = "[OPTION]... [LOG]"
  static let notes = """
    Prints a script that has the clients of a log, their events and the reports of its readers, with
    times that count from the first entry. a11yctl simulate --reader none comes to the same
    decisions with it. With --without-readers, readers and their reports are left out, for the
    reader that a11yctl simulate has itself. What a script cannot say is told on standard error:
    missing entries, starts of the bus, rules of its own; words stand in the place of hidden texts.
    LOG is a directory, a file with entries, or - for standard input.
    \(Beginning.notes)
    \(ReadingOptions.placeNotes)
    \(LogPlace.notes)
    """

  @Operands private var words: [String]
  @Flag("without-readers", "leave out readers and their reports")
  private var leavesOutReaders: Bool
  private let reading = ReadingOptions(usually: "the oldest")

  /// The losses of a kind that are told one by one.
  private static let told = 3
  /// The bytes that are collected before they are printed.
  private static let batch = 262_144

  func run(_ output: Output) throws(Failure) {
    let log = try reading.log(words, Progress("Read", output))
    try log.needEntries()
    var script = LogScript(leavesOutReaders: leavesOutReaders)
    var failure = try eachEntry(of: log) { script.survey($0) }
    if let failure { throw failure }
    script.beginWriting()
    var out = ByteBuffer(capacity: 2 * Self.batch)
    failure = try eachEntry(of: log) { entry throws(Failure) in
      script.script(entry, into: &out)
      guard out.count >= Self.batch else { return }
      print(out, output)
      out.clear()
      try output.check()
    }
    print(out, output)
    try output.flush()
    complain(script.losses, output)
    if let damage = log.damage { output.complain(damage) }
    if let failure { throw failure }
  }

  /// Prints lines of a script; what nobody would see of a recorded text stands there as an escape.
  private func print(_ lines: borrowing ByteBuffer, _ output: Output) {
    let text = lines.bytes.string.split(separator: "\n", omittingEmptySubsequences: false)
      .map { VisibleText.ofJSON(String($0)) }.joined(separator: "\n")
    output.printBlock(text.utf8Span.span)
  }

  /// Gives the entries from the place on with which the script begins.
  private func eachEntry(
    of log: LogReader,
    _ onEntry: (JSONDocument) throws(Failure) -> Void
  ) throws(Failure) -> Failure? {
    let beginning = reading.beginning
    // The clock may have been set back later; that is no other beginning.
    var hasBegun = beginning.time == nil
    return try log.eachDocument(SeqRange(from: beginning.first)) { entry, _ throws(Failure) in
      if let time = beginning.time, !hasBegun {
        hasBegun = EntryView(of: entry).time ?? 0 >= time
      }
      if hasBegun { try onEntry(entry) }
    }
  }

  /// Tells the losses, the first ones of each kind.
  private func complain(_ losses: [LogScript.Loss], _ output: Output) {
    var sentences: [String: Int] = [:]
    for loss in losses {
      let (kind, sentence) = Self.describe(loss)
      sentences[kind, default: 0] += 1
      if sentences[kind] ?? 0 <= Self.told { output.complain(sentence) }
    }
    for (kind, count) in sentences.sorted(by: { $0.key < $1.key }) where count > Self.told {
      output.complain(
        "There \(count == Self.told + 1 ? "is" : "are") \(count - Self.told) more \(kind)."
      )
    }
  }

  private static func describe(_ loss: LogScript.Loss) -> (kind: String, sentence: String) {
    switch loss {
    case .beginning(let seq):
      (
        "late beginnings",
        "The log begins with entry \(seq.number); the script knows nothing before."
      )
    case .missing(let seq): ("gaps", "Entries before \(seq.number) are missing.")
    case .restart(let seq):
      (
        "starts",
        "Entry \(seq.number): the bus was started anew; in the script, clients only leave."
      )
    case .rules(let seq):
      (
        "rules",
        "Entry \(seq.number): the rules are not the shipped ones; name them with simulate --rules."
      )
    case .pace(let seq):
      ("settings", "Entry \(seq.number): the reader's settings are not the usual ones.")
    case .secret(let seq):
      ("hidden texts", "Entry \(seq.number): a hidden text is replaced by another of its length.")
    case .reference(let seq):
      ("references", "Entry \(seq.number) refers to an entry that the log does not have.")
    }
  }
}
