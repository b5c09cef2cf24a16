// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yForward

/// The way of lines into a stream of NATS: none is taken behind one that was refused.
///
/// A row is messages that name one predecessor each: the fastest way into a stream of one server
/// that nobody else writes to. Where one is refused in the middle, because other machines write or
/// several servers have to agree, batches follow. A batch is taken as one, or not at all, and names
/// its predecessor once. A server before 2.12, or a stream that allows no batches, has rows alone.
final class NatsSender {
  private enum Manner {
    /// Rows, as long as none is refused.
    case rows
    /// The answer to the first message of a batch will tell whether there are any.
    case trial
    case batches
    case rowsAlone
  }

  private let link: NatsLink
  private let subject: String
  private var manner = Manner.rows
  private var window = SendingWindow()
  /// The number in the stream of our last message.
  private(set) var lastNumber: Int64 = 0
  /// Numbers the batches and the messages of rows on this connection.
  private var answered: Int64 = 0

  private enum Header {
    static let lastOfSubject: StaticString = "Nats-Expected-Last-Subject-Sequence"
    static let lastOfStream: StaticString = "Nats-Expected-Last-Sequence"
    static let batch: StaticString = "Nats-Batch-Id"
    static let place: StaticString = "Nats-Batch-Sequence"
    static let commit: StaticString = "Nats-Batch-Commit"
  }

  /// The headers of a message that no stream can take.
  static let impossible = [NatsLink.Header(name: Header.lastOfSubject, value: "\(Int64.max)")]

  init(_ link: NatsLink, _ subject: String) {
    self.link = link
    self.subject = subject
  }

  /// Goes on behind a message.
  func begin(behind number: Int64) {
    lastNumber = number
    window.narrow()
  }

  /// Sends all lines, in batches or in rows.
  func sendAll(_ batch: Batch, _ epochs: EpochLine) throws(ForwardFailure) {
    var sent = 0
    while sent < batch.parcels.count {
      let left = sent..<batch.parcels.count
      // A single message needs no batch.
      let taken = try mayBatch && left.count > 1 ? sendWhole(batch, left, epochs) : 0
      sent += try taken > 0 ? taken : sendRow(batch, left.prefix(window.size), epochs)
    }
  }

  /// The header by which another process finds the entries that this one says were forgotten.
  private func mark(of place: Int, _ batch: Batch, _ epochs: EpochLine) -> NatsLink.Header? {
    // A forgetting ends a batch.
    guard !batch.forgotten.isEmpty, place == batch.parcels.count - 1 else { return nil }
    return NatsLink.Header(name: NatsEngine.epochsHeader, value: epochs.header)
  }

  private var mayBatch: Bool { manner == .trial || manner == .batches }

  // MARK: Batches

  /// Sends lines as one, and returns how many of them were taken.
  private func sendWhole(
    _ batch: Batch,
    _ range: Range<Int>,
    _ epochs: EpochLine
  ) throws(ForwardFailure) -> Int {
    answered += 1
    var isTrial = manner == .trial
    let answer = try batch.withBytes { bytes throws(ForwardFailure) -> PublishAnswer? in
      var headers = [
        NatsLink.Header(name: NatsEngine.epochHeader, value: ""),
        NatsLink.Header(name: Header.batch, value: link.batchName(answered)),
        NatsLink.Header(name: Header.place, value: ""),
        NatsLink.Header(name: Header.lastOfSubject, value: String(lastNumber)),
      ]
      for place in range {
        let parcel = batch.parcels[place]
        headers[0].value = epochs.epoch(of: parcel.seq).epoch
        headers[2].value = String(place - range.lowerBound + 1)
        let body = UnsafeRawBufferPointer(rebasing: bytes[parcel.bytes])
        if place == range.upperBound - 1 {
          headers.append(NatsLink.Header(name: Header.commit, value: "1"))
          if let mark = mark(of: place, batch, epochs) { headers.append(mark) }
          return try PublishAnswer(link.transmitAndWait(subject, body, headers: headers))
        }
        if isTrial {
          let answer = try PublishAnswer(link.transmitAndWait(subject, body, headers: headers))
          guard case .staged = answer else { return answer }
          isTrial = false
        } else {
          try link.transmit(subject, body, headers: headers, number: nil)
        }
        // The first message alone names the predecessor of the batch.
        if headers.count > 3 { headers.removeLast() }
      }
      return nil
    }
    if !isTrial { manner = .batches }
    switch answer {
    case .taken(let number):
      lastNumber = number
      guard isTrial else { return range.count }
      // A server that knows no batches takes the first message as one of its own.
      manner = .rowsAlone
      return 1
    case .refused(let code, _) where JetStreamAnswer.Code.noBatches.contains(code):
      manner = .rowsAlone
      return 0
    case .refused(let code, _) where JetStreamAnswer.Code.noBatchNow.contains(code):
      // Many others begin batches: the next is asked for by one message, and not sent in vain.
      manner = .trial
      return 0
    case .refused(_, let words): throw .engine(words)
    case .staged, nil: throw .engine("it has not taken a batch, and does not say why")
    }
  }

  // MARK: Rows

  /// Publishes some of the lines, and returns how many of them were taken.
  private func sendRow(
    _ batch: Batch,
    _ range: Range<Int>,
    _ epochs: EpochLine
  ) throws(ForwardFailure) -> Int {
    let before = lastNumber
    let first = answered
    answered += Int64(range.count)
    let answer = try batch.withBytes { bytes throws(ForwardFailure) in
      for place in range {
        let parcel = batch.parcels[place]
        let expected = String(before + Int64(place - range.lowerBound))
        var headers = [
          NatsLink.Header(name: Header.lastOfSubject, value: expected),
          .init(name: NatsEngine.epochHeader, value: epochs.epoch(of: parcel.seq).epoch),
        ]
        if range.count > 1 { headers.append(.init(name: Header.lastOfStream, value: expected)) }
        if let mark = mark(of: place, batch, epochs) { headers.append(mark) }
        let body = UnsafeRawBufferPointer(rebasing: bytes[parcel.bytes])
        // The library sends a question at once, and all that it has held back before it.
        if place == range.upperBound - 1 {
          return try PublishAnswer(link.transmitAndWait(subject, body, headers: headers))
        }
        let number = first + Int64(place - range.lowerBound)
        try link.transmit(subject, body, headers: headers, number: number)
      }
      preconditionFailure("a row has a message")
    }
    var numbers = try numbers(from: first, count: range.count - 1)
    numbers.append(try accepted(answer, isAlone: range.count == 1))
    let taken = numbers.prefix { $0 != nil }.compactMap { $0 }
    guard numbers.dropFirst(taken.count).allSatisfy({ $0 == nil }) else {
      throw .engine("it has taken an entry behind one that it has refused")
    }
    lastNumber = taken.last ?? lastNumber
    if taken.count == range.count {
      window.widen()
    } else {
      window.narrow()
      if manner == .rows { manner = .trial }
    }
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
      guard let number = answer.number?.ifReachable, let place = open.remove(Int(number - first))
      else {
        throw .engine("it answers twice, or to nothing that was asked")
      }
      numbers[place] = try accepted(PublishAnswer(answer.body), isAlone: false)
    }
    return numbers
  }

  /// The number of a message that was taken; nil where another machine's message came between.
  private func accepted(_ answer: PublishAnswer, isAlone: Bool) throws(ForwardFailure) -> Int64? {
    switch answer {
    case .taken(let number): return number
    case .refused(let code, _) where !isAlone && JetStreamAnswer.Code.wrongLast.contains(code):
      return nil
    case .refused(_, let words): throw .engine(words)
    case .staged: throw .engine("it answers without a number")
    }
  }
}
