// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yClient
import A11yExplain
import A11yLog
import A11yPosix
import A11yWire

/// Takes the content of entries out of the log.
struct LogForgetCommand: Command {
  static let name = "log forget"
  static let summary = "take the content of entries out of the log for good"
  static let usage = "[OPTION]..."
  static let notes = """
    Of a forgotten entry its seq and its times remain, nothing else. An entry is chosen that fits
    all kinds of options, of which at least one is needed; --app and --uid may be repeated. Without
    --yes nothing is changed: it tells how many entries would be forgotten. When a daemon holds the
    log, the daemon is asked to forget, by way of its socket.
    \(Moment.notes)
    \(LogPlace.notes)
    """
  static let options = [
    Flag("app", "NAME", "what this app has sent"),
    Flag("uid", "NUMBER", "what this user has sent"),
    Flag("before", "TIME", "what came before then"),
    Flag("yes", nil, "do it"),
    LogPlace.folderFlag,
  ]

  private let path: String
  private let words: CommandWords
  private let wanted: Forgettable
  private let isMeant: Bool

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    path = try words.log()
    self.words = words
    wanted = try Forgettable(words, now: SystemClock.wallMicroseconds())
    isMeant = words.has("yes")
  }

  func run(_ output: Output) throws(Failure) {
    guard isMeant else {
      let count = try countChosen(output)
      output.line(Self.offer(count, wanted))
      return
    }
    output.line(Self.done(try forgetEntries()))
  }

  /// The number of chosen entries.
  private func countChosen(_ output: Output) throws(Failure) -> Int64 {
    let log = try LogReader(path, Progress("Read", output))
    try log.needFolder(for: Self.name)
    let reader = JSONReader(limit: Limits.answerBytes)
    var gone: Set<Seq> = []
    var apps = AppNames(wanted.apps)
    let failure = try log.readEntries(SeqRange()) { _ in
    } onEntry: { line, seq, _ in
      do throws(JSONFault) { try reader.read(line) } catch { return }
      apps?.collect(reader.document)
      if wanted.selection.covers(entry: reader.document, isGone: gone.contains) { gone.insert(seq) }
    }
    for line in apps?.strangers ?? [] { output.complain(line) }
    if let failure { throw failure }
    return Int64(gone.count)
  }

  static func offer(_ count: Int64, _ wanted: Forgettable) -> String {
    guard count > 0 else { return "There is no entry \(wanted.words) to forget." }
    let entries = SeqWords.count(count, "entry", "entries")
    return "This would forget \(entries) \(wanted.words), for good. Nothing was changed; with --yes"
      + " it is done."
  }

  static func done(_ count: Int64) -> String {
    count == 0
      ? "There was nothing to forget."
      : "\(SeqWords.count(count, "entry was", "entries were")) forgotten."
  }

  // MARK: Forgetting

  /// Asks the daemon that holds the log, or rewrites an unused log.
  private func forgetEntries() throws(Failure) -> Int64 {
    let attempt: FileLock.Attempt
    do throws(Errno) {
      // The lock would make a directory; a mistyped one must not come to be.
      _ = try File.measure(path)
      attempt = try FileLock.acquire(directory: path, alsoThrough: "lock")
    } catch .permissionDenied {
      return try askDaemon()
    } catch {
      let words = "There is no log to change in \(path): \(error)."
      throw Failure(.noInput, VisibleText.of(words))
    }
    switch consume attempt {
    case .heldByAnother: return try askDaemon()
    case .acquired(let lock):
      let count = try rewrite()
      _ = consume lock
      return count
    }
  }

  private func askDaemon() throws(Failure) -> Int64 {
    let socket = try words.socket(for: .operation(.forget)).path
    let answer = try asking { () throws(ClientError) in
      try BusConnection(path: socket).request("forget", wanted.fields, timeout: .seconds(600))
    }
    return answer["count"]?.integer ?? 0
  }

  /// Rewrites the files, which the lock makes ours alone.
  private func rewrite() throws(Failure) -> Int64 {
    do throws(Errno) {
      let disk = try KernelDisk(path)
      guard let work = try Forgetting<BrokerState>(wanted.selection, onUnused: disk) else {
        return 0
      }
      let before = try ForgottenNote.runs(on: disk)
      var noted = 0
      do throws(Errno) {
        while try !work.advance(budget: Self.slice) {
          guard work.forgotten.count > noted else { continue }
          noted = work.forgotten.count
          try leaveNote(work.forgotten, behind: before, disk)
        }
        if work.count > 0 { try leaveNote(work.forgotten, behind: before, disk) }
      } catch {
        work.abandon()
        throw error
      }
      return work.count
    } catch {
      throw Failure(.inputOutput, VisibleText.of("Changing the log in \(path) failed: \(error)."))
    }
  }

  /// Has the next bus tell of it in the log.
  private func leaveNote(
    _ runs: [ClosedRange<Seq>],
    behind before: [ForgottenNote.Run],
    _ disk: any Disk
  ) throws(Errno) {
    try ForgottenNote.keep(
      before + runs.map { .init($0, uid: Environment.uid) },
      on: disk
    )
  }

  /// The bytes to rewrite at a time.
  private static let slice = 1_048_576
}

/// The entries to forget, by the options of the command line.
struct Forgettable {
  let selection: Selection
  let apps: [String]?
  private let uids: [Int64]?
  private var before: Int64? { selection.before }

  init(_ words: CommandWords, now: Int64) throws(Failure) {
    apps = words.values("app")
    uids = try words.values("uid")?.map { word throws(Failure) in
      guard let uid = UInt32(word) else {
        throw Failure(.usage, "--uid expects the number of a user; got \(word).")
      }
      return Int64(uid)
    }
    selection = Selection(
      apps: apps.map(Set.init),
      uids: uids.map(Set.init),
      before: try words.moment("before", now: now)
    )
    if selection.isEmpty {
      throw Failure(.usage, "At least one of --app, --uid and --before is expected.")
    }
  }

  /// The members of the request to the bus.
  var fields: [JSONValue.Member] {
    var fields: [JSONValue.Member] = []
    if let apps { fields.append(.init("apps", .list(apps.map { .string($0) }))) }
    if let uids { fields.append(.init("uids", .list(uids.map { .integer($0) }))) }
    if let before { fields.append(.init("before", .integer(before))) }
    return fields
  }

  /// “of org.x, of user 1000, from before 2026-11-21 13:05:00”.
  var words: String {
    var parts: [String] = []
    if let apps { parts.append("of " + Sentences.listed(apps)) }
    if let uids { parts.append("of user " + Sentences.listed(uids.map(String.init))) }
    if let before { parts.append("from before \(ClockTime.dayAndTime(before))") }
    return VisibleText.of(parts.joined(separator: ", "))
  }
}
