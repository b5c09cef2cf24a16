// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
public import A11yWire

/// The thing that keeps a waiting event from being spoken, in the words of the protocol.
///
/// In the order in which the presenter asks: an event that several of them keep is told the first.
public enum Obstacle: String, Sendable, CaseIterable {
  /// No reader is there, none that runs, none that has settled whether it does, none that may speak
  /// this to the person at the machine, or one that has lost the event just now.
  case readerOff = "reader-off"
  case doNotDisturb = "do-not-disturb"
  case userPause = "pause-user"
  case appPause = "pause-app"
  /// A modal window lies over the place that it came from.
  case modal
  /// The feedback of the user's action is heard first.
  case hold
  /// It waits for quiet: of its key, of its app's elements, or of its busy element.
  case debounce
  case rate
  /// Another is being spoken, or comes first.
  case turn
  /// The user's own reading.
  case reading

  /// Whether an event is out of the running, though nothing else were to be spoken.
  var isBar: Bool {
    switch self {
    case .readerOff, .doNotDisturb, .userPause, .appPause, .modal, .hold, .debounce, .rate: true
    case .turn, .reading: false
    }
  }
}

extension Presenter {
  /// The obstacle to an event that waits.
  ///
  /// The queue decides by it, and the state, explanations and outcomes tell it.
  func obstacle(to item: Item) -> Obstacle {
    if let silence = silence(over: item) { return silence }
    switch item.standing {
    case .held: return .hold
    case .busy, .storm, .coalescing: return .debounce
    case .limited: return .rate
    case .moving, .queued, .speaking: break
    }
    if item.wasHeld, let action = item.action, isFeedbackQueued(of: action) { return .hold }
    return waitsForReading(item) ? .reading : .turn
  }

  /// Whether the user's own reading goes before an event though nothing is being spoken: he reads
  /// by hand, or the next sentence of his screen reader may be on its way.
  ///
  /// What he asks for himself waits for no sentence.
  func waitsForReading(_ item: Item) -> Bool {
    guard floor.speaking == nil, let reading = floor.readers.reading, !item.isSilent else {
      return false
    }
    switch reading {
    case .byHand: return true
    case .lull:
      return item.rankOverride != Item.userRank
        && Interruption.verdict(item.arriving, over: .reading) == .wait
    }
  }

  func isCovered(_ item: Item) -> Bool {
    model.isCovered(window: item.facts.window, element: item.facts.element, app: item.app)
  }

  func isEligible(_ item: Item) -> Bool { !obstacle(to: item).isBar }

  /// The obstacle that keeps an event from being heard wherever it stands.
  private func silence(over item: Item) -> Obstacle? {
    if item.kind == .status { return nil }
    guard case .open = gate, !rests(item), !isElsewhere(item) else { return .readerOff }
    // A sound in the place of words disturbs as they would.
    if item.isSilent, item.earcon != .sound { return nil }
    if waiting.quiet.isDisturbing(item) { return .doNotDisturb }
    if item.isUrgent || item.kind == .reading { return nil }
    if waiting.quiet.pausedAt != nil { return .userPause }
    if isPausedByApp(item) { return .appPause }
    if item.isAnnouncement, item.kind != .digest, item.priority == .low, isCovered(item) {
      return .modal
    }
    return nil
  }

  private func isFeedbackQueued(of action: Seq) -> Bool {
    waiting.line.contains {
      $0.isFeedback && $0.action == action && ($0.standing == .queued || $0.standing == .limited)
    }
  }

  /// The instant at which an event goes on by itself if nothing else comes; nil where that is not
  /// for the clock to say.
  func turn(of item: Item) -> Instant? {
    switch item.standing {
    case .speaking: return waiting.alarms.due(of: .estimate)
    case .moving, .busy, .storm, .held, .coalescing, .limited, .queued: break
    }
    switch obstacle(to: item) {
    case .hold where item.standing == .held: return waiting.alarms.due(of: .release(item.seq))
    case .debounce: return quietTurn(of: item)
    case .rate: return pipeline.rate.due(of: item)
    case .readerOff: return floor.outage.next(of: item.seq)
    case .doNotDisturb, .userPause, .appPause, .modal, .hold, .turn, .reading: return nil
    }
  }

  /// The instant at which the quiet time of an event is over, at the latest.
  private func quietTurn(of item: Item) -> Instant? {
    switch item.standing {
    case .coalescing:
      item.coalescingKey.flatMap { pipeline.coalesce.due(of: $0, waiting.alarms) }
    case .busy: pipeline.busy.due(of: item, waiting.alarms)
    case .storm: pipeline.storm.due(of: item, rules.table, waiting.alarms)
    case .moving, .held, .limited, .queued, .speaking: nil
    }
  }

  /// The instant at which an event ends unless it has begun, by whichever rule ends it first.
  func end(of item: Item) -> Instant? {
    guard item.standing != .speaking else { return nil }
    let alarms: [Alarms.Alarm] = [.expiry(item.seq), .again(item.seq)]
    var ends = alarms.map { waiting.alarms.due(of: $0) }
    if case .waiting = gate, item.standing != .held, isLostWithoutReader(item) {
      ends.append(waiting.alarms.due(of: .grace))
    }
    return ends.compactMap(\.self).min()
  }

  /// The instant at which something becomes of an event, if nothing else comes.
  func due(of item: Item) -> Instant? {
    [turn(of: item), end(of: item)].compactMap(\.self).min()
  }

  /// The rule that has an event wait, where it is one.
  func blame(_ obstacle: Obstacle, for item: Item) -> String? {
    switch obstacle {
    case .hold, .debounce, .rate: item.blamed
    case .readerOff, .doNotDisturb, .userPause, .appPause, .modal, .turn, .reading: nil
    }
  }
}

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
    /// Until its user sits at the machine again.
    case away
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
    case .readerOff where isElsewhere(item): return .away
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
    for item in waiting.items where item.endsInOutcome {
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
