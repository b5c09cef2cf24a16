// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yForward
import A11yWire

/// The subject of this machine in a stream of NATS JetStream.
///
/// Each message states the number of the last one of its subject, so that the server refuses an
/// entry that it has, or that comes behind one that it has not, however long ago that was.
final class NatsEngine: Engine {
  private let link: NatsLink
  private let subject: String
  private let settings: NatsSettings
  private var window = SendingWindow()
  /// The number in the stream of our last message.
  private var lastNumber: Int64 = 0
  private var answered: Int64 = 0
  private let reader = JSONReader(limit: NatsEngine.longestAnswer)

  enum Header {
    static let lastOfSubject = "Nats-Expected-Last-Subject-Sequence"
    static let lastOfStream = "Nats-Expected-Last-Sequence"
    static let epoch = "A11yd-Epoch"
  }

  /// A stored line of 256 KiB in its encoding, with room.
  private static let longestAnswer = 524_288

  init(_ plan: ForwardPlan, _ address: EngineAddress) throws(ForwardFailure) {
    subject = plan.machine.subject
    settings = plan.nats
    link = try NatsLink(address.servers, plan.nats)
  }

  var caution: String? { nil }

  // MARK: The newest entry

  func last() throws(ForwardFailure) -> EngineLast? {
    window.narrow()
    let request = #"{"last_by_subj":"\#(subject)"}"#
    var answer = try inquire("STREAM.MSG.GET", request)
    if answer.code == JetStreamAnswer.Code.noStream {
      try makeStream()
      answer = try inquire("STREAM.MSG.GET", request)
    }
    if answer.code == JetStreamAnswer.Code.noMessage {
      lastNumber = 0
      return nil
    }
    let message = try StoredMessage(answer)
    lastNumber = message.number
    guard let line = EngineLine(message.line) else {
      throw .engine("the newest message of \(subject) is none of ours")
    }
    return EngineLast(.epoch(message.epoch), seq: line.seq, forgotten: line.forgotten)
  }

  private func makeStream() throws(ForwardFailure) {
    let answer = try inquire(
      "STREAM.CREATE",
      #"{"name":"\#(settings.stream)","subjects":["a11yd.*.log"],"retention":"limits","#
        + #""storage":"file","num_replicas":\#(settings.replicas)}"#
    )
    if let words = answer.refusal { throw .engine("the stream cannot be made: \(words)") }
  }

  // MARK: Publishing

  func handOver(_ batch: Batch, _ epochs: EpochLine) throws(ForwardFailure) {
    var sent = 0
    while sent < batch.parcels.count {
      let size = min(window.size, batch.parcels.count - sent)
      let taken = try handOver(batch, sent..<sent + size, epochs)
      sent += taken
      if taken == size { window.widen() } else { window.narrow() }
    }
  }

  /// Publishes some of the lines, and returns how many of them were taken.
  private func handOver(
    _ batch: Batch,
    _ range: Range<Int>,
    _ epochs: EpochLine
  ) throws(ForwardFailure) -> Int {
    let before = lastNumber
    let first = answered
    try batch.withBytes { bytes throws(ForwardFailure) in
      for place in range {
        let parcel = batch.parcels[place]
        let expected = String(before + Int64(place - range.lowerBound))
        var headers = [
          (Header.lastOfSubject, expected), (Header.epoch, epochs.epoch(of: parcel.seq).epoch),
        ]
        if range.count > 1 { headers.append((Header.lastOfStream, expected)) }
        try link.transmit(
          subject,
          UnsafeRawBufferPointer(rebasing: bytes[parcel.bytes]),
          headers: headers,
          number: first + Int64(place - range.lowerBound)
        )
      }
    }
    answered += Int64(range.count)
    let numbers = try numbers(from: first, count: range.count)
    let taken = numbers.prefix { $0 != nil }.compactMap { $0 }
    guard numbers.dropFirst(taken.count).allSatisfy({ $0 == nil }) else {
      throw .engine("it has taken an entry behind one that it has refused")
    }
    lastNumber = taken.last ?? lastNumber
    return taken.count
  }

  /// The numbers in the stream of messages that are under way; nil for one that was refused.
  ///
  /// A cluster refuses at once, and confirms when its servers have agreed, so that the answers come
  /// in any order.
  private func numbers(from first: Int64, count: Int) throws(ForwardFailure) -> [Int64?] {
    var numbers = [Int64?](repeating: nil, count: count)
    var open = Set(0..<count)
    while !open.isEmpty {
      let answer = try link.nextAnswer()
      guard let number = answer.number, let place = open.remove(Int(number - first)) else {
        throw .engine("it answers twice, or to nothing that was asked")
      }
      numbers[place] = try accepted(answer.body, isAlone: count == 1)
    }
    return numbers
  }

  /// The number of a message that was taken; nil where another machine's message came between.
  private func accepted(_ answer: [UInt8], isAlone: Bool) throws(ForwardFailure) -> Int64? {
    let reader = reader
    do throws(JSONFault) {
      try reader.read(answer.span)
    } catch {
      throw .engine("it answers in words that are no JSON")
    }
    let document = reader.document
    guard let error = document.member("error", of: document.root) else {
      guard let number = document.integer("seq", of: document.root) else {
        throw .engine("it answers without a number")
      }
      return number
    }
    let code = document.integer("err_code", of: error)
    if !isAlone, let code, JetStreamAnswer.Code.wrongLast.contains(code) { return nil }
    throw .engine(document.string("description", of: error) ?? "it refuses an entry")
  }

  func check() throws(ForwardFailure) { try link.check() }

  // MARK: Forgetting

  func erase(_ range: ClosedRange<Int64>, _ epochs: EpochLine) throws(ForwardFailure) -> Erasure {
    var erasure = Erasure()
    let from = StoredPlace(range.lowerBound, epochs)
    let to = StoredPlace(range.upperBound, epochs)
    var next = try first(from, epochs)
    while let message = next, let place = message.storedPlace(in: epochs), place <= to {
      // The newest message stays: an older server would take the subject for empty.
      guard message.number != lastNumber else { break }
      if !message.isGap {
        let answer = try inquire("STREAM.MSG.DELETE", #"{"seq":\#(message.number)}"#)
        if let words = answer.refusal { erasure.refusal = words } else { erasure.erased += 1 }
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
    var (low, high): (Int64, Int64) = (1, lastNumber + 1)
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
