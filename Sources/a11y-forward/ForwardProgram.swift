// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yCompanion
import A11yForward
import A11yPosix
import A11yToml
import Glibc
import Systemd

/// The process around the sending thread: settings, signals and status.
final class ForwardProgram {
  private let shell: Companion<ForwardSettings>
  private let words: ForwardOptions
  private let mailbox: ForwardMailbox
  private let loopBell: LoopBell
  private var alarm: Timer?
  private var hasForgottenStart = false
  private var lastSentence = ""

  static let name = "a11y-forward"
  private static let broken: Int32 = 70
  /// Far more descriptors than the program ever has.
  private static let mostDescriptors: Int32 = 1_024
  /// The time between two looks at the lag.
  private static let lookEvery: UInt64 = 1_000_000

  init(_ options: CompanionOptions, _ words: ForwardOptions) throws {
    self.words = words
    shell = try Companion(
      Self.name,
      options,
      mistaken: ForwardMessage.settingsMistaken.id,
      read: LoadedCompanionSettings.init(forwarder:)
    )
    loopBell = try LoopBell()
    let theirs = try Bell.hang()
    mailbox = ForwardMailbox(
      ForwardContents(),
      loopBell: loopBell.bell,
      threadBell: theirs.bell
    )
    try loopBell.listen(on: shell.loop) { [unowned self] in look() }
    alarm = try Timer(on: .monotonic, priority: .normal, on: shell.loop) { [unowned self] in
      look()
    }
    try shell.obey(
      onStop: { [unowned self] in shell.loop.exit(0) },
      onReload: { [unowned self] settings in try follow(settings) }
    )
    try follow(shell.settings)
    try ForwardThread.launch(mailbox, ear: theirs.relinquishEar())
  }

  /// Runs until it is told to end, and returns the exit code.
  func runUntilEnd() throws(Errno) -> Int32 {
    shell.report.manager.ready()
    look()
    return try shell.loop.run()
  }

  // MARK: Status

  /// Tells the news of the thread; numbers go to the service manager alone, a change of the
  /// condition to the journal, too.
  private func look() {
    alarm?.arm(afterMicroseconds: Self.lookEvery)
    if ThreadWatch.isMissing(at: SystemClock.monotonicMicroseconds()) { startAnew() }
    let news = mailbox.takeNews()
    for remark in news.remarks {
      shell.report.say(.warning, "Note: \(remark.words).", remark.message.id, reason: remark.words)
    }
    for condition in news.conditions { explain(condition) }
  }

  private func explain(_ condition: ForwardCondition) {
    if case .engineAway(_, let reason) = condition {
      shell.report.status(condition.kind, .warning, ForwardMessage.engineAway.id, reason: reason)
    } else {
      shell.report.status(condition.kind)
    }
    if condition.sentence != lastSentence {
      lastSentence = condition.sentence
      shell.report.manager.status(lastSentence)
    }
    guard !hasForgottenStart, case .forwarding = condition else { return }
    // The code of the start is not needed for sending.
    Machine.forgetStart()
    hasForgottenStart = true
  }

  /// Begins again as the same process, for a thread that hangs in a library cannot be ended.
  ///
  /// Nothing is lost: the engine is asked for its newest entry, as after each start.
  private func startAnew() -> Never {
    let words = "a call to the engine does not end; the program starts anew"
    shell.report.say(.error, "Note: \(words).", ForwardMessage.remark.id, reason: words)
    // No descriptor of a library goes along.
    for number in 3..<Self.mostDescriptors { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    _ = execv("/proc/self/exe", CommandLine.unsafeArgv)
    // The service manager starts it where this cannot be done.
    _exit(Self.broken)
  }

  // MARK: Settings

  private func follow(_ settings: ForwardSettings) throws {
    let bus = shell.options.socket ?? BusPath.reader
    let isUsers = !bus.hasPrefix("/run/a11yd/")
    mailbox.follow(
      words.plan(
        settings,
        bus: bus,
        user: isUsers ? getuid() : nil,
        ownName: try MachineName(ofMachine: ())
      )
    )
  }
}

extension MachineName {
  /// The machine's identifier, hashed, so that it tells nothing else about the machine.
  fileprivate init(ofMachine: Void) throws(Errno) {
    let hex = try MachineIdentity.hexadecimal(for: Self.application)
    guard let name = MachineName(hex) else { preconditionFailure("hex digits are a name") }
    self = name
  }

  /// The random identifier under which this program asks.
  private static let application = "6d0c1f2b84a94e9b9a52f6c3170be8d4"
}

extension LoadedCompanionSettings<ForwardSettings> {
  /// Reads the file that an option names, or else the usual one, without the secrets that others
  /// may read.
  init(forwarder option: String?) {
    self.init(name: "forward", option: option)
    if let file, settings.hasPasswords, !Self.isPrivate(file) {
      settings.removePasswords()
      complaints.append(Complaint(file, "passwords are left out: others may read the file"))
    }
    for file in settings.nats.secretFiles where !Self.isPrivate(file) {
      settings.removeSecret(file)
      complaints.append(Complaint(file, "left out: others may read the file, or it is not there"))
    }
  }

  private static func isPrivate(_ path: String) -> Bool {
    (try? File.isPrivateToUs(path)) ?? false
  }
}

/// From the command line to the running forwarder.
@main
enum Main {
  private static let summary = """
    Hands the log of this machine to NATS JetStream or to Redis, entry by entry, as it stands on the
    disk. Nothing leaves without --all, --without-texts or a file of settings that says so.
    With --read it prints what an engine has, of which a11yctl fleet makes answers.
    """

  private static let extras: [CompanionOptions.Extra] =
    [
      .init("to", "ADDRESS", "nats://HOST:PORT or redis://HOST:PORT, with commas between several"),
      .init("machine", "NAME", "the name of this machine's log in the engine"),
      .init("all", nil, "send all entries as they are"),
      .init("without-texts", nil, "send all entries without the words in them"),
      .init("apps", "NAMES", "send entries of these apps alone, with commas between"),
      .init("types", "NAMES", "send entries of these types alone, with commas between"),
      .init("max-rate", "N", "send at most so many entries in a second"),
      .init("heartbeat", "SECONDS", "tell so often that the machine lives; 0 for never"),
      .init("tend", nil, "make the streams of NATS, and remove there what machines have forgotten"),
    ] + ReadOptions.extras

  /// Thirty times what it ever needs: its two libraries read answers of any length.
  private static let mostMemory: UInt64 = 512 << 20

  static func main() {
    CompanionMain.start(ForwardProgram.name, summary: summary, extras: extras) { options in
      Machine.limitMemory(to: mostMemory)
      if let reading = try ReadOptions(options) {
        return ArchivePrinter(reading).printAll(
          LoadedCompanionSettings(forwarder: options.configuration)
        )
      }
      if options.value("tend") != nil {
        return TendProgram(options, try ForwardOptions(options)).tendUntilEnd()
      }
      let code = try ForwardProgram(options, try ForwardOptions(options)).runUntilEnd()
      // A library that waits for an engine must not delay the end, not even by its own clearing up.
      _exit(code)
    }
  }
}
