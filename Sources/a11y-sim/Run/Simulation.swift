// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yDaemon
import A11yPosix
import A11yWire

/// One run: the real bus on a clock, a disk and sockets that a seed commands, and a judge beside
/// it.
///
/// The bus lives several lives on the same disk. Each begins with an audit, in which the whole log
/// is read and held against what an honest reader finds on the disk; then clients come and go, time
/// passes, misfortunes happen, and it ends in one of the ways in which processes end. The last life
/// ends well, and one more start reads everything once more.
final class Simulation {
  let dice: Dice
  let weather: Weather
  let clock: SimClock
  let disk: SimDisk
  let judge = Judge()
  let maker: EventMaker
  let chronicle: Chronicle
  let trace: Trace
  let canary: Canary?
  var clients: [SimClient] = []
  private var auditor: SimClient
  private(set) var process: BusProcess?
  /// The flag in the runtime directory, which a reboot empties.
  var runtimeFlag = false
  /// Misfortunes of the disk that this life has met, as far as it is known to its clients.
  private var misfortunesBefore = 0
  private var unreadBefore = 0
  private var lives = 0
  /// This life's start was told to be done, and its log was read.
  private var hasBegun = false
  /// Looks at the disk after each step.
  var watches: ((SimDisk) -> Void)?
  /// How a sudden end ends, where that is not left to chance: by a power cut of this kind, or by a
  /// kill.
  var ending: FileImage.Loss??
  /// The last call of the life behind a sudden end, counted from its beginning.
  var secondEnd: Int?
  /// The disk has failed in the last life, or has lost its power behind it: what it was told last
  /// of what is safe may be gone.
  private var mayHaveForgotten = false
  /// The disk was damaged since the last life.
  private var hasRotted = false
  private let steps: Int
  /// What the disk must not have lost, should the life end now.
  private var ownsUp = true

  convenience init(seed: UInt64, steps: Int, trace: Trace, canary: Canary?) {
    let dice = Dice(seed: seed)
    self.init(dice, Weather(dice), steps: steps, trace: trace, canary: canary)
  }

  /// A run in weather that somebody has chosen.
  init(_ dice: Dice, _ weather: Weather, steps: Int, trace: Trace, canary: Canary?) {
    self.dice = dice
    self.steps = steps
    self.trace = trace
    self.canary = canary
    self.weather = weather
    clock = SimClock(dice)
    clock.strain = weather.slowMachine ? 900 : 0
    disk = SimDisk(Dice(seed: dice.next()))
    maker = EventMaker(dice)
    chronicle = Chronicle(judge, maker)
    auditor = SimClient(chronicle, app: "auditor", uid: 1_000, isReader: false)
    for index in 0..<weather.clients {
      clients.append(
        SimClient(
          chronicle,
          app: "app\(index % 3)",
          uid: 1_000 + UInt32(index / 3),
          isReader: false
        )
      )
    }
    for index in 0..<weather.readers {
      clients.append(SimClient(chronicle, app: "reader\(index)", uid: 1_000, isReader: true))
    }
    chronicle.busLast = { [weak self] in self?.process?.last ?? 0 }
    for client in clients + [auditor] {
      client.tampers = canary?.tampering(dice)
      guard trace.isWanted else { continue }
      client.hears = { [judge] client, line in
        trace.note(judge.step, "\(client.app) hears \(shown(line))")
      }
    }
  }

  /// Runs to the end, or to the first divergence.
  func run() -> Divergence? {
    begin(expectsEpoch: nil)
    while judge.divergence == nil, judge.step < steps {
      judge.step += 1
      step()
      if disk.isFrozen { endSuddenly() }
      noteTrouble()
      watches?(disk)
    }
    if judge.divergence == nil { finish() }
    return judge.divergence
  }

  /// Runs all steps in one life and stops well, without another start.
  func runOnce() -> Divergence? {
    begin(expectsEpoch: nil)
    while judge.divergence == nil, judge.step < steps {
      judge.step += 1
      step()
    }
    isLast = true
    if judge.divergence == nil { finish() }
    return judge.divergence
  }

  // MARK: Steps

  private func step() {
    guard process != nil else { return begin(expectsEpoch: nil) }
    switch dice.below(100) {
    case 0..<40: act(dice.pick(clients))
    case 40..<75: serve()
    case 75..<84: pass()
    case 84..<94: synchronize()
    case 94..<97: meetMisfortune()
    default: if dice.chance(35) { endLife() } else { serve() }
    }
  }

  private func act(_ client: SimClient) {
    guard client.isConnected else { return connect(client) }
    if client.isReader, client.isSubscribed, dice.chance(60) {
      return client.report(maker, dice)
    }
    switch dice.below(100) {
    case 0..<55:
      let count = dice.once(in: 8) ? dice.within(5...20) : dice.within(1...3)
      for _ in 0..<count { client.publish(maker.make(app: client.app, uid: client.uid)) }
      trace.note(judge.step, "\(client.app) publishes \(count)")
    case 55..<60: client.ping()
    case 60..<65: client.askState(at: pastSeq())
    case 65..<82:
      if !client.isSubscribed, !client.hasAskedToSubscribe {
        let wish = wish(client)
        trace.note(judge.step, "\(client.app): \(wish.request)")
        client.subscribe(wish)
      }
    case 82..<86: if client.isSubscribed, !client.isBusy { client.unsubscribe() }
    case 86..<93: client.isStalled.toggle()
    case 93:
      guard weather.forgets else { return client.isStalled.toggle() }
      trace.note(judge.step, "\(client.app) has \(clients[0].app) forgotten")
      client.forget(clients[0].app)
    default:
      trace.note(judge.step, "\(client.app) vanishes")
      client.leave()
    }
  }

  private func connect(_ client: SimClient) {
    guard let process else { return }
    trace.note(judge.step, "\(client.app) connects")
    let link = SimLink(
      Dice(seed: dice.next()),
      room: weather.linkBytes,
      isChoppy: weather.choppy,
      hasStopped: { [disk] in disk.isFrozen }
    )
    client.connect(link)
    client.retained = retained
    process.admit(link, uid: client.uid)
  }

  private func wish(_ client: SimClient) -> Asked.Wish {
    if let habit = client.habit, let cursor = client.lastCursor, dice.chance(70) {
      let from = Asked.Wish.From.cursor(epoch: cursor.epoch, seq: cursor.seq)
      return Asked.Wish(
        from: from,
        filter: habit.filter,
        isLatest: habit.isLatest,
        hasState: dice.chance(30)
      )
    }
    let from: Asked.Wish.From
    switch dice.below(10) {
    case 0..<4: from = .now
    case 4..<8: from = .start
    case 8:
      from = .cursor(
        epoch: dice.chance(70) ? chronicle.epoch : dice.hex(32),
        seq: Int64(dice.below(Int(chronicle.top) + 5))
      )
    default: from = .cursor(epoch: chronicle.epoch, seq: chronicle.top + 1_000_000)
    }
    return Asked.Wish(
      from: from,
      filter: filter(),
      isLatest: dice.chance(20),
      hasState: dice.chance(30)
    )
  }

  /// An entry of which the state is asked: as a rule one of which it was asked before.
  private func pastSeq() -> Int64? {
    switch dice.below(10) {
    case 0: nil
    case 1..<4: Int64(dice.within(Int(max(1, retained - 1))...Int(max(retained, chronicle.top))))
    default: chronicle.toldStates.isEmpty ? nil : dice.pick(chronicle.toldStates)
    }
  }

  private func filter() -> SimFilter? {
    var filter = SimFilter()
    switch dice.below(10) {
    case 0: filter.types = ["announcement"]
    case 1: filter.apps = [dice.pick(["app0", "app1", "nobody"])]
    case 2: filter.windows = ["w1"]
    case 3: filter.priorities = ["high", "default"]
    case 4:
      filter.types = ["elements", "layout-changed"]
      filter.elements = ["e1", "pw"]
    default: return nil
    }
    return filter
  }

  /// Moves bytes, and lets the bus serve some of those who are ready.
  private func serve() {
    guard let process else { return }
    for client in clients + [auditor] { _ = client.write() }
    process.serve(among: dice, all: false)
    settleTurn()
    for client in clients {
      _ = client.read(weather.choppy ? dice.within(1...weather.linkBytes * 2) : .max)
    }
    _ = auditor.read(.max)
  }

  private func pass() {
    let time = Int64(dice.pick([100, 5_000, 100_000, 700_000, 3_000_000]))
    trace.note(judge.step, "\(time) µs pass")
    clock.advance(time)
    if !(process?.syncing.hasAnswer ?? false), dice.chance(30) { disk.evict() }
    disk.wall = clock.wall
    process?.ring()
    settleTurn()
  }

  private func synchronize() {
    guard let process else { return }
    if process.syncing.isAsked {
      trace.note(judge.step, "the disk is asked")
      process.syncing.perform()
    }
    if dice.chance(70), process.syncing.hasAnswer {
      noteTrouble()
      process.takeSyncAnswer()
      trace.note(judge.step, "the disk has answered")
    }
    settleTurn()
  }

  private func meetMisfortune() {
    switch dice.below(4) {
    case 0 where weather.clockSteps:
      let step = Int64(dice.pick([-3_600, -5, 7, 86_400 * 3])) * 1_000_000
      trace.note(judge.step, "the wall clock is set by \(step) µs")
      clock.step(step)
    case 1 where weather.diskFaults:
      if !disk.faults.isEmpty || disk.capacity != nil {
        trace.note(judge.step, "the disk is well again")
        disk.faults = []
        disk.capacity = nil
      } else {
        strikeDisk()
      }
    case 2 where weather.suddenEnds:
      let calls = dice.within(1...30)
      trace.note(judge.step, "\(calls) calls are left")
      disk.lastCall = disk.calls + calls
    default: serve()
    }
  }

  private func strikeDisk() {
    if dice.chance(25) {
      disk.capacity = disk.used + dice.below(3_000)
      trace.note(judge.step, "the disk is full at \(disk.capacity ?? 0)")
      return
    }
    let effect = dice.pick([
      DiskFault.Effect.fails(.inputOutput), .fails(.noSpace), .fails(.readOnlyFileSystem),
      .fails(.diskQuotaExceeded), .fails(.fileTooLarge), .isShort,
    ])
    let calls: DiskCall =
      dice.pick([.all, .write, .synchronize, [.create, .rename], .changing])
    let fault = DiskFault(
      effect,
      calls: calls,
      after: dice.below(10),
      isLasting: dice.chance(60)
    )
    trace.note(judge.step, "the disk: \(fault.effect), lasting \(fault.isLasting)")
    disk.faults = [fault]
  }

  /// Tells the world how the turn went: whether the disk has failed, where the log begins.
  private func settleTurn() {
    noteTrouble()
    let first = retained
    for client in clients + [auditor] { client.retained = first }
    if weather.retains { chronicle.retain(from: first) }
  }

  private func noteTrouble() {
    // A read that fails once is tried again.
    if disk.unread > unreadBefore + 1 { chronicle.isUnreadable = true }
    guard disk.misfortunes > misfortunesBefore else { return }
    chronicle.isHealthy = false
    chronicle.unseen.insert(.storage)
    for client in clients + [auditor] { client.isTroubled = true }
  }

  /// The oldest entry that the log may still have.
  private var retained: Int64 { process?.first ?? 1 }

  // MARK: Lives

  /// Starts the bus on what is on the disk, and reads all of it.
  private func begin(expectsEpoch: Bool?) {
    lives += 1
    hasBegun = false
    misfortunesBefore = disk.misfortunes
    unreadBefore = disk.unread
    disk.wall = clock.wall
    if lives > 1, let calls = secondEnd {
      disk.lastCall = disk.calls + calls
      secondEnd = nil
    } else if weather.suddenEnds, lives > 1, dice.once(in: 6) {
      disk.lastCall = disk.calls + dice.within(1...40)
    }
    let reading = DiskReading(disk)
    chronicle.isHealthy = true
    chronicle.isUnreadable = false
    chronicle.expectsEpoch = expectsEpoch
    for client in clients + [auditor] { client.isTroubled = false }
    do throws(Errno) {
      process = try BusProcess(place)
    } catch {
      if disk.isFrozen { return endSuddenly() }
      judge.check(
        disk.misfortunes > misfortunesBefore,
        expected: "a start on a disk that does its work",
        came: "\(error)"
      )
      disk.faults = []
      disk.capacity = nil
      disk.killProcess()
      return
    }
    // The clock goes on from the last entry that can be read.
    if hasRotted, disk.misfortunes > misfortunesBefore { chronicle.isClockLost = true }
    if hasRotted { chronicle.overwrite(from: process?.opened ?? 1, isNoted: !mayHaveForgotten) }
    hasRotted = false
    if disk.isFrozen { return endSuddenly() }
    chronicle.epoch = process?.epoch ?? ""
    chronicle.opened = process.flatMap { $0.isNewEpoch ? $0.opened : nil }
    // A log that is begun in memory is in an epoch of its own.
    if disk.misfortunes > misfortunesBefore { chronicle.expectsEpoch = nil }
    if let process, !process.isNewEpoch {
      chronicle.goOn(with: process.epoch, at: process.opened, reading)
    }
    trace.note(judge.step, "life \(lives) begins, epoch \(chronicle.epoch)")
    audit(against: reading)
  }

  private var place: BusProcess.Place {
    BusProcess.Place(
      disk: disk,
      clock: clock,
      settings: settings,
      lies: canary == .lyingDisk,
      forgets: canary == .forgottenEvents,
      isUnkept: runtimeFlag,
      epoch: .fresh(dice),
      tells: { [weak self] text in self?.hear(text) },
      onUnkept: { [weak self] isSo in
        if let self, !disk.isFrozen { runtimeFlag = isSo }
      }
    )
  }

  /// Judges the bus's words to its operator; of a disk that can be read everything is delivered.
  private func hear(_ text: String) {
    trace.note(judge.step, "the bus says: \(text)")
    judge.check(
      !text.contains("could not be fed") || disk.isFrozen || disk.unread > unreadBefore,
      expected: "everybody to be fed",
      came: text
    )
  }

  private var settings: Settings {
    var settings = Settings.withoutRules
    settings.log.segmentBytes = ByteCount(weather.segmentBytes)
    settings.log.retainAge = nil
    settings.log.retainEntries = weather.retainEntries
    settings.log.retainBytes = weather.retainBytes.map { ByteCount($0) }
    return settings
  }

  /// Reads the whole log and holds it against what an honest reader has found on the disk.
  private func audit(against reading: DiskReading) {
    let wholeWeather = disk.misfortunes
    settleTurn()
    connect(auditor)
    auditor.subscribe(Asked.Wish(from: .start, filter: nil, isLatest: false, hasState: false))
    guard run(until: { self.auditor.view?.isCaughtUp ?? false }, "the audit to reach the end")
    else { return }
    chronicle.expectsEpoch = nil
    judge.check(
      chronicle.epochs.last?.hex == chronicle.epoch,
      expected: "epoch \(chronicle.epochs.last?.hex ?? "")",
      came: chronicle.epoch
    )
    // It may have been dropped before anybody read it.
    if let opened = process?.opened, opened >= retained {
      judge.check(
        chronicle.known[opened]?.about.epoch == chronicle.epoch,
        expected: "an opened entry for epoch \(chronicle.epoch)",
        came: chronicle.known[opened].map { shown($0.line) } ?? "none"
      )
    }
    guard disk.misfortunes == wholeWeather, disk.unread == unreadBefore, let view = auditor.view
    else { return }
    for (seq, line) in reading.entries.sorted(by: { $0.key < $1.key })
    where seq >= retained
      && !(chronicle.known[seq].map { chronicle.isRight(line, for: $0) } ?? false)
    {
      judge.blame(
        expected: "entry \(seq), which is on the disk: \(shown(line))",
        came: chronicle.known[seq].map { shown($0.line) }
          ?? "gaps \(view.gaps.map { "\($0.lowerBound) to \($0.upperBound)" })"
      )
    }
    chronicle.checkClaims()
    chronicle.checkDecisions(isOver: false)
    hasBegun = true
    if dice.chance(40) { auditor.leave() }
  }

  /// Serves until something has come to be; false where that does not happen, or not any more.
  private func run(until isDone: () -> Bool, _ words: String) -> Bool {
    var rounds = 0
    while !isDone() {
      guard judge.divergence == nil else { return false }
      if disk.isFrozen || process == nil { return false }
      rounds += 1
      guard rounds < 20_000 else {
        judge.blame(expected: words, came: "no end after \(rounds) rounds")
        return false
      }
      for client in clients + [auditor] { _ = client.write() }
      process?.serve(among: dice, all: true)
      settleTurn()
      for client in clients + [auditor] { _ = client.read(.max) }
      if rounds.isMultiple(of: 8) {
        process?.syncing.perform()
        if process?.syncing.hasAnswer ?? false { process?.takeSyncAnswer() }
        clock.advance(300_000)
        disk.wall = clock.wall
        process?.ring()
        settleTurn()
      }
      if !auditor.isConnected, process != nil, !isEnding { reconnectAuditor() }
    }
    return true
  }

  private let isEnding = false
  /// No life follows this one.
  private var isLast = false

  private func reconnectAuditor() {
    // The bus has asked the auditor to come again.
    connect(auditor)
    auditor.subscribe(Asked.Wish(from: .start, filter: nil, isLatest: false, hasState: false))
  }

  /// The disk has taken its last call of this life.
  private func endSuddenly() {
    let isPower =
      ending.map { $0 != nil } ?? (weather.powerCuts && (!weather.kills || dice.chance(50)))
    trace.note(judge.step, "the end comes in the middle of a call")
    die(byPower: isPower)
  }

  private func endLife() {
    switch dice.below(3) {
    case 0 where weather.kills: die(byPower: false)
    case 1 where weather.powerCuts: die(byPower: true)
    case 2: stop()
    default: break
    }
  }

  private func die(byPower: Bool) {
    trace.note(judge.step, byPower ? "the power goes" : "the process is killed")
    let isTroubled = disk.misfortunes > misfortunesBefore
    let isWhole = hasBegun
    // The last call may have removed one more.
    if weather.retains { chronicle.retain(from: max(retained, DiskReading(disk).first ?? 1)) }
    leaveAll()
    trace.note(judge.step, "on the disk: \(disk.summary)")
    if byPower {
      if let loss = ending ?? nil { disk.losePower(loss) } else { disk.losePower() }
      trace.note(judge.step, "after that: \(disk.summary)")
      chronicle.mayHaveLostHeaders = true
      mayHaveForgotten = true
      clock.reboot(after: Int64(dice.pick([1, 40, 3_600, 200_000])) * 1_000_000)
      runtimeFlag = false
    } else {
      disk.killProcess()
    }
    chronicle.crash(
      DiskReading(disk),
      needs: byPower ? .synced : .written,
      retained: weather.retains,
      excused: isTroubled
    )
    chronicle.unseen.formUnion([.storage, .corruption])
    afterwards(expectsEpoch: byPower || isTroubled || !isWhole ? nil : false)
  }

  /// Ends a life as a service manager does.
  private func stop() {
    trace.note(judge.step, "the bus is stopped")
    guard let process else { return }
    let isTroubled = disk.misfortunes > misfortunesBefore
    process.stop()
    for client in clients + [auditor] { while client.read(.max) {} }
    if disk.isFrozen { return endSuddenly() }
    let isWell = !isTroubled && disk.misfortunes == misfortunesBefore
    leaveAll()
    if isWell {
      trace.note(judge.step, "on the disk: \(disk.summary)")
      chronicle.close()
      disk.losePower()
    } else {
      disk.killProcess()
    }
    let isRestarted = dice.chance(30)
    if isRestarted { disk.restartMachine() }
    chronicle.crash(
      DiskReading(disk),
      needs: isWell ? .synced : .written,
      retained: weather.retains,
      excused: !isWell
    )
    if isRestarted { clock.reboot(after: 60_000_000) } else { clock.advance(500_000) }
    afterwards(expectsEpoch: isWell ? false : nil)
  }

  /// Nobody is left of this life.
  private func leaveAll() {
    mayHaveForgotten = disk.misfortunes > misfortunesBefore
    process = nil
    for client in clients + [auditor] { client.leave() }
    let first = weather.retains ? DiskReading(disk).first ?? 1 : 1
    for client in clients + [auditor] {
      for view in client.finished { view.close(retained: first, isAtRest: false) }
      client.finished = []
    }
  }

  private func afterwards(expectsEpoch: Bool?) {
    searchSecrets()
    guard judge.divergence == nil, !isLast else { return }
    var expectsEpoch = expectsEpoch
    if weather.rot, dice.chance(50) {
      let reading = DiskReading(disk)
      let words = Rot(disk, dice).strike()
      trace.note(judge.step, "meanwhile: \(words)")
      chronicle.damage(from: reading, to: DiskReading(disk))
      expectsEpoch = nil
      hasRotted = true
    }
    canary?.strike(disk, dice)
    if dice.chance(70) {
      disk.faults = []
      disk.capacity = nil
    }
    begin(expectsEpoch: expectsEpoch)
  }

  private func searchSecrets() {
    let gone = chronicle.goneEvents.map { ($0.token, Array("\"ttl_ms\":\($0.token)".utf8)) }
    for name in disk.fileNames where !gone.isEmpty {
      guard let bytes = disk.content(name) else { continue }
      for (token, words) in gone where bytes.contains(words) {
        judge.blame(expected: "event \(token) to be forgotten", came: "a word of it in \(name)")
      }
    }
    for name in disk.fileNames {
      guard let bytes = disk.content(name), bytes.contains(EventMaker.secretMark) else { continue }
      judge.blame(expected: "no secret in \(name)", came: "one")
    }
  }

  // MARK: The end

  /// Everything comes to rest, the bus is stopped, and one more start shows what is there.
  private func finish() {
    trace.note(judge.step, "the run comes to its end")
    disk.faults = []
    disk.capacity = nil
    disk.lastCall = nil
    if disk.isFrozen { endSuddenly() }
    disk.lastCall = nil
    var attempts = 0
    while process == nil, attempts < 3 {
      begin(expectsEpoch: nil)
      disk.lastCall = nil
      if disk.isFrozen { endSuddenly() }
      attempts += 1
    }
    guard judge.divergence == nil, process != nil else { return }
    if !auditor.isConnected { reconnectAuditor() }
    for client in clients { client.isStalled = false }
    rest()
    outlast()
    guard judge.divergence == nil else { return }
    stop()
    guard judge.divergence == nil, process != nil else { return }
    rest()
  }

  /// Lets time pass until nothing waits to be heard any more.
  private func outlast() {
    var rounds = 0
    while judge.divergence == nil, let due = process?.due {
      rounds += 1
      guard rounds < 20_000 else {
        return judge.blame(expected: "an end of what waits", came: "none after \(rounds) alarms")
      }
      clock.advance(max(0, due - clock.uptime))
      disk.wall = clock.wall
      process?.ring()
      serve()
    }
    rest()
    guard judge.divergence == nil, auditor.isConnected else { return }
    chronicle.checkDecisions(isOver: true)
  }

  /// Serves until nobody waits for anything, and the bus has nothing left to do.
  private func rest() {
    var calm = 0
    let isDone = {
      // The bus still works on input of clients that have left.
      let isCalm =
        (self.process?.isIdle ?? true)
        && (self.clients + [self.auditor]).allSatisfy { client in
          !client.isBusy && (client.view?.isCaughtUp ?? true) && !client.hasMore
        }
      calm = isCalm ? calm + 1 : 0
      return calm > 40
    }
    guard run(until: isDone, "everybody to be answered and caught up") else { return }
    if !auditor.isConnected { return }
    chronicle.checkClaims()
    let last = process?.last ?? 0
    judge.check(
      auditor.view?.position == last,
      expected: "auditor: everything up to \(last), the last entry that there is",
      came: "up to \(auditor.view?.position ?? 0)"
    )
    for client in clients + [auditor] {
      guard let view = client.view else { continue }
      if view.filter == nil, !view.isLatest {
        judge.check(
          view.position == chronicle.top,
          expected: "\(client.app): everything up to \(chronicle.top)",
          came: "up to \(view.position)"
        )
      }
      view.close(retained: retained, isAtRest: true)
    }
  }
}
