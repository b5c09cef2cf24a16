// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// Losses of the voice, and their repairs: all that the passing of time brings.
extension Voice {
  /// Does everything whose time has come.
  package mutating func elapse(to now: Int64) {
    giveUpSecret(hidden.takeLate(at: now), at: now)
    if let until = sound?.until, until <= now { playSound(at: now) }
    for utterance in cut where utterance.due.map({ $0 <= now }) ?? false {
      cut.removeAll { $0.message == utterance.message }
      reportCut(utterance, at: now)
    }
    if let due = dialogue.due, due <= now { missAnswer(at: now) }
    if let due = currentDue, due <= now { miss(at: now) }
    if repair.takeRetry(at: now) { startMending(by: .restart, at: now) }
    lookAgain(at: now)
    tellProgress(at: now)
    startNext(at: now)
  }

  private mutating func playSound(at now: Int64) {
    guard let path = takeSound(), link == .ready, current == nil, waiting.isEmpty else { return }
    let manner = settings.manner(for: nil)
    waiting.append(Utterance(nil, MarkedText([], sound: path), manner, at: now))
  }

  /// A command was not answered in time, which on a busy machine may be late alone.
  private mutating func missAnswer(at now: Int64) {
    if mend != nil { return dialogue = SsipDialogue() }
    if watch.works(at: now), dialogue.waitOn(at: now) { return }
    repair.countLoss()
    restart("speech-dispatcher did not answer for 2 s", at: now)
  }

  /// The current message has not begun, come on or ended in time.
  private mutating func miss(at now: Int64) {
    guard let utterance = current else { return }
    if utterance.hasWaitedForOthers(at: now) { return giveWay(at: now) }
    let name = synthesizer(of: utterance)
    let what = utterance.began == nil ? "\(name) did not begin" : "\(name) fell silent"
    lose(what, at: now)
  }

  /// Another program has spoken for too long, and nothing needs a repair.
  private mutating func giveWay(at now: Int64) {
    giveUp("another program spoke for \(Self.longestWait / 60_000_000) minutes", at: now)
    command(.cancel, at: now)
  }

  /// Tells the current message to be lost; the caller has it cancelled.
  private mutating func giveUp(_ reason: String, at now: Int64) {
    guard var utterance = current else { return }
    reportLost(utterance, reason)
    current = nil
    utterance.isLost = true
    expectEnd(of: utterance, at: now)
  }

  mutating func lose(_ reason: String, at now: Int64) {
    let hadBegun = current?.began != nil
    giveUp(reason, at: now)
    if repair.needsProof { return proceed(repair.failProof(), because: reason, at: now) }
    repair.countLoss()
    // A synthesizer that ends in the middle leaves speech-dispatcher in such a state that it throws
    // the next message away.
    guard repair.isFirst, !hadBegun else {
      command(.cancel, at: now)
      return restart(reason, at: now)
    }
    acts.append(.tell(.repairing(reason: reason)))
    // Another program may be speaking, and be the reason for the wait: only our own message goes.
    revive(cancelling: "SELF", at: now)
  }

  /// Has speech stopped, and then synthesizers started that have ended.
  private mutating func revive(cancelling scope: String, at now: Int64) {
    command(.cancelAndRevive(scope), at: now)
    repair.rest(until: now + VoiceRepair.answering)
  }

  private mutating func reportLost(_ utterance: Utterance?, _ reason: String) {
    guard let seq = utterance?.delivery else { return }
    report(SpeechReport(of: seq, .lost, reason: Self.reason(reason)))
  }

  mutating func loseAll(_ reason: String, at now: Int64) {
    for utterance in cut { reportCut(utterance, at: now) }
    cut = []
    reportLost(current, reason)
    current = nil
  }

  mutating func reopen(because reason: String) {
    link = .opening
    acts += [.tell(.repairing(reason: reason)), repair.isFirst ? .connect : .restart]
    if !repair.isFirst { repair.demandProof() }
  }

  mutating func restart(_ reason: String, at now: Int64) {
    if repair.needsProof { return proceed(repair.failAltogether(), because: reason, at: now) }
    repair.demandProof()
    reconnect(by: .restart, because: reason, at: now)
  }

  /// Goes on with a repair whose proof has failed.
  mutating func proceed(
    _ step: VoiceRepair.Step,
    because reason: String,
    at now: Int64
  ) {
    switch step {
    // Where nobody can be seen, somebody else may be speaking.
    case .revive: revive(cancelling: watch.isSeen ? "ALL" : "SELF", at: now)
    case .replace: reconnect(by: .replace, because: reason, at: now)
    case .giveUp: fallSilent(reason, at: now)
    }
  }

  private mutating func reconnect(by act: VoiceAct, because reason: String, at now: Int64) {
    loseAll(reason, at: now)
    acts.append(.tell(.repairing(reason: reason)))
    startMending(by: act, at: now)
  }

  /// There is no way to sound: the bus may give its words to another reader, until there is.
  mutating func fallSilent(_ reason: String, at now: Int64) {
    loseAll(reason, at: now)
    for utterance in waiting { reportLost(utterance, reason) }
    if let seq = hidden?.delivery.seq {
      report(SpeechReport(of: seq, .lost, reason: Self.reason(reason)))
    }
    (waiting, hidden, sound, mend) = ([], nil, nil, nil)
    dialogue = SsipDialogue()
    link = .closed
    repair.demandProof()
    repair.retryLater(at: now)
    acts += [.able(false), .tell(.noSound(reason: reason))]
  }
}

/// The losses of the voice in a row, and the steps against them.
///
/// After the first loss speech-dispatcher is asked to start its synthesizers anew. After the second
/// one it is started anew itself, and has to prove with a moment of silence that sound comes
/// through before anything is entrusted to it. Without that proof the synthesizers are started anew
/// once more, and then speech-dispatcher is replaced, whoever has started it: a synthesizer that
/// ends in the middle of a text may leave a mark in it for ever, and then it never speaks again.
/// Without any proof there is no sound, and the proof is tried again after ten seconds, and then
/// ever more rarely.
struct VoiceRepair: Equatable {
  /// The time in which speech-dispatcher starts a synthesizer.
  static let reviving: Int64 = 500_000
  /// The time in which speech-dispatcher answers that it has stopped everything.
  static let answering: Int64 = 2_500_000
  private static let firstRetry: Int64 = 10_000_000
  private static let longestRetry: Int64 = 60_000_000

  /// The step behind a proof that has failed.
  enum Step {
    /// Synthesizers that were ended are missed with the first proof, and are started then.
    case revive
    case replace
    case giveUp
  }

  private var losses = 0
  private(set) var needsProof = false
  private var proofs = 0
  /// Whether speech-dispatcher was replaced since the last message.
  private var hasReplaced = false
  /// Synthesizers that have told how far they come.
  private var marking: Set<String> = []
  private static let mostMarking = 64
  private var restsUntil: Int64?
  private var retry: Int64?
  private var nextWait = firstRetry

  /// Whether the last message was spoken, and nothing is owed.
  var isHealthy: Bool { losses == 0 && !needsProof }

  /// Whether no message was spoken between two losses, and this is the first one.
  var isFirst: Bool { losses <= 1 }

  func lets(speakAt now: Int64) -> Bool { restsUntil.map { $0 <= now } ?? true }

  var due: Int64? { [restsUntil, retry].compactMap { $0 }.min() }

  mutating func countLoss() { losses += 1 }

  mutating func rest(until time: Int64) { restsUntil = time }

  mutating func demandProof() {
    needsProof = true
    proofs = 0
    restsUntil = nil
  }

  mutating func retryLater(at now: Int64) {
    retry = now + nextWait
    nextWait = min(nextWait * 2, Self.longestRetry)
  }

  /// Whether it is time to try again, which then is done once.
  mutating func takeRetry(at now: Int64) -> Bool {
    if let until = restsUntil, until <= now { restsUntil = nil }
    guard let time = retry, time <= now else { return false }
    retry = nil
    return true
  }

  /// Takes a failed proof, and tells what to do next.
  mutating func failProof() -> Step {
    proofs += 1
    return proofs == 1 ? .revive : failAltogether()
  }

  /// Takes the loss of a speech-dispatcher that owes a proof, and tells what to do next.
  mutating func failAltogether() -> Step {
    defer { hasReplaced = true }
    return hasReplaced ? .giveUp : .replace
  }

  /// Takes the end of a message, and tells whether it ends a repair.
  mutating func succeed() -> Bool {
    defer { (losses, needsProof, hasReplaced, nextWait) = (0, false, false, Self.firstRetry) }
    return needsProof || losses > 0
  }

  /// Whether a synthesizer tells how far it comes; those by eSpeak do.
  func expectsMarks(of synthesizer: String) -> Bool {
    synthesizer.hasPrefix("espeak") || marking.contains(synthesizer)
  }

  /// Takes a mark, after which further ones are expected of this synthesizer.
  mutating func seeMark(of synthesizer: String) {
    if marking.count < Self.mostMarking { marking.insert(synthesizer) }
  }
}

/// What the processes behind speech-dispatcher were last seen doing.
///
/// A synthesizer that speaks for another program tells us nothing, and within a long word it tells
/// nothing either; but whoever plays sound works. One that hangs does nothing, and so does one that
/// waits for a sound server that hangs. So the time that the busiest process has used is the sign
/// of life. Where no process can be seen, deadlines by the length of the text stand in for it.
struct VoiceWatch: Equatable {
  private static let interval: Int64 = 1_000_000
  /// The longest pause between two looks that can be compared.
  private static let memory: Int64 = 2_500_000
  /// The work of a process that plays, at least: a thousandth of the time.
  ///
  /// With speech-dispatcher 0.11.4 the one that plays uses fifty thousandths, and an idle one two
  /// ten-thousandths.
  private static let leastShare: Int64 = 1_000

  /// The moment of the last look.
  private var last: Int64?
  private(set) var due: Int64?
  private(set) var stirred: Int64?
  /// Whether there were processes to be seen.
  private(set) var isSeen = false
  /// Whether nothing stirred between the last two looks.
  private var isStill = false

  /// Has the next look wait for something to happen.
  mutating func begin(at now: Int64) { due = now + Self.interval }

  /// Takes the time that the busiest process has worked since the last look, and returns the
  /// moment since which that is; nil where it tells nothing.
  mutating func see(_ work: Int64?, at now: Int64) -> Int64? {
    let before = last
    (last, due, isSeen, isStill) = (now, now + Self.interval, work != nil, false)
    guard let work, let before, now > before, now - before <= Self.memory else { return nil }
    isStill = work * Self.leastShare < now - before
    guard !isStill else { return nil }
    stirred = now
    return before
  }

  /// Whether something was at work a moment ago.
  func works(at now: Int64) -> Bool { stirred.map { now - $0 < Self.memory } ?? false }

  /// Whether nobody would miss the processes: they do nothing, or are not to be seen at all.
  func isHarmless(at now: Int64) -> Bool {
    guard let last, now - last < 2 * Self.interval else { return false }
    return !isSeen || isStill
  }
}

/// Waits: how long for whom, and what the bus is told meanwhile.
extension Voice {
  /// A message that nothing is before begins within some milliseconds.
  private static let beginPatience: Int64 = 3_000_000
  /// The time beyond the estimate in which the next mark or the end has to come.
  private static let markPatience: Int64 = 5_000_000
  /// The time for which a message that is spoken may be without any sign of life.
  private static let stillPatience: Int64 = 4_000_000
  /// The time that a word may take beyond six times its estimate, with signs of life.
  private static let wordPatience: Int64 = 10_000_000
  /// The longest wait for others that speak.
  static let longestWait: Int64 = 300_000_000
  /// The bus wants to be told at least every five seconds.
  static let tellInterval: Int64 = 4_000_000

  /// The moment by which something has to be heard of the current message.
  ///
  /// The wait for others ends while they still speak; every other wait ends for want of signs.
  var currentDue: Int64? {
    guard let utterance = current, let given = utterance.given else { return nil }
    guard let began = utterance.began, let passed = utterance.passed else {
      let end = (utterance.stirred ?? given) + Self.beginPatience
      return min(end, utterance.came + Self.longestWait)
    }
    // A sound or a proof is over within half a second.
    guard utterance.delivery != nil else { return began + Self.beginPatience }
    let marks = repair.expectsMarks(of: synthesizer(of: utterance))
    let mark = marks ? utterance.mark ?? 0 : nil
    let estimate =
      Int64(utterance.spoken.weight(behind: mark)) * utterance.manner.longestCharacter
    guard watch.isSeen else { return passed + 2 * estimate + Self.markPatience }
    let sign = utterance.lastSign ?? passed
    return min(sign + Self.stillPatience, passed + 6 * estimate + Self.wordPatience)
  }

  // MARK: Looking

  private var isWatching: Bool { current != nil || !dialogue.isIdle || mend != nil }

  var lookDue: Int64? { isWatching ? watch.due : nil }

  mutating func lookAgain(at now: Int64) {
    guard let due = lookDue, due <= now else { return }
    watch.begin(at: now)
    acts.append(.look)
  }

  /// Takes the time that the busiest process behind speech-dispatcher has worked since the last
  /// look, in microseconds; nil where none is to be seen.
  package mutating func observe(work: Int64?, at now: Int64) {
    let since = watch.see(work, at: now)
    // What was done before the message came is no sign of it.
    if let since, let given = current?.given, since >= given { current?.stirred = now }
    goOnMending(at: now)
  }

  // MARK: Mending

  /// Ends processes and connects anew, as soon as nobody is spoken for.
  mutating func startMending(by act: VoiceAct, at now: Int64) {
    mend = (act, now)
    goOnMending(at: now)
    guard mend != nil else { return }
    watch.begin(at: now)
    acts.append(.look)
  }

  mutating func goOnMending(at now: Int64) {
    guard let wanted = mend else { return }
    let isLate = now - wanted.since >= Self.longestWait
    guard watch.isHarmless(at: now) || isLate else { return }
    (mend, dialogue, link) = (nil, SsipDialogue(), .opening)
    // What still works then is left alone.
    acts.append(watch.isHarmless(at: now) ? wanted.act : .connect)
  }

  // MARK: Telling

  /// The utterance of the bus that is spoken, or would be if nothing were before it.
  var awaited: Utterance? {
    current?.delivery == nil ? waiting.first { $0.delivery != nil } : current
  }

  var tellDue: Int64? { awaited == nil ? nil : tells }

  /// Tells the bus how far the current text has come, if there was a sign of it.
  mutating func tellProgress(at now: Int64) {
    guard let due = tells, due <= now, let utterance = awaited, let seq = utterance.delivery else {
      return
    }
    tells = now + Self.tellInterval
    guard let began = utterance.began else {
      let sign = current?.stirred ?? (mend == nil ? nil : watch.stirred)
      guard let sign, now - sign < Self.tellInterval, now - utterance.came < Self.longestWait
      else { return }
      return report(SpeechReport(of: seq, .progress, heard: 0))
    }
    // Where no process is to be seen, the deadline by the text's length is all there is.
    let sign = watch.isSeen ? utterance.lastSign ?? began : now
    guard now - sign < Self.tellInterval else { return }
    let heard = (sign - began) / 1_000
    report(SpeechReport(of: seq, .progress, heard: heard, mark: utterance.senderMark))
  }
}
