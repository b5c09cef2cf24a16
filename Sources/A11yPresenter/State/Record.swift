// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// What each part of the presenter consists of, for the scribe that writes it down and reads it back.

extension Scribe {
  mutating func pass(_ app: inout AppKey) {
    var uid = app.uid
    var name = app.app
    pass(&uid)
    pass(&name)
    app = AppKey(uid: uid, app: name)
  }

  mutating func pass(_ print: inout Fingerprint) {
    var (high, low) = (print.high, print.low)
    pass(&high)
    pass(&low)
    print = Fingerprint(high: high, low: low)
  }

  mutating func pass(_ key: inout Key) {
    var (app, print) = (AppKey(uid: key.uid, app: key.app), key.print)
    pass(&app)
    pass(&print)
    key = Key(app, print)
  }

  mutating func pass(_ text: inout SpokenText) {
    var (runs, length) = (text.runs, text.length)
    var (print, isRedacted) = (text.print, text.isRedacted)
    pass(&runs)
    pass(&length)
    pass(&print, Fingerprint()) { $0.pass(&$1) }
    pass(&isRedacted)
    text = SpokenText(runs: runs, length: length, print: print, isRedacted: isRedacted)
  }

  mutating func pass(_ facts: inout Facts) {
    var word = facts.speechClass.word
    pass(&facts.topic)
    pass(&word)
    pass(&facts.uid)
    pass(&facts.app)
    pass(&facts.window)
    pass(&facts.element)
    pass(&facts.priority)
    pass(&facts.traits)
    pass(&facts.cause)
    pass(&facts.isForeground)
    pass(&facts.isFocused)
    pass(&facts.isContinuous)
    pass(&facts.origin)
    pass(&facts.text, []) { $0.pass(&$1) }
    facts.speechClass = SpeechClass(word)
  }

  mutating func pass(_ why: inout Why) {
    pass(&why.waited)
    pass(&why.window)
    pass(&why.rate, Why.Rate(interval: 0, burst: 0)) {
      $0.pass(&$1.interval)
      $0.pass(&$1.burst)
    }
    pass(&why.due)
    pass(&why.ttl)
    pass(&why.heard)
    pass(&why.isEstimated)
    pass(&why.isElsewhere)
    pass(&why.isSilent)
    pass(&why.isSensitive)
    pass(&why.reason)
    pass(&why.heldBy, .turn) { $0.pass(&$1) }
    pass(&why.isFromEvent)
    pass(&why.count)
    pass(&why.focus, FocusAnswer(.kept, reason: nil, seq: nil)) { scribe, answer in
      var (result, reason, seq) = (answer.result, answer.reason, answer.seq)
      scribe.pass(&result)
      scribe.pass(&reason)
      scribe.pass(&seq)
      answer = FocusAnswer(result, reason: reason, seq: seq)
    }
    pass(&why.suggestion, Model.Spot.blank) { $0.pass(&$1) }
  }

  mutating func pass(_ spot: inout Model.Spot) {
    var (app, window, element) = (spot.app, spot.window, spot.element)
    pass(&app)
    pass(&window)
    pass(&element)
    spot = Model.Spot(app: app, window: window, element: element)
  }

  mutating func pass(_ summary: inout Item.Summary) {
    pass(&summary.count)
    pass(&summary.from)
    pass(&summary.to)
    pass(&summary.others, AppKey(uid: 0, app: Name(""))) { $0.pass(&$1) }
  }

  /// All of an item but its treatment, which follows from the facts and the rules.
  mutating func pass(_ item: inout Item) {
    pass(&item.seq)
    pass(&item.of)
    pass(&item.madeBy)
    pass(&item.endsInOutcome)
    pass(&item.mono)
    pass(&item.kind)
    pass(&item.facts)
    pass(&item.key)
    pass(&item.action)
    pass(&item.isActed)
    pass(&item.isByReport)
    pass(&item.isAnswer)
    pass(&item.text)
    pass(&item.earcon, .screen) { $0.pass(&$1) }
    pass(&item.isPatient)
    pass(&item.isFinal)
    pass(&item.isSecret)
    pass(&item.ownTTL)
    pass(&item.deadline)
    pass(&item.mode)
    pass(&item.stage)
    pass(&item.wasHeld)
    pass(&item.countsAsFeedback)
    pass(&item.isSettled)
    pass(&item.isBackground)
    pass(&item.rankOverride)
    pass(&item.order)
    pass(&item.again, Item.Again(by: nil)) { scribe, again in
      scribe.pass(&again.by)
      scribe.pass(&again.cutter)
      scribe.pass(&again.deadline)
    }
    pass(&item.lost)
    pass(&item.summary, Item.Summary(count: 0, from: .none, to: .none)) { $0.pass(&$1) }
    pass(&item.isBoundary)
    pass(&item.memory, Key.blank) { $0.pass(&$1) }
    pass(&item.why)
    pass(&item.blamed)
  }

  mutating func pass(_ busy: inout Busy) {
    pass(&busy.pending, .none) { $0.pass(&$1) }
    pass(&busy.until)
    pass(&busy.rule)
  }

  mutating func pass(_ storm: inout Storm) {
    pass(&storm.element)
    pass(&storm.lastAt)
    pass(&storm.since)
    pass(&storm.collected, .none) { $0.pass(&$1) }
    var elements = storm.elements.sorted { $0.text < $1.text }
    pass(&elements, Name("")) { $0.pass(&$1) }
    storm.elements = Set(elements)
    pass(&storm.rule)
  }

  mutating func pass(_ window: inout Window) {
    pass(&window.lastAt)
    pass(&window.pending)
    pass(&window.since)
  }

  mutating func pass(_ statement: inout Memory.Statement) {
    pass(&statement.seq)
    pass(&statement.at)
    pass(&statement.print)
    pass(&statement.action)
  }

  mutating func pass(_ memory: inout Memory) {
    pass(&memory.delivered, .blank) { $0.pass(&$1) }
    pass(&memory.pending, .blank) { $0.pass(&$1) }
  }

  mutating func pass(_ bucket: inout Bucket) {
    pass(&bucket.full)
    pass(&bucket.interval)
    pass(&bucket.burst)
    pass(&bucket.waiting, .none) { $0.pass(&$1) }
  }

  mutating func pass(_ action: inout Actions.Action) {
    pass(&action.seq)
    pass(&action.mono)
    pass(&action.app)
    pass(&action.window)
    pass(&action.element)
    pass(&action.hadFeedback)
    pass(&action.feedback)
  }

  mutating func pass(_ cut: inout Cut) {
    pass(&cut.item)
    pass(&cut.ticket)
    pass(&cut.seq)
    pass(&cut.since)
    pass(&cut.at)
    pass(&cut.result, .heard) { $0.pass(&$1) }
    pass(&cut.by)
    pass(&cut.rule)
  }

  mutating func pass(_ speaking: inout Speaking) {
    pass(&speaking.item)
    pass(&speaking.ticket)
    pass(&speaking.seq)
    pass(&speaking.since)
  }

  mutating func pass(_ echo: inout Echoes.Echo) {
    pass(&echo.item)
    pass(&echo.ticket)
    pass(&echo.seq)
  }

  mutating func pass(_ readers: inout Readers) {
    let someone = Readers.Listener(conn: 0, rank: 0, isReporting: false)
    pass(&readers.listening, someone) { scribe, listener in
      scribe.pass(&listener.conn)
      scribe.pass(&listener.rank)
      scribe.pass(&listener.isReporting)
    }
    pass(&readers.isAwaited)
    pass(&readers.status)
    pass(&readers.speaker)
    pass(&readers.isReading)
    pass(&readers.pausedAt)
  }

  mutating func pass(_ stop: inout Route.Stop) {
    pass(&stop.window)
    pass(&stop.element)
  }

  mutating func pass(_ route: inout Route) {
    pass(&route.action)
    pass(&route.app)
    pass(&route.name)
    pass(&route.rest, Route.Stop()) { $0.pass(&$1) }
    pass(&route.ticket)
    pass(&route.seq)
    pass(&route.endsInOutcome)
    pass(&route.isAnsweredByEvents)
  }

  mutating func pass(_ outcome: inout Outcome) {
    var (of, app, window, element) = (outcome.of, outcome.app, outcome.window, outcome.element)
    var priority = outcome.priority
    var (result, by, rule, why) = (outcome.result, outcome.by, outcome.rule, outcome.why)
    pass(&of)
    pass(&app)
    pass(&window)
    pass(&element)
    pass(&priority, .default) { $0.pass(&$1) }
    pass(&result)
    pass(&by)
    pass(&rule)
    pass(&why)
    outcome = Outcome(
      of: of,
      app: app,
      window: window,
      element: element,
      priority: priority,
      result: result,
      by: by,
      rule: rule,
      why: why
    )
  }

  mutating func pass(_ move: inout FocusMove) {
    var (app, window, element) = (move.app, move.window, move.element)
    var (by, reason, cause) = (move.by, move.reason, move.cause)
    pass(&app, AppKey(uid: 0, app: Name(""))) { $0.pass(&$1) }
    pass(&window)
    pass(&element)
    pass(&by)
    pass(&reason)
    pass(&cause)
    move = FocusMove(
      app: app,
      window: window,
      element: element,
      by: by,
      reason: reason,
      cause: cause
    )
  }

  mutating func pass(_ gesture: inout Gesture) {
    var (action, app, name) = (gesture.action, gesture.app, gesture.name)
    var (window, element, ticket) = (gesture.window, gesture.element, gesture.ticket)
    pass(&ticket)
    pass(&action)
    pass(&app)
    pass(&window)
    pass(&element)
    pass(&name)
    gesture = Gesture(
      ticket: ticket,
      action: action,
      app: app,
      window: window,
      element: element,
      name: name
    )
  }

  mutating func pass(_ pause: inout Pause) {
    pass(&pause.conn)
    pass(&pause.app)
    pass(&pause.count)
  }

  mutating func pass(_ disturbance: inout Disturbance) {
    pass(&disturbance.level)
    pass(&disturbance.since)
    pass(&disturbance.expired, Item.Summary(count: 0, from: .none, to: .none)) {
      $0.pass(&$1)
    }
  }
}

// What stands in a place until it is read.

extension Key {
  static let blank = Key("", AppKey(uid: 0, app: Name("")))
}

extension Model.Spot {
  static let blank = Model.Spot(
    app: AppKey(uid: 0, app: Name("")),
    window: Name(""),
    element: Name("")
  )
}

extension Route {
  static let blank = Route(action: .none, app: AppKey(uid: 0, app: Name("")), name: "", ticket: 0)
}

extension Outcome {
  static let blank = Outcome(
    of: .none,
    app: AppKey(uid: 0, app: Name("")),
    window: nil,
    element: nil,
    priority: nil,
    result: .heard,
    by: nil,
    rule: "",
    why: Why()
  )
}

extension Gesture {
  static let blank = Gesture(
    ticket: 0,
    action: .none,
    app: AppKey(uid: 0, app: Name("")),
    window: nil,
    element: nil,
    name: ""
  )
}

extension Memory.Statement {
  static let blank = Memory.Statement(seq: .none, at: 0, print: Fingerprint(), action: nil)
}

extension Facts {
  static let blank = Facts(
    topic: .announcement,
    speechClass: .message,
    uid: 0,
    app: Name(""),
    window: nil,
    element: nil,
    priority: .default,
    traits: 0,
    cause: .auto,
    isForeground: true,
    isFocused: false,
    isContinuous: false,
    text: nil
  )
}
