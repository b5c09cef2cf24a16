// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yForward
import A11yWire
import Glibc

/// The subjects of machines in a stream of NATS JetStream.
///
/// A consumer of the server's hands them out, which lives for half a minute behind the last
/// question, and of which nothing is kept on a disk.
final class NatsArchive: EngineArchive {
  private let link: NatsLink
  private let settings: NatsSettings
  /// The messages of the consumer that have come.
  private var came: Int64 = 0
  /// The number of the last message that is wanted.
  private var end = Int64.max

  private static let allMachines = "a11yd.*.log"
  private static let allSigns = "a11yd-alive.*"
  /// Messages that are under way at once: 16 MiB of the longest.
  private static let atOnce = 256
  private static let lifetime = "30000000000"
  /// The server's wait for another message, in nanoseconds.
  private static let waiting = "1000000000"

  init(_ address: EngineAddress, _ settings: NatsSettings) throws(ForwardFailure) {
    self.settings = settings
    link = try NatsLink(address.servers, settings, inbox: NatsLink.operatorsInbox)
  }

  func readSigns(_ reader: SignReader) throws(ForwardFailure) {
    try consume(Self.allSigns, of: settings.aliveStream, Self.newest, pause: nil) {
      delivery throws(ForwardFailure) in
      let parts = delivery.subject.split(separator: ".")
      guard parts.count == 2, let sign = SignOfLife(delivery.line) else { return true }
      return try reader(ArchivedSign(machine: String(parts[1]), sign: sign, time: delivery.time))
    }
  }

  private static let newest = #""deliver_policy":"last_per_subject""#

  func readNewest(_ reader: Reader) throws(ForwardFailure) {
    try consumeEntries(Self.allMachines, Self.newest, pause: nil, reader)
  }

  func readEntries(
    _ machine: MachineName?,
    from start: ArchiveStart,
    pause: (() throws(ForwardFailure) -> Bool)?,
    _ reader: Reader
  ) throws(ForwardFailure) {
    let subject = machine?.subject ?? Self.allMachines
    let policy =
      switch start {
      case .beginning: #""deliver_policy":"all""#
      case .last(let count): try policy(subject) { $0 - count + 1 }
      case .seq(let seq): try policy(subject) { _ in seq }
      case .time(let time):
        #""deliver_policy":"by_start_time","opt_start_time":"\#(Self.date(time))""#
      }
    try consumeEntries(subject, policy, pause: pause, reader)
  }

  private func consumeEntries(
    _ subject: String,
    _ policy: String,
    pause: (() throws(ForwardFailure) -> Bool)?,
    _ reader: Reader
  ) throws(ForwardFailure) {
    try consume(subject, of: settings.stream, policy, pause: pause) {
      delivery throws(ForwardFailure) in
      let parts = delivery.subject.split(separator: ".")
      guard parts.count == 3 else { return true }
      return try reader(
        ArchivedEntry(machine: String(parts[1]), epoch: delivery.epoch, line: delivery.line)
      )
    }
  }

  // MARK: A consumer

  /// Takes a message; false where no more are wanted.
  private typealias MessageReader = (NatsArrival.Delivery) throws(ForwardFailure) -> Bool

  private func consume(
    _ subject: String,
    of stream: String,
    _ policy: String,
    pause: (() throws(ForwardFailure) -> Bool)?,
    _ reader: MessageReader
  ) throws(ForwardFailure) {
    let made = try inquire(
      "CONSUMER.CREATE.\(stream)",
      #"{"stream_name":"\#(stream)","config":{"ack_policy":"none","filter_subject":"\#(subject)","#
        + #""mem_storage":true,"inactive_threshold":\#(Self.lifetime),\#(policy)}}"#
    )
    // Signs of life have a stream when the first machine has given one.
    if made.code == JetStreamAnswer.Code.noStream {
      if stream == settings.aliveStream { return }
      throw .engine("it has no stream \(stream), which the first machine that sends makes")
    }
    if let words = made.refusal { throw .engine(words) }
    guard let name = made.content["name"]?.string else { throw .engine("it makes no consumer") }
    came = 0
    // The number of messages that wait is exact when the consumer is made. Without `pause` those
    // are all that is read: others may come faster than they are taken.
    let waiting = made.content["num_pending"]?.integer ?? 0
    end = pause == nil ? waiting : .max
    var isMore = waiting > 0
    while true {
      if !isMore {
        guard let pause, try pause() else { return }
      }
      let patience = isMore ? #""no_wait":true"# : #""expires":\#(Self.waiting)"#
      try link.pull(
        "$JS.API.CONSUMER.MSG.NEXT.\(stream).\(name)",
        #"{"batch":\#(Self.atOnce),\#(patience)}"#
      )
      guard let left = try takeBatch(reader) else { return }
      isMore = left
    }
  }

  /// Gives one batch to the reader: nil where it wants no more, else whether there are others.
  private func takeBatch(_ reader: MessageReader) throws(ForwardFailure) -> Bool? {
    var isMore = false
    for _ in 0..<Self.atOnce {
      switch try link.nextArrival() {
      case .end: return isMore
      case .refusal(let words): throw .engine(words)
      case .delivery(let delivery):
        came += 1
        guard delivery.number == came else { throw .engine("an entry was lost on its way here") }
        isMore = delivery.left > 0
        guard try reader(delivery), came < end else { return nil }
      }
    }
    return isMore
  }

  // MARK: Places

  /// The words for a beginning at a seq, which is reckoned from the newest one.
  private func policy(
    _ subject: String,
    _ reckon: (Int64) -> Int64
  ) throws(ForwardFailure) -> String {
    let answer = try inquire(
      "STREAM.MSG.GET.\(settings.stream)",
      #"{"last_by_subj":"\#(subject)"}"#
    )
    if answer.code == JetStreamAnswer.Code.noMessage { return #""deliver_policy":"all""# }
    let message = try StoredMessage(answer)
    let newest = EngineLine(message.line)?.seq ?? 0
    let number = try streamNumber(of: reckon(newest), subject, upTo: message.number)
    return #""deliver_policy":"by_start_sequence","opt_start_seq":\#(number)"#
  }

  /// The number in the stream at which an entry of the newest life stands, or the next one that is
  /// there.
  ///
  /// Several lives of a log stand behind each other. Then the place may be in an older one, from
  /// which reading comes to the newest, too.
  private func streamNumber(
    of seq: Int64,
    _ subject: String,
    upTo last: Int64
  ) throws(ForwardFailure) -> Int64 {
    var (low, high): (Int64, Int64) = (1, last)
    while low < high {
      let middle = low + (high - low) / 2
      let answer = try inquire(
        "STREAM.MSG.GET.\(settings.stream)",
        #"{"seq":\#(middle),"next_by_subj":"\#(subject)"}"#
      )
      let message = try StoredMessage(answer)
      guard message.number >= middle else { throw .engine("it answers with an older message") }
      if let line = EngineLine(message.line), line.seq < seq {
        low = message.number + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private func inquire(_ what: String, _ body: String) throws(ForwardFailure) -> JetStreamAnswer {
    try JetStreamAnswer(link.inquire("$JS.API.\(what)", body))
  }

  /// A moment as RFC 3339 has it.
  private static func date(_ microseconds: Int64) -> String {
    var seconds = time_t(max(0, microseconds) / 1_000_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = "\(parts.tm_year + 1_900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
    return "\(day)T\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))Z"
  }
}

/// A message from a consumer of JetStream, or the end of those that were asked for.
enum NatsArrival {
  struct Delivery {
    let subject: String
    let epoch: String
    /// The epochs of the log, of an entry that says what was forgotten.
    let epochs: String?
    let line: [UInt8]
    /// The subject at which the message is said to be done.
    let reply: String
    /// The number in the stream.
    let place: Int64
    /// The number among those of the consumer, which begins with 1.
    let number: Int64
    /// The instant at which the stream got it, in microseconds since 1970.
    let time: Int64
    /// The messages behind it that the stream has.
    let left: Int64
  }

  case delivery(Delivery)
  case end
  case refusal(String)

  /// A status in the place of a message, as HTTP has them.
  init(status: String, _ description: String) {
    switch status {
    case "404", "408": self = .end
    case "503": self = .refusal("JetStream does not answer")
    default: self = .refusal(description.isEmpty ? "it answers with \(status)" : description)
    }
  }

  /// Reads the numbers off the subject to which an answer would go:
  /// `$JS.ACK.STREAM.CONSUMER.TRIES.NUMBER.OURS.TIME.LEFT`, or with a domain and an account behind
  /// `ACK`.
  init(
    answeringTo reply: String,
    _ subject: String,
    _ epoch: String,
    epochs: String?,
    _ line: [UInt8]
  ) {
    let parts = reply.split(separator: ".")
    let shift = parts.count > 9 ? 2 : 0
    guard parts.count >= 9 + shift, let place = Int64(parts[5 + shift])?.ifReachable,
      let number = Int64(parts[6 + shift]),
      let time = Int64(parts[7 + shift]), let left = Int64(parts[8 + shift])
    else {
      self = .refusal("it hands out a message without its number")
      return
    }
    self = .delivery(
      Delivery(
        subject: subject,
        epoch: epoch,
        epochs: epochs,
        line: line,
        reply: reply,
        place: place,
        number: number,
        time: time / 1_000,
        left: left
      )
    )
  }
}
