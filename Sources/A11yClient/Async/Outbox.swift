// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix
internal import A11yWire

/// The publications of a client between the task that gave them and the bus.
///
/// Those that wait have not been sent; those under way have, and their replies come in the same
/// order. When the connection breaks, what was under way goes back to those that wait if sending it
/// again cannot record it twice, and fails if it could.
final class Outbox {
  private struct Entrusted {
    let job: Publisher.Job
    let deadline: Deadline
    var id: Int64 = 0
  }

  private enum Token {
    static let channel: UInt64 = 1
    static let bell: UInt64 = 2
  }

  private static let helloID: Int64 = 0

  private let source: Source
  private let ear: FileDescriptor
  private let poll: Poll
  private var events = Poll.Events(capacity: 2)
  private var channel: LineChannel?
  private var watched = Readiness.readable
  private var waiting: [Entrusted] = []
  private var underWay: [Entrusted] = []
  private var line = ByteBuffer(capacity: 1_024)
  private var lastID: Int64 = 0
  private var backoff: Backoff
  private var nextAttempt = Deadline(after: .zero)
  /// Why the bus could not be reached at last.
  private var trouble: ClientError?

  init(_ source: Source, ear: consuming FileDescriptor) throws(ClientError) {
    self.source = source
    backoff = source.backoff
    do {
      poll = try Poll()
      try poll.add(ear, token: Token.bell, interest: .readable)
    } catch {
      throw .disconnected(reason: error.description)
    }
    self.ear = ear
  }

  /// Whether nobody waits for anything.
  var isIdle: Bool { waiting.isEmpty && underWay.isEmpty }

  func accept(_ jobs: [Publisher.Job]) {
    for job in jobs {
      waiting.append(Entrusted(job: job, deadline: Deadline(after: job.timeout)))
    }
  }

  /// Sends, waits until something happens, and deals with it.
  func turn() {
    expire()
    connect()
    send()
    wait()
    receive()
  }

  // MARK: The connection

  private func connect() {
    guard channel == nil, !waiting.isEmpty, nextAttempt.hasPassed else { return }
    do {
      let fresh = try LineChannel(path: source.path)
      try watch(fresh)
      channel = consume fresh
      watched = .readable
      if let introduction = source.introduction {
        try RequestLine.write("hello", id: Self.helloID, introduction.fields, into: &line)
        channel?.write(line)
      }
    } catch {
      lose(error)
    }
  }

  private func watch(_ fresh: borrowing LineChannel) throws(ClientError) {
    do {
      try poll.add(fresh.descriptor, token: Token.channel, interest: .readable)
    } catch {
      throw .disconnected(reason: error.description)
    }
  }

  private func lose(_ error: ClientError) {
    channel = nil
    trouble = error
    nextAttempt = Deadline(after: backoff.wait())
    let lost = underWay
    underWay = []
    waiting.insert(contentsOf: lost.filter { $0.job.publication.dedupe != nil }, at: 0)
    for entrusted in lost where entrusted.job.publication.dedupe == nil {
      entrusted.job.continuation.resume(returning: .failure(error))
    }
  }

  // MARK: Sending

  private func send() {
    guard channel != nil else { return }
    let sent = waiting
    waiting = []
    for var entrusted in sent {
      lastID += 1
      entrusted.id = lastID
      do {
        try RequestLine.write(entrusted.job.publication, id: lastID, into: &line)
        channel?.write(line)
        underWay.append(entrusted)
      } catch {
        entrusted.job.continuation.resume(returning: .failure(error))
      }
    }
    channel?.push()
  }

  // MARK: Waiting

  private func expire() {
    waiting = expire(waiting)
    underWay = expire(underWay)
  }

  /// Tells those whose time is up; what comes for them later finds nobody.
  private func expire(_ list: [Entrusted]) -> [Entrusted] {
    guard list.contains(where: { $0.deadline.hasPassed }) else { return list }
    for late in list where late.deadline.hasPassed {
      let error = channel == nil ? trouble : nil
      late.job.continuation.resume(
        returning: .failure(error ?? .timedOut(after: late.job.timeout))
      )
    }
    return list.filter { !$0.deadline.hasPassed }
  }

  private func wait() {
    var deadline = channel == nil && !waiting.isEmpty ? nextAttempt : .never
    for entrusted in waiting { deadline = deadline.sooner(entrusted.deadline) }
    for entrusted in underWay { deadline = deadline.sooner(entrusted.deadline) }
    adjustInterest()
    // What can fail here is a mistake of ours alone, and then nothing is ready.
    let count = (try? poll.wait(into: &events, timeoutMilliseconds: deadline.remaining)) ?? 0
    for index in 0..<count {
      switch events[index].token {
      case Token.bell: ear.hearBell()
      default:
        channel?.fill()
        channel?.push()
      }
    }
  }

  /// Has the kernel watch for room to send exactly while there is something to send.
  private func adjustInterest() {
    guard let wanted = channel?.interest, wanted != watched else { return }
    channel?.watch(by: poll, token: Token.channel)
    watched = wanted
  }

  // MARK: Receiving

  private func receive() {
    do {
      while let news = try channel?.next(News.init) ?? nil {
        try take(news)
      }
    } catch {
      lose(error)
    }
  }

  private func take(_ news: News) throws(ClientError) {
    switch news {
    case .reply(Self.helloID?, .failure(let error)):
      // Who may not say hello may not publish either, and asking again changes nothing.
      for entrusted in underWay + waiting {
        entrusted.job.continuation.resume(returning: .failure(error))
      }
      underWay = []
      waiting = []
      throw error
    case .reply(let id?, let result):
      backoff.reset()
      guard let index = underWay.firstIndex(where: { $0.id == id }) else { return }
      underWay.remove(at: index).job.continuation.resume(returning: result)
    case .farewell(let error): throw error
    case .reply(nil, _), .unknownFields, .entry, .mark: break
    }
  }
}
