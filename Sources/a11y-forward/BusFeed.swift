// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yCompanion
import A11yForward
import A11yPosix
import A11yWire

/// The lines of the bus that its medium has confirmed.
final class BusFeed {
  private enum ID {
    static let hello: Int64 = 1
    static let subscribe: Int64 = 2
    static let ping: Int64 = 3
    static let stats: Int64 = 4
  }

  enum Token {
    static let ear: UInt64 = 1
    static let bus: UInt64 = 2
  }

  let epochs: EpochLine
  /// The newest seq of the log, as far as the bus has told.
  private(set) var last: Int64
  private var channel: LineChannel
  private let poll: Poll
  private var events = Poll.Events(capacity: 2)
  private var nextPing: UInt64 = 0
  /// Whether lines came since the last question for the newest seq: an idle bus is left asleep.
  private var hasNews = false
  private var sign: SignOfLife?

  /// The bus answers within milliseconds, but for a walk through a long log.
  private static let patience: Duration = .seconds(10)
  /// The time between two questions for the newest seq.
  private static let pingEvery: UInt64 = 1_000_000
  /// Looks into the socket for one batch.
  private static let mostFills = 8

  /// Connects and says hello; `poll` wakes for the thread's bell, too.
  init(path: String, poll: Poll) throws(ForwardFailure) {
    self.poll = poll
    var channel = try Self.translate { () throws(ClientError) in try LineChannel(path: path) }
    do throws(Errno) {
      try poll.add(channel.descriptor, token: Token.bus, interest: .readable)
    } catch {
      throw .bus(error.description)
    }
    let introduction = Introduction(
      app: ForwardProgram.name,
      client: "\(ForwardProgram.name) \(CompanionOptions.version)",
      advice: false
    )
    let answer = try Self.exchange("hello", ID.hello, introduction.fields, &channel, poll)
    switch answer {
    case .success(let hello):
      guard let epochs = EpochLine(hello) else { throw .bus("it tells no epochs") }
      self.epochs = epochs
      last = hello["last"]?.integer ?? 0
    case .failure(let error): throw .bus(error.description)
    }
    self.channel = channel
  }

  /// Subscribes behind a cursor.
  ///
  /// Where the log ends before it, the subscription begins at that end,
  /// and the sentence about that is returned.
  func subscribe(behind cursor: String) throws(ForwardFailure) -> String? {
    switch try requestLines(behind: cursor) {
    case .success: return nil
    case .failure(.refused(let refusal)) where refusal.code == "cursor.future":
      guard let end = refusal.last, let epoch = epochs.starts.last?.epoch else {
        throw .bus(refusal.description)
      }
      if case .failure(let error) = try requestLines(behind: "\(epoch):\(end)") {
        throw .bus(error.description)
      }
      return "the engine is at \(cursor), and this log ends at \(end)"
    case .failure(let error): throw .bus(error.description)
    }
  }

  private func requestLines(
    behind cursor: String
  ) throws(ForwardFailure) -> Result<JSONValue, ClientError> {
    try Self.exchange(
      "subscribe",
      ID.subscribe,
      [.init("from", .string(cursor)), .init("durable", true)],
      &channel,
      poll
    )
  }

  /// Packs the lines that are there into the batch; does not wait.
  func collect(into batch: Batch) throws(ForwardFailure) {
    askForLast()
    for _ in 0..<Self.mostFills {
      while !batch.isFull {
        guard try readLine(into: batch) else { break }
      }
      if batch.isFull { return }
      channel.fill()
      guard try readLine(into: batch) else { return }
    }
  }

  /// The entries behind those that the engine has: all that this batch did not come to.
  func lag(behind batch: Batch) -> ForwardCondition.Lag {
    let unsent = Int64(batch.parcels.count)
    let entries = max(0, last - batch.reached) + unsent
    guard entries > unsent, batch.time > 0 else { return .init(entries: unsent, seconds: 0) }
    let age = SystemClock.wallMicroseconds() - batch.time
    return .init(entries: entries, seconds: max(0, age / 1_000_000))
  }

  /// The epoch of the newest entries.
  private var newest: String { epochs.starts.last?.epoch ?? "" }

  /// Waits for lines or for the bell; true for the bell.
  func wait(milliseconds: Int32) throws(ForwardFailure) -> Bool {
    do throws(Errno) {
      let count = try poll.wait(into: &events, timeoutMilliseconds: milliseconds)
      return (0..<count).contains { events[$0].token == Token.ear }
    } catch {
      throw .bus(error.description)
    }
  }

  private func askForLast() {
    let now = SystemClock.monotonicMicroseconds()
    guard hasNews, now >= nextPing else { return }
    nextPing = now + Self.pingEvery
    hasNews = false
    post("ping", ID.ping)
  }

  /// Asks for all that a sign of life tells; the answer comes among the lines.
  func askForSign() { post("stats", ID.stats) }

  /// The answer to that, once.
  func takeSign() -> SignOfLife? {
    defer { sign = nil }
    return sign
  }

  private func post(_ op: StaticString, _ id: Int64) {
    var line = ByteBuffer(capacity: 64)
    guard (try? RequestLine.encode(op, id: id, [], into: &line)) != nil else { return }
    channel.enqueue(line)
    channel.push()
  }

  /// Takes one line; false where there is none.
  private func readLine(into batch: Batch) throws(ForwardFailure) -> Bool {
    var last: Int64?
    var readers: Int64?
    let taken = try Self.translate { () throws(ClientError) in
      try channel.next { kind, line throws(ClientError) in
        switch kind {
        case .entry(let seq): batch.pack(seq, line)
        case .mark: batch.pack(mark: line)
        case .reply(ID.ping):
          if case .success(let answer) = line.answer { last = answer["last"]?.integer }
        case .reply(ID.stats):
          guard case .success(let answer) = line.answer else { break }
          last = answer["log"]?["last"]?.integer
          readers = answer["presenter"]?["readers"]?.integer
        case .reply, .warning: break
        case .farewell: throw line.farewell
        }
        return true
      }
    }
    if let last {
      self.last = last
      sign = readers.map { SignOfLife(epoch: newest, last: last, readers: $0) } ?? sign
    } else if taken != nil {
      hasNews = true
    }
    return taken ?? false
  }

  // MARK: Requests

  private static func exchange(
    _ op: StaticString,
    _ id: Int64,
    _ fields: [JSONValue.Member],
    _ channel: inout LineChannel,
    _ poll: Poll
  ) throws(ForwardFailure) -> Result<JSONValue, ClientError> {
    ThreadWatch.beat()
    return try translate { () throws(ClientError) in
      var line = ByteBuffer(capacity: 256)
      try RequestLine.encode(op, id: id, fields, into: &line)
      channel.enqueue(line)
      let end = ContinuousClock.now + patience
      while true {
        channel.push()
        channel.fill()
        var answer: Result<JSONValue, ClientError>?
        while answer == nil {
          let taken: Void? = try channel.next { kind, line throws(ClientError) in
            if kind == .farewell { throw line.farewell }
            if kind == .reply(id: id) { answer = line.answer }
          }
          if taken == nil { break }
        }
        if let answer { return answer }
        let left = (end - .now).milliseconds
        guard left > 0 else { throw ClientError.timedOut(after: patience) }
        do throws(Errno) {
          _ = try channel.descriptor.waitReady(
            for: channel.hasUnsent ? [.readable, .writable] : .readable,
            timeoutMilliseconds: Int32(clamping: left)
          )
        } catch {
          throw ClientError.disconnected(reason: error.description)
        }
      }
    }
  }

  private static func translate<Result: ~Copyable>(
    _ body: () throws(ClientError) -> Result
  ) throws(ForwardFailure) -> Result {
    do throws(ClientError) {
      return try body()
    } catch {
      throw .bus(error.reason)
    }
  }
}
