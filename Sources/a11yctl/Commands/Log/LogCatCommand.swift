// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yBroker
import A11yPosix
import A11yWire

/// Prints entries from the log's files.
struct LogCatCommand: Command {
  static let name = "log cat"
  static let summary = "print entries of the log"
  static let usage = "[OPTION]... [LOG]"
  static let notes = """
    Prints each entry as a line that reads well aloud, and the day before its first entry.
    Where entries are missing, a line says which, and why.
    \(LogSelection.notes)
    \(LogPlace.notes)
    """
  static let options =
    LogSelection.options + [
      Flag("seq", nil, "begin each line with the seq"),
      Flag("json", nil, "print entries as they are stored, and gaps as the bus tells them"),
      LogPlace.flag,
    ]
  static let common = Flag.explaining

  private let path: String
  private let selection: LogSelection
  private let isJSON: Bool
  private let withSeq: Bool

  init(_ words: CommandWords) throws(Failure) {
    if let named = try words.namedLog() { path = named } else { path = try words.log() }
    selection = try LogSelection(words, now: SystemClock.wallMicroseconds())
    isJSON = words.has("json")
    withSeq = words.has("seq")
  }

  func run(_ output: Output) throws(Failure) {
    // The printed entries show the progress well enough.
    let log = try LogReader(path, Progress("Read", clock: { 0 }, onProgress: nil))
    try log.needEntries()
    var listing = EntryListing(isJSON: isJSON, withSeq: withSeq)
    var apps = AppNames(selection.apps)
    var isReached = false
    let failure = try log.readEntries(selection.range) { gap throws(Failure) in
      isReached = true
      show(gap, output)
    } onEntry: { line, _, _ throws(Failure) in
      isReached = isReached || selection.hasBegun(at: line)
      if isJSON, selection.admitsAll {
        output.line(line)
      } else {
        listing.show(line, output) { entry in
          apps?.collect(entry)
          return selection.admits(entry)
        }
      }
      try output.check()
    }
    try output.flush()
    for line in apps?.strangers ?? [] { output.complain(line) }
    if !isReached, let last = try log.last(), selection.isBehind(last) {
      output.complain("The log ends before that, with entry \(last.number).")
    }
    if let damage = log.damage { output.complain(damage) }
    if let failure { throw failure }
  }

  private func show(_ gap: Gap, _ output: Output) {
    if isJSON {
      var line = ByteBuffer(capacity: 128)
      Mark.gap(from: gap.from, to: gap.to, reason: gap.reason).write(into: &line)
      output.line(line.bytes.extracting(0..<line.count - 1))
      return
    }
    let (from, to) = (gap.from.number, gap.to.number)
    let mark = SubscriptionMark.gap(from: from, to: to, reason: gap.reason.rawValue)
    for line in MarkWords.lines(mark) { output.line(line) }
  }
}
