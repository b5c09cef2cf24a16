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
  private let options: CompanionOptions
  private let words: ForwardOptions
  private let report: CompanionReport
  private let loop: EventLoop
  private let mailbox: ForwardMailbox
  private let ear: Ear
  private var watches: [AnyObject] = []
  private var alarm: Timer?
  private var hasForgottenStart = false
  private var lastSentence = ""

  static let name = "a11y-forward"
  private static let settingsName = "forward"
  /// The time between two looks at the lag.
  private static let lookEvery: UInt64 = 1_000_000

  /// A descriptor that can be handed to a watch.
  private final class Ear {
    let descriptor: FileDescriptor

    init(_ number: Int32) { descriptor = FileDescriptor(adopting: number) }
  }

  init(_ options: CompanionOptions, _ words: ForwardOptions) throws {
    self.options = options
    self.words = words
    report = CompanionReport(program: Self.name)
    loop = try EventLoop()
    let ours = try Bell.hang()
    let theirs = try Bell.hang()
    mailbox = ForwardMailbox(loopBell: ours.bell, threadBell: theirs.bell)
    ear = Ear(ours.relinquishEar())
    try watchSignals()
    try load()
    try ForwardThread.launch(mailbox, ear: theirs.relinquishEar())
  }

  /// Runs until it is told to end, and returns the exit code.
  func runUntilEnd() throws(Errno) -> Int32 {
    report.ready()
    look()
    return try loop.run()
  }

  private func watchSignals() throws {
    watches.append(
      try Watch(
        ear.descriptor,
        ownedBy: ear,
        for: .readable,
        priority: .normal,
        on: loop
      ) { [unowned self] _ in
        ear.descriptor.hearBell()
        look()
      }
    )
    watches.append(
      try CompanionSignals(
        report.manager,
        on: loop,
        onStop: { [unowned self] in
          report.stopping()
          loop.exit(0)
        },
        onReload: { [unowned self] in reload() }
      )
    )
    alarm = try Timer(on: .monotonic, priority: .normal, on: loop) { [unowned self] in look() }
  }

  // MARK: Status

  /// Tells the news of the thread; numbers go to the service manager alone, a change of the
  /// condition to the journal, too.
  private func look() {
    alarm?.arm(afterMicroseconds: Self.lookEvery)
    let news = mailbox.takeNews()
    for remark in news.remarks {
      report.say(.warning, "Note: \(remark.words).", remark.message.id, reason: remark.words)
    }
    if case .engineAway(_, let reason) = news.condition {
      report.status(news.condition.kind, .warning, ForwardMessage.engineAway.id, reason: reason)
    } else {
      report.status(news.condition.kind)
    }
    if news.condition.sentence != lastSentence {
      lastSentence = news.condition.sentence
      report.manager.status(lastSentence)
    }
    guard !hasForgottenStart, case .forwarding = news.condition else { return }
    // The code of the start is not needed for sending.
    Machine.forgetStart()
    hasForgottenStart = true
  }

  // MARK: Settings

  private func reload() {
    report.reloading()
    do {
      try load()
      report.say(.info, "The settings were read again.")
    } catch {
      report.say(.error, "The settings cannot be taken over: \(error).")
    }
    report.ready()
  }

  private func load() throws {
    let loaded = LoadedCompanionSettings<ForwardSettings>(
      name: Self.settingsName,
      option: options.configuration
    )
    var settings = loaded.settings
    var complaints = loaded.complaints
    if let file = loaded.file, settings.hasSecrets, !Self.isPrivate(file) {
      settings = settings.withoutSecrets
      complaints.append(Complaint(file, "passwords are left out: others may read the file"))
    }
    for file in settings.nats.secretFiles where !Self.isPrivate(file) {
      complaints.append(Complaint(file, "others may read the file, or it is not there"))
    }
    complain(complaints)
    let bus = options.socket ?? BusPath.reader
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

  private static func isPrivate(_ path: String) -> Bool {
    (try? File.isPrivateToUs(path)) ?? false
  }

  private func complain(_ complaints: [Complaint]) {
    guard !complaints.isEmpty else { return }
    let reason = Complaints(complaints).sentence
    report.say(
      .warning,
      "Settings are left out: \(reason).",
      ForwardMessage.settingsMistaken.id,
      reason: reason
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
