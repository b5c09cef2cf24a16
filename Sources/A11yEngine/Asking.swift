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

  /// What it waits for.
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
    /// Until a reader comes, or says whether it runs.
    case reader
    case readerOff
    case userPause, appPause, doNotDisturb, modal, userReading
    /// Until the reader has finished.
    case end
    /// Until the reader has said how far it came.
    case report
    /// Until the app has said whether it handles the gesture.
    case answer
  }

  public let state: State
  public let wait: Wait
  /// When it goes on by itself, at the latest.
  public let due: Int64?
  /// The rule that has it wait, where it is one.
  public let rule: String?

  public init(state: State, wait: Wait, due: Int64?, rule: String?) {
    self.state = state
    self.wait = wait
    self.due = due
    self.rule = rule
  }
}

// What the engine tells of itself beside the state.
extension Engine {
  /// How an event waits; nil for one that has its outcome, or gets none.
  public func pending(of seq: Seq) -> Pending? {
    if let item = items[seq], item.endsInOutcome {
      if item.again != nil, case .turn = wait(of: item) {
        return Pending(
          state: .queued,
          wait: .again,
          due: alarms.due(of: .again(item.seq)),
          rule: Self.onceMore
        )
      }
      return Pending(
        state: Pending.State(rawValue: item.stateName) ?? .held,
        wait: wait(of: item),
        due: due(of: item),
        rule: item.blamed
      )
    }
    if let item = speaking?.item, item.seq == seq, item.endsInOutcome {
      return Pending(state: .speaking, wait: .end, due: due(of: item), rule: nil)
    }
    if let route = focus.gestures.first(where: { $0.action == seq }), route.endsInOutcome {
      return Pending(
        state: .held,
        wait: .answer,
        due: alarms.due(of: .gesture(seq)),
        rule: Self.gestures
      )
    }
    guard let cut = cuts.first(where: { $0.item.seq == seq }), cut.item.endsInOutcome else {
      return nil
    }
    return Pending(
      state: .speaking,
      wait: .report,
      due: alarms.due(of: .cut(cut.item.seq)),
      rule: cut.rule
    )
  }

  private func wait(of item: Item) -> Pending.Wait {
    switch item.stage {
    case .busy: return .busy
    case .storm: return .storm
    case .held: return .feedback
    case .coalescing: return .quiet
    case .limited: return .rate
    case .speaking: return .end
    case .moving, .queued: return obstacle(to: item)
    }
  }

  /// What keeps an event in the queue, in the order in which the queue asks.
  private func obstacle(to item: Item) -> Pending.Wait {
    switch gate {
    case .waiting: return .reader
    case .closed: return readers.owner == nil ? .reader : .readerOff
    case .open: break
    }
    if readers.pausedAt != nil { return .userPause }
    if item.isAnnouncement, !disturbance.lets(item.priority) { return .doNotDisturb }
    if !isUrgent(item) {
      if isPausedByApp, !item.isByUser { return .appPause }
      if item.isAnnouncement, item.priority == .low, isCovered(item) { return .modal }
    }
    if item.wasHeld, let action = item.action, isFeedbackPending(of: action) { return .feedback }
    return readers.isReading ? .userReading : .turn
  }

  /// Appends how much waits and how full the tables are, for `stats`.
  public func writeGauges(into out: inout ByteBuffer) {
    var waiting: [Pending.State: Int64] = [:]
    for item in items.values where item.endsInOutcome {
      waiting[Pending.State(rawValue: item.stateName) ?? .held, default: 0] += 1
    }
    if let item = speaking?.item, item.endsInOutcome { waiting[.speaking, default: 0] += 1 }
    out.append(member: "pending")
    out.append("{")
    out.append(member: "all", waiting.values.reduce(0, +))
    for state in Pending.State.allCases {
      out.append(memberText: state.rawValue)
      out.append(decimal: waiting[state] ?? 0)
    }
    out.append(member: "queue", Int64(tally.pending))
    out.append(member: "queue_low", Int64(tally.low))
    out.append(member: "queue_high", Int64(tally.high))
    out.append(member: "queue_bound", Int64(Bounds.pending))
    out.append("}")
    out.append(member: "tables")
    out.append("{")
    out.append(member: "windows", Int64(windows.count))
    out.append(member: "memory", Int64(memory.count))
    out.append(member: "rates", Int64(buckets.count))
    out.append(member: "storms", Int64(storms.count))
    out.append(member: "busy", Int64(busies.count))
    out.append(member: "bound", Int64(Bounds.rows))
    out.append(member: "actions", Int64(actions.all.count))
    out.append(member: "actions_bound", Int64(Bounds.actions))
    out.append("}")
    out.append(member: "readers", Int64(readers.listening.count))
  }
}
