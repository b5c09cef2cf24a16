// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yForward
import A11yWire

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

/// The answer of JetStream to a message.
enum PublishAnswer {
  /// The message waits for the rest of its batch.
  case staged
  /// The number in the stream, of a batch that of its last message.
  case taken(Int64)
  case refused(code: Int64, words: String)

  init(_ bytes: [UInt8]) throws(ForwardFailure) {
    if bytes.isEmpty {
      self = .staged
      return
    }
    let answer = try JetStreamAnswer(bytes)
    if let words = answer.refusal {
      self = .refused(code: answer.code ?? 0, words: words)
    } else if let number = answer.content["seq"]?.integer?.ifReachable {
      self = .taken(number)
    } else {
      throw .engine("it answers without a number")
    }
  }
}

/// The answer of JetStream to a request about a stream.
struct JetStreamAnswer {
  /// Codes of JetStream, which its documentation lists.
  enum Code {
    static let noMessage: Int64 = 10_037
    static let noStream: Int64 = 10_059
    /// A stream or consumer of this name is there, with other settings.
    static let otherSettings: Int64 = 10_058
    /// The last number of the stream or of the subject is another, or is not known while messages
    /// before it are under way.
    static let wrongLast: [Int64] = [10_070, 10_071, 10_164]
    /// The stream allows no batches, or none so large.
    static let noBatches: [Int64] = [10_174, 10_199]
    /// The leader is another than a moment ago, or too many batches are under way.
    static let noBatchNow: [Int64] = [10_176, 10_210]
  }

  let content: JSONValue

  init(_ bytes: [UInt8]) throws(ForwardFailure) {
    guard let content = JSONValue(json: String(decoding: bytes, as: UTF8.self)) else {
      throw .engine("it answers in words that are no JSON")
    }
    self.content = content
  }

  /// The number of the mistake, where there is one.
  var code: Int64? { content["error"]?["err_code"]?.integer }

  /// The mistake in words.
  var refusal: String? {
    guard let error = content["error"] else { return nil }
    return error["description"]?.string ?? "it refuses"
  }
}

/// A message of a stream.
struct StoredMessage {
  /// Its number in the stream.
  let number: Int64
  let line: [UInt8]
  let epoch: String

  private static let epochHeader = "A11yd-Epoch:"

  init(number: Int64, line: [UInt8], epoch: String) {
    (self.number, self.line, self.epoch) = (number, line, epoch)
  }

  init(_ answer: JetStreamAnswer) throws(ForwardFailure) {
    if let words = answer.refusal { throw .engine(words) }
    let message = answer.content["message"]
    guard let number = message?["seq"]?.integer?.ifReachable,
      let line = Base64.decode(message?["data"]?.string ?? ""),
      let headers = Base64.decode(message?["hdrs"]?.string ?? "")
    else { throw .engine("it answers without a message") }
    let lines = String(decoding: headers, as: UTF8.self).split(separator: "\r\n")
    let header = lines.first { $0.hasPrefix(Self.epochHeader) }
    let epoch = header.map { $0.dropFirst(Self.epochHeader.utf8.count).drop { $0 == " " } } ?? ""
    self.init(number: number, line: line, epoch: String(epoch))
  }

  var isGap: Bool { EngineLine(line)?.isGap ?? false }

  /// The place in the log; nil where the line is none of ours.
  func storedPlace(in epochs: EpochLine) -> StoredPlace? {
    EngineLine(line).map { line in
      StoredPlace(epoch: epochs.starts.firstIndex { $0.epoch == epoch } ?? -1, seq: line.seq)
    }
  }
}

/// A place in the log; messages of an earlier life of it come first.
struct StoredPlace: Comparable {
  let epoch: Int
  let seq: Int64

  init(epoch: Int, seq: Int64) {
    self.epoch = epoch
    self.seq = seq
  }

  init(_ seq: Int64, _ epochs: EpochLine) {
    self.init(epoch: epochs.index(of: seq), seq: seq)
  }

  static func < (a: StoredPlace, b: StoredPlace) -> Bool {
    (a.epoch, a.seq) < (b.epoch, b.seq)
  }
}
