// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix
internal import A11yWire
internal import Synchronization

/// The requests of a client between the task that gave them and the bus.
///
/// Waiting requests have not been sent; requests under way have, and their replies come in the same
/// order. When the connection breaks, a request under way goes back to the waiting ones if sending
/// it again changes nothing, and fails if it could be recorded twice.
///
/// A connection begins with a greeting and a look at the bus's state: windows and elements that the
/// app has shown, and the bus has forgotten, are told again before anything else.
final class Outbox {
  private struct Entrusted {
    var job: PublishingThread.Job
    let deadline: Deadline
    var id: Int64 = 0

    var publication: OutgoingEvent? {
      if case .publication(let publication) = job.request { publication } else { nil }
    }

    var isLasting: Bool { Shown.isLasting(publication?.type) }

    var mayBeRepeated: Bool {
      guard let publication else { return true }
      return publication.dedupe != nil || isLasting
    }

    /// Whether its task has stopped waiting for it.
    var isGivenUp: Bool { job.continuation == nil && !(publication?.isPosted ?? false) }
  }

  /// The stages of a connection.
  private enum Phase {
    case away
    /// The reply to the greeting is missing.
    case greeting
    /// The state is missing, which names the windows that the bus knows.
    case looking
    case telling(Shown.Telling)
    case open
  }

  /// The most bytes that retelling puts between us and the bus.
  private static let ahead = 262_144
  /// The most bytes of events about windows that are taken while the bus is away: more than an app
  /// can show.
  private static let untoldBytes = 67_108_864

  private let source: Source
  private let door: PublishingThread.Door
  private let uplink: Uplink
  private var phase = Phase.away
  private var waiting: [Entrusted] = []
  private var underWay: [Entrusted] = []
  private var event = ByteBuffer(capacity: 1_024)
  /// The requests for the state, and behind all that was told.
  private var look: Int64?
  private var told: Int64?
  /// The error of the last attempt to reach the bus.
  private var trouble: ClientError?

  private var shown = Shown()
  private var untoldBytes = 0
  /// The epoch of the bus in which it knew everything shown; nil where it may not.
  private var epoch: String?
  private var presentEpoch = ""
  private var ownName = ""

  init(
    _ source: Source,
    _ door: PublishingThread.Door,
    ear: consuming FileDescriptor
  ) throws(ClientError) {
    self.source = source
    self.door = door
    uplink = try Uplink(
      path: source.path,
      Session(source.introduction, backoff: source.backoff),
      interrupt: ear,
      interest: .readable
    )
  }

  /// Whether no request is left.
  var isIdle: Bool { waiting.isEmpty && underWay.isEmpty }

  func accept(_ jobs: [PublishingThread.Job]) {
    for job in jobs {
      waiting.append(Entrusted(job: job, deadline: Deadline(after: job.timeout)))
    }
    absorb()
  }

  /// One turn of the loop: sends, waits until something happens, and deals with it.
  func turn() {
    expire()
    connect()
    sendRequests()
    waitForNews()
    drain()
  }

  /// Gives a request its answer.
  private func complete(_ entrusted: Entrusted, _ answer: PublishingThread.Answer) {
    entrusted.job.continuation?.resume(returning: answer)
    switch answer {
    case .success(let ok):
      let warnings = (try? Receipt(ok))?.warnings ?? []
      door.conclude(entrusted.job, warnings.map(BusConnection.Complaint.advice))
    case .failure(.refused(let refusal)): door.conclude(entrusted.job, [.refused(refusal)])
    case .failure(let error): door.conclude(entrusted.job, [.lost(error)])
    }
  }

  // MARK: While the bus is away

  /// Folds posted events about windows and elements into what is shown; the bus is told of the
  /// whole when it is back.
  ///
  /// An event that a task waits for keeps its place, and so do all events behind it.
  private func absorb() {
    guard case .away = phase else { return }
    var rest: [Entrusted] = []
    var isBlocked = false
    for entrusted in waiting {
      guard let publication = entrusted.publication, publication.isPosted, entrusted.isLasting,
        !isBlocked
      else {
        isBlocked = isBlocked || entrusted.isLasting
        rest.append(entrusted)
        continue
      }
      let json = publication.event.json
      untoldBytes += json.utf8.count
      let isTaken = untoldBytes <= Self.untoldBytes && shown.foldUntold(json)
      door.conclude(
        entrusted.job,
        isTaken ? [] : [.lost(.disconnected(reason: "too much is shown"))]
      )
    }
    waiting = rest
  }

  // MARK: The connection

  private var wantsConnection: Bool { !waiting.isEmpty || !shown.isEmpty }

  private func connect() {
    guard wantsConnection else { return }
    do {
      guard try uplink.connect() else { return }
      phase = .greeting
    } catch {
      lose(error)
    }
  }

  private func lose(_ error: ClientError) {
    _ = uplink.lose(error)
    phase = .away
    trouble = error
    if case .dismissed("quota.exceeded", _) = error {
      // The app shows more than the bus takes, and would again.
      shown = Shown()
    }
    let lost = underWay
    underWay = []
    waiting.insert(contentsOf: lost.filter { $0.mayBeRepeated && !$0.isGivenUp }, at: 0)
    for entrusted in lost where !entrusted.mayBeRepeated { complete(entrusted, .failure(error)) }
    absorb()
  }

  // MARK: Sending

  private func sendRequests() {
    guard uplink.isConnected else { return }
    do {
      try retell()
    } catch {
      lose(error)
    }
    if case .open = phase { sendWaiting() }
    uplink.push()
  }

  private func sendWaiting() {
    let sent = waiting
    waiting = []
    for var entrusted in sent {
      do {
        switch entrusted.job.request {
        case .publication(let publication):
          entrusted.id = try uplink.session.publish(publication, isAnswered: true)
        case .ping: entrusted.id = try uplink.session.request("ping")
        }
        underWay.append(entrusted)
      } catch {
        complete(entrusted, .failure(error))
      }
    }
  }

  /// Tells the bus what it has forgotten, as fast as it takes that.
  private func retell() throws(ClientError) {
    guard case .telling(var telling) = phase else { return }
    while uplink.session.unsentBytes < Self.ahead {
      event.clear()
      guard telling.appendNext(to: &event) else {
        told = try uplink.session.request("ping")
        phase = .open
        return
      }
      do {
        let publication = OutgoingEvent(checked: event.bytes.string)
        try uplink.session.publish(publication, isAnswered: false)
      } catch .refused(let refusal) {
        // Parts that each fitted a line have become one element that does not.
        door.complain([.refused(refusal)])
      }
    }
    phase = .telling(telling)
  }

  // MARK: Waiting

  private func expire() {
    waiting = waiting.filter { entrusted in
      guard entrusted.deadline.hasPassed else { return true }
      let error = uplink.isConnected ? nil : trouble
      complete(entrusted, .failure(error ?? .timedOut(after: entrusted.job.timeout)))
      return false
    }
    // A request under way stays: its late answer still tells whether windows are on record.
    for index in underWay.indices where underWay[index].deadline.hasPassed {
      let continuation = underWay[index].job.continuation.take()
      continuation?.resume(returning: .failure(.timedOut(after: underWay[index].job.timeout)))
    }
  }

  private func waitForNews() {
    var deadline = Deadline.never
    for entrusted in waiting { deadline = deadline.sooner(entrusted.deadline) }
    for entrusted in underWay where entrusted.job.continuation != nil {
      deadline = deadline.sooner(entrusted.deadline)
    }
    // The wait fails only by a mistake of ours, and then nothing is ready.
    let isRung = try? uplink.wait(until: deadline, reconnects: wantsConnection)
    if isRung ?? false { uplink.interrupt?.hearBell() }
  }

  // MARK: Receiving

  private func drain() {
    do {
      while uplink.isConnected, let news = try uplink.session.next() { try receive(news) }
    } catch {
      lose(error)
    }
  }

  private func receive(_ news: Session.News) throws(ClientError) {
    switch news {
    case .greeted(let server): try meet(server)
    case .answer(Session.greeting, .failure(let error)): try refuseAll(error)
    case .answer(let id?, .failure) where id == look: phase = .telling(shown.everything())
    case .answer(let id?, .success) where id == told:
      epoch = presentEpoch
      shown.forgetUntold()
      untoldBytes = 0
    case .answer(let id?, let result):
      uplink.session.confirm()
      guard let index = underWay.firstIndex(where: { $0.id == id }) else { return }
      let entrusted = underWay.remove(at: index)
      if case .success = result, let publication = entrusted.publication,
        Shown.concerns(publication.type)
      {
        shown.fold(publication.event.json)
      }
      complete(entrusted, result)
    case .item(.mark(.state(let state, _))): try compare(state)
    case .ignored(let names): door.complain([.unknownFields(names)])
    case .answer(nil, .failure(.refused(let refusal))): door.complain([.refused(refusal)])
    case .answer, .item, .line, .subscribed, .renumbered, .withdrawn, .misplaced: break
    }
  }

  /// Fails every request: without a greeting nothing can be published, and asking again would not
  /// help, unless the bus itself is in trouble.
  private func refuseAll(_ error: ClientError) throws(ClientError) {
    if case .refused(let refusal) = error, refusal.mayPass { throw error }
    let all = underWay + waiting
    underWay = []
    waiting = []
    shown = Shown()
    for entrusted in all { complete(entrusted, .failure(error)) }
    throw error
  }

  // MARK: The bus's knowledge

  private func meet(_ server: ServerInfo) throws(ClientError) {
    presentEpoch = server.epoch
    ownName = source.introduction.app ?? "uid:\(server.uid)"
    if shown.isEmpty {
      epoch = presentEpoch
      phase = .open
    } else if epoch != presentEpoch {
      phase = .telling(shown.everything())
    } else {
      // The filter lets nothing through: only the state that a subscription begins with is wanted.
      let nothing = SubscriptionRequest(filter: EntryFilter(types: []), state: true)
      look = try uplink.session.request("subscribe", nothing.fields)
      phase = .looking
    }
  }

  private func compare(_ state: JSONValue) throws(ClientError) {
    guard case .looking = phase else { return }
    let known = (state["windows"]?.list ?? []).filter { $0["app"]?.string == ownName }
    phase = .telling(shown.missing(from: Set(known.compactMap { $0["window"]?.string })))
    epoch = nil
    try uplink.session.tell("unsubscribe")
  }
}

extension BusRefusal {
  /// Whether the same request may be granted later.
  var mayPass: Bool {
    switch RefusalCode(rawValue: code) {
    case .shuttingDown, .quotaExceeded: true
    default: false
    }
  }
}

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
