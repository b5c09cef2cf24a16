// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix
internal import Synchronization

/// Publishes the events that tasks give it, over one connection on a thread of its own.
final class PublishingThread: Sendable {
  typealias Answer = Result<JSONValue, ClientError>

  /// A request, and the task that waits for its answer.
  struct Job: Sendable {
    let request: Request
    let timeout: Duration
    /// The waiting task; nil for a posted event.
    var continuation: CheckedContinuation<Answer, Never>?
  }

  enum Request: Sendable {
    case publication(OutgoingEvent)
    /// Its answer means that everything before it is on record.
    case ping
  }

  private struct Inbox {
    var jobs: [Job] = []
    var isEnded = false
    /// Posted events without an answer, and their bytes.
    var posted = 0
    var postedBytes = 0
    var complaints: [BusConnection.Complaint] = []
  }

  /// The jobs that tasks have left for the thread, and the complaints it has left for them.
  final class Door: Sendable {
    private let inbox = Mutex(Inbox())

    /// Leaves a job; false when the thread has ended or too much is posted.
    func enqueue(_ job: Job) -> Bool {
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

    /// Ends a job, and keeps the complaints about a posted event.
    func conclude(_ job: Job, _ complaints: [BusConnection.Complaint]) {
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

    func close() { inbox.withLock { $0.isEnded = true } }

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
      Self.publishJobs(source, door, ear: FileDescriptor(adopting: ear))
    }
  }

  /// Sends a request, and waits for the answer.
  func ask(_ request: Request, _ timeout: Duration) async -> Answer {
    await withCheckedContinuation { continuation in
      let job = Job(request: request, timeout: timeout, continuation: continuation)
      if !door.enqueue(job) {
        continuation.resume(returning: .failure(.disconnected(reason: "the client has ended")))
      }
      bell.ring()
    }
  }

  /// Leaves an event; false when too many are under way.
  func post(_ publication: OutgoingEvent) -> Bool {
    let job = Job(request: .publication(publication), timeout: BusConnection.patience)
    guard door.enqueue(job) else { return false }
    bell.ring()
    return true
  }

  func complain(_ complaint: BusConnection.Complaint) { door.complain([complaint]) }

  func takeComplaints() -> [BusConnection.Complaint] { door.takeComplaints() }

  /// Ends the thread as soon as all waiting tasks have their answers: a call may outlive the client
  /// that it was made on.
  func stop() {
    door.close()
    bell.ring()
  }

  private static func publishJobs(_ source: Source, _ door: Door, ear: consuming FileDescriptor) {
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

  /// Fails all jobs, now and later.
  private static func fail(_ door: Door, _ error: ClientError) {
    door.close()
    for job in door.takeJobs().jobs {
      job.continuation?.resume(returning: .failure(error))
      door.conclude(job, [.lost(error)])
    }
  }
}

extension PublishingThread.Job {
  /// The length of a posted event; nil for a request of a task.
  var postedBytes: Int? {
    guard case .publication(let publication) = request, publication.isPosted else { return nil }
    return publication.event.json.utf8.count
  }
}
