// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yPosix
import A11yWire

/// What the log does for a connection, a slice between turns.
struct RunningErrand {
  enum Work {
    /// Working out what was the case at an earlier entry.
    case past(PastState<BrokerState>, for: Inquiry)
    /// Finding out what became of an entry.
    case explaining(Explaining)
    /// Taking entries out.
    case forgetting(Forgetting<BrokerState>, id: [UInt8])
  }

  let connection: Connection
  let work: Work
}

/// An explanation in the making, with its place in the log.
final class Explaining {
  private(set) var explanation: Explanation
  let id: [UInt8]
  private unowned let log: EventLog
  private let reader = JSONReader(limit: Limits.answerBytes)
  private var scan: LogScan?

  init(_ explanation: Explanation, id: [UInt8], in log: EventLog) {
    self.explanation = explanation
    self.id = id
    self.log = log
  }

  /// Works on by about `budget` bytes; true when there is an answer.
  func advance(budget: Int, _ askPresenter: (inout Explanation) -> Void) -> Bool {
    let reader = self.reader
    var left = budget
    while left > 0 {
      if explanation.openEvent != nil {
        askPresenter(&explanation)
        continue
      }
      guard let run = explanation.run else { return true }
      let scan = self.scan ?? LogScan(from: run.from, through: run.through, in: log)
      self.scan = scan
      let isOver = scan.advance(budget: &left) { line, seq in
        // What cannot be read says nothing.
        do throws(JSONFault) { try reader.read(line) } catch { return true }
        return explanation.take(reader.document, seq)
      }
      guard isOver else { continue }
      self.scan = nil
      explanation.endRun()
    }
    return false
  }
}

extension Bus {
  /// What one slice reads, in bytes: about a millisecond of work.
  private static let slice = 1_048_576
  /// The same where every entry is read.
  private static let smallSlice = 262_144
  /// The same where the presenter decides it anew.
  private static let decidingSlice = 65_536

  /// Somebody waits for what only the log can do.
  package var hasErrands: Bool { hasLogWork && !errands.isEmpty }

  /// There is work to do that goes on though nobody may be ready.
  ///
  /// While the medium takes the state there is nothing to do but to wait for it.
  package var hasLogWork: Bool {
    if log.isStateOut, case .forgetting? = errands.first?.work { return false }
    return log.isWritingState && !log.isStateOut || log.isWritingLatest || !errands.isEmpty
      || broker.hasRubble
  }

  /// Not before: an errand may begin another segment, and what is fresh stands in this one.
  func beginErrands() {
    for connection in asking {
      if let errand = connection.session.errand { begin(errand, of: connection) }
    }
    asking.removeAll(keepingCapacity: true)
  }

  /// Begins what a connection has asked the log to do, unless it has begun.
  func begin(_ errand: Errand, of connection: Connection) {
    guard !errands.contains(where: { $0.connection === connection }) else { return }
    switch errand {
    case .inquiry(let inquiry):
      let past = log.pastState(BrokerState.self, at: inquiry.seq)
      errands.append(RunningErrand(connection: connection, work: .past(past, for: inquiry)))
    case .explain(let explanation, let id):
      let work = Explaining(explanation, id: id, in: log)
      errands.append(RunningErrand(connection: connection, work: .explaining(work)))
    case .forget(let selection, let id):
      heed(log.prepareForgetting(mono: broker.now))
      guard let forgetting = log.beginForgetting(selection, in: BrokerState.self) else {
        refuse(id, Refusal(.storageDegraded, "the disk cannot be written"), connection)
        end(connection)
        return
      }
      // At once: what the apps say from now on is not meant.
      broker.forget(selection)
      let work = RunningErrand.Work.forgetting(forgetting, id: id)
      errands.append(RunningErrand(connection: connection, work: work))
    }
  }

  /// Does a slice of the oldest errand, and says so to whom it concerns when that was the last one.
  func advanceErrands() {
    guard let errand = errands.first else { return }
    switch errand.work {
    case .past(let past, let inquiry):
      // Who does not listen any more need not be answered.
      guard !errand.connection.isDeaf else { return end(errand.connection) }
      guard let presenter = past.advance(budget: Self.decidingSlice)?.state.presenter else {
        return
      }
      let picture = Picture(presenter: presenter, after: inquiry.seq, only: inquiry.app)
      inquiry.answer(picture, cursor: broker.head.cursor(after: inquiry.seq), into: &output)
      broker.demolish(presenter)
      deliver(to: errand.connection)
      end(errand.connection)
    case .explaining(let explaining):
      guard !errand.connection.isDeaf else { return end(errand.connection) }
      guard explaining.advance(budget: Self.smallSlice, { broker.note(in: &$0) }) else {
        // It may be a long way through the log, and others are waiting.
        errands.append(errands.removeFirst())
        return
      }
      Errand.answer(explaining.explanation, id: explaining.id, into: &output)
      deliver(to: errand.connection)
      end(errand.connection)
    case .forgetting(let forgetting, let id):
      // Which elements hold secrets is written down before what says so is gone.
      guard log.isStateSettled else { return }
      do throws(Errno) {
        defer { if log.follow(forgetting) { relocate() } }
        if !forgetting.hasBegun { try log.secureState() }
        guard try forgetting.advance(budget: Self.slice) else { return }
        Errand.answer(count: forgetting.count, id: id, into: &output)
        deliver(to: errand.connection)
      } catch {
        forgetting.abandon()
        refuse(
          id,
          Refusal(
            .storageDegraded,
            "the disk has failed: \(error); \(forgetting.count) entries are forgotten, ask again"
          ),
          errand.connection
        )
      }
      end(errand.connection)
    }
  }

  private func refuse(_ id: [UInt8], _ refusal: Refusal, _ connection: Connection) {
    output.append(refusal: refusal, id: id.span)
    deliver(to: connection)
  }

  /// Lets the connection go on.
  private func end(_ connection: Connection) {
    errands.removeAll { $0.connection === connection }
    connection.session.errand = nil
    follow(connection)
    settle(connection)
  }
}
