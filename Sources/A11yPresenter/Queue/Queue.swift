// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// The queue: what waits for a reader, and whose turn it is.
extension Presenter {
  /// Takes an event into the queue.
  mutating func enqueue(_ item: consuming Item) {
    if item.kind == .report {
      honour(item)
      return
    }
    if case .closed = gate, isLostWithoutReader(item) {
      reject(item)
      return
    }
    supersede(by: &item)
    if item.kind == .status {
      changeStatus(item)
    } else if item.again == nil {
      if item.stoodFor != nil, let other = queuedSummary(like: item) {
        count(item, into: other, rule: item.blamed ?? Self.queueBound, waited(item))
        return
      }
      guard makeRoom(for: item) else { return }
    }
    let verdict = item.isSilent || !isEligible(item) ? .wait : judge(item)
    let copy = item
    park(item, .queued)
    guard case .interrupt(let fate) = verdict else { return }
    if speaking == nil {
      readers.isReading = false
      alarms.cancel(.reading)
      pendingCut = .reading
    } else {
      cut(fate, by: copy)
    }
  }

  /// The event of a key that waits for its turn, or for what comes before that, and has to give way to
  /// a newer one.
  func older(than item: Item, of key: Key) -> Seq? {
    guard item.again == nil else { return nil }
    let mark = item.appMark
    for place in line.places
    where place.kind == item.kind && place.appMark == mark && place.seq < item.seq {
      guard let other = items[place.seq], other.endsInOutcome, !other.isLastWord,
        isUrgent(item) || !isUrgent(other), coalescingKey(of: other) == key
      else { continue }
      return other.seq
    }
    return nil
  }

  /// Lets an event take the place of those that it makes pointless.
  private mutating func supersede(by item: inout Item) {
    if item.mode != .all, let key = coalescingKey(of: item) {
      while let seq = older(than: item, of: key), let other = unpark(seq) {
        item.succeed(other)
        end(other, supersededBy: item)
      }
    }
    guard item.kind == .screen, let window = item.facts.window else { return }
    let gone = items.values.filter { other in
      other.seq < item.seq && other.facts.window == window && other.app == item.app
        && isWaiting(other) && isSupersededByScreen(other)
    }
    for seq in gone.map(\.seq).sorted() {
      guard let other = unpark(seq) else { continue }
      item.takeOver(from: other)
      end(other, supersededBy: item)
    }
  }

  private mutating func end(_ other: Item, supersededBy item: Item) {
    settle(other, .superseded, by: item.madeBy, rule: item.treatment.mode.rule, waited(other))
  }

  /// A summary of the same app and priority that waits to be told: one takes in the other.
  private func queuedSummary(like item: Item) -> Seq? {
    line.places.first { place in
      place.isSummary && place.appMark == item.appMark && place.stage == .queued
        && place.countable == item.priority
    }?.seq
  }

  private func isWaiting(_ item: Item) -> Bool {
    switch item.stage {
    case .queued, .limited, .held, .coalescing, .busy, .storm: true
    case .moving, .speaking: false
    }
  }

  private func isSupersededByScreen(_ item: Item) -> Bool {
    switch item.kind {
    case .layout, .page, .focus, .value: true
    // A summary speaks of more than of this window.
    case .announcement: item.priority != .high && item.summary == nil
    case .screen: true
    case .status, .report, .digest: false
    }
  }

  /// Delivers what may be delivered now.
  mutating func pump() {
    while let seq = nextInTurn(), let item = unpark(seq) { deliver(item) }
    // Whom it was cut for cannot be spoken after all.
    if pendingCut != nil { silenceCut(by: cause) }
  }

  private func nextInTurn() -> Seq? {
    guard tally.queued > 0 else { return nil }
    let isFree = speaking == nil && !readers.isReading
    guard isFree || tally.silent > 0 else { return nil }
    var best: Line.Place?
    for place in line.places where place.stage == .queued && (isFree || place.isSilent) {
      if let other = best, !place.isBefore(other) { continue }
      guard let item = items[place.seq], isEligible(item) else { continue }
      best = place
    }
    return best?.seq
  }

  // MARK: What asks for the queue

  /// Writes the `pending` of the state: the waiting events of all apps or of one, by their seqs.
  func writePending(only app: AppKey?, into out: inout ByteBuffer) {
    out.append("[")
    var isFirst = true
    var all = items.values.filter(\.endsInOutcome).map(\.seq)
    if let item = speaking?.item, item.endsInOutcome { all.append(item.seq) }
    for seq in all.sorted().prefix(Bounds.rows) {
      guard let item = items[seq] ?? speaking?.item, app == nil || item.app == app else { continue }
      if !isFirst { out.append(",") }
      isFirst = false
      out.append("{")
      out.append(member: "seq", item.of.number)
      out.append(member: "type", item.typeName)
      out.append(member: "app", item.app.app.text)
      out.append(member: "priority", item.priority.rawValue)
      out.append(member: "state", item.stateName)
      out.append(member: "by")
      if item.stage == .speaking {
        out.append("null")
      } else {
        out.append(json: obstacle(to: item).rawValue)
      }
      out.append(member: "due")
      if let due = due(of: item) { out.append(decimal: due) } else { out.append("null") }
      out.append("}")
    }
    out.append("]")
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
    case .digest: EventType.announcement.rawValue
    }
  }

  /// In the words of the state.
  var stateName: String {
    switch self.stage {
    case .speaking: "speaking"
    case .queued: "queued"
    case .moving, .busy, .storm, .held, .coalescing, .limited: "held"
    }
  }
}
