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
final class SimRun {
  let dice: Dice
  let weather: Weather
  let clock: SimClock
  let disk: SimDisk
  let judge = Judge()
  let maker: EventMaker
  let chronicle: Chronicle
  let trace: Trace
  let canary: Canary?
  private let crowd: SimCrowd
  private let deeds: Deeds
  private let misfortunes: Misfortunes
  private(set) var process: BusProcess?
  /// The mark in the runtime directory, which a reboot empties.
  private var left: Cursor?
  /// Misfortunes of the disk that this life has met, as far as it is known to its clients.
  private var misfortunesBefore = 0
  private var unreadBefore = 0
  private var lives = 0
  /// This life's start was told to be done, and its log was read.
  private var hasBegun = false
  /// Looks at the disk after each step.
  var onStep: ((SimDisk) -> Void)?
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
    misfortunes = Misfortunes(dice, weather, clock, disk)
    maker = EventMaker(dice)
    chronicle = Chronicle(judge, maker)
    crowd = SimCrowd(chronicle, weather)
    deeds = Deeds(dice, chronicle, weather, trace)
    chronicle.busLast = { [weak self] in self?.process?.last ?? 0 }
    crowd.listen(canary?.tampering, dice, trace)
  }

  /// Runs to the end, or to the first divergence.
  func run() -> Divergence? {
    beginLife(expectsEpoch: nil)
    while judge.divergence == nil, judge.step < steps {
      judge.step += 1
      step()
      if disk.isFrozen { endSuddenly() }
      noteTrouble()
      onStep?(disk)
    }
    if judge.divergence == nil { finishRun() }
    return judge.divergence
  }

  /// Runs all steps in one life and stops well, without another start.
  func runOnce() -> Divergence? {
    beginLife(expectsEpoch: nil)
    while judge.divergence == nil, judge.step < steps {
      judge.step += 1
      step()
    }
    isLast = true
    if judge.divergence == nil { finishRun() }
    return judge.divergence
  }

  // MARK: Steps

  private func step() {
    guard process != nil else { return beginLife(expectsEpoch: nil) }
    switch dice.below(100) {
    case 0..<40: act(dice.pick(crowd.clients))
    case 40..<75: serve()
    case 75..<84: pass()
    case 84..<94: synchronize()
    case 94..<97: meetMisfortune()
    default: if dice.chance(35) { endLife() } else { serve() }
    }
  }

  private func act(_ client: SimClient) {
    guard client.isConnected else { return connect(client) }
    deeds.act(client, in: crowd, retained: retained)
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

  /// Moves bytes, and lets the bus serve some of those who are ready.
  private func serve() {
    guard let process else { return }
    crowd.writeAll()
    process.serve(among: dice, all: false)
    settleTurn()
    for client in crowd.clients {
      _ = client.readReplies(weather.choppy ? dice.within(1...weather.linkBytes * 2) : .max)
    }
    _ = crowd.auditor.readReplies(.max)
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
    guard let words = misfortunes.meet() else { return serve() }
    trace.note(judge.step, words)
  }

  /// Tells the world how the turn went: whether the disk has failed, where the log begins.
  private func settleTurn() {
    noteTrouble()
    let first = retained
    crowd.tell(retained: first)
    if weather.retains { chronicle.retain(from: first) }
  }

  private func noteTrouble() {
    // A read that fails once is tried again.
    if disk.unread > unreadBefore + 1 { chronicle.isUnreadable = true }
    guard disk.misfortunes > misfortunesBefore else { return }
    chronicle.isHealthy = false
    chronicle.unseen.insert(.storage)
    crowd.isTroubled = true
  }

  /// The oldest entry that the log may still have.
  private var retained: Int64 { process?.first ?? 1 }

  // MARK: Lives

  /// Starts the bus on what is on the disk, and reads all of it.
  private func beginLife(expectsEpoch: Bool?) {
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
    crowd.isTroubled = false
    do throws(Errno) {
      process = try BusProcess(place)
    } catch {
      if disk.isFrozen { return endSuddenly() }
      judge.check(
        disk.misfortunes > misfortunesBefore,
        expected: "a start on a disk that does its work",
        came: "\(error)"
      )
      disk.recover()
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
      settings: weather.settings,
      lies: canary == .lyingDisk,
      forgets: canary == .forgottenEvents,
      left: left,
      epoch: .fresh(dice),
      onReport: { [weak self] text in self?.hear(text) },
      noteLeft: { [weak self] cursor in
        if let self, !disk.isFrozen { left = cursor }
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

  /// Reads the whole log and holds it against what an honest reader has found on the disk.
  private func audit(against reading: DiskReading) {
    let wholeWeather = disk.misfortunes
    settleTurn()
    connectAuditor()
    guard run(until: { self.crowd.auditor.view?.isCaughtUp ?? false }, "the audit to reach the end")
    else { return }
    chronicle.expectsEpoch = nil
    chronicle.checkEpoch(opened: process?.opened, retained: retained)
    guard disk.misfortunes == wholeWeather, disk.unread == unreadBefore,
      let view = crowd.auditor.view
    else { return }
    chronicle.compare(reading, from: retained, gaps: view.gaps)
    chronicle.checkClaims()
    chronicle.checkDecisions(isOver: false)
    hasBegun = true
    if dice.chance(40) { crowd.auditor.leave() }
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
      crowd.writeAll()
      process?.serve(among: dice, all: true)
      settleTurn()
      crowd.readAll()
      if rounds.isMultiple(of: 8) {
        process?.syncing.perform()
        if process?.syncing.hasAnswer ?? false { process?.takeSyncAnswer() }
        clock.advance(300_000)
        disk.wall = clock.wall
        process?.ring()
        settleTurn()
      }
      if !crowd.auditor.isConnected, process != nil { connectAuditor() }
    }
    return true
  }

  /// No life follows this one.
  private var isLast = false

  private func connectAuditor() {
    connect(crowd.auditor)
    let all = Asked.Wish(from: .start, filter: nil, isLatest: false, hasState: false)
    crowd.auditor.subscribe(all)
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
      disk.losePower(ending ?? nil)
      trace.note(judge.step, "after that: \(disk.summary)")
      chronicle.mayHaveLostHeaders = true
      mayHaveForgotten = true
      clock.reboot(after: Int64(dice.pick([1, 40, 3_600, 200_000])) * 1_000_000)
      left = nil
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
    crowd.readToTheEnd()
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
    crowd.leaveAll { weather.retains ? DiskReading(disk).first ?? 1 : 1 }
  }

  private func afterwards(expectsEpoch: Bool?) {
    SecretSearch(chronicle).judge(disk)
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
      disk.recover()
    }
    beginLife(expectsEpoch: expectsEpoch)
  }

  // MARK: The end

  /// Everything comes to rest, the bus is stopped, and one more start shows what is there.
  private func finishRun() {
    trace.note(judge.step, "the run comes to its end")
    disk.recover()
    disk.lastCall = nil
    if disk.isFrozen { endSuddenly() }
    disk.lastCall = nil
    var attempts = 0
    while process == nil, attempts < 3 {
      beginLife(expectsEpoch: nil)
      disk.lastCall = nil
      if disk.isFrozen { endSuddenly() }
      attempts += 1
    }
    guard judge.divergence == nil, process != nil else { return }
    if !crowd.auditor.isConnected { connectAuditor() }
    for client in crowd.clients { client.isStalled = false }
    rest()
    outlast()
    guard judge.divergence == nil else { return }
    stop()
    guard judge.divergence == nil, process != nil else { return }
    rest()
    // An app whose forgetting a crash has undone has decided what cannot be told any more. Behind
    // a power cut that comes while an app is away, the model of the start may know less than a
    // replay.
    guard judge.divergence == nil else { return }
    guard chronicle.forgettings.isEmpty, !weather.powerCuts else { return }
    ReplayCheck(disk).judge(judge)
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
    guard judge.divergence == nil, crowd.auditor.isConnected else { return }
    chronicle.checkDecisions(isOver: true)
  }

  /// Serves until nobody waits for anything, and the bus has nothing left to do.
  private func rest() {
    var calm = 0
    let isDone = {
      // The bus still works on input of clients that have left.
      let isCalm =
        (self.process?.isIdle ?? true)
        && self.crowd.isCalm
      calm = isCalm ? calm + 1 : 0
      return calm > 40
    }
    guard run(until: isDone, "everybody to be answered and caught up") else { return }
    if !crowd.auditor.isConnected { return }
    chronicle.checkClaims()
    let last = process?.last ?? 0
    judge.check(
      crowd.auditor.view?.position == last,
      expected: "crowd.auditor: everything up to \(last), the last entry that there is",
      came: "up to \(crowd.auditor.view?.position ?? 0)"
    )
    crowd.close(retained: retained)
  }
}

/// The steps of a run in words; kept only where somebody wants to see them.
final class Trace {
  private let isKept: Bool
  private let isPrinted: Bool
  private(set) var lines: [String] = []

  init(isKept: Bool, isPrinted: Bool) {
    self.isKept = isKept
    self.isPrinted = isPrinted
  }

  var isWanted: Bool { isKept || isPrinted }

  func note(_ step: Int, _ words: @autoclosure () -> String) {
    guard isWanted else { return }
    let line = "step \(step): \(words())"
    if isPrinted { say(line) }
    if isKept { lines.append(line) }
  }
}
