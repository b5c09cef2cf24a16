// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yDaemon
import A11yPresenter
import A11yLog
import A11yPosix
import A11yRules
import A11yWire

/// The bus with everything that the daemon would put around it: timers, links, and a syncer.
final class BusProcess {
  private let bus: Bus
  private let clock: SimClock
  let syncing: SimSyncing
  private var links: [SimLink] = []
  /// When which alarm rings, by the machine's clock; nil while it is not set.
  private var syncAlarm: Int64?
  private var checkpointAlarm: Int64?
  private var healingAlarm: Int64?
  private var retentionAlarm: Int64
  /// Whether the recovery has begun a new epoch.
  let isNewEpoch: Bool
  /// The seq of the `opened` entry of this start.
  let opened: Int64

  /// As the daemon sets them.
  private static let syncDelay: Int64 = 500_000
  private static let healingDelay: Int64 = 1_000_000
  private static let retentionDelay: Int64 = 600_000_000

  /// The disk, the clock and the settings that a process starts with.
  struct Place {
    let disk: SimDisk
    let clock: SimClock
    let settings: Settings
    /// Whether the disk says that it has synced though it has not.
    let lies: Bool
    /// The start has lost what the presenter knew.
    let forgets: Bool
    let left: Cursor?
    let epoch: Epoch
    let onReport: (_ text: String) -> Void
    let noteLeft: (_ cursor: Cursor) -> Void
  }

  init(_ place: Place) throws(Errno) {
    let disk = place.disk
    clock = place.clock
    let found = try Recovery<BrokerState>(
      on: disk,
      StartCircumstances(
        boot: clock.boot,
        uptime: clock.uptime,
        wall: clock.wall,
        left: place.left,
        epoch: place.epoch
      )
    ) { _, _ in }
    syncing = SimSyncing(disk)
    syncing.lies = place.lies
    let log = EventLog(
      found,
      policy: place.settings.log.policy,
      syncing: syncing,
      mono: found.clock.mono(uptime: clock.uptime)
    )
    isNewEpoch = log.opening.isNewEpoch
    // Rules, and what was left to be decided, come behind it.
    opened = log.last.number + 1
    place.noteLeft(log.cursor)
    let inForce = log.cursor.epoch
    let onReport = place.onReport
    bus = Bus(
      log: log,
      settings: place.settings,
      environment: BusEnvironment(
        time: clock,
        report: OperatorReport(to: { _, text in onReport(text) }),
        uid: 1_000,
        language: .english,
        onLeave: { _, _ in },
        noteLeft: { last in place.noteLeft(Cursor(epoch: inForce, seq: last)) }
      ),
      state: place.forgets ? Self.forgetting(found.state) : found.state,
      rules: .defaults
    )
    retentionAlarm = clock.uptime + Self.retentionDelay
    setAlarms()
  }

  /// The same without anything that waited.
  private static func forgetting(_ state: BrokerState) -> BrokerState {
    BrokerState(presenter: Presenter(rules: .defaults), keys: state.keys)
  }

  /// The oldest entry that the log has.
  var first: Int64 { bus.log.first.number }

  var last: Int64 { bus.last.number }

  var epoch: String { bus.epoch.hex }

  /// When something happens by itself, by the machine's clock.
  var due: Int64? { bus.due.map { Int64($0) } }

  /// Whether there is nothing that it could go on with by itself.
  var isIdle: Bool {
    !bus.isBehind && !bus.hasLogWork && !bus.wantsReload
      && links.allSatisfy { $0.isClosed || $0.readiness.isEmpty }
  }

  var isInTrouble: Bool { bus.isInTrouble }

  func admit(_ link: SimLink, uid: UInt32) {
    links.append(link)
    bus.admit(LinkEnd(link), uid: uid, role: .bus)
  }

  /// Serves those who are ready; not always all of them, and in any order, but one who is left out
  /// comes next time.
  func serve(among dice: Dice, all: Bool) {
    links.removeAll { $0.isClosed }
    var ready: [Ready] = []
    for link in links {
      guard let token = link.token, !link.readiness.isEmpty, all || dice.chance(80) else {
        continue
      }
      ready.insert(
        Ready(token: token, readiness: link.readiness),
        at: all ? ready.count : dice.below(ready.count + 1)
      )
    }
    defer { for link in links { link.pass() } }
    guard !ready.isEmpty || bus.isBehind else { return }
    bus.serve(ready)
    setAlarms()
  }

  func takeSyncAnswer() {
    bus.takeSyncAnswer()
    setAlarms()
  }

  /// Rings the alarms whose time has come.
  func ring() {
    if Self.isDue(&syncAlarm, clock.uptime) { bus.synchronize() }
    if Self.isDue(&healingAlarm, clock.uptime) { bus.heal() }
    if Self.isDue(&checkpointAlarm, clock.uptime) { bus.checkpoint() }
    if clock.uptime >= retentionAlarm {
      bus.retain()
      retentionAlarm = clock.uptime + Self.retentionDelay
    }
    if let due, clock.uptime >= due { bus.wake() }
    if bus.wantsReload { reload() }
    if bus.hasLogWork { bus.tendLog() }
    setAlarms()
  }

  /// The rules in the files, which are others with every second reload.
  private var rules = RuleSet.defaults
  private var reloads = 0
  private static let quiet: RuleSet = {
    var rule = Rule("quiet")
    rule.settings.burst = 1
    return RuleSet(RuleSet.defaults.rules + [rule])
  }()

  private func reload() {
    reloads += 1
    if reloads.isMultiple(of: 2) { rules = rules == .defaults ? Self.quiet : .defaults }
    bus.apply(rules: rules)
    bus.answerReloads([])
  }

  private static func isDue(_ alarm: inout Int64?, _ now: Int64) -> Bool {
    guard let time = alarm, now >= time else { return false }
    alarm = nil
    return true
  }

  private func setAlarms() {
    let now = clock.uptime
    if syncAlarm == nil, bus.hasUnsynced { syncAlarm = now + Self.syncDelay }
    if healingAlarm == nil, bus.isInTrouble { healingAlarm = now + Self.healingDelay }
    if checkpointAlarm == nil, bus.needsCheckpoint {
      checkpointAlarm = now + Int64(Subscription.checkpointDelay)
    }
  }

  /// Ends as the daemon does when it is asked to.
  func stop() { bus.close() }
}

/// The bus's end of a simulated connection; it closes with its last holder, as a descriptor does.
private final class LinkEnd: Link {
  private let link: SimLink

  init(_ link: SimLink) { self.link = link }

  deinit { link.close() }

  func receive(into buffer: UnsafeMutableRawBufferPointer) -> UnixStream.Received {
    link.receive(into: buffer)
  }

  func send(_ bytes: Span<UInt8>) -> UnixStream.Sent { link.send(bytes) }

  func send(from file: any DiskFile, at offset: Int64, count: Int) throws(Errno) -> Int {
    try sendCopy(from: file, at: offset, count: count)
  }

  func watch(for interest: Readiness, as token: UInt64) throws(Errno) {
    try link.watch(for: interest, as: token)
  }
}
