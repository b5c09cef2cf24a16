// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// The parts of an item.

extension AppKey: Recorded {
  static var blank: AppKey { AppKey(uid: 0, app: .blank) }

  mutating func record(_ scribe: inout Scribe) {
    var uid = self.uid
    var name = self.app
    scribe.pass(&uid)
    scribe.pass(&name)
    self = AppKey(uid: uid, app: name)
  }
}

extension Fingerprint: Recorded {
  static var blank: Fingerprint { Fingerprint() }

  mutating func record(_ scribe: inout Scribe) {
    var (high, low) = (self.high, self.low)
    scribe.pass(&high)
    scribe.pass(&low)
    self = Fingerprint(high: high, low: low)
  }
}

extension Key: Recorded {
  static var blank: Key { Key("", .blank) }

  mutating func record(_ scribe: inout Scribe) {
    var (app, print) = (AppKey(uid: self.uid, app: self.app), self.print)
    scribe.pass(&app)
    scribe.pass(&print)
    self = Key(app, print)
  }
}

extension SpokenText: Recorded {
  static var blank: SpokenText { .nothing }

  mutating func record(_ scribe: inout Scribe) {
    var (runs, length) = (self.runs, self.length)
    var (print, isRedacted) = (self.print, self.isRedacted)
    scribe.text(&runs)
    scribe.pass(&length)
    scribe.pass(&print)
    scribe.pass(&isRedacted)
    self = SpokenText(runs: runs, length: length, print: print, isRedacted: isRedacted)
  }
}

extension Facts: Recorded {
  static let blank = Facts(
    topic: .announcement,
    speechClass: .message,
    uid: 0,
    app: .blank,
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

  mutating func record(_ scribe: inout Scribe) {
    var word = self.speechClass.word
    scribe.pass(&self.topic)
    scribe.pass(&word)
    scribe.pass(&self.uid)
    scribe.pass(&self.app)
    scribe.pass(&self.window)
    scribe.pass(&self.element)
    scribe.pass(&self.priority)
    scribe.pass(&self.traits)
    scribe.pass(&self.cause)
    scribe.pass(&self.isForeground)
    scribe.pass(&self.isFocused)
    scribe.pass(&self.isContinuous)
    scribe.pass(&self.origin)
    scribe.pass(&self.text)
    self.speechClass = SpeechClass(word)
  }
}

extension Why.Rate: Recorded {
  static var blank: Why.Rate { Why.Rate(interval: 0, burst: 0) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.interval)
    scribe.pass(&self.burst)
  }
}

extension FocusAnswer: Recorded {
  static var blank: FocusAnswer { FocusAnswer(.kept, reason: nil, seq: nil) }

  mutating func record(_ scribe: inout Scribe) {
    var (result, reason, seq) = (self.result, self.reason, self.seq)
    scribe.pass(&result)
    scribe.pass(&reason)
    scribe.pass(&seq)
    self = FocusAnswer(result, reason: reason, seq: seq)
  }
}

extension Why: Recorded {
  static var blank: Why { Why() }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.waited)
    scribe.pass(&self.window)
    scribe.pass(&self.rate)
    scribe.pass(&self.due)
    scribe.pass(&self.ttl)
    scribe.pass(&self.heard)
    scribe.pass(&self.isEstimated)
    scribe.pass(&self.isElsewhere)
    scribe.pass(&self.isSilent)
    scribe.pass(&self.isSensitive)
    scribe.pass(&self.reason)
    scribe.pass(&self.heldBy)
    scribe.pass(&self.isFromEvent)
    scribe.pass(&self.count)
    scribe.pass(&self.focus)
    scribe.pass(&self.suggestion)
  }
}

extension Model.Spot: Recorded {
  static var blank: Model.Spot { Model.Spot(app: .blank, window: .blank, element: .blank) }

  mutating func record(_ scribe: inout Scribe) {
    var (app, window, element) = (self.app, self.window, self.element)
    scribe.pass(&app)
    scribe.pass(&window)
    scribe.pass(&element)
    self = Model.Spot(app: app, window: window, element: element)
  }
}

extension Item.Summary: Recorded {
  static var blank: Item.Summary { Item.Summary(count: 0, from: .none, to: .none) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.count)
    scribe.pass(&self.from)
    scribe.pass(&self.to)
    scribe.pass(&self.others)
  }
}

extension Item.Again: Recorded {
  static var blank: Item.Again { Item.Again(by: nil) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.by)
    scribe.pass(&self.cutter)
    scribe.pass(&self.deadline)
  }
}

extension Item: Recorded {
  static let blank = Item(
    .announcement,
    seq: .none,
    mono: 0,
    facts: .blank,
    treatment: RuleSet.defaults.treatment(of: .blank),
    text: .nothing,
    mode: .all
  )

  /// All of an item but its treatment, which follows from the facts and the rules.
  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.seq)
    scribe.pass(&self.of)
    scribe.pass(&self.madeBy)
    scribe.pass(&self.endsInOutcome)
    scribe.pass(&self.mono)
    scribe.pass(&self.kind)
    scribe.pass(&self.facts)
    scribe.pass(&self.key)
    scribe.pass(&self.action)
    scribe.pass(&self.isActed)
    scribe.pass(&self.isByReport)
    scribe.pass(&self.isAnswer)
    scribe.pass(&self.text)
    scribe.pass(&self.earcon)
    scribe.pass(&self.isPatient)
    scribe.pass(&self.isFinal)
    scribe.pass(&self.isSecret)
    scribe.pass(&self.ownTTL)
    scribe.pass(&self.deadline)
    scribe.pass(&self.mode)
    scribe.pass(&self.standing)
    scribe.pass(&self.wasHeld)
    scribe.pass(&self.countsAsFeedback)
    scribe.pass(&self.isSettled)
    scribe.pass(&self.isBackground)
    scribe.pass(&self.rankOverride)
    scribe.pass(&self.order)
    scribe.pass(&self.again)
    scribe.pass(&self.lost)
    scribe.pass(&self.summary)
    scribe.pass(&self.isBoundary)
    scribe.pass(&self.memory)
    scribe.pass(&self.why)
    scribe.pass(&self.blamed)
  }
}
