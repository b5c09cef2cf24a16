// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCompanion
import A11yForward
import A11yPosix
import A11yToml
import A11yWire

/// The stored entries of machines, read from an engine; each call has a deadline of seconds.
protocol EngineArchive: AnyObject {
  /// Takes an entry; false where no more are wanted.
  typealias Reader = (ArchivedEntry) throws(ForwardFailure) -> Bool

  /// Takes a sign of life; false where no more are wanted.
  typealias SignReader = (ArchivedSign) throws(ForwardFailure) -> Bool

  /// Gives the newest entry of every machine.
  func readNewest(_ reader: Reader) throws(ForwardFailure)

  /// Gives the last sign of life of every machine that has left one.
  func readSigns(_ reader: SignReader) throws(ForwardFailure)

  /// Gives the entries of one machine, or of all, in the order of each machine.
  ///
  /// With `pause` it goes on with what comes: the function is called before each wait, and ends the
  /// reading by returning false.
  func readEntries(
    _ machine: MachineName?,
    from start: ArchiveStart,
    pause: (() throws(ForwardFailure) -> Bool)?,
    _ reader: Reader
  ) throws(ForwardFailure)
}

/// An entry as an engine has it.
struct ArchivedEntry {
  let machine: String
  let epoch: String
  let line: [UInt8]
}

/// A sign of life as an engine has it.
struct ArchivedSign {
  let machine: String
  let sign: SignOfLife
  /// The instant at which the engine got it, in microseconds since 1970.
  let time: Int64
}

/// The place at which reading begins.
enum ArchiveStart: Equatable {
  case beginning
  /// The last so many entries, as far as they are of one life.
  case last(Int64)
  /// An entry of the newest life of a machine's log, or the next one that is there.
  case seq(Int64)
  /// The entries since a moment, in microseconds since 1970, and perhaps some before it.
  case time(Int64)
}

/// Prints what an engine has: machine, epoch and line of an entry, with a blank between.
final class ArchivePrinter {
  private let options: ReadOptions
  private var out = ByteBuffer(capacity: ArchivePrinter.batch)
  /// Whether somebody reads what is printed.
  private var hasReader = true

  /// The bytes of a write: about as many as a pipe holds.
  private static let batch = 65_536
  private static let unavailable: Int32 = 69
  private static let misconfigured: Int32 = 78

  init(_ options: ReadOptions) { self.options = options }

  /// Prints to the end, and returns the exit code.
  func printAll(_ file: LoadedCompanionSettings<ForwardSettings>) -> Int32 {
    for complaint in file.complaints { Self.complain("\(complaint)") }
    guard let address = options.engine ?? file.settings.engine else {
      Self.complain("no engine is named, by --from or in a file of settings")
      return Self.misconfigured
    }
    do throws(ForwardFailure) {
      try print(address, file.settings)
      flush()
      return 0
    } catch {
      flush()
      if let reason = error.engineReason { Self.complain("\(address) cannot be read: \(reason)") }
      return Self.unavailable
    }
  }

  private func print(
    _ address: EngineAddress,
    _ settings: ForwardSettings
  ) throws(ForwardFailure) {
    let archive: any EngineArchive =
      switch address.kind {
      case .nats: try NatsArchive(address, settings.nats)
      case .redis: try RedisArchive(address, settings.redis)
      }
    if options.wantsNewest { return try archive.readNewest(printEntry) }
    if options.wantsSigns { return printSigns(archive) }
    var pause: (() throws(ForwardFailure) -> Bool)?
    if options.follows { pause = { self.flush() } }
    try archive.readEntries(options.machine, from: options.start, pause: pause, printEntry)
  }

  /// Prints the signs of life; where the engine does not show them, its entries can still be read.
  private func printSigns(_ archive: any EngineArchive) {
    do throws(ForwardFailure) {
      try archive.readSigns(printSign)
    } catch {
      guard let reason = error.engineReason else { return }
      Self.complain("signs of life cannot be read: \(reason)")
    }
  }

  private func printEntry(_ entry: ArchivedEntry) -> Bool {
    appendHead(entry.machine, entry.epoch)
    out.append(entry.line.span)
    return endLine()
  }

  private func printSign(_ entry: ArchivedSign) -> Bool {
    appendHead(entry.machine, entry.sign.epoch)
    entry.sign.writeMark(at: entry.time, into: &out)
    return endLine()
  }

  private func appendHead(_ machine: String, _ epoch: String) {
    out.append(text: machine)
    out.append(" ")
    out.append(text: epoch)
    out.append(" ")
  }

  private func endLine() -> Bool {
    out.append("\n")
    return out.count < Self.batch || flush()
  }

  /// Writes what was printed; false where nobody reads it.
  @discardableResult
  private func flush() -> Bool {
    guard hasReader else { return false }
    if out.isEmpty {
      hasReader = StandardOutput.hasReader
      return hasReader
    }
    hasReader = out.withUnsafeBytes { StandardOutput.write($0) } == .written
    out.clear()
    return hasReader
  }

  private static func complain(_ words: String) {
    StandardError.write("\(ForwardProgram.name): \(VisibleText.of(words)).\n")
  }
}

/// The options with which the program reads from an engine.
struct ReadOptions {
  let engine: EngineAddress?
  /// The machine whose entries are wanted; nil for all.
  let machine: MachineName?
  let start: ArchiveStart
  let wantsNewest: Bool
  let wantsSigns: Bool
  let follows: Bool

  static let extras: [CompanionOptions.Extra] = [
    .init("read", "NAME", "print what an engine has of this machine, or of all: '*'"),
    .init("from", "ADDRESS", "the engine to read; that of the settings, if not given"),
    .init("newest", nil, "print the newest entry of each machine, with --read '*'"),
    .init("alive", nil, "print the last sign of life of each machine, with --read '*'"),
    .init("last", "N", "begin with the last so many entries of the machine"),
    .init("since-seq", "SEQ", "begin with this entry of the newest life of the log"),
    .init("since", "MICROSECONDS", "begin with what came since then, counted from 1970"),
    .init("follow", nil, "go on with what comes, of one machine"),
  ]

  /// Nil where nothing is to be read.
  init?(_ options: CompanionOptions) throws(CommandLineOptions.Mistake) {
    guard let name = options.value("read") else {
      for extra in Self.extras where options.value(extra.name) != nil {
        throw .init(words: "--\(extra.name) is for --read")
      }
      return nil
    }
    machine = MachineName(name)
    if machine == nil, name != "*" { throw .init(words: "--read: \(MachineName.expectation)") }
    do throws(EngineAddress.Mistake) {
      engine = try options.value("from").map { text throws(EngineAddress.Mistake) in
        try EngineAddress(text)
      }
    } catch {
      throw .init(words: "--from: \(error.words)")
    }
    let seq = try Self.wholeNumber("since-seq", options)
    let time = try Self.wholeNumber("since", options)
    let last = try Self.wholeNumber("last", options)
    if [seq, time, last].count(where: { $0 != nil }) > 1 {
      throw .init(words: "--last, --since and --since-seq exclude each other")
    }
    start = seq.map { .seq($0) } ?? time.map { .time($0) } ?? last.map { .last($0) } ?? .beginning
    wantsNewest = options.value("newest") != nil
    wantsSigns = options.value("alive") != nil
    follows = options.value("follow") != nil
    if follows, machine == nil { throw .init(words: "--follow expects one machine") }
    if wantsNewest, machine != nil { throw .init(words: "--newest expects --read '*'") }
    if wantsSigns, machine != nil { throw .init(words: "--alive expects --read '*'") }
    if wantsNewest, wantsSigns { throw .init(words: "--newest and --alive exclude each other") }
    if seq ?? last != nil, machine == nil {
      throw .init(words: "--last and --since-seq expect one machine")
    }
  }

  private static func wholeNumber(
    _ name: String,
    _ options: CompanionOptions
  ) throws(CommandLineOptions.Mistake) -> Int64? {
    guard let text = options.value(name) else { return nil }
    guard let number = Int64(text), number >= 0 else {
      throw .init(words: "--\(name): expected a number; got \(text)")
    }
    return number
  }
}
