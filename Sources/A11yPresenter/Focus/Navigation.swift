// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
public import A11yWire

// The user's actions on the focus.
extension Presenter {
  mutating func act(_ event: borrowing WireEvent) {
    guard let name = event.string(.action) else { return }
    focus.media = nil
    switch name {
    case "stop": stop()
    case "repeat":
      resumeByUser()
      repeatSpeech(event)
    case "pause": pauseByUser()
    case "resume": resumeByUser()
    default:
      // Moving on asks for speech again.
      resumeByUser()
      navigate(name, event)
    }
  }

  /// Whether an action goes to an element of which the names of actions must not stand on the log.
  ///
  /// Asked before the action has its entry, of the places that it names.
  public func hidesName(
    app: Name?,
    window: Name?,
    element: Name?,
    near uid: UInt32
  ) -> Bool {
    guard let (app, window) = target(app, window, element, near: uid), let window else {
      return false
    }
    let here = focusSpot.flatMap { $0.app == app && $0.window == window ? $0.element : nil }
    guard let element = element ?? here else { return false }
    return model.hidesActions(ElementPlace(app: app, window: window, element: element))
  }

  private mutating func navigate(_ name: String, _ event: borrowing WireEvent) {
    let element = event.name(.element)
    let target = target(event.name(.app), event.name(.window), element, near: head.app.uid)
    guard let (app, window) = target else {
      chime(.noAction, of: cause, app: head.app)
      return
    }
    let here = focusSpot.flatMap { $0.app == app && $0.window == window ? $0.element : nil }
    actions.note(
      Actions.Action(
        seq: cause,
        mono: now,
        app: app,
        window: window,
        element: element ?? here
      )
    )
    guard let window else {
      sendOut(name, event, app, nil, element)
      return
    }
    let from = here ?? model.lastSpot(window: window, app: app)?.element
    switch name {
    case "next": step(.next, from, window, app, .next)
    case "previous": step(.previous, from, window, app, .previous)
    case "first": step(.first, from, window, app, .first)
    case "last": step(.last, from, window, app, .last)
    case "focus": focusOn(element.map { Model.Spot(app: app, window: window, element: $0) }, .focus)
    case "touch": touch(event, app, window, element)
    case "activate":
      if let element = element ?? here {
        focus.beginMedia(Model.Spot(app: app, window: window, element: element), in: model)
      }
      if let element, element != here {
        focusOn(Model.Spot(app: app, window: window, element: element), .activate)
      }
      sendOut(name, event, app, window, element ?? here)
    default: sendOut(name, event, app, window, element ?? here)
    }
  }

  /// The app and the window that an action goes to.
  private func target(
    _ name: Name?,
    _ given: Name?,
    _ element: Name?,
    near uid: UInt32
  ) -> (app: AppKey, window: Name?)? {
    let named = name.map { model.app(named: $0, near: uid) }
    guard let app = named ?? model.activeApp ?? focusSpot?.app else { return nil }
    // The user is in the window that covers the rest of the app.
    let window =
      given
      ?? (element == nil ? model.cover(of: app)?.window : nil)
      ?? (element == nil && focusSpot?.app == app ? focusSpot?.window : nil)
    if let window, element == nil, model.activeApp != app || model.activeWindow(of: app) == nil {
      return (app, window)
    }
    return (
      app,
      given ?? model.cover(of: app)?.window
        ?? model.window(with: element, app: app)
    )
  }

  private mutating func step(
    _ step: Model.Step,
    _ from: Name?,
    _ window: Name,
    _ app: AppKey,
    _ reason: MoveReason
  ) {
    guard let spot = model.step(step, from: from, window: window, app: app) else {
      chime(.boundary, of: cause, app: app)
      return
    }
    goTo(spot, reason)
  }

  private mutating func touch(
    _ event: borrowing WireEvent,
    _ app: AppKey,
    _ window: Name,
    _ element: Name?
  ) {
    if let element {
      focusOn(Model.Spot(app: app, window: window, element: element), .touch)
      return
    }
    guard let point = event.member(.point), event.line.count(point) == 2,
      let x = event.line.integer(point + 1), let y = event.line.integer(point + 2),
      let spot = model.hit(x, y, window: window, app: app)
    else {
      chime(.boundary, of: cause, app: app)
      return
    }
    guard spot != focusSpot else { return }
    goTo(spot, .touch)
  }

  /// Goes to an element that was named, or to what in it can be stopped at.
  private mutating func focusOn(_ spot: Model.Spot?, _ reason: MoveReason) {
    guard let spot, let stop = model.stop(at: spot),
      !model.isCovered(window: stop.window, element: stop.element, app: stop.app)
    else {
      if reason != .activate, let spot { chime(.boundary, of: cause, app: spot.app) }
      return
    }
    // On the element that has the focus it says nothing.
    guard stop != focusSpot else { return }
    goTo(stop, reason)
  }

  private mutating func goTo(_ spot: Model.Spot, _ reason: MoveReason) {
    focus.noteNavigation(context)
    focus.move(to: spot, by: cause, reason: reason, cause: cause, &decisions)
  }

  // MARK: Gestures

  /// Sends an action to whom it concerns.
  private mutating func sendOut(
    _ name: String,
    _ event: borrowing WireEvent,
    _ app: AppKey,
    _ window: Name?,
    _ element: Name?
  ) {
    let gesture = name == "custom" ? event.string(.name) ?? name : name
    var stops: [Route.Stop] = []
    switch name {
    case "escape": stops = responders("escape", app, window, element)
    case "magic-tap": stops = responders("magic-tap", app, window, element)
    default: stops = [Route.Stop(window: window, element: element)]
    }
    if name == "escape" { hush() }
    let first = stops.removeFirst()
    var route = Route(action: cause, app: app, name: gesture, rest: stops, ticket: 0)
    if name == "custom" { route.redacted = event.string(.redacted) }
    route.isAnsweredByEvents = name != "escape" && name != "magic-tap"
    send(first, route)
  }

  /// From the element outwards through those that want to hear of it, then the window, then the
  /// app.
  private func responders(
    _ gesture: StaticString,
    _ app: AppKey,
    _ window: Name?,
    _ element: Name?
  ) -> [Route.Stop] {
    var stops: [Route.Stop] = []
    if let window, let element {
      let spot = Model.Spot(app: app, window: window, element: element)
      stops = model.responders(to: gesture, from: spot).map {
        Route.Stop(window: window, element: $0)
      }
    }
    if let window { stops.append(Route.Stop(window: window, element: nil)) }
    return stops + [Route.Stop(window: nil, element: nil)]
  }

  mutating func send(_ stop: Route.Stop, _ given: Route) {
    var route = given
    decisions.tickets &+= 1
    route.ticket = decisions.tickets
    route.seq = nil
    decide(
      .gesture(
        Gesture(
          ticket: decisions.tickets,
          action: route.action,
          app: route.app,
          window: stop.window,
          element: stop.element,
          name: route.name,
          redacted: route.redacted
        )
      )
    )
    if focus.gestures.count >= Bounds.gestures {
      let oldest = focus.gestures.removeFirst()
      waiting.alarms.cancel(.gesture(oldest.action))
      conclude(oldest, .unhandled, by: nil)
    }
    focus.gestures.append(route)
    waiting.alarms.set(.gesture(route.action), at: now + Bounds.gesture, by: cause)
  }

  /// An app says whether it has handled what it was sent.
  mutating func takeAnswer(_ event: borrowing WireEvent) {
    guard let of = event.seq(.of),
      let place = focus.gestures.firstIndex(where: { $0.seq == of }),
      head.app == focus.gestures[place].app
    else { return }
    let route = focus.gestures.remove(at: place)
    waiting.alarms.cancel(.gesture(route.action))
    if event.flag(.handled) {
      conclude(route, .handled, by: nil)
    } else {
      sendOn(route)
    }
  }

  /// An event in answer to a gesture says that the app has handled it: an event that names the
  /// action as its cause, or one that comes without a cause while the answer is awaited.
  mutating func answerGestures(with event: borrowing WireEvent, _ type: EventType) {
    guard !focus.gestures.isEmpty, type.has(.answersGestures) else { return }
    let answered = focus.gestures.filter { route in
      route.isAnsweredByEvents && route.app == head.app && route.action < cause
        && isConsequence(event, of: route.action)
    }
    for route in answered {
      focus.gestures.removeAll { $0.action == route.action }
      waiting.alarms.cancel(.gesture(route.action))
      conclude(route, .handled, by: cause)
    }
  }

  private func isConsequence(_ event: borrowing WireEvent, of action: Seq) -> Bool {
    guard let given = event.member(.cause) else { return true }
    if let seq = event.line.integer(given) { return Seq(seq) == action }
    return event.line.isKey(given, "user") && actions.last(of: head.app)?.seq == action
  }

  /// No answer has come in time.
  mutating func missAnswer(_ action: Seq) {
    guard let place = focus.gestures.firstIndex(where: { $0.action == action }) else { return }
    sendOn(focus.gestures.remove(at: place))
  }

  private mutating func sendOn(_ given: Route) {
    var route = given
    guard !route.rest.isEmpty else {
      conclude(route, .unhandled, by: nil)
      return
    }
    send(route.rest.removeFirst(), route)
  }

  private mutating func conclude(_ route: Route, _ result: Result, by: Seq?) {
    guard route.endsInOutcome else { return }
    if result == .unhandled { chime(.noAction, of: route.action, app: route.app) }
    var why = Why()
    why.waited = actions[route.action].map { now - $0.mono }
    decide(
      .outcome(
        Outcome(
          of: route.action,
          app: route.app,
          ending: Ending(result, by: by, rule: .gesture),
          why: why
        )
      )
    )
  }

  /// The user leaves: speech about the place that he leaves is of no use any more.
  private mutating func hush() {
    guard let speech = floor.speaking, !speech.item.isUrgent else { return }
    stopSpeaking(.interrupted, by: cause, rule: OwnRule.escape.name)
  }
}
