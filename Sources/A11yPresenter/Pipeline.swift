// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The stages of an event on its way to the queue, in their order.
enum Stage: Int, CaseIterable {
  case admission, busy, storm, hold, coalesce, duplicates, rate

  /// Nil behind the last stage, where the queue is.
  var next: Stage? { Stage(rawValue: rawValue + 1) }
}

/// The way of an event from its entry into the queue.
///
/// An event is an item: all that is known of it, in one box that is handed from stage to stage and
/// held by one place at a time. A stage is a value with a table of its own; admission and hold need
/// none. It is given the item, the queue and the context, and sees nothing else. Its answer is a
/// passage: the item goes on to the next stage, waits, or ends.
///
/// An item that waits is in the queue's tables, and the row of the stage knows its seq alone. So
/// whatever ends it in the meantime – its age, a newer value, its app, other rules – need not know
/// of the stage; a stage asks the queue whether a seq is still there. When an alarm rings, or an
/// event comes, the stage takes the item out, and `goOn` sends it to the stage behind.
///
/// A stage that lets go of other items while it answers, as one does that makes room, leaves them
/// as departures. They are sent on, or ended, before the item that was passed: so ends stand in the
/// log in the order in which they came about, and no stage calls another. `present` may run within
/// itself for a departure, and each run takes those that came behind its own start.
///
/// An item ends in `end`, and nowhere else.
struct Pipeline: Sendable {
  var busy = BusyStage()
  var storm = StormStage()
  var coalesce = CoalesceStage()
  var duplicates = DuplicateStage()
  var rate = RateStage()

  /// Forgets the rows of some keys; false where there are none.
  mutating func removeRows(where isMeant: (Key) -> Bool, _ alarms: inout Alarms) -> Bool {
    let waited =
      busy.rows.remove(where: isMeant).map { Alarms.Alarm.busy($0) }
      + storm.rows.remove(where: isMeant).map { .storm($0) }
      + coalesce.rows.remove(where: isMeant).map { .burst($0) }
      + rate.rows.remove(where: isMeant).map { .bucket($0) }
    for alarm in waited { alarms.cancel(alarm) }
    let remembered = duplicates.rows.remove(where: isMeant)
    return !waited.isEmpty || !remembered.isEmpty
  }
}

extension Presenter {
  /// Sends an event through the stages, until it waits, ends, or comes into the queue.
  mutating func present(_ item: consuming Item, from first: Stage = .admission) {
    var stage = first
    let context = self.context
    while true {
      let start = waiting.departed
      // Moved from hand to hand: an item that two hold is copied when it changes.
      let passage = pass(consume item, at: stage, context)
      if waiting.departed > start { dispatchDepartures(from: start) }
      switch consume passage {
      case .waits: return
      case .ends(let item, let ending):
        end(item, ending)
        return
      case .on(let passed):
        guard let next = stage.next else {
          enqueue(passed)
          return
        }
        item = passed
        stage = next
      }
    }
  }

  /// Sends an event that has waited in a stage on to the next one, or into the queue.
  private mutating func goOn(_ item: consuming Item, behind stage: Stage) {
    if let next = stage.next { present(item, from: next) } else { enqueue(item) }
  }

  private mutating func pass(
    _ item: consuming Item,
    at stage: Stage,
    _ context: Context
  ) -> Passage {
    switch stage {
    case .admission: return admit(consume item, context)
    case .busy: return pipeline.busy.pass(consume item, &waiting, context)
    case .storm: return pipeline.storm.pass(consume item, &waiting, context)
    case .hold: return HoldStage.pass(consume item, actions, &waiting, context)
    case .coalesce: return pipeline.coalesce.pass(consume item, &waiting, context)
    case .duplicates:
      let hasLeft = hasLeft(item)
      return pipeline.duplicates.pass(consume item, hasLeft: hasLeft, &waiting, context)
    case .rate: return pipeline.rate.pass(consume item, &waiting, context)
    }
  }

  /// Sends on, or ends, the events that a stage has let go of beside the one that it was given.
  ///
  /// The departures in front of `start` are left to a caller that is about to do the same.
  mutating func dispatchDepartures(from start: Int = 0) {
    var index = start
    while let departure = waiting.takeDeparture(at: index) {
      index += 1
      switch consume departure {
      case .on(let item, let stage): goOn(item, behind: stage)
      case .ends(let item, let ending): end(item, ending)
      }
    }
    if index > start { waiting.forgetDepartures(from: start) }
  }

  // MARK: What single stages are told

  private mutating func admit(_ item: consuming Item, _ context: Context) -> Passage {
    if isNarrated(item) {
      item.why.isElsewhere = true
      return .ends(item, Ending(.heard, by: nil, rule: .reader))
    }
    let isPlace = item.kind == .layout || item.kind == .page
    let place = Admission.Place(
      isCovered: isPlace && isCovered(item),
      isLocked: model.isLocked(for: item.app),
      hasMedia: focus.hasMedia
    )
    let action = item.isFeedback ? item.action : nil
    let passage = Admission.pass(consume item, at: place, &notes, context)
    if let action, case .on = passage {
      actions.noteFeedback(of: action)
      HoldStage.extend(for: action, &waiting)
    }
    return passage
  }

  /// Whether the user has been elsewhere since the place that an event tells of was told last.
  private func hasLeft(_ item: Item) -> Bool {
    switch item.kind {
    case .focus: !floor.toldLast(item)
    case .report: !hasFocus(item)
    case .announcement, .layout, .screen, .page, .status, .value, .digest, .reading: false
    }
  }

  private func hasFocus(_ item: Item) -> Bool {
    guard let spot = focusSpot else { return false }
    return spot.app == item.app && spot.window == item.facts.window
      && spot.element == item.facts.element
  }

  mutating func changeBusy(_ event: borrowing WireEvent) {
    let facts = facts(.busy, event)
    guard let element = facts.element else { return }
    let key = BusyStage.key(facts.appKey, element)
    if event.flag(.busy) {
      let limit = rules.treatment(of: facts).maxWait
      pipeline.busy.markBusy(key, (limit.value, limit.rule), &waiting, context)
    } else {
      pipeline.busy.lapse(key, &waiting)
    }
    dispatchDepartures()
  }

  /// Lets those go on whose action has no feedback left to be heard.
  mutating func releaseHeld() {
    mayRelease = false
    for seq in HoldStage.ready(actions, waiting) { release(seq) }
  }

  mutating func release(_ seq: Seq) {
    guard let item = waiting.withdraw(seq) else { return }
    goOn(HoldStage.released(item, actions), behind: .hold)
  }

  /// The rate of a bucket is free again: its first event comes into the queue, unless the same
  /// value was heard last.
  mutating func refill(_ place: Int) {
    if var item = pipeline.rate.withdrawFirst(of: place, &waiting, now) {
      if let same = pipeline.duplicates.delivered(sayingTheSameAs: item) {
        item.noteWait(until: now)
        end(item, Ending(.duplicate, by: same, rule: item.treatment.dedupe.rule))
      } else {
        pipeline.rate.spend(place, at: now)
        enqueue(item)
      }
    }
    pipeline.rate.tidy(place, &waiting, now)
  }
}

/// The surroundings of a step, as every stage may see them.
struct Context {
  /// The instant of the entry or the alarm.
  let now: Instant
  /// The seq of the entry, or of the entry that has set the alarm.
  let cause: Seq
  let rules: RuleTable
}

/// The answer of a stage to an event.
enum Passage {
  /// The event goes on to the next stage.
  case on(Item)
  /// The event is parked.
  case waits
  case ends(Item, Ending)
}
