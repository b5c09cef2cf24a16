// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
public import A11yWire

/// An event that has no outcome yet, for whoever asks what became of it.
public struct Pending: Sendable, Equatable {
  /// In the words of the state.
  public enum State: String, Sendable, CaseIterable {
    case held, queued, speaking
  }

  /// The thing that it waits for.
  public enum Wait: Sendable, Equatable, CaseIterable {
    /// Until its element is not busy any more.
    case busy
    /// Until it is clear whether many elements speak at once.
    case storm
    /// Until what the action has done is heard.
    case feedback
    /// Until it is quiet around it.
    case quiet
    /// Until the rate lets it pass.
    case rate
    /// Until it is its turn.
    case turn
    /// Until what has cut it off is over.
    case again
    /// Until a voice that has lost it is tried again.
    case voice
    /// Until a reader comes, or says whether it runs.
    case reader
    case readerOff
    case userPause, appPause, doNotDisturb, modal, userReading
    /// Until the reader should have finished, for it may not say so.
    case end
    /// Until the reader says that it has finished, or should have.
    case finish
    /// Until the reader has said how far it came.
    case report
    /// Until the app has said whether it handles the gesture.
    case answer
  }

  public let state: State
  /// The obstacle; nil for an event that is being spoken.
  public let by: Obstacle?
  public let wait: Wait
  /// The instant at which it goes on by itself if nothing else comes.
  public let turn: Instant?
  /// The instant at which it ends unless it has begun.
  public let end: Instant?
  /// The rule that has it wait, where it is one.
  public let rule: String?

  public init(
    state: State,
    by: Obstacle?,
    wait: Wait,
    turn: Instant?,
    end: Instant? = nil,
    rule: String?
  ) {
    self.state = state
    self.by = by
    self.wait = wait
    self.turn = turn
    self.end = end
    self.rule = rule
  }

  /// The instant at which something becomes of it.
  public var due: Instant? { [turn, end].compactMap(\.self).min() }
}

// Answers about single events, and figures for `stats`.
extension Presenter {
  /// How an event waits; nil for one that has its outcome, or gets none.
  public func pending(of seq: Seq) -> Pending? {
    if let item = waiting[seq], item.endsInOutcome {
      let obstacle = obstacle(to: item)
      let wait = wait(of: item, behind: obstacle)
      return Pending(
        state: Pending.State(rawValue: item.stateName) ?? .held,
        by: obstacle,
        wait: wait,
        turn: turn(of: item),
        end: end(of: item),
        rule: wait == .again ? OwnRule.onceMore.name : blame(obstacle, for: item)
      )
    }
    if let item = floor.speaking?.item, item.seq == seq, item.endsInOutcome {
      let wait: Pending.Wait = floor.readers.owner?.isReporting ?? false ? .finish : .end
      return Pending(state: .speaking, by: nil, wait: wait, turn: turn(of: item), rule: nil)
    }
    if let route = focus.gestures.first(where: { $0.action == seq }), route.endsInOutcome {
      return Pending(
        state: .held,
        by: nil,
        wait: .answer,
        turn: waiting.alarms.due(of: .gesture(seq)),
        rule: OwnRule.gesture.name
      )
    }
    guard let cut = floor.cuts.first(where: { $0.item.seq == seq }), cut.item.endsInOutcome else {
      return nil
    }
    return Pending(
      state: .speaking,
      by: nil,
      wait: .report,
      turn: waiting.alarms.due(of: .cut(cut.item.seq)),
      rule: cut.rule
    )
  }

  /// The obstacle in the words of an explanation, which tell some of them apart further.
  private func wait(of item: Item, behind obstacle: Obstacle) -> Pending.Wait {
    switch obstacle {
    case .readerOff where rests(item): return .voice
    case .readerOff: return isReaderOff ? .readerOff : .reader
    case .doNotDisturb: return .doNotDisturb
    case .userPause: return .userPause
    case .appPause: return .appPause
    case .modal: return .modal
    case .hold: return .feedback
    case .debounce: break
    case .rate: return .rate
    case .turn: return item.again == nil ? .turn : .again
    case .reading: return .userReading
    }
    switch item.standing {
    case .busy: return .busy
    case .storm: return .storm
    case .moving, .held, .coalescing, .limited, .queued, .speaking: return .quiet
    }
  }

  /// Whether a reader is there that has said that it does not run.
  private var isReaderOff: Bool {
    if case .closed = gate { floor.readers.owner != nil } else { false }
  }

  /// The numbers of events that wait or are being spoken.
  public var pendingByState: [Pending.State: Int64] {
    var counts: [Pending.State: Int64] = [:]
    for item in waiting.items.values where item.endsInOutcome {
      counts[Pending.State(rawValue: item.stateName) ?? .held, default: 0] += 1
    }
    if let item = floor.speaking?.item, item.endsInOutcome { counts[.speaking, default: 0] += 1 }
    return counts
  }

  /// The places that are taken in the queue; `Limits.pending` is the most.
  public var queueLength: Int { waiting.tally.pending }

  /// The readers that listen.
  public var readerCount: Int { floor.readers.listening.count }

  /// Appends how much waits and how full the tables are, for `stats`.
  public func writeGauges(into out: inout ByteBuffer) {
    let counts = pendingByState
    out.object("pending") { out in
      out.append(member: "all", counts.values.reduce(0, +))
      for state in Pending.State.allCases {
        out.append(memberText: state.rawValue)
        out.append(decimal: counts[state] ?? 0)
      }
      out.append(member: "queue", Int64(queueLength))
      out.append(member: "queue_low", Int64(waiting.tally.low))
      out.append(member: "queue_high", Int64(waiting.tally.high))
      out.append(member: "queue_bound", Int64(Bounds.pending))
    }
    out.object("tables") { out in
      out.append(member: "windows", Int64(pipeline.coalesce.rows.count))
      out.append(member: "memory", Int64(pipeline.duplicates.rows.count))
      out.append(member: "rates", Int64(pipeline.rate.rows.count))
      out.append(member: "storms", Int64(pipeline.storm.rows.count))
      out.append(member: "busy", Int64(pipeline.busy.rows.count))
      out.append(member: "bound", Int64(Bounds.rows))
      out.append(member: "actions", Int64(actions.all.count))
      out.append(member: "actions_bound", Int64(Bounds.actions))
    }
    out.append(member: "readers", Int64(readerCount))
  }
}
