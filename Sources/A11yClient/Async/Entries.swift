// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
