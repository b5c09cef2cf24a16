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

  init(_ plan: ForwardPlan, _ address: EngineAddress) throws(ForwardFailure) {
    subject = plan.machine.subject
    aliveSubject = plan.machine.aliveSubject
    settings = plan.nats
    link = try NatsLink(address.servers, plan.nats)
    sender = NatsSender(link, subject)
  }

  var caution: String? { nil }

  // MARK: The newest entry

  func last() throws(ForwardFailure) -> EngineLast? {
    let request = #"{"last_by_subj":"\#(subject)"}"#
    var answer = try inquire("STREAM.MSG.GET", request)
    if answer.code == JetStreamAnswer.Code.noStream {
      try makeStream()
      answer = try inquire("STREAM.MSG.GET", request)
    }
    if answer.code == JetStreamAnswer.Code.noMessage {
      sender.begin(behind: 0)
      return nil
    }
    let message = try StoredMessage(answer)
    sender.begin(behind: message.number)
    guard let line = EngineLine(message.line) else {
      throw .engine("the newest message of \(subject) is none of ours")
    }
    return EngineLast(.epoch(message.epoch), seq: line.seq, forgotten: line.forgotten)
  }

  private func makeStream() throws(ForwardFailure) {
    let answer = try inquire(
      "STREAM.CREATE",
      #"{"name":"\#(settings.stream)","subjects":["a11yd.*.log"],"retention":"limits","#
        + #""storage":"file","num_replicas":\#(settings.replicas),"allow_atomic":true}"#
    )
    if let words = answer.refusal { throw .engine("the stream cannot be made: \(words)") }
  }

  func handOver(_ batch: Batch, _ epochs: EpochLine) throws(ForwardFailure) {
    try sender.sendAll(batch, epochs)
  }

  func check() throws(ForwardFailure) { try link.check() }

  // MARK: Signs of life

  func keep(_ sign: SignOfLife) throws(ForwardFailure) -> String? {
    if let answer = try link.submit(aliveSubject, sign.text) {
      return try JetStreamAnswer(answer).refusal
    }
    let lifetime = "\(SignOfLife.lifetime)000000000"
    let made = try link.submit(
      "$JS.API.STREAM.CREATE.\(settings.aliveStream)",
      #"{"name":"\#(settings.aliveStream)","subjects":["a11yd-alive.*"],"retention":"limits","#
        + #""max_msgs_per_subject":1,"max_age":\#(lifetime),"storage":"file","#
        + #""num_replicas":\#(settings.replicas)}"#
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
    var erasure = Erasure()
    let from = StoredPlace(range.lowerBound, epochs)
    let to = StoredPlace(range.upperBound, epochs)
    var next = try first(from, epochs)
    while let message = next, let place = message.storedPlace(in: epochs), place <= to {
      // The newest message stays: an older server would take the subject for empty.
      guard message.number != sender.lastNumber else { break }
      if !message.isGap {
        let answer = try inquire("STREAM.MSG.DELETE", #"{"seq":\#(message.number)}"#)
        // A question that was asked twice is refused, though the message is gone.
        if let words = answer.refusal,
          try self.message(from: message.number)?.number == message.number
        {
          erasure.refusal = words
        } else {
          erasure.erased += 1
        }
      }
      next = try self.message(from: message.number + 1)
    }
    return erasure
  }

  /// The first message of this machine at or behind a place in the log.
  private func first(
    _ place: StoredPlace,
    _ epochs: EpochLine
  ) throws(ForwardFailure) -> StoredMessage? {
    var (low, high): (Int64, Int64) = (1, sender.lastNumber + 1)
    var found: StoredMessage?
    while low < high {
      let middle = low + (high - low) / 2
      let message = try self.message(from: middle)
      if let message, let its = message.storedPlace(in: epochs), its < place {
        low = message.number + 1
      } else {
        high = middle
        found = message
      }
    }
    return found
  }

  /// The first message of this machine from a number of the stream on.
  private func message(from number: Int64) throws(ForwardFailure) -> StoredMessage? {
    let answer = try inquire(
      "STREAM.MSG.GET",
      #"{"seq":\#(number),"next_by_subj":"\#(subject)"}"#
    )
    return answer.code == JetStreamAnswer.Code.noMessage ? nil : try StoredMessage(answer)
  }

  private func inquire(_ what: String, _ body: String) throws(ForwardFailure) -> JetStreamAnswer {
    let subject = "$JS.API.\(what).\(settings.stream)"
    return try JetStreamAnswer(link.inquire(subject, body))
  }
}
