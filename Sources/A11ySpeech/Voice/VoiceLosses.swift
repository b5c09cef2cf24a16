// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// Losses of the voice, and their repairs: all that the passing of time brings.
extension Voice {
  /// Does everything whose time has come.
  package mutating func elapse(to now: Int64) {
    if let until = hidden?.until, until <= now { giveUpSecret(at: now) }
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
