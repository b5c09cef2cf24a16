// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// The queue: the events that wait for a reader, and the one whose turn it is.
extension Presenter {
  /// Takes an event into the queue.
  mutating func enqueue(_ item: consuming Item) {
    if item.kind == .report {
      honour(item)
      return
    }
    if isLostWithoutReader(item), isUnheard(item) {
      reject(item)
      return
    }
    supersede(by: &item)
    if item.kind == .status {
      changeStatus(item)
    } else if item.again == nil {
      if item.stoodFor != nil, let other = queuedSummary(like: item) {
        waiting.summarise(item, in: other)
        item.noteWait(until: now)
        let rule = item.blamed ?? OwnRule.queueBound.name
        end(item, Ending(.summarised, by: other, rule: rule))
        return
      }
      if let ending = makeRoom(for: &item) {
        end(item, ending)
        return
      }
    }
    let verdict = item.isSilent || !isEligible(item) ? .wait : judge(item)
    // A newer one of the same key takes the place of the one that it cuts off, before all others.
    if case .interrupt(.superseded) = verdict, let spoken = floor.speaking?.item {
      item.rankOverride = min(item.rank, spoken.rank)
    }
    let seq = item.seq
    waiting.park(item, at: .queued)
    guard case .interrupt(let fate) = verdict else { return }
    if floor.speaking == nil {
      endReading()
      floor.pendingCut = .reading
    } else if let item = waiting[seq] {
      cut(fate, by: item)
    }
  }

  private mutating func makeRoom(for item: inout Item) -> Ending? {
    let start = waiting.departed
    let ending = waiting.makeRoom(for: &item, context)
    dispatchDepartures(from: start)
    return ending
  }

  /// Lets an event take the place of those that it makes pointless.
  private mutating func supersede(by item: inout Item) {
    if item.mode != .all, let key = item.coalescingKey {
      while let seq = waiting.older(than: item, of: key), let other = waiting.withdraw(seq) {
        item.succeed(other)
        end(other, supersededBy: item)
      }
    }
    guard item.kind == .screen, let window = item.facts.window else { return }
    for other in withdraw({ other in
      other.seq < item.seq && other.facts.window == window && other.app == item.app
        && Self.isSupersededByScreen(other)
    }) {
      item.takeOver(from: other)
      end(other, supersededBy: item)
    }
  }

  /// The values of the element that the focus leaves are no news any more.
  mutating func leaveValues(by move: Item) {
    for other in withdraw({ other in
      other.facts.isFocused && (other.kind == .value || other.isAnnouncement && other.isValue)
        && !other.isFinal && other.priority != .high
        && (other.facts.element != move.facts.element || other.facts.window != move.facts.window
          || other.app != move.app)
    }) {
      end(other, supersededBy: move)
    }
  }

  /// Takes the events out that wait and are meant, in the order of their coming.
  private mutating func withdraw(_ isMeant: (borrowing Item) -> Bool) -> [Item] {
    var gone: [Seq] = []
    for item in waiting.items where isWaiting(item) && isMeant(item) {
      gone.append(item.seq)
    }
    return gone.isEmpty ? [] : gone.sorted().compactMap { waiting.withdraw($0) }
  }

  private mutating func end(_ other: consuming Item, supersededBy item: Item) {
    other.noteWait(until: now)
    end(other, Ending(.superseded, by: item.madeBy, rule: item.treatment.mode.rule))
  }

  /// A summary of the same app and priority that waits to be told: one takes in the other.
  private func queuedSummary(like item: Item) -> Seq? {
    waiting.line.first { row in
      row.isSummary && row.appMark == item.appMark && row.standing == .queued
        && row.sort?.priority == item.priority
    }?.seq
  }

  private func isWaiting(_ item: Item) -> Bool {
    switch item.standing {
    case .queued, .limited, .held, .coalescing, .busy, .storm: true
    case .moving, .speaking: false
    }
  }

  private static func isSupersededByScreen(_ item: Item) -> Bool {
    switch item.kind {
    case .layout, .page, .focus, .value: true
    // A summary speaks of more than of this window.
    case .announcement: item.priority != .high && item.summary == nil
    case .screen: true
    case .status, .report, .digest, .reading: false
    }
  }

  /// Delivers what may be delivered now.
  mutating func pump() {
    while let seq = nextInTurn(), var item = waiting.withdraw(seq) {
      if isOutdated(item) {
        item.noteWait(until: now)
        end(item, Ending(.superseded, by: model.focusSeq, rule: item.treatment.mode.rule))
      } else {
        noteTurn(of: item)
        deliver(consume item)
      }
    }
    // The event that it was cut for cannot be spoken after all.
    if floor.pendingCut != nil { floor.silenceCut(by: cause, &decisions) }
  }

  /// Whether the user is elsewhere by the time that the focus or a screen could be told once more.
  private func isOutdated(_ item: borrowing Item) -> Bool {
    guard item.again != nil, item.endsInOutcome else { return false }
    switch item.kind {
    case .focus: return model.focusSeq != item.of
    case .screen:
      guard let window = item.facts.window, model.activeApp != nil else { return false }
      return model.activeWindow(of: item.app) != window
    case .announcement, .layout, .page, .status, .value, .report, .digest, .reading: return false
    }
  }

  private func nextInTurn() -> Seq? {
    guard waiting.tally.queued > 0 else { return nil }
    let isFree = floor.speaking == nil && floor.readers.reading != .byHand
    guard isFree || waiting.tally.silent > 0 else { return nil }
    var best: WaitingQueue.Row?
    // Behind the last one that is queued, others wait for their rate alone.
    var left = waiting.tally.queued
    for (index, row) in zip(waiting.line.indices, waiting.line) where row.standing == .queued {
      if isFree || row.isSilent, best.map({ isBefore(row, $0) }) ?? true,
        let item = waiting.item(at: index), isEligible(item), !waitsForReading(item)
      {
        best = row
      }
      left -= 1
      if left == 0 { break }
    }
    return best?.seq
  }

  // MARK: Turns of users

  /// Whether one goes before another: among announcements of one rank that of the user whose turn
  /// is longest ago, so that nobody keeps others waiting by having many apps.
  private func isBefore(_ row: WaitingQueue.Row, _ other: WaitingQueue.Row) -> Bool {
    guard row.uid != other.uid, row.rank == other.rank, row.kind == .announcement,
      other.kind == .announcement
    else { return row.isBefore(other) }
    let served = floor.served
    let (own, others) = (served.firstIndex(of: row.uid), served.firstIndex(of: other.uid))
    return own == others ? row.isBefore(other) : own ?? -1 < others ?? -1
  }

  /// Notes whose turn it was, where another user waits.
  private mutating func noteTurn(of item: borrowing Item) {
    let uid = item.facts.uid
    guard item.kind == .announcement, !item.isSilent,
      waiting.line.contains(where: { $0.uid != uid && $0.kind == .announcement })
    else { return }
    floor.served.removeAll { $0 == uid }
    floor.served.append(uid)
    if floor.served.count > Bounds.pending { floor.served.removeFirst() }
  }

  // MARK: Telling

  /// Writes the `pending` of the state: the waiting events of all apps or of one, by their seqs.
  func writePending(only confinement: Confinement?, into out: inout ByteBuffer) {
    var all = waiting.items.filter(\.endsInOutcome)
    if let item = floor.speaking?.item, item.endsInOutcome { all.append(item) }
    all.sort { $0.seq < $1.seq }
    let told = all.prefix(Bounds.rows).filter { confinement?.admits($0.app) ?? true }
    out.array(of: told) { write($1, into: &$0) }
  }

  private func write(_ item: Item, into out: inout ByteBuffer) {
    out.object { out in
      out.append(member: "seq", item.of.number)
      out.append(member: "type", item.typeName)
      out.append(member: "app", item.app.app.text)
      out.append(member: "priority", item.priority.rawValue)
      out.append(member: "state", item.stateName)
      out.append(member: "by")
      if item.standing == .speaking {
        out.append("null")
      } else {
        out.append(json: obstacle(to: item).rawValue)
      }
      out.append(member: "due")
      if let due = due(of: item) {
        out.append(decimal: due.microseconds)
      } else {
        out.append("null")
      }
    }
  }
}

extension Item {
  var typeName: String {
    switch self.kind {
    case .announcement: EventType.announcement.rawValue
    case .layout: EventType.layoutChanged.rawValue
    case .screen: EventType.screenChanged.rawValue
    case .page: EventType.pageScrolled.rawValue
    case .status: EventType.voiceOverStatus.rawValue
    case .focus: EventType.Own.focus.rawValue
    case .report: EventType.focusChanged.rawValue
    case .value: EventType.elements.rawValue
    case .digest, .reading: EventType.announcement.rawValue
    }
  }

  /// In the words of the state.
  var stateName: String {
    switch self.standing {
    case .speaking: "speaking"
    case .queued: "queued"
    case .moving, .busy, .storm, .held, .coalescing, .limited: "held"
    }
  }
}

extension Presenter {
  /// An event has become too old to be begun.
  mutating func expire(_ seq: Seq) {
    guard let waiter = waiting[seq] else { return }
    // A summary lives as long as the youngest event that it counts.
    if let deadline = waiter.deadline, deadline > now {
      waiting.alarms.set(.expiry(seq), at: deadline, by: seq)
      return
    }
    if waiter.standing == .limited, !waiter.hasLeadingEdge {
      pipeline.rate.hurry(seq, &waiting, now)
      dispatchDepartures()
      return
    }
    if waiter.again != nil {
      giveUp(seq)
      return
    }
    let obstacle = obstacle(to: waiter)
    guard var item = waiting.withdraw(seq) else { return }
    noteExpired(item)
    item.noteWait(until: now)
    item.why.heldBy = obstacle
    item.why.ttl = (item.deadline ?? now) - item.mono
    item.why.isFromEvent = item.ownTTL != nil
    let rule = item.ownTTL == nil ? item.treatment.ttl.rule : OwnRule.ownTTL.name
    end(item, Ending(.expired, by: nil, rule: rule))
  }
}
