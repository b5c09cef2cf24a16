// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix
internal import Synchronization

/// Publishes what tasks give it, over one connection on a thread of its own.
final class PublishingThread: Sendable {
  typealias Answer = Result<JSONValue, ClientError>

  /// A request, and who waits for its answer.
  struct Job: Sendable {
    let request: Request
    let timeout: Duration
    /// Nil for what was posted.
    var continuation: CheckedContinuation<Answer, Never>?
  }

  enum Request: Sendable {
    case publication(OutgoingEvent)
    /// An answer says that everything before it is on record.
    case ping
  }

  private struct Inbox {
    var jobs: [Job] = []
    var isEnded = false
    /// Events that were posted and have come to nothing yet, and their bytes.
    var posted = 0
    var postedBytes = 0
    var complaints: [BusConnection.Complaint] = []
  }

  /// What tasks have left for the thread, and it for them.
  final class Door: Sendable {
    private let inbox = Mutex(Inbox())

    /// Leaves a job; false where nobody takes any more, or too much was posted.
    func leave(_ job: Job) -> Bool {
      inbox.withLock { inbox in
        guard !inbox.isEnded else { return false }
        if let bytes = job.postedBytes {
          guard inbox.posted < Client.postedEvents,
            inbox.postedBytes + bytes <= Client.postedBytes
          else { return false }
          inbox.posted += 1
          inbox.postedBytes += bytes
        }
        inbox.jobs.append(job)
        return true
      }
    }

    /// What came of a posted event.
    func settle(_ job: Job, _ complaints: [BusConnection.Complaint]) {
      guard let bytes = job.postedBytes else { return }
      inbox.withLock { inbox in
        inbox.posted -= 1
        inbox.postedBytes -= bytes
      }
      complain(complaints)
    }

    func complain(_ complaints: [BusConnection.Complaint]) {
      guard !complaints.isEmpty else { return }
      inbox.withLock { inbox in
        let room = BusConnection.complaintsKept - inbox.complaints.count
        inbox.complaints += complaints.prefix(max(0, room))
      }
    }

    func takeComplaints() -> [BusConnection.Complaint] {
      inbox.withLock { inbox in
        defer { inbox.complaints = [] }
        return inbox.complaints
      }
    }

    func end() { inbox.withLock { $0.isEnded = true } }

    fileprivate func takeJobs() -> (jobs: [Job], isEnded: Bool) {
      inbox.withLock { inbox in
        defer { inbox.jobs = [] }
        return (inbox.jobs, inbox.isEnded)
      }
    }
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

  /// Asks, and waits for the answer.
  func ask(_ request: Request, _ timeout: Duration) async -> Answer {
    await withCheckedContinuation { continuation in
      let job = Job(request: request, timeout: timeout, continuation: continuation)
      if !door.leave(job) {
        continuation.resume(returning: .failure(.disconnected(reason: "the client has ended")))
      }
      bell.ring()
    }
  }

  /// Leaves an event; false where that would be too many.
  func post(_ publication: OutgoingEvent) -> Bool {
    let job = Job(request: .publication(publication), timeout: BusConnection.patience)
    guard door.leave(job) else { return false }
    bell.ring()
    return true
  }

  func complain(_ complaint: BusConnection.Complaint) { door.complain([complaint]) }

  func takeComplaints() -> [BusConnection.Complaint] { door.takeComplaints() }

  /// Ends the thread as soon as those who wait have their answers: a call may outlive the client
  /// that it was made on.
  func end() {
    door.end()
    bell.ring()
  }

  private static func run(_ source: Source, _ door: Door, ear: consuming FileDescriptor) {
    let outbox: Outbox
    do {
      outbox = try Outbox(source, door, ear: ear)
    } catch {
      fail(door, error)
      return
    }
    while true {
      let (jobs, isEnded) = door.takeJobs()
      outbox.accept(jobs)
      if isEnded && outbox.isIdle { return }
      outbox.turn()
    }
  }

  /// Refuses everything, now and later.
  private static func fail(_ door: Door, _ error: ClientError) {
    door.end()
    for job in door.takeJobs().jobs {
      job.continuation?.resume(returning: .failure(error))
      door.settle(job, [.lost(error)])
    }
  }
}

extension PublishingThread.Job {
  /// The length of an event that was posted; nil where somebody waits, or has waited.
  var postedBytes: Int? {
    guard case .publication(let publication) = request, publication.isPosted else { return nil }
    return publication.event.json.utf8.count
  }
}
