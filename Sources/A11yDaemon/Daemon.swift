// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yToml
import A11yBroker
import A11yLog
import A11yPosix
import A11yWire
import Systemd

/// The process around the bus: where its sockets come from, when its alarms ring, how it ends.
package final class Daemon {
  private let loop: EventLoop
  private let reception: Reception
  private let bus: Bus
  private let lock: FileLock
  private let syncer: Syncer
  private let report: Report
  private let options: Options
  private let stateDirectory: String
  private let socketPath: String
  /// What keeps watching for as long as the daemon runs.
  private var watches: [AnyObject] = []
  private var syncAlarm: Timer?
  private var checkpointAlarm: Timer?
  private var statusAlarm: Timer?
  private var retentionAlarm: Timer?
  private var healingAlarm: Timer?
  private var logAlarm: Timer?
  private var errandAlarm: Timer?
  private var presenterAlarm: Timer?
  private var notifyAlarm: Timer?
  private var isStatusAlarmSet = false
  private var isSyncAlarmSet = false
  private var isCheckpointAlarmSet = false
  private var isHealingAlarmSet = false
  private var isLogAlarmSet = false
  private var isErrandAlarmSet = false
  private var isNotifyAlarmSet = false
  /// When the presenter is going to be woken.
  private var presenterDue: UInt64?

  /// Written entries are brought to the medium after this long, well within the loss window.
  private static let syncDelay: UInt64 = 500_000
  /// How soon after a turn `systemctl status` tells of it, and closed doors are tried again.
  private static let statusDelay: UInt64 = 1_000_000
  /// The time that a start may take for each further segment it has to read.
  private static let startPatience: UInt64 = 30_000_000
  /// How often a disk that takes nothing is tried again: the log is back within 5 s of its recovery.
  private static let healingDelay: UInt64 = 1_000_000
  /// Between two slices of work that nobody waits for, should nobody be there to be served.
  private static let logDelay: UInt64 = 1_000
  /// How soon the service manager is told what it had no room for.
  private static let notifyDelay: UInt64 = 100_000
  /// How often it is looked whether entries have become too old.
  private static let retentionDelay: UInt64 = 600_000_000

  /// Takes the sockets and the log; whoever connects now is served as soon as it runs.
  package init(
    _ options: Options,
    _ loaded: LoadedSettings,
    _ rules: LoadedRules,
    _ report: Report
  ) throws(StartFault) {
    self.options = options
    self.report = report
    let (places, settings) = (Places.ofThisProcess, loaded.settings)
    let premises = try Premises(options, loaded, places, report)
    let mistakes = loaded.complaints + premises.complaints
    let doors = premises.doors
    let state = premises.stateDirectory
    stateDirectory = state
    socketPath = doors.map { $0.listener.path ?? "a socket without a path" }
      .joined(separator: " and ")
    lock = premises.lock
    let manager = report.manager
    do throws(Errno) {
      let disk = try KernelDisk(state)
      let uptime = Int64(SystemClock.bootMicroseconds())
      let unkept = UnkeptFlag(of: try FileIdentity(path: state), in: places.runtime)
      let found = try Recovery<BrokerState>(
        on: disk,
        StartCircumstances(
          boot: try Machine.bootID(),
          uptime: uptime,
          wall: SystemClock.wallMicroseconds(),
          isUnkept: unkept.isSet,
          epoch: .random()
        )
      ) { done, total in
        manager.extendTimeout(microseconds: Self.startPatience)
        manager.status("Reading the log: \(done * 100 / total) percent")
      }
      loop = try EventLoop()
      syncer = try Syncer(directory: state)
      let log = EventLog(
        found,
        policy: settings.log.policy,
        syncing: syncer,
        mono: found.clock.mono(uptime: uptime)
      )
      Self.tell(log.opening, behind: found.last, report)
      unkept.set(log.trouble != nil)
      let reception = try Reception(
        report: report,
        limits: settings.limits,
        descriptors: A11yPosix.Limits.raiseOpenFiles()
      )
      self.reception = reception
      bus = Bus(
        log: log,
        settings: settings,
        surroundings: Surroundings(
          time: SystemClock(),
          report: report,
          uid: Environment.uid,
          hasLeft: { uid in reception.leave(uid) },
          hasUnkept: { isSo in unkept.set(isSo) }
        ),
        state: found.state,
        rules: rules.rules
      )
      leaveOut(mistakes, rules.complaints)
      for door in doors { try reception.add(door.listener, role: door.role) }
      try watch()
    } catch {
      throw StartFault(
        .state,
        "The log in \(state) cannot be used: \(error).",
        path: state,
        errno: error
      )
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
    do throws(Errno) {
      return try loop.run()
    } catch {
      report.manager.errno(error)
      report.say(.failed, "The event loop has failed: \(error).")
      return 70
    }
  }

  // MARK: Starting

  /// What the start has made of the log.
  private static func tell(_ opening: LogOpening, behind last: Seq, _ report: Report) {
    if opening.isNewEpoch {
      report.say(
        .newEpoch,
        "Entries may have left that are not on disk: a new epoch begins behind seq"
          + " \(last.number)."
      )
    }
    if let first = opening.knownFrom {
      report.say(
        .stateLost,
        "What was the case before seq \(first.number) is not known: no state of then could be read.",
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

  private func watch() throws(Errno) {
    watches.append(
      try Watch(
        reception.poll.descriptor,
        ownedBy: reception.poll,
        for: [.readable],
        priority: .normal,
        on: loop
      ) { [unowned self] _ in serve() }
    )
    watches.append(
      try Watch(
        syncer.answers,
        ownedBy: syncer,
        for: [.readable],
        priority: .high,
        on: loop
      ) { [unowned self] _ in takeSyncAnswer() }
    )
    for signal in [SignalWatch.Signal.terminate, .interrupt] {
      watches.append(
        try SignalWatch(signal, priority: .high, on: loop) { [unowned self] in stop() }
      )
    }
    watches.append(
      try SignalWatch(.hangUp, priority: .normal, on: loop) { [unowned self] in reload() }
    )
    syncAlarm = try Timer(on: .boot, priority: .normal, on: loop) { [unowned self] in
      isSyncAlarmSet = false
      bus.synchronize()
    }
    checkpointAlarm = try Timer(on: .boot, priority: .normal, on: loop) { [unowned self] in
      isCheckpointAlarmSet = false
      bus.checkpoint()
    }
    statusAlarm = try Timer(on: .boot, priority: .low, on: loop) { [unowned self] in
      isStatusAlarmSet = false
      reception.reopen()
      tellStatus()
    }
    healingAlarm = try Timer(on: .boot, priority: .normal, on: loop) { [unowned self] in
      isHealingAlarmSet = false
      bus.heal()
      setAlarms()
    }
    logAlarm = try Timer(on: .boot, priority: .low, on: loop) { [unowned self] in
      isLogAlarmSet = false
      bus.tendLog()
      setAlarms()
    }
    // Somebody waits for this: it takes turns with those who are ready.
    errandAlarm = try Timer(on: .boot, priority: .normal, on: loop) { [unowned self] in
      isErrandAlarmSet = false
      bus.tendLog()
      setAlarms()
    }
    presenterAlarm = try Timer(on: .boot, priority: .normal, on: loop) { [unowned self] in
      presenterDue = nil
      bus.wake()
      setAlarms()
    }
    retentionAlarm = try Timer(on: .boot, priority: .low, on: loop) { [unowned self] in
      bus.retain()
      setAlarms()
      retentionAlarm?.arm(afterMicroseconds: Self.retentionDelay)
    }
    retentionAlarm?.arm(afterMicroseconds: Self.retentionDelay)
    setAlarms()
    notifyAlarm = try Timer(on: .monotonic, priority: .high, on: loop) { [unowned self] in
      isNotifyAlarmSet = false
      report.manager.tellOwed()
      owe()
    }
    if let watchdog = try Watchdog(for: report.manager, on: loop) { watches.append(watchdog) }
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
    setAlarms()
  }

  private func takeSyncAnswer() {
    bus.takeSyncAnswer()
    setAlarms()
  }

  /// Sets the alarms that the last turn has given a reason for.
  private func setAlarms() {
    if !isSyncAlarmSet, bus.hasUnsynced {
      isSyncAlarmSet = true
      syncAlarm?.arm(afterMicroseconds: Self.syncDelay)
    }
    if !isStatusAlarmSet {
      isStatusAlarmSet = true
      statusAlarm?.arm(afterMicroseconds: Self.statusDelay)
    }
    if !isHealingAlarmSet, bus.isInTrouble {
      isHealingAlarmSet = true
      healingAlarm?.arm(afterMicroseconds: Self.healingDelay)
    }
    if bus.hasErrands {
      if !isErrandAlarmSet {
        isErrandAlarmSet = true
        errandAlarm?.arm(afterMicroseconds: 0)
      }
    } else if !isLogAlarmSet, bus.hasLogWork {
      isLogAlarmSet = true
      logAlarm?.arm(afterMicroseconds: Self.logDelay)
    }
    let due = bus.due
    if let due, due != presenterDue { presenterAlarm?.arm(atMicroseconds: due) }
    // One that rings without need does no harm, and the next turn sets it anew.
    presenterDue = due
    if !isCheckpointAlarmSet, bus.needsCheckpoint {
      isCheckpointAlarmSet = true
      checkpointAlarm?.arm(afterMicroseconds: Subscription.checkpointDelay)
    }
  }

  private func tellStatus() {
    let refused = bus.reloads.refused.map { "; not taken over: \($0)" } ?? ""
    report.status("Listening at \(socketPath): \(bus.status)\(refused)")
    owe()
  }

  /// Sees to it that the service manager gets what it had no room for.
  private func owe() {
    guard report.manager.isOwing, !isNotifyAlarmSet else { return }
    isNotifyAlarmSet = true
    notifyAlarm?.arm(afterMicroseconds: Self.notifyDelay)
  }

  /// Tells what of the files is not in force because of a mistake.
  private func leaveOut(_ settings: [Complaint], _ rules: [Complaint]) {
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

  /// Reads configuration and rules again; bad ones change nothing, neither the one nor the other.
  private func reload() {
    report.manager.reloading()
    let places = Places.ofThisProcess
    let loaded = LoadedSettings(option: options.configuration, places: places)
    let settings = loaded.settings
    let rules = LoadedRules(directories: places.ruleDirectories(settings))
    let mistakes = Complaints(loaded.complaints + rules.complaints)
    if mistakes.all.isEmpty {
      reception.limits = settings.limits
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
    tellStatus()
    setAlarms()
    report.manager.ready()
    owe()
  }

  private func stop() {
    report.manager.stopping()
    let isSafe = bus.close()
    report.say(
      .stopped,
      isSafe
        ? "Stopped, everything acknowledged is safe; last seq \(bus.last.number)."
        : "Stopped, last seq \(bus.last.number); entries that were not told to be written may be lost.",
      [.seq: "\(bus.last.number)"]
    )
    loop.exit(0)
  }
}
