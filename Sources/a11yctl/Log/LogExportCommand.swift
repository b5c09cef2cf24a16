// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yPosix
import A11yWire

/// Writes the log's entries for other programs.
struct LogExportCommand: Command {
  static let name = "log export"
  static let summary = "write entries into a SQLite database or as CloudEvents"
  static let usage = "[OPTION]... --sqlite FILE | --cloudevents [FILE|-]"
  static let notes = """
    --sqlite makes a database with the tables entries, gaps and meta, and the views links and
    announcements_by_hour. --cloudevents writes one JSON object of CloudEvents 1.0 a line, to a
    file or to standard output. A file gets its name when it is whole.
    \(LogSelection.notes)
    \(LogPlace.notes)

    \(EntryTables.questions)
    """

  @Operands private var words: [String]
  @Option("sqlite", "FILE", "make a SQLite database") private var sqlite: String?
  @Flag("cloudevents", "write CloudEvents, to the file that is named or to standard output")
  private var isCloudEvents: Bool
  @Flag("force", "replace a file of that name") private var replaces: Bool
  private let chosen = LogSelectionOptions(takesWord: false)

  private enum Target {
    case database(String)
    case cloudEvents(String)
    case standardOutput
  }

  private func target() throws(Failure) -> Target {
    let words = chosen.reading.rest(of: words)
    switch (sqlite, isCloudEvents) {
    case (let file?, false):
      try words.refuse(behind: 0)
      return .database(file)
    case (nil, true):
      try words.refuse(behind: 1)
      let file = words.first ?? "-"
      return file == "-" ? .standardOutput : .cloudEvents(file)
    default: throw Failure(.usage, "Either --sqlite FILE or --cloudevents is expected.")
    }
  }

  func run(_ output: Output) throws(Failure) {
    let selection = try LogSelection(chosen)
    let target = try target()
    let progress = Progress("Exported", output)
    let log = try chosen.reading.log(words, behind: isCloudEvents ? 1 : 0, progress)
    func tell(_ file: String, _ count: Int64) {
      output.line("\(file) has \(count.counted("entry")).".visible)
    }
    switch target {
    case .standardOutput: _ = try writeEvents(log, selection, to: output, complaining: output)
    case .cloudEvents(let file):
      let count = try NewFile.write(file, replacing: replaces) { interim throws(Failure) in
        let lines = Output(to: try FileSink(interim).write)
        return try writeEvents(log, selection, to: lines, complaining: output)
      }
      tell(file, count)
    case .database(let file):
      let count = try NewFile.write(file, replacing: replaces) { interim throws(Failure) in
        try writeRows(log, selection, interim, progress)
      }
      tell(file, count)
    }
    try output.flush()
  }

  /// Gives every chosen entry to `onEntry`, with the text of its event.
  private func readSelected(
    _ log: LogReader,
    _ selection: LogSelection,
    onGap: (Gap) throws(Failure) -> Void,
    onEntry: (JSONDocument, Span<UInt8>, LogSegment) throws(Failure) -> Void
  ) throws(Failure) {
    let failure = try log.eachDocument(selection.range, onGap: onGap) {
      entry,
      segment throws(Failure) in
      let line = entry.text
      guard selection.admits(entry), let event = Self.event(of: line) else { return }
      try onEntry(entry, line.extracting(event), segment)
    }
    if let failure { throw failure }
  }

  /// The place of the event in a line: behind its name, which no text can contain with these
  /// quotes, and before the checksum.
  private static func event(of line: Span<UInt8>) -> Range<Int>? {
    let name: StaticString = ",\"event\":"
    guard let start = line.firstIndex(of: name) else { return nil }
    let (from, to) = (start + name.utf8CodeUnitCount, line.count - LineChecksum.width)
    return from < to ? from..<to : nil
  }

  private func writeEvents(
    _ log: LogReader,
    _ selection: LogSelection,
    to lines: Output,
    complaining output: Output
  ) throws(Failure) -> Int64 {
    var count: Int64 = 0
    var line = ByteBuffer(capacity: 1_024)
    var events = CloudEvents()
    try readSelected(log, selection) { gap throws(Failure) in
      let entries = SeqWords.entries(gap.from...gap.to).asSentence
      output.complain("\(entries) missing: \(gap.reason.rawValue).")
    } onEntry: { entry, event, segment throws(Failure) in
      line.clear()
      let seq = Seq(entry.integer("seq", of: entry.root) ?? 0)
      events.append(entry, event: event, epoch: log.epoch(of: seq, in: segment), to: &line)
      lines.line(line.bytes)
      count += 1
      try lines.check()
    }
    try lines.flush()
    return count
  }

  private func writeRows(
    _ log: LogReader,
    _ selection: LogSelection,
    _ file: String,
    _ progress: Progress
  ) throws(Failure) -> Int64 {
    var count: Int64 = 0
    var tables = try EntryTables(file)
    try readSelected(log, selection) { gap throws(Failure) in
      try tables.store(gap)
    } onEntry: { entry, event, _ throws(Failure) in
      try tables.store(entry, event: event)
      count += 1
    }
    progress.announce(step: "Making the indices.")
    try tables.store(meta: "source", log.path)
    try tables.store(meta: "exported_at", ClockTime.universal(SystemClock.wallMicroseconds()))
    try tables.store(meta: "exported_by", "a11yctl \(Protocol.release)")
    try tables.store(meta: "entries", String(count))
    try tables.store(meta: "epochs", Self.epochs(log))
    try tables.complete()
    return count
  }

  /// The epochs of the log as JSON, the oldest first.
  private static func epochs(_ log: LogReader) -> String {
    var text = ByteBuffer(capacity: 256)
    text.array(of: log.epochs) { text, epoch in
      text.object { text in
        text.append(member: "epoch", epoch.epoch)
        text.append(member: "first", epoch.first.number)
      }
    }
    return text.bytes.string
  }
}

/// Entries as events of CloudEvents 1.0, in its JSON format.
struct CloudEvents {
  /// The sources of the apps met so far.
  private var sources: [Source: String] = [:]

  /// The most sources kept: more than an ordinary session has.
  private static let sourcesKept = 1_024

  private struct Source: Hashable {
    let uid: Int64
    let app: String
  }

  mutating func append(
    _ entry: JSONDocument,
    event: Span<UInt8>,
    epoch: String,
    to line: inout ByteBuffer
  ) {
    let envelope = EntryView(of: entry)
    let seq = envelope.seq?.number ?? 0
    let (type, time) = (envelope.type ?? "unknown", envelope.time ?? 0)
    let (mono, conn) = (envelope.mono ?? 0, envelope.conn)
    let source = source(of: envelope)
    line.object { line in
      line.append(member: "specversion", "1.0")
      line.append(member: "id", "\(epoch):\(seq)")
      line.append(member: "source", source)
      line.append(member: "type", "org.a11yd.\(type)")
      line.append(member: "time", ClockTime.universal(time))
      line.append(member: "datacontenttype", "application/json")
      // The `sequence` extension asks for texts that sort as the numbers do.
      line.append(member: "sequence", Self.padded(seq))
      // An integer of CloudEvents has 32 bits, too few for these.
      line.append(member: "mono", String(mono))
      if let conn { line.append(member: "conn", String(conn)) }
      line.append(member: "data")
      line.append(event)
    }
  }

  /// The source of an entry's event; a forgotten entry names no app.
  private mutating func source(of envelope: EntryView) -> String {
    guard let uid = envelope.uid, let app = envelope.app else { return "/a11yd" }
    let source = Source(uid: uid, app: app)
    if let known = sources[source] { return known }
    if sources.count == Self.sourcesKept { sources = [:] }
    let path = "/a11yd/uid/\(uid)/app/\(Self.percentEncoded(app))"
    sources[source] = path
    return path
  }

  /// A text as a segment of a path, with the characters that RFC 3986 reserves as their numbers.
  static func percentEncoded(_ text: String) -> String {
    var result = ""
    for unit in text.utf8 {
      switch unit {
      case 48...57, 65...90, 97...122, 45, 46, 95, 126:
        result.unicodeScalars.append(Unicode.Scalar(unit))
      default:
        let digits = String(unit, radix: 16, uppercase: true)
        result += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return result
  }

  private static func padded(_ seq: Int64) -> String {
    let digits = String(seq)
    return String(repeating: "0", count: max(0, 20 - digits.count)) + digits
  }
}
