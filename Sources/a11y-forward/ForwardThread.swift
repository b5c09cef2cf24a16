// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yCompanion
import A11yForward
import A11yPosix
import Synchronization

/// The thread that reads the bus and writes to the engine, and may hang with either.
///
/// It keeps nothing: before each subscription it asks the engine for its newest entry. It ends with
/// the process, which waits for nothing.
final class ForwardThread {
  private let mailbox: ForwardMailbox
  private let ear: FileDescriptor
  private var edition = 0
  /// An engine that elects is asked so often that its choice is known soon.
  private var backoff = Backoff(first: .milliseconds(200), longest: .seconds(2))
  /// The server of the engine that comes first.
  private var turn = 0
  private var rate = RateBound(perSecond: 0)
  /// The last remark, which is not repeated with each new attempt.
  private var remarked: String?
  /// The instant at which the next sign of life is due.
  private var nextSign: UInt64 = 0

  /// The time between two looks at an engine that gets nothing.
  private static let checkEvery: UInt64 = 5_000_000
  /// The time after which the lag is looked at where nothing comes.
  private static let lookEvery: Int32 = 1_000

  /// Starts the thread; it hears the loop at the descriptor `ear`.
  static func launch(_ mailbox: ForwardMailbox, ear: Int32) throws(ClientError) {
    try Thread.start {
      ForwardThread(mailbox, FileDescriptor(adopting: ear)).work()
    }
  }

  private init(_ mailbox: ForwardMailbox, _ ear: consuming FileDescriptor) {
    self.mailbox = mailbox
    self.ear = ear
  }

  private func work() -> Never {
    while true {
      ThreadWatch.beat()
      let (plan, edition) = mailbox.plan
      self.edition = edition
      guard let plan, plan.share != .nothing else {
        rest(.idle)
        continue
      }
      guard let engine = plan.engine else {
        rest(.homeless)
        continue
      }
      do throws(ForwardFailure) {
        try forward(plan, to: engine)
      } catch {
        recover(from: error, plan, engine)
      }
    }
  }

  private func rest(_ condition: ForwardCondition) {
    mailbox.note(condition)
    pause(-1)
  }

  private func recover(
    from failure: ForwardFailure,
    _ plan: ForwardPlan,
    _ engine: EngineAddress
  ) {
    switch failure {
    case .replanned:
      nextSign = 0
      return backoff.reset()
    case .bus(let reason): mailbox.note(.busAway(path: plan.bus, reason: reason))
    case .engine, .forbidden:
      turn += 1
      mailbox.note(.engineAway(engine, reason: failure.engineReason ?? ""))
    }
    pause(Int32(clamping: backoff.nextWait().milliseconds))
  }

  /// Waits for the bell, for so long at most.
  private func pause(_ milliseconds: Int32) {
    ThreadWatch.rest()
    defer { ThreadWatch.beat() }
    _ = try? ear.waitReady(for: .readable, timeoutMilliseconds: milliseconds)
    ear.hearBell()
  }

  // MARK: Forwarding

  private func forward(_ plan: ForwardPlan, to address: EngineAddress) throws(ForwardFailure) {
    let poll = try makePoll()
    // The engine first: while it is away, the bus is not bothered with hellos, which are entries.
    let engine: any Engine =
      switch address.kind {
      case .nats: try NatsEngine(plan, address)
      case .redis: try RedisEngine(plan, address, turn: turn)
      }
    let last = try engine.last()
    let feed = try BusFeed(path: plan.bus, poll: poll)
    try resume(feed, engine, behind: last)
    let batch = Batch(
      keepsTexts: plan.share == .all,
      plan.filter,
      most: RateBound.batch(perSecond: plan.rate)
    )
    rate = RateBound(perSecond: plan.rate)
    var nextCheck = SystemClock.monotonicMicroseconds() + Self.checkEvery
    while true {
      ThreadWatch.beat()
      batch.clear()
      try feed.collect(into: batch)
      try giveSign(plan, feed, engine)
      mailbox.note(.forwarding(address, plan.machine, plan.choice, feed.lag(behind: batch)))
      if batch.isEmpty {
        if try feed.wait(milliseconds: Self.lookEvery) { try followBell() }
        guard SystemClock.monotonicMicroseconds() >= nextCheck else { continue }
        try engine.check()
      } else {
        try engine.handOver(batch, feed.epochs)
        remark(engine.caution)
        for range in batch.forgotten { try erase(range, engine, feed.epochs) }
        try hold(behind: batch.parcels.count)
        backoff.reset()
      }
      nextCheck = SystemClock.monotonicMicroseconds() + Self.checkEvery
    }
  }

  /// Asks the bus for a sign of life where one is due, and hands over the one that it has given.
  private func giveSign(
    _ plan: ForwardPlan,
    _ feed: BusFeed,
    _ engine: any Engine
  ) throws(ForwardFailure) {
    let now = SystemClock.monotonicMicroseconds()
    if plan.heartbeat > 0, now >= nextSign {
      nextSign = now + UInt64(plan.heartbeat) * 1_000_000
      feed.askForSign()
    }
    guard let sign = feed.takeSign() else { return }
    var refusal: String?
    do throws(ForwardFailure) {
      refusal = try engine.keep(sign)
    } catch {
      // A server that forbids it still takes entries.
      try engine.check()
      refusal = error.engineReason
    }
    remark(refusal.map { "the engine keeps no signs of life of this machine: \($0)" })
  }

  private func makePoll() throws(ForwardFailure) -> Poll {
    do throws(Errno) {
      let poll = try Poll()
      try poll.add(ear, token: BusFeed.Token.ear, interest: .readable)
      return poll
    } catch {
      throw .bus(error.description)
    }
  }

  /// Subscribes behind the newest entry of the engine.
  private func resume(
    _ feed: BusFeed,
    _ engine: any Engine,
    behind last: EngineLast?
  ) throws(ForwardFailure) {
    // The process may have ended between sending that entry and doing as it says.
    for range in last?.forgotten ?? [] { try erase(range, engine, feed.epochs) }
    let resumption = Resumption(behind: last, in: feed.epochs)
    let misplaced = try feed.subscribe(behind: resumption.cursor)
    remark(resumption.remark ?? misplaced)
  }

  /// Tells the operator a sentence, unless it was the last one, too.
  private func remark(_ words: String?) {
    guard let words, words != remarked else { return }
    remarked = words
    mailbox.remark(.remark, words)
  }

  private func erase(
    _ range: ClosedRange<Int64>,
    _ engine: any Engine,
    _ epochs: EpochLine
  ) throws(ForwardFailure) {
    switch try engine.erase(range, epochs) {
    case .done: break
    case .refused(let reason):
      let words = "entries \(range.lowerBound) to \(range.upperBound) are still there: \(reason)"
      mailbox.remark(.notForgotten, words)
    case .left:
      remark("forgotten entries are removed by a11y-forward --tend: this machine may not do so")
    }
  }

  /// Waits until the rate allows the next batch.
  private func hold(behind count: Int) throws(ForwardFailure) {
    let wait = rate.wait(behind: count, at: SystemClock.monotonicMicroseconds())
    if wait > 0 { pause(Int32(clamping: wait / 1_000 + 1)) }
    if mailbox.plan.edition != edition { throw .replanned }
  }

  private func followBell() throws(ForwardFailure) {
    ear.hearBell()
    if mailbox.plan.edition != edition { throw .replanned }
  }
}

/// The instant up to which the sending thread may stay in a call of a library.
///
/// Each call of a library has a deadline, which the library itself has to keep. Where it does not,
/// the loop sees that here, and starts the program anew.
enum ThreadWatch {
  /// Microseconds of the monotonic clock; `never` while the thread may wait for ever.
  private static let deadline = Atomic<UInt64>(never)
  private static let never = UInt64.max
  /// Twice what one call may take.
  private static let patience: UInt64 = 12_000_000

  /// Tells that the thread lives, and begins a call that may take so many more microseconds.
  static func beat(_ more: UInt64 = 0) {
    deadline.store(SystemClock.monotonicMicroseconds() + patience + more, ordering: .relaxed)
  }

  static func rest() { deadline.store(never, ordering: .relaxed) }

  /// Whether the thread hangs in a call.
  static func isMissing(at now: UInt64) -> Bool { now > deadline.load(ordering: .relaxed) }
}

/// What the loop and the sending thread have for each other.
struct ForwardContents: Sendable {
  /// A sentence that is told once.
  struct Remark: Equatable, Sendable {
    let message: ForwardMessage
    let words: String
  }

  /// Remarks that the loop has not told yet; further ones are dropped.
  static let mostRemarks = 16

  var conditions = ConditionNews()
  var remarks: [Remark] = []
  var plan: ForwardPlan?
  /// Counts the plans, so that the thread notices a new one.
  var edition = 0
}

typealias ForwardMailbox = ThreadMailbox<ForwardContents>

extension ForwardMailbox {
  // MARK: The loop's side

  func follow(_ plan: ForwardPlan) {
    tellThread { contents in
      contents.plan = plan
      contents.edition += 1
    }
  }

  func takeNews() -> (conditions: [ForwardCondition], remarks: [ForwardContents.Remark]) {
    use { contents in
      defer { contents.remarks = [] }
      return (contents.conditions.collect(), contents.remarks)
    }
  }

  // MARK: The thread's side

  var plan: (plan: ForwardPlan?, edition: Int) { use { ($0.plan, $0.edition) } }

  func note(_ condition: ForwardCondition) {
    // Numbers alone wait for the loop's next look.
    if use({ $0.conditions.enter(condition) }) { tellLoop { _ in } }
  }

  func remark(_ message: ForwardMessage, _ words: String) {
    tellLoop { contents in
      guard contents.remarks.count < Contents.mostRemarks else { return }
      contents.remarks.append(.init(message: message, words: words))
    }
  }
}

/// The reason why the thread has to begin anew.
enum ForwardFailure: Error {
  case bus(String)
  case engine(String)
  /// The engine denies this machine a right that NATS names.
  case forbidden(MissingRight)
  /// The plan is another now.
  case replanned
}

extension ForwardFailure {
  /// The words of the engine; nil where something else is the reason.
  var engineReason: String? {
    switch self {
    case .engine(let words): words
    case .forbidden(let right): right.sentence
    case .bus, .replanned: nil
    }
  }
}

/// An engine that keeps the logs of machines; each call has a deadline of seconds.
protocol Engine: AnyObject {
  /// The newest entry of this machine; nil where there is none.
  func last() throws(ForwardFailure) -> EngineLast?

  /// Adds the lines behind the newest entry, all or those before a refusal, which is thrown.
  func handOver(_ batch: Batch, _ epochs: EpochLine) throws(ForwardFailure)

  /// Removes the entries with these seqs, as far as it has them and allows it.
  func erase(_ range: ClosedRange<Int64>, _ epochs: EpochLine) throws(ForwardFailure) -> Erasure

  /// Keeps a sign of life of this machine; returns the reason where it may not.
  func keep(_ sign: SignOfLife) throws(ForwardFailure) -> String?

  /// The sentence about trouble that does not stop the sending; nil where all is well.
  var caution: String? { get }

  /// Makes sure that the engine is still there.
  func check() throws(ForwardFailure)
}

/// The result of an erasure.
enum Erasure {
  case done
  /// Some are still there, for this reason.
  case refused(String)
  /// It is left to the process of an operator, since this machine may not.
  case left
}
