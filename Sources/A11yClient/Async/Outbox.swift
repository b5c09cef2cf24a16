// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix
internal import A11yWire

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

  private enum ID {
    static let hello: Int64 = 0
    static let look: Int64 = -1
    static let told: Int64 = -2
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
  private var lastID: Int64 = 0
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
      backoff: source.backoff,
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

  private var isConnected: Bool { uplink.channel != nil }

  private var wantsConnection: Bool { !waiting.isEmpty || !shown.isEmpty }

  private func connect() {
    guard wantsConnection else { return }
    do {
      guard try uplink.connect() else { return }
      try uplink.request("hello", id: ID.hello, source.introduction.fields)
      phase = .greeting
    } catch {
      lose(error)
    }
  }

  private func lose(_ error: ClientError) {
    uplink.disconnect()
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
    guard isConnected else { return }
    do {
      try retell()
    } catch {
      lose(error)
    }
    if case .open = phase { sendWaiting() }
    uplink.channel?.push()
  }

  private func sendWaiting() {
    let sent = waiting
    waiting = []
    for var entrusted in sent {
      lastID += 1
      entrusted.id = lastID
      do {
        switch entrusted.job.request {
        case .publication(let publication):
          try uplink.enqueue(publication, id: lastID)
        case .ping: try uplink.request("ping", id: lastID)
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
    while (uplink.channel?.unsentBytes ?? 0) < Self.ahead {
      event.clear()
      guard telling.appendNext(to: &event) else {
        try uplink.request("ping", id: ID.told)
        phase = .open
        return
      }
      do {
        try uplink.enqueue(OutgoingEvent(checked: event.bytes.string), id: nil)
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
      let error = isConnected ? nil : trouble
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
      while let news = try uplink.channel?.next(News.init) ?? nil {
        try receive(news)
      }
    } catch {
      lose(error)
    }
  }

  private func receive(_ news: News) throws(ClientError) {
    switch news {
    case .reply(ID.hello?, .success(let ok)): try meet(ServerInfo(ok))
    case .reply(ID.hello?, .failure(let error)): try refuseAll(error)
    case .reply(ID.look?, .failure): phase = .telling(shown.everything())
    case .reply(ID.told?, .success):
      epoch = presentEpoch
      shown.forgetUntold()
      untoldBytes = 0
    case .reply(let id?, let result):
      uplink.confirm()
      guard let index = underWay.firstIndex(where: { $0.id == id }) else { return }
      let entrusted = underWay.remove(at: index)
      if case .success = result, let publication = entrusted.publication,
        Shown.concerns(publication.type)
      {
        shown.fold(publication.event.json)
      }
      complete(entrusted, result)
    case .mark(.state(let state, _)): try compare(state)
    case .farewell(let error): throw error
    case .unknownFields(let names): door.complain([.unknownFields(names)])
    case .reply(nil, .failure(.refused(let refusal))): door.complain([.refused(refusal)])
    case .reply(nil, _), .entry, .mark: break
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
      try uplink.request("subscribe", id: ID.look, nothing.fields)
      phase = .looking
    }
  }

  private func compare(_ state: JSONValue) throws(ClientError) {
    guard case .looking = phase else { return }
    let known = (state["windows"]?.list ?? []).filter { $0["app"]?.string == ownName }
    phase = .telling(shown.missing(from: Set(known.compactMap { $0["window"]?.string })))
    epoch = nil
    try uplink.request("unsubscribe", id: nil)
  }
}

extension BusRefusal {
  /// Whether the same request may be granted later.
  var mayPass: Bool { code == "shutting-down" || code == "quota.exceeded" }
}
