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
  static let notes = """
    Of a forgotten entry its seq and its times remain, nothing else. An entry is chosen that fits
    all kinds of options, of which at least one is needed; --app and --uid may be repeated. Without
    --yes nothing is changed: it tells how many entries would be forgotten. When a daemon holds the
    log, the daemon is asked to forget, by way of its socket.
    \(Moment.notes)
    \(LogPlace.notes)
    """

  private let chosen = ForgettableOptions()
  @Flag("yes", "do it") private var isMeant: Bool
  private let log = LogFolder()
  private let bus = BusSocket()

  func run(_ output: Output) throws(Failure) {
    let path = try log.path()
    let wanted = try Forgettable(chosen)
    output.line(
      isMeant
        ? Self.done(try forget(wanted, in: path))
        : Self.offer(try countChosen(wanted, in: path, output), wanted)
    )
  }

  /// The number of chosen entries.
  private func countChosen(
    _ wanted: Forgettable,
    in path: String,
    _ output: Output
  ) throws(Failure) -> Int64 {
    let log = try LogReader(path, Progress("Read", output))
    try log.needFolder(for: Self.name)
    var gone: Set<Seq> = []
    var apps = AppNames(wanted.apps)
    let failure = try log.eachDocument { entry, _ in
      apps?.collect(entry)
      guard let seq = EntryView(of: entry).seq else { return }
      if wanted.selection.covers(entry: entry, isGone: gone.contains) { gone.insert(seq) }
    }
    for line in apps?.strangers ?? [] { output.complain(line) }
    if let failure { throw failure }
    return Int64(gone.count)
  }

  static func offer(_ count: Int64, _ wanted: Forgettable) -> String {
    guard count > 0 else { return "There is no entry \(wanted.words) to forget." }
    let entries = count.counted("entry")
    return "This would forget \(entries) \(wanted.words), for good. Nothing was changed; with --yes"
      + " it is done."
  }

  static func done(_ count: Int64) -> String {
    count == 0
      ? "There was nothing to forget."
      : "\(count.counted("entry", "was")) forgotten."
  }

  // MARK: Forgetting

  /// Asks the daemon that holds the log, or rewrites an unused log.
  private func forget(_ wanted: Forgettable, in path: String) throws(Failure) -> Int64 {
    let attempt: FileLock.Attempt
    do throws(Errno) {
      // The lock would make a directory; a mistyped one must not come to be.
      _ = try File.measure(path)
      attempt = try FileLock.acquire(directory: path, alsoThrough: "lock")
    } catch .permissionDenied {
      return try askDaemon(wanted)
    } catch {
      let words = "There is no log to change in \(path): \(error)."
      throw Failure(.noInput, VisibleText.of(words))
    }
    switch consume attempt {
    case .heldByAnother: return try askDaemon(wanted)
    case .acquired(let lock):
      let count = try rewrite(path, wanted.selection)
      _ = consume lock
      return count
    }
  }

  private func askDaemon(_ wanted: Forgettable) throws(Failure) -> Int64 {
    let socket = try bus(for: .operation(.forget))
    let answer = try ask(socket, "forget", wanted.fields, timeout: .seconds(600))
    return answer["count"]?.integer ?? 0
  }

  /// Rewrites the files, which the lock makes ours alone.
  private func rewrite(_ path: String, _ chosen: Selection) throws(Failure) -> Int64 {
    do throws(Errno) {
      let disk = try KernelDisk(path)
      guard let work = try Forgetting<BrokerState>(chosen, onUnused: disk) else {
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
    try ForgottenNote.keep(before + runs.map { .init($0, uid: Environment.uid) }, on: disk)
  }

  /// The bytes to rewrite at a time.
  private static let slice = 1_048_576
}

/// The options that choose the entries to forget.
struct ForgettableOptions: OptionGroup {
  @Repeated("app", "NAME", "what this app has sent") fileprivate var apps: [String]?
  @Repeated("uid", "NUMBER", "what this user has sent", as: .user) fileprivate var uids: [Int64]?
  @Option("before", "TIME", "what came before then", as: .moment) fileprivate var before: Int64?
}

extension Form<Int64> {
  fileprivate static var user: Form {
    Form { given, _ throws(Failure) in
      guard let uid = UInt32(given.value) else { throw given.mistake("the number of a user") }
      return Int64(uid)
    }
  }
}

/// The entries to forget.
struct Forgettable {
  let selection: Selection
  let apps: [String]?
  private let uids: [Int64]?
  private var before: Int64? { selection.before }

  init(_ options: ForgettableOptions) throws(Failure) {
    apps = options.apps
    uids = options.uids
    selection = Selection(
      apps: apps.map(Set.init),
      uids: uids.map(Set.init),
      before: options.before
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
