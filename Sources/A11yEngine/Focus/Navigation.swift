// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// What the user does with the focus.
extension Engine {
  mutating func act(_ event: borrowing WireEvent) {
    guard let name = event.string(.action) else { return }
    switch name {
    case "stop": stop()
    case "repeat": repeatLast()
    case "pause": pauseByUser()
    case "resume": resumeByUser()
    default: navigate(name, event)
    }
  }

  private mutating func navigate(_ name: String, _ event: borrowing WireEvent) {
    guard let (app, window) = target(event) else {
      chime(.noAction, of: cause, app: head.app)
      return
    }
    let element = event.name(.element)
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
    case "next": step(.next, from, window, app, name)
    case "previous": step(.previous, from, window, app, name)
    case "first": step(.first, from, window, app, name)
    case "last": step(.last, from, window, app, name)
    case "focus": focusOn(element.map { Model.Spot(app: app, window: window, element: $0) }, name)
    case "touch": touch(event, app, window, element)
    case "activate":
      if let element, element != here {
        focusOn(Model.Spot(app: app, window: window, element: element), name)
      }
      sendOut(name, event, app, window, element ?? here)
    default: sendOut(name, event, app, window, element ?? here)
    }
  }

  /// The app and the window that an action goes to.
  private func target(
    _ event: borrowing WireEvent
  ) -> (app: AppKey, window: Name?)? {
    let named = event.name(.app).map {
      model.app(named: $0, near: head.app.uid)
    }
    guard let app = named ?? model.activeApp ?? focusSpot?.app else { return nil }
    // What covers the rest of the app is where the user is.
    let element = event.name(.element)
    let window =
      event.name(.window)
      ?? (element == nil ? model.cover(of: app)?.window : nil)
      ?? (element == nil && focusSpot?.app == app ? focusSpot?.window : nil)
    if let window, element == nil, model.activeApp != app || model.activeWindow(of: app) == nil {
      return (app, window)
    }
    return (
      app,
      event.name(.window) ?? model.cover(of: app)?.window
        ?? model.window(with: element, app: app)
    )
  }

  private mutating func step(
    _ step: Model.Step,
    _ from: Name?,
    _ window: Name,
    _ app: AppKey,
    _ name: String
  ) {
    guard let spot = model.step(step, from: from, window: window, app: app) else {
      chime(.boundary, of: cause, app: app)
      return
    }
    goTo(spot, name)
  }

  private mutating func touch(
    _ event: borrowing WireEvent,
    _ app: AppKey,
    _ window: Name,
    _ element: Name?
  ) {
    if let element {
      focusOn(Model.Spot(app: app, window: window, element: element), "touch")
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
    goTo(spot, "touch")
  }

  /// Goes to an element that was named, or to what in it can be stopped at.
  private mutating func focusOn(_ spot: Model.Spot?, _ name: String) {
    guard let spot, let stop = model.stop(at: spot),
      !model.isCovered(window: stop.window, element: stop.element, app: stop.app)
    else {
      if name != "activate", let spot { chime(.boundary, of: cause, app: spot.app) }
      return
    }
    // On the element that has the focus it says nothing.
    guard stop != focusSpot else { return }
    goTo(stop, name)
  }

  private mutating func goTo(_ spot: Model.Spot, _ name: String) {
    noteNavigation()
    moveFocus(to: spot, by: cause, reason: name, cause: cause)
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
    send(first, Route(action: cause, app: app, name: gesture, rest: stops, ticket: 0))
  }

  /// From the element outwards through those that want to hear of it, then the window, then the app.
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
    tickets += 1
    route.ticket = tickets
    route.seq = nil
    decide(
      .gesture(
        Gesture(
          ticket: tickets,
          action: route.action,
          app: route.app,
          window: stop.window,
          element: stop.element,
          name: route.name
        )
      )
    )
    if focus.gestures.count >= Bounds.gestures {
      let oldest = focus.gestures.removeFirst()
      alarms.cancel(.gesture(oldest.action))
      conclude(oldest, .unhandled)
    }
    focus.gestures.append(route)
    alarms.set(.gesture(route.action), at: now + Bounds.gesture, by: cause)
  }

  /// An app says whether it has handled what it was sent.
  mutating func takeAnswer(_ event: borrowing WireEvent) {
    guard let of = event.seq(.of),
      let place = focus.gestures.firstIndex(where: { $0.seq == of }),
      head.app == focus.gestures[place].app
    else { return }
    let route = focus.gestures.remove(at: place)
    alarms.cancel(.gesture(route.action))
    if event.flag(.handled) {
      conclude(route, .handled)
    } else {
      sendOn(route)
    }
  }

  /// Nobody has answered in time.
  mutating func missAnswer(_ action: Seq) {
    guard let place = focus.gestures.firstIndex(where: { $0.action == action }) else { return }
    sendOn(focus.gestures.remove(at: place))
  }

  private mutating func sendOn(_ given: Route) {
    var route = given
    guard !route.rest.isEmpty else {
      conclude(route, .unhandled)
      return
    }
    send(route.rest.removeFirst(), route)
  }

  private mutating func conclude(_ route: Route, _ result: Result) {
    guard route.endsInOutcome else { return }
    if result == .unhandled { chime(.noAction, of: route.action, app: route.app) }
    var why = Why()
    why.waited = actions[route.action].map { now - $0.mono }
    decide(
      .outcome(
        Outcome(
          of: route.action,
          app: route.app,
          window: nil,
          element: nil,
          result: result,
          by: nil,
          rule: Self.gestures,
          why: why
        )
      )
    )
  }

  /// The user leaves: what is being said of where he was is of no use any more.
  private mutating func hush() {
    guard let speech = speaking, !isUrgent(speech.item) else { return }
    cutSpeaking(.interrupted, by: cause, rule: "escape")
    silenceCut(by: cause)
  }

  static var gestures: String { "gesture" }
}
