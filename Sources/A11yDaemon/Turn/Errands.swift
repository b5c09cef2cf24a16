// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yExplain
import A11yLog
import A11yModel
import A11yPosix
import A11yPresenter
import A11yWire

extension Bus {
  /// Bytes that one slice reads: about a millisecond of work.
  private static let slice = 1_048_576
  /// The same where every entry is read.
  private static let smallSlice = 262_144
  /// The same where the presenter decides every entry anew.
  private static let decidingSlice = 65_536

  /// Whether a connection waits for an errand.
  package var hasErrands: Bool { !errands.isEmpty && hasLogWork }

  /// Whether the log has work that goes on though nobody may be ready.
  ///
  /// While the medium takes the state there is nothing to do but to wait for it.
  package var hasLogWork: Bool {
    if !errands.isEmpty, log.isStateOut, case .forgetting? = errands.first?.work { return false }
    return log.isWritingState && !log.isStateOut || log.isWritingLatest || !errands.isEmpty
      || broker.hasDeferredFree
  }

  /// Not before: an errand may begin another segment, and what is fresh stands in this one.
  func beginErrands() {
    // An errand may begin with a turn, at whose end others begin.
    while !asking.isEmpty {
      let connection = asking.removeFirst()
      if let errand = connection.session.errand { queueErrand(errand, of: connection) }
    }
  }

  /// Queues a connection's errand, unless it is queued.
  private func queueErrand(_ errand: Errand, of connection: ClientConnection) {
    guard errands.errand(of: connection) == nil else { return }
    switch errand {
    case .reload: awaitReload(connection)
    case .inquiry(let inquiry):
      let past = log.pastState(BrokerState.self, at: inquiry.seq)
      errands.append(RunningErrand(of: connection, .past(past, for: inquiry)))
    case .explain: errands.append(RunningErrand(of: connection))
    case .forget(let selection, let id):
      heed(log.prepareForgetting(mono: broker.now))
      guard let forgetting = log.beginForgetting(selection, in: BrokerState.self) else {
        let refusal = Refusal(.storageDegraded, "the disk cannot be written")
        output.refuse(id, refusal, to: connection)
        endErrand(of: connection)
        return
      }
      errands.append(RunningErrand(of: connection, .forgetting(forgetting, id: id)))
      // At once: events that the apps send from now on are not meant.
      forget(selection)
    }
  }

  /// Does a slice of the errand whose turn it is, and answers its connection when that was the last
  /// one.
  func advanceErrands() {
    guard let errand = errands.first else { return }
    // A client that does not listen any more need not be answered.
    if errand.isQuestion, errand.connection.isDeaf { return endErrand(of: errand.connection) }
    switch errand.work {
    case .waiting:
      guard case .explain(let investigation, let id)? = errand.connection.session.errand else {
        return endErrand(of: errand.connection)
      }
      errand.work = .explaining(Explaining(investigation, id: id, in: log))
    case .past(let past, let inquiry):
      guard let presenter = past.advance(budget: Self.decidingSlice)?.state.presenter else {
        return
      }
      let picture = Picture(presenter: presenter, after: past.seq, only: inquiry.confinement)
      inquiry.answer(picture, cursor: broker.head.cursor(after: past.seq), into: &output.bytes)
      memory.observe(broker.keptBytes, past: presenter.model.bytes)
      broker.demolish(presenter)
      output.deliver(to: errand.connection)
      endErrand(of: errand.connection)
    case .explaining(let explaining):
      guard explaining.advance(budget: Self.smallSlice, { broker.notePending(in: &$0) }) else {
        // It may be a long way through the log, and others are waiting.
        errands.rotate()
        return
      }
      Errand.answer(explaining.investigation, id: explaining.id, into: &output.bytes)
      output.deliver(to: errand.connection)
      endErrand(of: errand.connection)
    case .forgetting(let forgetting, let id):
      // The state that names the elements with secrets is on disk before the entries go that say
      // so.
      guard log.isStateSettled else { return }
      do throws(Errno) {
        defer {
          if log.adoptChanges(of: forgetting) {
            desk.sieve.clear()
            relocate()
          }
        }
        if !forgetting.hasBegun { try log.secureState() }
        guard try forgetting.advance(budget: Self.slice) else { return }
        forgets.count += 1
        Errand.answer(count: forgetting.count, id: id, into: &output.bytes)
        output.deliver(to: errand.connection)
      } catch {
        forgetting.abandon()
        let refusal = Refusal(
          .storageDegraded,
          "the disk has failed: \(error); \(forgetting.count) entries are forgotten, ask again"
        )
        output.refuse(id, refusal, to: errand.connection)
      }
      endErrand(of: errand.connection)
      forgets.entries += forgetting.count
      tellForgotten(forgetting.forgotten, by: errand.connection.session.uid)
      wipe()
    }
  }

  /// Lets the connection go on behind its errand.
  func endErrand(of connection: ClientConnection) {
    errands.remove(of: connection)
    connection.session.errand = nil
    updateFeed(of: connection)
    updateInterest(of: connection)
  }

  /// Tells which entries were forgotten while no bus ran.
  func tellForgottenNote() {
    let note = Dictionary(grouping: log.forgottenNote, by: \.uid)
    guard !note.isEmpty else { return }
    for (uid, runs) in note.sorted(by: { $0.key < $1.key }) {
      tellForgotten(runs.map(\.seqs), by: uid)
    }
    _ = log.dropForgottenNote(mono: broker.now)
  }
}

/// An errand that the log runs for a connection, a slice between turns.
final class RunningErrand {
  enum Work {
    /// Nothing yet: an errand that waits for its turn costs no more than its request.
    case waiting
    /// Working out what was the case at an earlier entry.
    case past(PastState<BrokerState>, for: Inquiry)
    /// Finding out what became of an entry.
    case explaining(Explaining)
    /// Taking entries out.
    case forgetting(Forgetting<BrokerState>, id: [UInt8])
  }

  let connection: ClientConnection
  var work: Work

  init(of connection: ClientConnection, _ work: Work = .waiting) {
    self.connection = connection
    self.work = work
  }

  /// Whether it only answers its connection, and is of no use when that has gone.
  var isQuestion: Bool {
    switch work {
    case .waiting, .past, .explaining: true
    case .forgetting: false
    }
  }
}

/// The errands that connections wait for.
///
/// They go round by users: those of one user are done in the order in which they came, and between
/// two of them every other user has one. So a user who asks from a thousand connections holds up
/// himself, and no more than one of his errands takes room at a time, but for those that forget.
struct ErrandQueue {
  /// The users in the order of their turns, each with an errand at least.
  private(set) var users: [(uid: UInt32, errands: [RunningErrand])] = []

  var isEmpty: Bool { users.isEmpty }

  /// The errand whose turn it is.
  var first: RunningErrand? { users.first?.errands.first }

  mutating func append(_ errand: RunningErrand) {
    let uid = errand.connection.session.uid
    if let index = users.firstIndex(where: { $0.uid == uid }) {
      users[index].errands.append(errand)
    } else {
      users.append((uid, [errand]))
    }
  }

  func errand(of connection: ClientConnection) -> RunningErrand? {
    users.first { $0.uid == connection.session.uid }?
      .errands.first { $0.connection === connection }
  }

  /// Lets the next user have a turn.
  mutating func rotate() { users.append(users.removeFirst()) }

  mutating func remove(of connection: ClientConnection) {
    guard let index = users.firstIndex(where: { $0.uid == connection.session.uid }) else { return }
    let hadTurn = first?.connection === connection
    users[index].errands.removeAll { $0.connection === connection }
    if users[index].errands.isEmpty {
      users.remove(at: index)
    } else if hadTurn {
      rotate()
    }
  }
}

/// An investigation in the making, with its place in the log.
final class Explaining {
  private(set) var investigation: Investigation
  let id: [UInt8]
  private unowned let log: EventLog
  private let json = JSONReader(limit: Limits.answerBytes)
  private var scan: LogScan?

  init(_ investigation: Investigation, id: [UInt8], in log: EventLog) {
    self.investigation = investigation
    self.id = id
    self.log = log
  }

  /// Works on by about `budget` bytes; true when there is an answer.
  func advance(budget: Int, _ askPresenter: (inout Investigation) -> Void) -> Bool {
    let json = self.json
    var left = budget
    while left > 0 {
      if investigation.openEvent != nil {
        askPresenter(&investigation)
        continue
      }
      guard let run = investigation.run else { return true }
      let scan = self.scan ?? LogScan(from: run.from, through: run.through, in: log)
      self.scan = scan
      let isOver = scan.advance(budget: &left) { line, seq in
        // A line that cannot be read says nothing.
        do throws(JSONFault) { try json.read(line) } catch { return true }
        return investigation.note(json.document, seq)
      }
      guard isOver else { continue }
      self.scan = nil
      investigation.endRun()
    }
    return false
  }
}
