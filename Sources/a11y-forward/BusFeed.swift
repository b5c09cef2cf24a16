// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yCompanion
import A11yForward
import A11yPosix
import A11yWire

/// The lines of the bus that its medium has confirmed.
final class BusFeed {
  enum Token {
    static let ear: UInt64 = 1
    static let bus: UInt64 = 2
  }

  let epochs: EpochLine
  /// The newest seq of the log, as far as the bus has told.
  private(set) var last: Int64
  private let bus: BusConnection
  private let poll: Poll
  private var events = Poll.Events(capacity: 2)
  private var nextPing: UInt64 = 0
  /// Whether lines came since the last question for the newest seq: an idle bus is left asleep.
  private var hasNews = false
  private var sign: SignOfLife?
  /// The questions whose answers come among the lines.
  private var ping: Int64?
  private var stats: Int64?

  /// The bus answers within milliseconds, but for a walk through a long log.
  private static let patience: Duration = .seconds(10)
  /// The time between two questions for the newest seq.
  private static let pingEvery: UInt64 = 1_000_000
  /// Looks into the socket for one batch.
  private static let mostFills = 8

  /// Connects and says hello; `poll` wakes for the thread's bell, too.
  init(path: String, poll: Poll) throws(ForwardFailure) {
    self.poll = poll
    bus = try Self.translate { () throws(ClientError) in
      let bus = try BusConnection(path: path)
      try bus.watch(by: poll, token: Token.bus)
      return bus
    }
    let introduction = Introduction(of: ForwardProgram.name)
    switch try Self.exchange("hello", introduction.fields, with: bus) {
    case .success(let hello):
      guard let epochs = EpochLine(hello) else { throw .bus("it tells no epochs") }
      self.epochs = epochs
      last = hello["last"]?.integer ?? 0
    case .failure(let error): throw .bus(error.description)
    }
  }

  /// Subscribes behind a cursor.
  ///
  /// Where the log ends before it, the subscription begins at that end,
  /// and the sentence about that is returned.
  func subscribe(behind cursor: String) throws(ForwardFailure) -> String? {
    switch try requestLines(behind: cursor) {
    case .success: return nil
    case .failure(.refused(let refusal)) where refusal.code == RefusalCode.cursorFuture.rawValue:
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
      [.init("from", .string(cursor)), .init("durable", true)],
      with: bus
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
      bus.receive()
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
    ping = try? bus.ask("ping")
  }

  /// Asks for all that a sign of life tells; the answer comes among the lines.
  func askForSign() { stats = try? bus.ask("stats") }

  /// The answer to that, once.
  func takeSign() -> SignOfLife? {
    defer { sign = nil }
    return sign
  }

  /// Takes one line; false where there is none.
  private func readLine(into batch: Batch) throws(ForwardFailure) -> Bool {
    let news = try Self.translate { () throws(ClientError) in
      try bus.nextNews { line, document throws(ClientError) in
        switch line {
        case .entry(let seq): batch.pack(seq, document)
        case .mark: batch.pack(mark: document)
        }
      }
    }
    guard let news else { return false }
    var last: Int64?
    if case .answer(let id?, .success(let answer)) = news {
      if id == ping {
        last = answer["last"]?.integer
      } else if id == stats, let newest = answer["log"]?["last"]?.integer {
        last = newest
        sign =
          answer["presenter"]?["readers"]?.integer.map { readers in
            SignOfLife(epoch: self.newest, last: newest, readers: readers)
          } ?? sign
      }
    }
    if let last { self.last = last } else { hasNews = true }
    return true
  }

  // MARK: Requests

  private static func exchange(
    _ op: StaticString,
    _ fields: [JSONValue.Member],
    with bus: BusConnection
  ) throws(ForwardFailure) -> Result<JSONValue, ClientError> {
    ThreadWatch.beat()
    do throws(ClientError) {
      return .success(try bus.request(op, fields, timeout: patience))
    } catch {
      guard case .refused = error else { throw .bus(error.reason) }
      return .failure(error)
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
