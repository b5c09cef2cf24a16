// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// Apps ask for the focus; they never take it.
extension Presenter {
  /// Judges the wish of an event to have the focus on an element, and grants it if nothing is
  /// against it.
  mutating func ask(
    for element: Name,
    in window: Name?,
    _ item: Item,
    basis: Seq?,
    opensModal: Bool
  ) -> FocusAnswer {
    let app = item.app
    let place = window ?? model.window(with: element, app: app)
    let spot = place.map { Model.Spot(app: app, window: $0, element: element) }
    let stop = spot.flatMap { model.stop(at: $0) }
    notes.isMissing = stop == nil
    guard !item.isBackground else { return denied(.background) }
    if !opensModal {
      if hasMoved(item, basis) { return denied(.moved) }
      if let place, model.isCovered(window: place, element: element, app: app) {
        return denied(.modal)
      }
    }
    guard let target = stop else { return denied(.missing) }
    if target == focusSpot, !speaksAgain(item) {
      return FocusAnswer(.kept, reason: nil, seq: model.focusSeq)
    }
    guard opensModal || focus.mayAsk(app, target.window, now) else { return denied(.rate) }
    return grant(target, item)
  }

  /// Moves the focus as an event wants it.
  mutating func grant(_ target: Model.Spot, _ item: Item) -> FocusAnswer {
    let wish: MoveReason = item.kind == .screen ? .screenChanged : .layoutChanged
    let reason = target == focusSpot ? .again : wish
    focus.move(to: target, by: item.seq, reason: reason, cause: item.action, &decisions)
    // The entry that says so is the next one.
    return FocusAnswer(.moved, reason: nil, seq: Seq(cause.number + Int64(decisions.count)))
  }

  private func denied(_ reason: Reason) -> FocusAnswer {
    FocusAnswer(.denied, reason: reason, seq: model.focusSeq)
  }

  /// The place of a denied wish, if the user could go there.
  func suggestion(of element: Name, in window: Name?, _ app: AppKey) -> Model.Spot? {
    guard let window = window ?? model.window(with: element, app: app) else { return nil }
    let spot = Model.Spot(app: app, window: window, element: element)
    return model.stop(at: spot) == nil ? nil : spot
  }

  /// Whether the place that an event has asked for is still to be offered now that it ends.
  func suggests(_ spot: Model.Spot, for item: Item) -> Bool {
    model.stop(at: spot) != nil
      && model.wants(
        Suggestion(seq: item.of, spot: spot, reason: item.why.focus?.reason?.rawValue ?? "")
      )
  }

  /// Whether an element that has the focus is spoken again: for a layout-changed that an action has
  /// caused, and on a new screen, unless its focus was put there just now and is being told.
  func speaksAgain(_ item: Item) -> Bool {
    switch item.kind {
    // An event that follows at once belongs to the same telling.
    case .layout:
      item.isByUser
        && (focus.movedAt.map { now - $0 >= item.treatment.debounce.value } ?? true)
    case .screen: focus.movedAt.map { now - $0 >= Bounds.feedback } ?? true
    case .announcement, .page, .status, .focus, .value, .report, .digest, .reading: false
    }
  }

  /// Whether the user has gone on since what the event is the consequence of.
  func hasMoved(_ item: Item, _ basis: Seq?) -> Bool {
    if let basis { return basis != model.focusSeq }
    guard let at = focus.navigatedAt, let by = focus.navigatedBy else { return false }
    if item.isByUser, let action = item.action { return by > action }
    return now - at < Bounds.navigation
  }

  // MARK: Reports

  /// A toolkit reports where the keyboard's focus went.
  mutating func presentReport(_ event: borrowing WireEvent) {
    var facts = facts(.focus, event)
    guard let element = facts.element else { return }
    let window = facts.window ?? model.window(with: element, app: head.app)
    facts.window = window
    var item = item(.report, facts, .nothing, event)
    if let (result, reason) = objection(to: item) {
      refuse(item, result, reason)
      return
    }
    // The answer is known at once only where nothing makes the report wait.
    let kept = FocusAnswer(.kept, reason: nil, seq: model.focusSeq)
    item.why.focus = kept
    present(item, from: .coalesce)
    if notes.focus == nil { notes.focus = kept }
  }

  private mutating func refuse(_ item: consuming Item, _ result: Result, _ reason: Reason) {
    item.why.clear()
    item.why.reason = reason
    item.why.focus = denied(reason)
    if reason == .missing { notes.isMissing = true }
    if cause == item.seq { notes.focus = item.why.focus }
    end(item, Ending(result, by: nil, rule: .focus))
  }

  private func objection(to item: Item) -> (Result, Reason)? {
    guard let window = item.facts.window, let element = item.facts.element else {
      return (.denied, .missing)
    }
    let app = item.app
    if let active = model.activeApp {
      guard active == app, model.activeWindow(of: app) == window else {
        return (.denied, .background)
      }
    }
    if model.isCovered(window: window, element: element, app: app) { return (.denied, .modal) }
    let spot = Model.Spot(app: app, window: window, element: element)
    guard model.stop(at: spot) != nil else { return (.denied, .missing) }
    guard !item.isByUser else { return nil }
    if focus.hasNewScreen(app, window, now), item.facts.traits & Traits.textField == 0 {
      return (.inhibited, .screenChanged)
    }
    return nil
  }

  /// A report that nothing is against: the focus is there.
  mutating func honour(_ given: consuming Item) {
    var item = given
    guard let window = item.facts.window, let element = item.facts.element else { return }
    let reported = Model.Spot(app: item.app, window: window, element: element)
    // Much may have changed while the report waited.
    if let (result, reason) = objection(to: item) {
      refuse(item, result, reason)
      return
    }
    // Of a container a reader knows the first place in it.
    guard let spot = model.stop(at: reported),
      !model.isCovered(window: spot.window, element: spot.element, app: spot.app)
    else {
      refuse(item, .denied, .modal)
      return
    }
    let isThere = spot == focusSpot
    guard item.isByUser || !isThere else {
      // The focus is there already; that is all there was to say.
      item.why.clear()
      end(item, Ending(.duplicate, by: model.focusSeq, rule: .focus))
      return
    }
    if item.isByUser { noteReport(item, spot) }
    focus.move(
      to: spot,
      by: item.seq,
      reason: !item.isByUser ? .auto : isThere ? .again : .user,
      cause: item.isByReport ? item.seq : item.action,
      &decisions
    )
    if cause == item.seq {
      notes.focus = FocusAnswer(
        .moved,
        reason: nil,
        seq: Seq(cause.number + Int64(decisions.count))
      )
    }
    pipeline.duplicates.retract(item)
  }

  /// The user has gone somewhere by the toolkit's own means, which is an action like any other.
  private mutating func noteReport(_ item: Item, _ spot: Model.Spot) {
    resumeByUser()
    focus.noteNavigation(context)
    guard item.isByReport else { return }
    actions.note(
      Actions.Action(
        seq: item.seq,
        mono: item.mono,
        app: spot.app,
        window: spot.window,
        element: spot.element
      )
    )
  }
}

extension Facts {
  var appKey: AppKey { AppKey(uid: uid, app: app) }
}
