// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yCompanion
import A11yForward
import A11yPosix
import A11yToml
import Glibc
import Systemd

/// The process of an operator that tends the streams of NATS, until it is ended.
///
/// It keeps nothing, and may be ended at any moment.
final class TendProgram {
  private let options: CompanionOptions
  private let words: ForwardOptions
  private let report = CompanionReport(program: ForwardProgram.name)
  private var backoff = Backoff(first: .milliseconds(200), longest: .seconds(2))

  private static let misconfigured: Int32 = 78

  init(_ options: CompanionOptions, _ words: ForwardOptions) {
    self.options = options
    self.words = words
  }

  /// Runs until it is ended; returns where there is nothing to tend.
  func tendUntilEnd() -> Int32 {
    let file = LoadedCompanionSettings(forwarder: options.configuration)
    for complaint in file.complaints {
      report.say(.warning, "Settings are left out: \(complaint).")
    }
    guard let address = words.engine ?? file.settings.engine, address.kind == .nats else {
      report.say(.error, "--tend is for NATS, and expects --to nats://HOST:PORT or a file with it.")
      return Self.misconfigured
    }
    report.manager.ready()
    while true {
      do throws(ForwardFailure) {
        let tender = try NatsTender(address, file.settings.nats)
        backoff.reset()
        report.status("removing from \(address) what machines have forgotten")
        try tender.tend()
      } catch {
        let reason = error.engineReason ?? ""
        let condition = ForwardCondition.engineAway(address, reason: reason)
        report.status(condition.sentence, .warning, ForwardMessage.engineAway.id, reason: reason)
      }
      poll(nil, 0, Int32(clamping: backoff.nextWait().milliseconds))
    }
  }
}

/// The process that an operator trusts with the whole stream: it makes both streams, and removes
/// what machines have forgotten.
///
/// A machine may write to its own log alone. An entry of it that says what was forgotten names the
/// epochs of that log, too, so that nothing else is needed to find the entries that it means; and
/// it can mean entries of its own subject alone. The place in the stream is kept by the server, in
/// a consumer, so that no forgetting is missed.
struct NatsTender {
  private let link: NatsLink
  private let settings: NatsSettings

  static let consumer = "a11yd-tend"
  /// Messages that are under way at once: 16 MiB of the longest.
  private static let atOnce = 256
  /// The server's wait for another message, in nanoseconds.
  private static let waiting = "1000000000"

  init(_ address: EngineAddress, _ settings: NatsSettings) throws(ForwardFailure) {
    self.settings = settings
    link = try NatsLink(address.servers, settings, inbox: NatsLink.operatorsInbox)
    try make("STREAM.CREATE.\(settings.stream)", settings.logStreamWords)
    try make("STREAM.CREATE.\(settings.aliveStream)", settings.aliveStreamWords)
    try make(
      "CONSUMER.DURABLE.CREATE.\(settings.stream).\(Self.consumer)",
      #"{"stream_name":"\#(settings.stream)","config":{"durable_name":"\#(Self.consumer)","#
        + #""ack_policy":"all","deliver_policy":"all"}}"#
    )
  }

  private func make(_ what: String, _ words: String) throws(ForwardFailure) {
    let answer = try JetStreamAnswer(link.inquire("$JS.API.\(what)", words))
    // One that an operator has made with settings of their own is theirs.
    if answer.code == JetStreamAnswer.Code.otherSettings { return }
    if let words = answer.refusal { throw .engine("\(what): \(words)") }
  }

  /// Follows the stream until the connection fails.
  func tend() throws(ForwardFailure) -> Never {
    while true { try tendBatch() }
  }

  private func tendBatch() throws(ForwardFailure) {
    try link.pull(
      "$JS.API.CONSUMER.MSG.NEXT.\(settings.stream).\(Self.consumer)",
      #"{"batch":\#(Self.atOnce),"expires":\#(Self.waiting)}"#
    )
    var last: NatsArrival.Delivery?
    arrivals: for _ in 0..<Self.atOnce {
      switch try link.nextArrival() {
      case .end: break arrivals
      case .refusal(let words): throw .engine(words)
      case .delivery(let delivery):
        if let epochs = delivery.epochs { try forget(delivery, epochs) }
        last = delivery
      }
    }
    // All up to this one are done.
    if let last { try link.acknowledge(last.reply) }
  }

  private func forget(
    _ delivery: NatsArrival.Delivery,
    _ epochs: String
  ) throws(ForwardFailure) {
    guard let epochs = EpochLine(header: epochs), let line = EngineLine(delivery.line) else {
      return
    }
    let eraser = NatsEraser(link: link, stream: settings.stream, subject: delivery.subject)
    for range in line.forgotten {
      if case .refused(let words) = try eraser.erase(range, epochs, before: delivery.place) {
        throw .engine("entries of \(delivery.subject) are still there: \(words)")
      }
    }
  }
}

/// The removal of forgotten entries of one machine from the stream of all.
///
/// It asks for messages by their number, which NATS allows for the whole stream or not at all.
struct NatsEraser {
  let link: NatsLink
  let stream: String
  let subject: String

  /// Removes the entries with these seqs that stand before a message of the same machine.
  ///
  /// That one stays: an older server would take the subject without its newest message for empty.
  func erase(
    _ range: ClosedRange<Int64>,
    _ epochs: EpochLine,
    before end: Int64
  ) throws(ForwardFailure) -> Erasure {
    var erasure = Erasure.done
    let to = StoredPlace(range.upperBound, epochs)
    var next = try first(StoredPlace(range.lowerBound, epochs), epochs, upTo: end)
    while let message = next, let place = message.storedPlace(in: epochs), place <= to {
      guard message.number < end else { break }
      if !message.isGap {
        let answer = try inquire("STREAM.MSG.DELETE", #"{"seq":\#(message.number)}"#)
        // A question that was asked twice is refused, though the message is gone.
        if let words = answer.refusal,
          try self.message(from: message.number)?.number == message.number
        {
          erasure = .refused(words)
        }
      }
      next = try self.message(from: message.number + 1)
    }
    return erasure
  }

  /// The first message of this machine at or behind a place in the log.
  private func first(
    _ place: StoredPlace,
    _ epochs: EpochLine,
    upTo end: Int64
  ) throws(ForwardFailure) -> StoredMessage? {
    var (low, high): (Int64, Int64) = (1, end + 1)
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
    if answer.code == JetStreamAnswer.Code.noMessage { return nil }
    let message = try StoredMessage(answer)
    // One that goes back would have us ask for ever.
    guard message.number >= number else { throw .engine("it answers with an older message") }
    return message
  }

  /// Whether somebody answers to questions about the whole stream.
  var isReachable: Bool {
    get throws(ForwardFailure) {
      let request = #"{"last_by_subj":"\#(subject)"}"#
      return try link.reach("$JS.API.STREAM.MSG.GET.\(stream)", request) != nil
    }
  }

  private func inquire(_ what: String, _ body: String) throws(ForwardFailure) -> JetStreamAnswer {
    try JetStreamAnswer(link.inquire("$JS.API.\(what).\(stream)", body))
  }
}

/// The settings of the two streams, for whoever may make them.
extension NatsSettings {
  var logStreamWords: String {
    #"{"name":"\#(stream)","subjects":["a11yd.*.log"],"retention":"limits","storage":"file","#
      + #""num_replicas":\#(replicas),"allow_direct":true,"allow_atomic":true}"#
  }

  var aliveStreamWords: String {
    #"{"name":"\#(aliveStream)","subjects":["a11yd-alive.*"],"retention":"limits","#
      + #""max_msgs_per_subject":1,"max_age":\#(SignOfLife.lifetime)000000000,"storage":"file","#
      + #""num_replicas":\#(replicas)}"#
  }
}
