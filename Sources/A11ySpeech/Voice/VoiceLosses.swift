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
    if let due = dialogue.due, due <= now {
      repair.countLoss()
      restart("speech-dispatcher did not answer for 2 s", at: now)
    }
    if let due = current?.due, due <= now { miss(at: now) }
    if repair.takeRetry(at: now) {
      link = .opening
      acts.append(.restart)
    }
    startNext(at: now)
  }

  private mutating func playSound(at now: Int64) {
    guard let path = takeSound(), link == .ready, current == nil, waiting.isEmpty else { return }
    waiting.append(Utterance(nil, MarkedText([], sound: path), settings.manner(for: nil)))
  }

  /// The current message has not begun, come on or ended in time.
  private mutating func miss(at now: Int64) {
    guard let utterance = current else { return }
    let name = synthesizer(of: utterance)
    let what = utterance.began == nil ? "\(name) did not begin" : "\(name) fell silent"
    lose(what, at: now)
  }

  mutating func lose(_ reason: String, at now: Int64) {
    let hadBegun = current?.began != nil
    reportLost(current, reason)
    current = nil
    if repair.needsProof { return proceed(repair.failProof(), because: reason, at: now) }
    repair.countLoss()
    // A synthesizer that ends in the middle leaves speech-dispatcher in such a state that it throws
    // the next message away.
    guard repair.isFirst, !hadBegun else { return restart(reason, at: now) }
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
    case .revive: revive(cancelling: "ALL", at: now)
    case .replace: reconnect(by: .replace, because: reason, at: now)
    case .giveUp: fallSilent(reason, at: now)
    }
  }

  private mutating func reconnect(by act: VoiceAct, because reason: String, at now: Int64) {
    loseAll(reason, at: now)
    dialogue = SsipDialogue()
    link = .opening
    acts += [.tell(.repairing(reason: reason)), act]
  }

  /// There is no way to sound: the bus may give its words to another reader, until there is.
  mutating func fallSilent(_ reason: String, at now: Int64) {
    loseAll(reason, at: now)
    for utterance in waiting { reportLost(utterance, reason) }
    if let seq = hidden?.delivery.seq {
      report(SpeechReport(of: seq, .lost, reason: Self.reason(reason)))
    }
    (waiting, hidden, sound) = ([], nil, nil)
    dialogue = SsipDialogue()
    link = .closed
    repair.demandProof()
    repair.retryLater(at: now)
    acts += [.able(false), .tell(.noSound(reason: reason))]
  }
}
