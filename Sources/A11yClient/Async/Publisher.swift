// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix
internal import Synchronization

/// Publishes what tasks give it, over one connection on a thread of its own.
final class Publisher: Sendable {
  typealias Answer = Result<JSONValue, ClientError>

  /// A publication with the task that waits for it.
  struct Job: Sendable {
    let publication: Publication
    let timeout: Duration
    let continuation: CheckedContinuation<Answer, Never>
  }

  private struct Inbox {
    var jobs: [Job] = []
    var isEnded = false
  }

  /// What tasks have left for the thread.
  private final class Door: Sendable {
    let inbox = Mutex(Inbox())
  }

  private let door = Door()
  private let bell: Bell

  init(_ source: Source) throws(ClientError) {
    let hung = try Bell.hang()
    bell = hung.bell
    let ear = hung.relinquishEar()
    let door = door
    try Thread.start {
      Self.run(source, door, ear: FileDescriptor(adopting: ear))
    }
  }

  func publish(_ publication: Publication, _ timeout: Duration) async -> Answer {
    await withCheckedContinuation { continuation in
      let job = Job(publication: publication, timeout: timeout, continuation: continuation)
      let isEnded = door.inbox.withLock { inbox in
        if !inbox.isEnded { inbox.jobs.append(job) }
        return inbox.isEnded
      }
      if isEnded {
        continuation.resume(returning: .failure(.disconnected(reason: "the client has ended")))
      }
      bell.ring()
    }
  }

  /// Ends the thread as soon as those who wait have their answers: a call may outlive the client
  /// that it was made on.
  func end() {
    door.inbox.withLock { $0.isEnded = true }
    bell.ring()
  }

  private static func run(_ source: Source, _ door: Door, ear: consuming FileDescriptor) {
    let outbox: Outbox
    do {
      outbox = try Outbox(source, ear: ear)
    } catch {
      fail(door, error)
      return
    }
    while true {
      let (jobs, isEnded) = door.inbox.withLock { inbox in
        defer { inbox.jobs = [] }
        return (inbox.jobs, inbox.isEnded)
      }
      outbox.accept(jobs)
      if isEnded && outbox.isIdle { return }
      outbox.turn()
    }
  }

  /// Refuses everything, now and later.
  private static func fail(_ door: Door, _ error: ClientError) {
    let jobs = door.inbox.withLock { inbox in
      inbox.isEnded = true
      return inbox.jobs
    }
    for job in jobs { job.continuation.resume(returning: .failure(error)) }
  }
}
