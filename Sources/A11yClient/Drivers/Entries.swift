// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix
internal import A11yWire
internal import Synchronization

/// The entries of the log and the marks between them, for `for try await`.
///
/// A loop begins where the one before it ended, so that one task may stop and another go on. When
/// the bus is lost, the loop gives the mark `away`, waits, and goes on behind the last entry: none
/// is missing, none comes twice. The loop ends with its task, or throws the bus's refusal of the
/// subscription.
///
/// Reading takes a thread for as long as a loop runs.
public struct Entries: AsyncSequence, Sendable {
  /// The place behind the last entry that a loop has seen; nil before the first.
  ///
  /// An app that stores the cursor's text can pass it to `Client.entries` in its next process.
  public var cursor: LogCursor? { place.cursor }

  private let source: Source
  private let subscription: SubscriptionRequest
  private let place: Place

  init(_ source: Source, _ subscription: SubscriptionRequest) {
    self.source = source
    self.subscription = subscription
    place = Place()
  }

  /// Begins a loop where the one before it ended.
  public func makeAsyncIterator() -> Iterator {
    var subscription = subscription
    if let cursor = place.cursor { subscription.from = .cursor(cursor) }
    return Iterator(source, subscription, place)
  }

  /// One loop.
  public struct Iterator: AsyncIteratorProtocol {
    private let source: Source
    private let subscription: SubscriptionRequest
    private let place: Place
    private var reading: Reading?
    private var batch: [SubscriptionItem] = []
    private var next = 0

    fileprivate init(_ source: Source, _ subscription: SubscriptionRequest, _ place: Place) {
      self.source = source
      self.subscription = subscription
      self.place = place
    }

    /// The next entry or mark; nil when the task was cancelled.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async throws(ClientError) -> SubscriptionItem? {
      if next == batch.count {
        guard try await fetch() else { return nil }
      }
      let item = batch[next]
      next += 1
      if let cursor = item.cursor { place.move(to: cursor) }
      return item
    }

    private mutating func fetch() async throws(ClientError) -> Bool {
      let reading = try begun()
      switch await reading.nextBatch() {
      case .items(let items):
        batch = items
        next = 0
        return true
      case .failed(let error): throw error
      case .ended: return false
      }
    }

    private mutating func begun() throws(ClientError) -> Reading {
      if let reading { return reading }
      let fresh = try Reading(source, subscription)
      reading = fresh
      return fresh
    }
  }

  /// The place that the loops have come to.
  fileprivate final class Place: Sendable {
    private let held = Mutex<LogCursor?>(nil)

    var cursor: LogCursor? { held.withLock { $0 } }

    func move(to cursor: LogCursor) { held.withLock { $0 = cursor } }
  }
}

/// A subscription that is read on a thread of its own, until its owner lets go of it.
final class Reading: Sendable {
  private let mailbox: Mailbox

  /// Begins to read.
  init(_ source: Source, _ subscription: SubscriptionRequest) throws(ClientError) {
    let hung = try Bell.hang()
    let mailbox = Mailbox(bell: hung.bell)
    self.mailbox = mailbox
    let ear = hung.relinquishEar()
    try Thread.start {
      Self.follow(source, subscription, into: mailbox, ear: FileDescriptor(adopting: ear))
    }
  }

  deinit { mailbox.close() }

  func nextBatch() async -> Mailbox.Batch { await mailbox.nextBatch() }

  private static func follow(
    _ source: Source,
    _ subscription: SubscriptionRequest,
    into mailbox: Mailbox,
    ear: consuming FileDescriptor
  ) {
    do {
      let follower = try Follower(
        path: source.path,
        introduction: source.introduction.isNamed ? source.introduction : nil,
        subscription: subscription,
        backoff: source.backoff,
        interrupt: ear,
        interest: .readable
      )
      try follow(follower, into: mailbox)
    } catch {
      mailbox.fail(error)
    }
  }

  private static func follow(_ follower: Follower, into mailbox: Mailbox) throws(ClientError) {
    while true {
      switch mailbox.room() {
      case .closed: return
      case .full:
        follower.waitForBell()
        continue
      case .free: break
      }
      var items: [SubscriptionItem] = []
      switch try follower.step(into: &items) {
      case .lines, .ignored, .subscribed: break
      case .renumbered(let epoch): items.append(.mark(.newEpoch(epoch)))
      case .misplaced(let refusal, let cursor):
        items.append(.mark(SubscriptionMark(refusal, at: cursor)))
      case .away(let reason): items.append(.mark(.away(reason: reason)))
      case .withdrawn(let from, let to): items.append(.mark(.withdrawn(from: from, to: to)))
      case .interrupted: follower.hearBell()
      }
      if !items.isEmpty { mailbox.deliver(items) }
    }
  }
}

/// The socket of a bus, and the greeting for it.
struct Source: Sendable {
  let path: String
  let introduction: Introduction
  let backoff: Backoff
}

/// Hands items from a reading thread to a task, one batch at a time.
///
/// The thread reads the next batch only when the last one was taken. So a slow task costs two
/// batches of memory, and the bus feeds it from the log at the task's pace.
final class Mailbox: Sendable {
  /// A batch of items, or the end of them.
  enum Batch: Sendable {
    case items([SubscriptionItem])
    case failed(ClientError)
    /// Nothing more will come: the task was cancelled.
    case ended
  }

  private struct State {
    var batch: [SubscriptionItem] = []
    var failure: ClientError?
    var isClosed = false
    var waiter: CheckedContinuation<Batch, Never>?
    /// Whether the thread waits until the batch is taken.
    var isReaderWaiting = false
  }

  private let state = Mutex(State())
  private let bell: Bell

  init(bell: Bell) { self.bell = bell }

  // MARK: The thread's side

  /// The room for another batch.
  enum Room {
    case free, full, closed
  }

  /// Tells whether the next batch may be read; after `full` the bell rings when that changes.
  func room() -> Room {
    state.withLock { state in
      if state.isClosed { return .closed }
      state.isReaderWaiting = !state.batch.isEmpty
      return state.isReaderWaiting ? .full : .free
    }
  }

  /// Gives the task a batch, which is not empty.
  func deliver(_ items: [SubscriptionItem]) {
    hand { state in
      guard let waiter = state.waiter.take() else {
        state.batch.append(contentsOf: items)
        return nil
      }
      return (waiter, .items(items))
    }
  }

  /// Ends the reading with an error.
  func fail(_ error: ClientError) {
    hand { state in
      state.failure = error
      return state.waiter.take().map { ($0, .failed(error)) }
    }
  }

  // MARK: The task's side

  /// Takes the batch that is there, or waits for one.
  func nextBatch() async -> Batch {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Batch, Never>) in
        var rings = false
        hand { state in
          if state.isClosed { return (continuation, .ended) }
          if !state.batch.isEmpty {
            defer { state.batch = [] }
            rings = state.isReaderWaiting
            return (continuation, .items(state.batch))
          }
          if let failure = state.failure { return (continuation, .failed(failure)) }
          precondition(state.waiter == nil, "one task at a time takes from a mailbox")
          state.waiter = continuation
          return nil
        }
        if rings { bell.ring() }
      }
    } onCancel: {
      close()
    }
  }

  /// Ends the reading.
  func close() {
    hand { state in
      state.isClosed = true
      state.batch = []
      return state.waiter.take().map { ($0, .ended) }
    }
    bell.ring()
  }

  /// Changes the state, and wakes a task only afterwards: a task that goes on at once must not find
  /// the lock taken.
  private func hand(
    _ change: (inout State) -> (CheckedContinuation<Batch, Never>, Batch)?
  ) {
    let woken = state.withLock { state in change(&state) }
    guard let (waiter, delivery) = woken else { return }
    waiter.resume(returning: delivery)
  }
}
