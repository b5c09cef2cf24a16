// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

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
