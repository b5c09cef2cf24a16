// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// The focus follows what becomes of windows and elements.
extension Presenter {
  /// The model as it was before an entry changes it.
  struct Before: Sendable {
    let model: Model
    let covers: [(at: Int64, back: Model.Spot?)]
  }

  /// A copy of the model as it is, where an entry may take something away from under the focus.
  func before(_ event: borrowing WireEvent, _ type: EventType) -> Before? {
    let app = head.app
    let isHere = focusSpot?.app == app
    switch type {
    case .elements:
      let takesAway =
        event.member(.remove) != nil || event.member(.replace) != nil
      guard isHere, takesAway || model.cover(of: app) != nil else { return nil }
    case .window, .screenChanged: break
    default: return nil
    }
    return Before(model: model, covers: model.covers(of: app))
  }

  /// Puts the focus right after an entry has changed the model.
  mutating func tendFocus(
    since before: Before?,
    _ event: borrowing WireEvent,
    _ type: EventType
  ) {
    let app = head.app
    let action = self.action(of: event)
    if let before {
      let left = before.covers.isEmpty ? [] : model.covers(of: app).map(\.at)
      let ended = before.covers.first { !left.contains($0.at) }
      if let ended, let back = ended.back, let spot = usable(back, before), !isCovered(spot) {
        if spot != focusSpot { moveFocus(to: spot, by: cause, reason: .modal, cause: action) }
        return
      }
    }
    if type == .window, let window = event.name(.window),
      model.activeWindow(of: app) == window, before?.model.activeWindow(of: app) != window
    {
      comeTo(window, app, isNew: before?.model.activeApp != app, action)
      return
    }
    // A screen says itself where the focus is to go.
    if type != .screenChanged || !(focusSpot.map(isCovered) ?? false) {
      repairFocus(before, action)
    }
  }

  /// The user who has come to the seat goes on in the window where he was.
  mutating func enterSeat(since before: AppKey?) {
    guard let app = model.activeApp, app != before, let window = model.activeWindow(of: app) else {
      return
    }
    comeTo(window, app, isNew: true, nil)
  }

  /// The user works in another window, of a new app or of the same.
  private mutating func comeTo(_ window: Name, _ app: AppKey, isNew: Bool, _ action: Seq?) {
    focus.owesSummary = isNew
    enter(window, app, action)
    if isNew, focus.intended == nil { saySummary(app) }
  }

  private func isCovered(_ spot: Model.Spot) -> Bool {
    model.isCovered(window: spot.window, element: spot.element, app: spot.app)
  }

  /// The first place in what covers the rest of an app, if there is one yet.
  private func coverSpot(_ app: AppKey) -> Model.Spot? {
    guard let cover = model.cover(of: app),
      let first = model.step(.first, from: nil, window: cover.window, app: app)
    else { return nil }
    // A cover that has nothing to say of itself is a place for the elements that are to come in it.
    guard first.element == cover.element else { return first }
    let spoken = model.spoken(first.element, window: first.window, app: app)
    return spoken?.label == nil && spoken?.value == nil ? nil : first
  }

  /// The place that the focus goes back to, or the element in its place by now.
  private func usable(_ spot: Model.Spot, _ before: Before) -> Model.Spot? {
    model.isStop(spot) ? spot : model.repair(spot, before: before.model)
  }

  /// A window has become the one that the user works in: it gets its focus back.
  private mutating func enter(_ window: Name, _ app: AppKey, _ action: Seq?) {
    let spot = place(in: window, app)
    guard spot != focusSpot || spot == nil else { return }
    guard spot != nil || focusSpot != nil else { return }
    moveFocus(to: spot, by: cause, reason: .window, cause: action)
  }

  /// If the element with the focus is gone or is none to be stopped at any more, another one takes
  /// its place.
  private mutating func repairFocus(_ before: Before?, _ action: Seq?) {
    if enterCover(action) { return }
    guard let spot = focusSpot, !model.isStop(spot) else { return }
    // An element that has become a container has the next place in it.
    let next =
      model.stop(at: spot) ?? model.repair(spot, before: before?.model ?? model) ?? fallback()
    moveFocus(to: next, by: cause, reason: .repair, cause: action)
  }

  /// Takes the focus into what has come to cover it, as soon as there is a place for it.
  @discardableResult
  mutating func enterCover(_ action: Seq?) -> Bool {
    guard let spot = focusSpot, isCovered(spot), let first = coverSpot(spot.app) else {
      return false
    }
    moveFocus(to: first, by: cause, reason: .cover, cause: action)
    return true
  }

  /// The place of the user when a whole window is gone.
  private func fallback() -> Model.Spot? {
    guard let app = model.activeApp, let window = model.activeWindow(of: app) else { return nil }
    return place(in: window, app)
  }

  /// The place of a user who comes to a window: the last place of the focus there or, whatever is
  /// active, in the window that covers it.
  private func place(in window: Name, _ app: AppKey) -> Model.Spot? {
    let own =
      model.lastSpot(window: window, app: app)
      ?? model.step(.first, from: nil, window: window, app: app)
    guard let own, isCovered(own) else { return own }
    if let here = focusSpot, here.app == app, !isCovered(here), model.isStop(here) { return here }
    return coverSpot(app) ?? own
  }

  /// Apps that left long ago are let go of, and the focus with them.
  mutating func expireApps() {
    model.expire(through: now.microseconds)
    setExpiry()
    tendMedia()
    repairFocus(nil, nil)
  }

  mutating func setExpiry() {
    if let due = model.nextExpiry.map(Instant.init(microseconds:)) {
      if waiting.alarms.due(of: .apps) != due { waiting.alarms.set(.apps, at: due, by: cause) }
    } else {
      waiting.alarms.cancel(.apps)
    }
  }
}
