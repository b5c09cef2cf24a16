// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yForward

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
      let erasure = try eraser.erase(range, epochs, before: delivery.place)
      if let words = erasure.refusal {
        throw .engine("entries of \(delivery.subject) are still there: \(words)")
      }
    }
  }
}
