// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The protection of the focus, and the gestures on their way to apps.
struct FocusState: Sendable {
  /// The place that the focus was decided to go to just now; nowhere is a place, too.
  var intended: Model.Spot??
  /// The last time that the user went somewhere, and the entry that says so.
  var navigatedAt: Instant?
  var navigatedBy: Seq?
  /// The instant at which it has moved last, or was said to be where it is.
  var movedAt: Instant?
  /// By windows, how many wishes of apps to have the focus there have been granted lately.
  var wishes = BoundedTable<Key, Bucket>(bound: Bounds.rows)
  /// The instant of the last new screen of each window.
  var screens = BoundedTable<Key, Instant>(bound: Bounds.rows)
  /// Actions that have gone out to an app and were not answered yet.
  var gestures: [Route] = []
  /// The element that the user has activated last, if it plays something that speech would disturb.
  var media: Model.Spot?
  /// The dialog that the focus is in; its name and text were told on the way into it.
  var dialog: Model.Spot?
  /// The focus enters an app: the summary elements of its window are told with the next place.
  var owesSummary = false

  /// A move of the focus is decided, and its entry is the next to be taken.
  var isMoving: Bool {
    // To compare the spot would be to copy it.
    if case .some = intended { true } else { false }
  }

  var hasMedia: Bool { if case .some = media { true } else { false } }

  // MARK: Moves

  /// Moves the focus, or takes it away.
  mutating func move(
    to spot: Model.Spot?,
    by: Seq,
    reason: MoveReason,
    cause: Seq?,
    _ decisions: inout Decisions
  ) {
    decisions.append(
      .focus(
        FocusMove(
          app: spot?.app,
          window: spot?.window,
          element: spot?.element,
          by: by,
          reason: reason,
          cause: cause
        )
      )
    )
    intended = .some(spot)
  }

  mutating func noteNavigation(_ context: Context) {
    navigatedAt = context.now
    navigatedBy = context.cause
  }

  // MARK: Wishes and screens

  /// Whether an app may ask for the focus once more: one wish in half a second, two at once.
  mutating func mayAsk(_ app: AppKey, _ window: Name, _ now: Instant) -> Bool {
    let key = Key("wish", app, window: window)
    let place: Int
    if let known = wishes.place(of: key) {
      wishes.touch(known)
      place = known
    } else {
      if let gone = wishes.leaving(isSpent: { $0.full <= now }) { wishes.remove(at: gone) }
      place = wishes.insert(key, Bucket(full: now, interval: Bounds.wish, burst: Bounds.wishes))
    }
    guard now >= wishes[place].next else { return false }
    wishes[place].spend(at: now)
    return true
  }

  /// A window has a new screen.
  mutating func noteScreen(_ app: AppKey, _ window: Name, _ now: Instant) {
    let key = Key("screen", app, window: window)
    if let place = screens.place(of: key) {
      screens[place] = now
      screens.touch(place)
    } else {
      if let gone = screens.leaving(isSpent: { _ in true }) { screens.remove(at: gone) }
      _ = screens.insert(key, now)
    }
  }

  /// Whether the screen of a window is so new that its app is still putting the focus somewhere.
  func hasNewScreen(_ app: AppKey, _ window: Name, _ now: Instant) -> Bool {
    screens[Key("screen", app, window: window)].map { now - $0 < Bounds.newScreen } ?? false
  }

  // MARK: Media

  /// Notes that a medium plays from now on, which is not to be talked over.
  mutating func beginMedia(_ spot: Model.Spot, in model: Model) {
    if Self.plays(spot, in: model) { media = spot }
  }

  /// An element that plays may have gone, alone or with its window.
  mutating func tendMedia(in model: Model) {
    if let media, !Self.plays(media, in: model) { self.media = nil }
  }

  private static func plays(_ spot: Model.Spot, in model: Model) -> Bool {
    let traits = model.traits(of: spot.element, window: spot.window, app: spot.app)
    return traits & Traits.startsMediaSession != 0
  }

  // MARK: Gestures

  /// The log has given a gesture its seq.
  mutating func assign(_ seq: Seq, to ticket: Int64) {
    for index in gestures.indices where gestures[index].ticket == ticket {
      gestures[index].seq = seq
    }
  }
}

/// The way of an action through those who may want to handle it.
struct Route: Sendable {
  var action: Seq
  var app: AppKey
  var name: String
  /// The length of a name that the log does not have.
  var redacted: String?
  /// The stops behind the one that is being asked, the nearest first.
  var rest: [Stop] = []
  /// The gesture that was sent, by its ticket until the log has it.
  var ticket: Int64
  var seq: Seq?
  /// Whether the action ends with an outcome.
  var endsInOutcome = true
  /// Whether anything that the app tells as its consequence answers it.
  var isAnsweredByEvents = false

  /// An element, a window, or the app, which is asked to handle a gesture.
  struct Stop: Sendable {
    var window: Name?
    var element: Name?
  }
}

extension Presenter {
  /// The place of the focus or, if a move was decided just now, the place that it goes to.
  var focusSpot: Model.Spot? {
    if let intended = focus.intended { return intended }
    return model.focusSpot
  }

  /// Plays a sound without words at once, if a reader is there.
  mutating func chime(_ earcon: Item.Earcon, of seq: Seq, app: AppKey) {
    guard case .open = gate else { return }
    var item = Item.blank
    item.of = seq
    item.mono = now
    item.facts.uid = app.uid
    item.facts.app = app.app
    item.earcon = earcon
    item.isBoundary = earcon == .boundary
    _ = decide(item, interrupts: nil)
  }
}

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
        if spot != focusSpot {
          focus.move(to: spot, by: cause, reason: .modal, cause: action, &decisions)
        }
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
  ///
  /// With a reader that begins to speak he is told where he is, as with any that comes.
  mutating func enterSeat(since before: AppKey?, isReaderNew: Bool) {
    if let app = model.activeApp, app != before, let window = model.activeWindow(of: app) {
      focus.owesSummary = true
      enter(window, app, nil)
      if focus.intended == nil, !isReaderNew { saySummary(app) }
    }
    guard focus.intended == nil, isReaderNew else { return }
    focus.owesSummary = false
    presentState()
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
    focus.move(to: spot, by: cause, reason: .window, cause: action, &decisions)
  }

  /// If the element with the focus is gone or is none to be stopped at any more, another one takes
  /// its place.
  private mutating func repairFocus(_ before: Before?, _ action: Seq?) {
    if enterCover(action) { return }
    guard let spot = focusSpot, !model.isStop(spot) else { return }
    // An element that has become a container has the next place in it.
    let next =
      model.stop(at: spot) ?? model.repair(spot, before: before?.model ?? model) ?? fallback()
    focus.move(to: next, by: cause, reason: .repair, cause: action, &decisions)
  }

  /// Takes the focus into what has come to cover it, as soon as there is a place for it.
  @discardableResult
  mutating func enterCover(_ action: Seq?) -> Bool {
    guard let spot = focusSpot, isCovered(spot), let first = coverSpot(spot.app) else {
      return false
    }
    focus.move(to: first, by: cause, reason: .cover, cause: action, &decisions)
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
    focus.tendMedia(in: model)
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

extension Route.Stop: Recorded {
  static var blank: Route.Stop { Route.Stop() }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.window, &self.element)
  }
}

extension Route: Recorded {
  static var blank: Route { Route(action: .none, app: .blank, name: "", ticket: 0) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.action, &self.app, &self.name, &self.redacted)
    scribe.transcribe(&self.rest, &self.ticket, &self.seq, &self.endsInOutcome)
    scribe.transcribe(&self.isAnsweredByEvents)
  }
}
