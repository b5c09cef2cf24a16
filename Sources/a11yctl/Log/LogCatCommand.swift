// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yClient
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

  @Operands private var words: [String]
  let chosen = LogSelectionOptions()
  @Flag("seq", "begin each line with the seq") private var withSeq: Bool
  @Flag("json", "print entries as they are stored, and gaps as the bus tells them")
  private var isJSON: Bool

  func run(_ output: Output) throws(Failure) {
    let selection = try LogSelection(chosen)
    // The printed entries show the progress well enough.
    let log = try chosen.reading.log(words, Progress("Read", clock: { 0 }, onProgress: nil))
    try log.needEntries()
    var listing = EntryListing(isJSON: isJSON, withSeq: withSeq)
    var apps = AppNames(selection.apps)
    var isReached = false
    let failure = try log.readEntries(selection.range) { gap throws(Failure) in
      isReached = true
      listing.show(gap, output)
    } onEntry: { line, _, _ throws(Failure) in
      if isJSON, selection.admitsAll {
        isReached = true
        output.line(line)
      } else {
        listing.show(line, output) { entry in
          isReached = isReached || selection.hasBegun(at: entry)
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
}

/// Prints entries one after the other: as lines that read well aloud, or as they are stored.
struct EntryListing {
  /// The form of the lines.
  let isJSON: Bool
  let withSeq: Bool
  /// Whether the day stands before its first entry.
  var withDays = true
  private var day = ""
  private let reader = JSONReader(limit: A11yWire.Limits.answerBytes)

  init(isJSON: Bool, withSeq: Bool) {
    self.isJSON = isJSON
    self.withSeq = withSeq
  }

  /// Prints an entry that `admits` lets through.
  mutating func show(
    _ line: Span<UInt8>,
    _ output: Output,
    admits: (JSONDocument) -> Bool = { _ in true }
  ) {
    let reader = reader
    do throws(JSONFault) {
      try reader.read(line)
    } catch {
      let seq = Seq(of: line)?.number ?? 0
      output.complain("Entry \(seq) cannot be understood: \(error.words).")
      return
    }
    let entry = reader.document
    guard admits(entry) else { return }
    if isJSON {
      output.line(line)
      return
    }
    if entry.string("mark", of: entry.root) != nil {
      guard let mark = try? SubscriptionMark(entry) else { return }
      return output.lines(MarkWords.lines(mark))
    }
    do throws(ClientError) {
      let entry = try Entry(EntryView(of: entry).seq?.number ?? 0, entry)
      let today = ClockTime.day(entry.time)
      if withDays, today != day { output.line("\(today):") }
      day = today
      output.line(EntryWords.line(entry, withSeq: withSeq, clock: ClockTime.local))
    } catch {
      output.complain("An entry cannot be understood: \(error).")
    }
  }

  /// Tells that entries are missing.
  func show(_ gap: Gap, _ output: Output) {
    if isJSON {
      var line = ByteBuffer(capacity: 128)
      Mark.gap(from: gap.from, to: gap.to, reason: gap.reason).write(into: &line)
      output.line(line.bytes.extracting(0..<line.count - 1))
      return
    }
    let (from, to) = (gap.from.number, gap.to.number)
    let mark = SubscriptionMark.gap(from: from, to: to, reason: gap.reason.rawValue)
    output.lines(MarkWords.lines(mark))
  }
}

/// The options of commands that read a part of the log.
struct LogSelectionOptions: OptionGroup {
  let reading: ReadingOptions
  @Option("to", "WHERE", "end with this entry, or before this time", as: .place)
  fileprivate var to: EntryPlace?
  @Repeated("type", "TYPE", "only events of this type", as: .recordedType)
  fileprivate var types: [String]?
  @Repeated("app", "NAME", "only events of this app, and what the bus says of them")
  fileprivate var apps: [String]?

  /// Whether a word may name the log.
  init(takesWord: Bool = true) {
    reading = ReadingOptions(usually: "the oldest", takesWord: takesWord)
  }
}

/// The entries of the log that the command line asks for.
struct LogSelection {
  static let notes = """
    \(Beginning.notes)
    \(ReadingOptions.placeNotes)
    --type and --app may be repeated; an entry is chosen that fits all kinds of options.
    """

  let range: SeqRange
  /// The earliest time, in microseconds since 1970.
  let since: Int64?
  /// The time behind the last entry, likewise.
  private let until: Int64?
  /// The apps that are asked for.
  let apps: [String]?
  private let filter: Filter?

  init(_ options: LogSelectionOptions) throws(Failure) {
    var range = SeqRange()
    var until: Int64?
    let beginning = options.reading.beginning
    range.from = beginning.first
    switch options.to {
    case .seq(let seq): range.to = seq
    case .cursor(let cursor): range.to = Seq(cursor.seq)
    case .time(let moment): until = moment
    case .start: until = .min
    case .now, nil: break
    }
    if let from = range.from, let to = range.to, from > to {
      throw Failure(
        .usage,
        "--from expects a seq that is not behind that of --to; got \(from.number)"
          + " and \(to.number)."
      )
    }
    self.range = range
    self.until = until
    since = beginning.time
    let types = options.types
    apps = options.apps
    filter = types == nil && apps == nil ? nil : Filter(types: types, apps: apps)
  }

  /// Whether the seq alone decides.
  var admitsAll: Bool { since == nil && until == nil && filter == nil }

  /// Whether the time to begin with has come by this entry.
  func hasBegun(at entry: JSONDocument) -> Bool {
    since.map { EntryView(of: entry).time ?? 0 >= $0 } ?? true
  }

  /// Whether the entries begin behind the log's last one, of which the time has not come either.
  func isBehind(_ last: Seq) -> Bool {
    if let from = range.from { return from > last }
    return since != nil && range.to.map { $0 >= last } ?? true
  }

  func admits(_ entry: JSONDocument) -> Bool {
    let time = EntryView(of: entry).time ?? 0
    if let since, time < since { return false }
    if let until, time >= until { return false }
    return filter?.admits(entry) ?? true
  }
}
