// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yForward

/// The subject of this machine in a stream of NATS JetStream.
///
/// Each batch states the number of the last message of its subject, so that the server refuses an
/// entry that it has, or that comes behind one that it has not, however long ago that was.
final class NatsEngine: Engine {
  private let link: NatsLink
  private let subject: String
  private let aliveSubject: String
  private let settings: NatsSettings
  private let sender: NatsSender

  static let epochHeader: StaticString = "A11yd-Epoch"
  /// The epochs of the log, on an entry that says what was forgotten.
  static let epochsHeader: StaticString = "A11yd-Epochs"

  init(_ plan: ForwardPlan, _ address: EngineAddress) throws(ForwardFailure) {
    subject = plan.machine.subject
    aliveSubject = plan.machine.aliveSubject
    settings = plan.nats
    link = try NatsLink(address.servers, plan.nats, inbox: plan.machine.text)
    sender = NatsSender(link, subject)
  }

  var caution: String? { nil }

  // MARK: The newest entry

  func last() throws(ForwardFailure) -> EngineLast? {
    var newest = try link.newest(of: subject, in: settings.stream)
    if case .silence = newest {
      try makeStream()
      newest = try link.newest(of: subject, in: settings.stream)
    }
    guard let message = try stored(newest) else {
      try rehearse()
      sender.begin(behind: 0)
      return nil
    }
    try rehearse()
    sender.begin(behind: message.number)
    guard let line = EngineLine(message.line) else {
      throw .engine("the newest message of \(subject) is none of ours")
    }
    return EngineLast(.epoch(message.epoch), seq: line.seq, forgotten: line.forgotten)
  }

  private func stored(_ newest: NatsNewest) throws(ForwardFailure) -> StoredMessage? {
    switch newest {
    case .message(let message): return message
    case .nothing: return nil
    case .silence:
      throw .engine(
        "the stream \(settings.stream) does not answer: it is not there, or has no allow_direct,"
          + " or is about to elect a leader"
      )
    }
  }

  /// Makes the stream, where this machine may.
  private func makeStream() throws(ForwardFailure) {
    let answer: JetStreamAnswer
    do throws(ForwardFailure) {
      let subject = "$JS.API.STREAM.CREATE.\(settings.stream)"
      guard let bytes = try link.submit(subject, settings.logStreamWords) else { return }
      answer = try JetStreamAnswer(bytes)
    } catch {
      // A machine that may write to its own log alone makes none: an operator does.
      if case .forbidden = error { return }
      throw error
    }
    if answer.code == JetStreamAnswer.Code.otherSettings { return }
    if let words = answer.refusal { throw .engine("the stream cannot be made: \(words)") }
  }

  /// Makes sure that this machine may write, by a message that no stream can take.
  ///
  /// The bus is asked for nothing before: each hello to it is an entry.
  private func rehearse() throws(ForwardFailure) {
    let answer = try PublishAnswer(link.inquire(subject, "", headers: NatsSender.impossible))
    switch answer {
    case .refused(let code, _) where JetStreamAnswer.Code.wrongLast.contains(code): return
    case .refused(_, let words): throw .engine(words)
    case .taken, .staged: throw .engine("it takes messages without looking at what they follow")
    }
  }

  func handOver(_ batch: Batch, _ epochs: EpochLine) throws(ForwardFailure) {
    try sender.sendAll(batch, epochs)
  }

  /// Makes sure that the newest entry is still there: the stream may have been emptied, or made
  /// anew.
  func check() throws(ForwardFailure) {
    let number = try stored(link.newest(of: subject, in: settings.stream))?.number ?? 0
    guard number == sender.lastNumber else {
      throw .engine("its newest entry is \(number), and was \(sender.lastNumber) a moment ago")
    }
  }

  // MARK: Signs of life

  func keep(_ sign: SignOfLife) throws(ForwardFailure) -> String? {
    if let answer = try link.submit(aliveSubject, sign.text) {
      return try JetStreamAnswer(answer).refusal
    }
    let made = try link.submit(
      "$JS.API.STREAM.CREATE.\(settings.aliveStream)",
      settings.aliveStreamWords
    )
    guard let made else { return "no stream takes them, and none can be made" }
    if let words = try JetStreamAnswer(made).refusal {
      return "their stream cannot be made: \(words)"
    }
    guard let answer = try link.submit(aliveSubject, sign.text) else {
      return "no stream takes them"
    }
    return try JetStreamAnswer(answer).refusal
  }

  // MARK: Forgetting

  func erase(_ range: ClosedRange<Int64>, _ epochs: EpochLine) throws(ForwardFailure) -> Erasure {
    let eraser = NatsEraser(link: link, stream: settings.stream, subject: subject)
    do throws(ForwardFailure) {
      // In an account without streams nobody is there to be asked.
      guard try eraser.isReachable else { return .left }
      return try eraser.erase(range, epochs, before: sender.lastNumber)
    } catch {
      guard case .forbidden = error else { throw error }
      return .left
    }
  }
}
