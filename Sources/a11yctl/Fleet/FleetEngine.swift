// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire
import Glibc

/// The logs of other machines, as an engine has them.
///
/// The libraries of the engines are with `a11y-forward`, which prints their lines. Those are
/// understood here.
struct FleetEngine {
  /// Takes machine, epoch and line of an entry; false where no more are wanted.
  typealias Reader = (String, String, Span<UInt8>) throws(Failure) -> Bool

  static let program = "a11y-forward"
  /// Head and line of an entry.
  private static let longest = Limits.answerBytes + 256
  /// The milliseconds between two looks at a program that has closed its output.
  private static let pause: Int32 = 5

  private let path: String
  /// The words for the program that lead to the engine.
  private let settings: [String]

  /// The engine at an address, or that of a file of settings, or that of the usual one.
  init(address: String?, settings: String? = nil, program path: String = usual) {
    self.path = path
    self.settings =
      (address.map { ["--from", $0] } ?? []) + (settings.map { ["--config", $0] } ?? [])
  }

  /// Gives what `a11y-forward --read` prints with these words.
  func forEachEntry(_ words: [String], _ reader: Reader) throws(Failure) {
    let started = try startProgram(["--read"] + words)
    let program = started.process
    let output = FileDescriptor(adopting: dup(started.words.number))
    var lines = InputLines(output, shown: Self.program, limit: Self.longest)
    while case let step = try lines.nextStep(), step != .end {
      guard step == .line, let ends = Self.head(of: lines.line) else { continue }
      let line = lines.line
      let machine = line.extracting(0..<ends.machine).string
      let epoch = line.extracting(ends.machine + 1..<ends.epoch).string
      guard try reader(machine, epoch, line.extracting(ends.epoch + 1..<line.count)) else {
        program.terminate()
        return
      }
    }
    // It has closed its output, and does nothing but end.
    while program.isRunning { poll(nil, 0, Self.pause) }
    guard let code = program.code, code != 0 else { return }
    // Its own words have told the reason.
    throw Failure(code == 127 ? .unreachable : Failure.Code(rawValue: code), nil)
  }

  private func startProgram(_ words: [String]) throws(Failure) -> PipedProgram {
    do throws(Errno) {
      return try PipedProgram([path] + words + settings, hasGroup: false) { pipe in
        ChildProcess.Streams(output: pipe, errors: 2)
      }
    } catch {
      throw Failure(
        .unreachable,
        "\(Self.program) reads the engine, and cannot be started: \(error). It is in the package"
          + " of that name."
      )
    }
  }

  /// The program beside this one, else along `$PATH`.
  static var usual: String {
    OtherProgram.beside(program).flatMap { access($0, X_OK) == 0 ? $0 : nil } ?? program
  }

  /// Gives the lines that can be read.
  func forEachDocument(
    _ words: [String],
    _ reader: (_ machine: String, _ epoch: String, JSONDocument) throws(Failure) -> Void
  ) throws(Failure) {
    let json = JSONReader(limit: Limits.answerBytes)
    try forEachEntry(words) { machine, epoch, line throws(Failure) in
      if (try? json.read(line)) != nil { try reader(machine, epoch, json.document) }
      return true
    }
  }

  /// The ends of the first two words.
  private static func head(of line: Span<UInt8>) -> (machine: Int, epoch: Int)? {
    guard let machine = line.firstIndex(of: " ") else { return nil }
    let rest = line.extracting(machine + 1..<line.count)
    guard let epoch = rest.firstIndex(of: " ") else { return nil }
    return (machine, machine + 1 + epoch)
  }
}

/// The entries of one machine that an engine has, as far as they are asked for.
///
/// They stand in a file without a name, and so can be read again and again, as a log.
final class MachineEntries: EntrySource {
  private let engine: FleetEngine
  private let machine: String
  private var file: FileDescriptor
  private var buffer = ByteBuffer(capacity: 65_536)
  private var bytes: Int64 = 0
  /// The last number that the file tells of, an entry's or a gap's; 0 as long as there is none.
  private var last: Int64 = 0
  private var hasEntries = false
  /// The epochs of the entries, each with its first one.
  private var epochs: [(first: Seq, epoch: String)] = []
  /// The file as a log, when it is filled, and the words that have asked for it.
  private var opened: (log: LogReader, words: [String])?
  /// The gaps that the engine tells of.
  private var gaps: [(range: ClosedRange<Int64>, reason: String)] = []

  /// Bytes of a file, behind which no more is read.
  private static let most: Int64 = 1 << 30
  private static let mostGaps = 1_024
  private static let mostEpochs = 1_024
  private static let piece = 65_536

  /// The entries that are looked through where none is named.
  private static let newest = ["--last", "50000"]
  /// The entries before and behind one that may tell of it.
  private static let before: Int64 = 20_000
  private static let behind: Int64 = 100_000

  init(of machine: String, in engine: FleetEngine) throws(Failure) {
    self.engine = engine
    self.machine = machine
    file = try Self.makeFile()
  }

  // MARK: What is asked

  func fold<Fold: EntryFold>(_ empty: Fold) throws(Failure) -> Fold {
    guard let since = empty.since else { return try open(Self.newest).fold(empty) }
    let log = try open(["--since", String(max(0, since))])
    guard last == 0 else {
      try refuseTooMuch()
      return try log.fold(empty)
    }
    // Nothing since then; or there is no such machine, which is a failure.
    _ = try open(["--last", "1"])
    try needEntries()
    return empty
  }

  func time(of first: Seq) throws(Failure) -> Int64? {
    defer { opened = nil }
    return try open(["--since-seq", String(first.number)], through: first.number).time(of: first)
  }

  /// Explains an entry by those around it, unless others were asked for before.
  func explain(_ seq: Seq) throws(Failure) -> JSONValue {
    let log = if let opened { opened.log } else { try around(seq.number) }
    do throws(Failure) {
      return try log.explain(seq)
    } catch  where error.code == .refused || error.code == .noInput {
      throw Failure(.refused, absence(of: seq.number))
    }
  }

  /// Whether an event still waits is known to the machine alone.
  func state() -> JSONValue? { nil }

  func namesOfRules() throws(Failure) -> [String]? {
    try newest().namesOfRules()
  }

  func needEntries() throws(Failure) {
    let log = try newest()
    guard hasEntries else { throw Failure(.refused, absence(of: 0)) }
    do throws(Failure) {
      try log.needEntries()
    } catch  where error.code == .noInput {
      throw Failure(.refused, "No entry of \(machine) has the checksum that it should have.")
    }
  }

  /// All entries from a beginning on as a log, and perhaps some before it.
  func log(from beginning: Beginning = .start) throws(Failure) -> LogReader {
    let words = FleetOptions.question(beginning)
    let log = try open(words)
    if last == 0, !words.isEmpty {
      throw Failure(.refused, "The engine has no entries of \(machine) from there on.")
    }
    try needEntries()
    try refuseTooMuch()
    return log
  }

  /// Refuses to tell of a part as if it were all.
  private func refuseTooMuch() throws(Failure) {
    guard bytes >= Self.most else { return }
    throw Failure(
      .refused,
      "The engine has more entries of \(machine) than the \(ByteSize.words(Self.most)) that are"
        + " read at once."
    )
  }

  // MARK: The file

  /// What was asked for last, or else the newest entries, as a log.
  private func newest() throws(Failure) -> LogReader {
    if let opened { opened.log } else { try open(Self.newest) }
  }

  /// The entries around one as a log.
  private func around(_ seq: Int64) throws(Failure) -> LogReader {
    let (sum, isTooMuch) = seq.addingReportingOverflow(Self.behind)
    return try open(
      ["--since-seq", String(max(0, seq - Self.before))],
      through: isTooMuch ? .max : sum
    )
  }

  /// The entries for which these words ask as a log, up to one of these numbers.
  private func open(_ words: [String], through: Int64 = .max) throws(Failure) -> LogReader {
    if let opened, opened.words == words { return opened.log }
    try beginAnew()
    try fill(words, through: through)
    let silent = Progress("Read", clock: { 0 }, onProgress: nil)
    let lines = try LogLines(kept: FileDescriptor(adopting: dup(file.number)), epochs: epochs)
    let log = LogReader(lines, machine, silent)
    opened = (log, words)
    return log
  }

  /// Reads entries of the newest life, up to one of these numbers.
  private func fill(_ words: [String], through: Int64) throws(Failure) {
    let reader = JSONReader(limit: Limits.answerBytes)
    try engine.forEachEntry([machine] + words) { _, epoch, line throws(Failure) in
      guard (try? reader.read(line)) != nil else { return true }
      let entry = reader.document
      let gap = Self.gap(entry)
      guard let seq = gap?.range.upperBound ?? EntryView(of: entry).seq?.number else { return true }
      // The machine was made anew, and numbers its entries from 1 on.
      if seq <= last { try beginAnew() }
      last = seq
      if let gap { noteGap(gap) } else { noteEntry(Seq(seq), epoch) }
      buffer.append(line)
      buffer.append("\n")
      if buffer.count >= Self.piece { try keepBuffer() }
      // A gap may reach over the last one that is wanted; the entry behind it tells the time.
      return (gap != nil || seq < through) && bytes < Self.most
    }
    try keepBuffer()
  }

  private func noteEntry(_ seq: Seq, _ epoch: String) {
    hasEntries = true
    guard epochs.last?.epoch != epoch, epochs.count < Self.mostEpochs else { return }
    epochs.append((seq, epoch))
  }

  private func noteGap(_ gap: (range: ClosedRange<Int64>, reason: String)) {
    if gaps.count < Self.mostGaps { gaps.append(gap) }
  }

  /// The gap of which a line tells; nil for an entry, and for any other mark.
  private static func gap(
    _ line: JSONDocument
  ) -> (range: ClosedRange<Int64>, reason: String)? {
    guard line.member("mark", of: line.root) != nil,
      case .gap(let from, let to, let reason) = try? SubscriptionMark(line), from <= to
    else { return nil }
    return (from...to, reason)
  }

  private func beginAnew() throws(Failure) {
    file = try Self.makeFile()
    buffer.clear()
    (bytes, last, hasEntries, epochs, gaps) = (0, 0, false, [], [])
  }

  private func keepBuffer() throws(Failure) {
    do throws(Errno) {
      try Self.keep(buffer, to: file)
    } catch {
      throw Failure(.inputOutput, "The entries cannot be kept: \(error).")
    }
    bytes += Int64(buffer.count)
    buffer.clear()
  }

  private static func keep(
    _ lines: borrowing ByteBuffer,
    to file: borrowing FileDescriptor
  ) throws(Errno) {
    try file.writeAll(lines.bytes)
  }

  /// A file without a name, which is gone with its descriptor.
  private static func makeFile() throws(Failure) -> FileDescriptor {
    let place = try ScratchPlace("a11yctl-fleet")
    defer { place.remove() }
    do throws(Errno) {
      return try FileDescriptor.open(place("entries"), [.readWrite, .create, .exclusive])
    } catch {
      throw Failure(.inputOutput, "There is no place for the entries: \(error).")
    }
  }

  /// The reason why an entry is not in the engine.
  private func absence(of seq: Int64) -> String {
    if last == 0 || seq == 0 { return "The engine has no entries of \(machine)." }
    if let gap = gaps.first(where: { $0.range.contains(seq) }) {
      let range = Seq(gap.range.lowerBound)...Seq(gap.range.upperBound)
      return "Entry \(seq) of \(machine) is in a gap: \(SeqWords.entries(range)) are missing, by "
        + "\(gap.reason)."
    }
    if seq > last { return "The engine has entries of \(machine) up to \(last)." }
    return "Entry \(seq) of \(machine) is not in the engine: it was forgotten, or it was not sent."
  }
}
