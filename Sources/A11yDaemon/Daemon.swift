// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yHttp
import A11yLog
import A11yPosix
package import A11yToml
import A11yWire
import Systemd

/// The process around the bus: its sockets, its timers, its signals and its end.
package final class Daemon {
  private let loop: EventLoop
  private let reception: Reception
  /// Who sits at the machine, where that counts.
  private let seats: LoginSeats?
  /// All clients are of one user, the bus's own.
  private let isOneUsers: Bool
  private let bus: Bus
  /// Nil where nobody can ask for figures.
  private let metrics: HttpReception?
  private let lock: FileLock
  private let syncer: Syncer
  private let report: OperatorReport
  private let options: DaemonOptions
  private let stateDirectory: String
  private let socketPath: String
  /// The watches and signals, which end with this object.
  private var watches: [AnyObject] = []
  private var timers: DutyTimers?

  /// The time that a start may take for each further segment it has to read.
  private static let startPatience: UInt64 = 30_000_000

  /// Takes the sockets and the log; clients that connect now are served as soon as it runs.
  package init(
    _ options: DaemonOptions,
    _ loaded: LoadedSettings,
    _ rules: LoadedRules,
    _ report: OperatorReport
  ) throws(StartFault) {
    self.options = options
    self.report = report
    let (places, settings) = (Places.ofThisProcess, loaded.settings)
    let claimed = try ClaimedResources(options, loaded, places, report)
    let state = claimed.stateDirectory
    stateDirectory = state
    socketPath = claimed.socketPath
    (seats, isOneUsers) = (LoginSeats(), claimed.isOneUsers)
    lock = claimed.lock
    do throws(Errno) {
      let disk = try KernelDisk(state)
      let uptime = Int64(SystemClock.bootMicroseconds())
      let left = LeftMark(of: try FileIdentity(path: state), in: places.runtime)
      let found = try Self.recover(
        on: disk,
        StartCircumstances(
          boot: try Machine.bootID(),
          uptime: uptime,
          wall: SystemClock.wallMicroseconds(),
          left: left.cursor,
          epoch: .random()
        ),
        report.manager
      )
      loop = try EventLoop()
      syncer = try Syncer(directory: state)
      let log = EventLog(
        found,
        policy: settings.log.policy,
        syncing: syncer,
        mono: found.clock.mono(uptime: uptime)
      )
      Self.tell(log.opening, behind: found.last, report)
      left.begin(log.cursor)
      let reception = try Reception(
        report: report,
        limits: settings.limits,
        descriptors: Machine.raiseOpenFiles(),
        doors: claimed.doors
      )
      self.reception = reception
      bus = Bus(
        log: log,
        settings: settings,
        environment: BusEnvironment(
          time: SystemClock(),
          report: report,
          uid: Environment.uid,
          language: places.language,
          onLeave: reception.leave,
          noteLeft: { last in left.note(last) }
        ),
        state: found.state,
        rules: rules.rules
      )
      metrics = try Self.metricsReception(claimed.metrics, of: bus)
      tellMistakes(loaded.complaints + claimed.complaints, rules, loaded.warnings)
      lookAround()
      try watch()
    } catch {
      let words = "The log in \(state) cannot be used: \(error)."
      throw StartFault(.state, words, path: state, errno: error)
    }
  }

  /// Serves until it is told to stop, and returns the process's exit code.
  package func run() -> Int32 {
    report.announce(
      "a11yd: ready \(socketPath) epoch=\(bus.epoch.hex) last=\(bus.last.number)\n"
    )
    report.say(
      .started,
      "Ready at \(socketPath), log in \(stateDirectory), last seq \(bus.last.number).",
      [.seq: "\(bus.last.number)"]
    )
    tellStatus()
    report.manager.ready()
    Machine.forgetStart()
    timers?.schedule(.forgetStart)
    do throws(Errno) {
      return try loop.run()
    } catch {
      report.manager.errno(error)
      report.say(.failed, "The event loop has failed: \(error).")
      return 70
    }
  }

  // MARK: Starting

  /// Reads the log, while the service manager is told how far that has come.
  private static func recover(
    on disk: KernelDisk,
    _ circumstances: StartCircumstances,
    _ manager: Notifier
  ) throws(Errno) -> Recovery<BrokerState> {
    try Recovery<BrokerState>(on: disk, circumstances) { done, total in
      manager.extendTimeout(microseconds: startPatience)
      manager.status("Reading the log: \(done * 100 / total) percent")
    }
  }

  /// Tells the operator how the start has found the log.
  private static func tell(_ opening: LogOpening, behind last: Seq, _ report: OperatorReport) {
    if opening.isNewEpoch {
      report.say(
        .newEpoch,
        (opening.isCopy
          ? "The log was put back from a copy" : "Entries may have left that are not on disk")
          + ": a new epoch begins behind seq \(last.number)."
      )
    }
    if let first = opening.knownFrom {
      report.say(
        .stateLost,
        "The state before seq \(first.number) is not known: no state of that time could be"
          + " read.",
        [.seq: "\(first.number)"]
      )
    }
    guard !opening.damaged.isEmpty || opening.quarantined > 0 else { return }
    let pieces =
      switch opening.quarantined {
      case 0: ""
      case 1: "; 1 piece was put into \(Quarantine.folder)"
      case let count: "; \(count) pieces were put into \(Quarantine.folder)"
      }
    report.say(
      .damageFound,
      "The log is damaged: \(Bus.loss(opening.damaged))\(pieces)."
        + " a11yctl log verify tells more.",
      [.reason: "corruption"]
    )
  }

  private static func metricsReception(
    _ doors: [UnixListener],
    of bus: Bus
  ) throws(Errno) -> HttpReception? {
    guard !doors.isEmpty else { return nil }
    return try HttpReception(doors) { [unowned bus] head in
      MetricsAnswer.bytes(to: head) { bus.metrics }
    }
  }

  private func watch() throws(Errno) {
    if let metrics {
      try watch(metrics.poll.descriptor, of: metrics.poll) { [unowned self] in serveMetrics() }
    }
    try watch(reception.poll.descriptor, of: reception.poll) { [unowned self] in serve() }
    try watch(syncer.answers, of: syncer, .high) { [unowned self] in takeSyncAnswer() }
    if let seats {
      try watch(seats.descriptor, of: seats) { [unowned self] in
        lookAround()
        scheduleDuties()
      }
    }
    for signal in [SignalWatch.Signal.terminate, .interrupt] {
      watches.append(
        try SignalWatch(signal, priority: .high, on: loop) { [unowned self] in stop() }
      )
    }
    watches.append(
      try SignalWatch(.hangUp, priority: .normal, on: loop) { [unowned self] in reload() }
    )
    timers = try DutyTimers(on: loop) { [unowned self] duty in perform(duty) }
    timers?.schedule(.retention)
    scheduleDuties()
    if let watchdog = try Watchdog(for: report.manager, on: loop) { watches.append(watchdog) }
  }

  /// Tells the bus who sits at the machine: of its own user whether he is in the background; on the
  /// sockets of a machine, the users in front and all who are logged in.
  private func lookAround() {
    if isOneUsers {
      bus.seat(isAway: seats?.isInBackground(Environment.uid) ?? false)
    } else if let seats, let sitting = seats.sitting() {
      // Who sits there has logged in, whether or not the login manager has written that down yet.
      bus.seat(sitting.isEmpty ? nil : sitting, people: sitting + seats.people())
    } else {
      bus.seat(nil)
    }
  }

  /// Has something done whenever a descriptor, which `owner` keeps open, can be read.
  private func watch(
    _ descriptor: borrowing FileDescriptor,
    of owner: AnyObject,
    _ priority: EventPriority = .normal,
    _ onReadable: @escaping () -> Void
  ) throws(Errno) {
    watches.append(
      try Watch(descriptor, ownedBy: owner, for: [.readable], priority: priority, on: loop) { _ in
        onReadable()
      }
    )
  }

  // MARK: Running

  private func serve() {
    do throws(Errno) {
      try reception.serve(bus)
    } catch {
      report.manager.errno(error)
      report.say(.failed, "The sockets cannot be watched any more: \(error), stopping.")
      loop.exit(70)
      return
    }
    scheduleDuties()
  }

  /// Serves those who ask for figures; a fault there costs the figures alone.
  private func serveMetrics() {
    guard let metrics else { return }
    try? metrics.attend(at: SystemClock.bootMicroseconds())
    if let due = metrics.due { timers?.schedule(.metrics, atMicroseconds: due) }
  }

  private func takeSyncAnswer() {
    bus.takeSyncAnswer()
    scheduleDuties()
  }

  private func perform(_ duty: Duty) {
    switch duty {
    case .synchronize: bus.synchronize()
    case .checkpoint: bus.checkpoint()
    case .status:
      reception.reopen()
      tellStatus()
    case .notify:
      report.manager.tellOwed()
      notifyLater()
    case .metrics:
      metrics?.expire(at: SystemClock.bootMicroseconds())
      serveMetrics()
    case .heal:
      bus.heal()
      scheduleDuties()
    case .logWork, .errand:
      bus.tendLog()
      scheduleDuties()
    case .reload:
      // A signal may have come first.
      if bus.wantsReload { reload() }
    case .presenter:
      bus.wake()
      scheduleDuties()
    case .retention:
      bus.retain()
      scheduleDuties()
      timers?.schedule(.retention)
    case .forgetStart: Machine.forgetStart()
    }
  }

  /// Schedules the duties that the last turn has given a reason for.
  private func scheduleDuties() {
    guard let timers else { return }
    if bus.hasUnsynced { timers.schedule(.synchronize) }
    timers.schedule(.status)
    if bus.isInTrouble { timers.schedule(.heal) }
    if bus.hasErrands {
      timers.schedule(.errand)
    } else if bus.hasLogWork {
      timers.schedule(.logWork)
    }
    if bus.wantsReload { timers.schedule(.reload) }
    // Waking the presenter without need does no harm.
    if let due = bus.due { timers.schedule(.presenter, atMicroseconds: due) }
    if bus.needsCheckpoint { timers.schedule(.checkpoint) }
  }

  private func tellStatus() {
    let refused = bus.reloads.refused.map { "; not taken over: \($0)" } ?? ""
    report.status("Listening at \(socketPath): \(bus.status)\(refused)")
    notifyLater()
  }

  /// Has the service manager told later what it has no room for now.
  private func notifyLater() {
    if report.manager.isOwing { timers?.schedule(.notify) }
  }

  /// Tells the operator which settings and rules are left out because of a mistake, and what should
  /// be changed before a later version.
  private func tellMistakes(
    _ settings: [Complaint],
    _ loaded: LoadedRules,
    _ warnings: [Complaint]
  ) {
    warn(warnings + loaded.warnings)
    let rules = loaded.complaints
    guard !settings.isEmpty || !rules.isEmpty else { return }
    bus.reloads.begin(refused: Complaints(settings + rules).sentence)
    if !settings.isEmpty {
      let reason = Complaints(settings).sentence
      report.say(
        .configurationMistaken,
        "Settings are left out, the defaults are in force for them: \(reason)",
        [.reason: reason]
      )
    }
    if !rules.isEmpty {
      let reason = Complaints(rules).sentence
      report.say(
        .rulesLeftOut,
        "Rules are left out, those of all other files are in force: \(reason)",
        [.reason: reason]
      )
    }
  }

  /// Tells the operator what counts today, and will not in a later version.
  private func warn(_ warnings: [Complaint]) {
    guard !warnings.isEmpty else { return }
    let reason = Complaints(warnings).sentence
    report.say(.configurationAged, "Keys have new names: \(reason)", [.reason: reason])
  }

  /// Reads configuration and rules again; bad ones change nothing, neither the one nor the other.
  ///
  /// A signal and a request lead here; the request is answered when all else is done.
  private func reload() {
    report.manager.reloading()
    let places = Places.ofThisProcess
    let loaded = LoadedSettings(option: options.configuration, places: places)
    let settings = loaded.settings
    let rules = LoadedRules(directories: places.ruleDirectories(settings))
    let mistakes = Complaints(loaded.complaints + rules.complaints)
    if mistakes.all.isEmpty {
      reception.guestBook.limits = settings.limits
      bus.apply(settings)
      bus.apply(rules: rules.rules)
      report.apply(options.logLevel ?? settings.server.logLevel)
      bus.reloads.reloaded(refused: nil)
      let names = loaded.files + rules.files.map(\.path)
      let read = names.isEmpty ? "the defaults" : names.joined(separator: ", ")
      report.say(.configurationTakenOver, "The configuration was read again: \(read).")
    } else {
      let reason = mistakes.sentence
      bus.reloads.reloaded(refused: reason)
      report.say(
        .configurationRefused,
        "Configuration and rules are kept as they were: \(reason)",
        [.reason: reason]
      )
    }
    warn(loaded.warnings + rules.warnings)
    tellStatus()
    report.manager.ready()
    notifyLater()
    bus.answerReloads(mistakes.all)
    scheduleDuties()
  }

  private func stop() {
    report.manager.stopping()
    let isSafe = bus.close()
    report.say(
      .stopped,
      isSafe
        ? "Stopped, everything acknowledged is safe; last seq \(bus.last.number)."
        : "Stopped, last seq \(bus.last.number); entries that were not told to be written may be"
          + " lost.",
      [.seq: "\(bus.last.number)"]
    )
    loop.exit(0)
  }
}

/// Work that falls due though nobody is ready.
enum Duty: Int, CaseIterable {
  /// Written entries are to be brought to the medium.
  case synchronize
  /// Subscribers that were left out of entries are to hear how far they are.
  case checkpoint
  /// `systemctl status` is to be told of the last turns, and closed doors are tried again.
  case status
  /// The disk, which takes nothing, is to be tried again.
  case heal
  /// The log has work that nobody waits for.
  case logWork
  /// The log has work that somebody waits for.
  case errand
  /// Somebody has asked for configuration and rules to be read again.
  case reload
  /// The presenter is due.
  case presenter
  /// Entries may have become too old.
  case retention
  /// A connection to a metrics socket has had its time.
  case metrics
  /// The service manager is owed words that it had no room for.
  case notify
  /// Code and data that only the start has needed are to leave memory.
  case forgetStart

  /// How long after its reason the duty falls due, in microseconds; nil where the reason names a
  /// time.
  var delay: UInt64? {
    switch self {
    // Well within the loss window.
    case .synchronize: 500_000
    case .checkpoint: Subscription.checkpointDelay
    case .status: 1_000_000
    // The log is back within five seconds of the disk's recovery.
    case .heal: 1_000_000
    // Connections that are ready by then are served between two slices.
    case .logWork: 1_000
    case .errand, .reload: 0
    case .presenter, .metrics: nil
    case .retention: 600_000_000
    case .notify: 100_000
    // Behind the first of the other duties, which need some of the start's code once more.
    case .forgetStart: 1_500_000
    }
  }

  var priority: EventPriority {
    switch self {
    // An errand takes turns with the connections that are ready.
    case .synchronize, .checkpoint, .heal, .errand, .reload, .presenter, .metrics: .normal
    case .status, .logWork, .retention, .forgetStart: .low
    case .notify: .high
    }
  }

  var clock: Timer.Clock { self == .notify ? .monotonic : .boot }
}

/// The timers of the daemon, one for each duty.
struct DutyTimers {
  private let timers: [Timer]

  init(on loop: EventLoop, onDue: @escaping (Duty) -> Void) throws(Errno) {
    var timers: [Timer] = []
    for duty in Duty.allCases {
      let timer = try Timer(on: duty.clock, priority: duty.priority, on: loop) { onDue(duty) }
      timers.append(timer)
    }
    self.timers = timers
  }

  /// Has a duty fall due after its delay, unless it is scheduled already.
  func schedule(_ duty: Duty) {
    guard let delay = duty.delay else { preconditionFailure("\(duty) falls due at a time") }
    timers[duty.rawValue].armIfIdle(afterMicroseconds: delay)
  }

  /// Has a duty fall due at a time of its clock, whenever it was scheduled for before.
  func schedule(_ duty: Duty, atMicroseconds time: UInt64) {
    timers[duty.rawValue].arm(atMicroseconds: time)
  }
}
