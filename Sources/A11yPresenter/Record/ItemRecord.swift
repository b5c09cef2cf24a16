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
    scribe.transcribe(&uid)
    scribe.transcribe(&name)
    self = AppKey(uid: uid, app: name)
  }
}

extension Fingerprint: Recorded {
  static var blank: Fingerprint { Fingerprint() }

  mutating func record(_ scribe: inout Scribe) {
    var (high, low) = (self.high, self.low)
    scribe.transcribe(&high)
    scribe.transcribe(&low)
    self = Fingerprint(high: high, low: low)
  }
}

extension Key: Recorded {
  static var blank: Key { Key("", .blank) }

  mutating func record(_ scribe: inout Scribe) {
    var (app, print) = (AppKey(uid: self.uid, app: self.app), self.print)
    scribe.transcribe(&app)
    scribe.transcribe(&print)
    if scribe.isReading { self = Key(app, print) }
  }
}

extension SpokenText: Recorded {
  static var blank: SpokenText { .nothing }

  mutating func record(_ scribe: inout Scribe) {
    var (runs, length) = (self.runs, self.length)
    var (print, isRedacted) = (self.print, self.isRedacted)
    scribe.string(&runs)
    scribe.transcribe(&length)
    scribe.transcribe(&print)
    scribe.transcribe(&isRedacted)
    guard scribe.isReading else { return }
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
    scribe.transcribe(&self.topic)
    scribe.transcribe(&word)
    scribe.transcribe(&self.uid)
    scribe.transcribe(&self.app)
    scribe.transcribe(&self.window)
    scribe.transcribe(&self.element)
    scribe.transcribe(&self.priority)
    scribe.transcribe(&self.traits)
    scribe.transcribe(&self.cause)
    scribe.transcribe(&self.isForeground)
    scribe.transcribe(&self.isFocused)
    scribe.transcribe(&self.isContinuous)
    scribe.transcribe(&self.origin)
    scribe.transcribe(&self.text)
    if scribe.isReading { self.speechClass = SpeechClass(word) }
  }
}

extension Why.Rate: Recorded {
  static var blank: Why.Rate { Why.Rate(interval: .blank, burst: 0) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.interval)
    scribe.transcribe(&self.burst)
  }
}

extension FocusAnswer: Recorded {
  static var blank: FocusAnswer { FocusAnswer(.kept, reason: nil, seq: nil) }

  mutating func record(_ scribe: inout Scribe) {
    var (result, reason, seq) = (self.result, self.reason, self.seq)
    scribe.transcribe(&result)
    scribe.transcribe(&reason)
    scribe.transcribe(&seq)
    self = FocusAnswer(result, reason: reason, seq: seq)
  }
}

extension Why: Recorded {
  static var blank: Why { Why() }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.waited)
    scribe.transcribe(&self.window)
    scribe.transcribe(&self.rate)
    scribe.transcribe(&self.due)
    scribe.transcribe(&self.ttl)
    // In milliseconds, as every version has written it.
    var heard = self.heard?.wholeMilliseconds
    scribe.transcribe(&heard)
    if scribe.isReading { self.heard = heard.map(TimeSpan.milliseconds(_:)) }
    scribe.transcribe(&self.isEstimated)
    // Two flags in the place of one, so that older records can be read.
    var others = Int64(self.isElsewhere ? 1 : 0) + (self.isBehindOthers ? 2 : 0)
    scribe.transcribe(&others)
    self.isElsewhere = others & 1 != 0
    self.isBehindOthers = others & 2 != 0
    scribe.transcribe(&self.isSilent)
    scribe.transcribe(&self.isSensitive)
    scribe.transcribe(&self.reason)
    scribe.transcribe(&self.heldBy)
    scribe.transcribe(&self.isFromEvent)
    scribe.transcribe(&self.count)
    scribe.transcribe(&self.focus)
    scribe.transcribe(&self.suggestion)
  }
}

extension Model.Spot: Recorded {
  static var blank: Model.Spot { Model.Spot(app: .blank, window: .blank, element: .blank) }

  mutating func record(_ scribe: inout Scribe) {
    var (app, window, element) = (self.app, self.window, self.element)
    scribe.transcribe(&app)
    scribe.transcribe(&window)
    scribe.transcribe(&element)
    self = Model.Spot(app: app, window: window, element: element)
  }
}

extension Item.Summary: Recorded {
  static var blank: Item.Summary { Item.Summary(count: 0, from: .none, to: .none) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.count)
    scribe.transcribe(&self.from)
    scribe.transcribe(&self.to)
    scribe.transcribe(&self.others)
  }
}

extension Item.Again: Recorded {
  static var blank: Item.Again { Item.Again(by: nil) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.by)
    scribe.transcribe(&self.cutter)
    scribe.transcribe(&self.deadline)
  }
}

extension Item: Recorded {
  static let blank = Item(
    .announcement,
    seq: .none,
    mono: .blank,
    facts: .blank,
    treatment: RuleSet.defaults.treatment(of: .blank),
    text: .nothing,
    mode: .all
  )

  /// All of an item that waits.
  ///
  /// The treatment follows from the facts and the rules; `ahead`, `memoryPlace` and `isGranted`
  /// matter on the way alone.
  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.seq)
    scribe.transcribe(&self.of)
    scribe.transcribe(&self.madeBy)
    scribe.transcribe(&self.endsInOutcome)
    scribe.transcribe(&self.mono)
    scribe.transcribe(&self.kind)
    scribe.transcribe(&self.facts)
    scribe.transcribe(&self.key)
    scribe.transcribe(&self.action)
    scribe.transcribe(&self.isActed)
    scribe.transcribe(&self.isByReport)
    scribe.transcribe(&self.isAnswer)
    scribe.transcribe(&self.text)
    scribe.transcribe(&self.earcon)
    scribe.transcribe(&self.isPatient)
    scribe.transcribe(&self.isFinal)
    scribe.transcribe(&self.isSecret)
    scribe.transcribe(&self.ownTTL)
    scribe.transcribe(&self.deadline)
    scribe.transcribe(&self.mode)
    scribe.transcribe(&self.standing)
    scribe.transcribe(&self.wasHeld)
    scribe.transcribe(&self.countsAsFeedback)
    scribe.transcribe(&self.isSettled)
    recordOrigin(&scribe)
    scribe.transcribe(&self.rankOverride)
    scribe.transcribe(&self.order)
    scribe.transcribe(&self.again)
    scribe.transcribe(&self.lost)
    scribe.transcribe(&self.summary)
    scribe.transcribe(&self.isBoundary)
    scribe.transcribe(&self.memory)
    scribe.transcribe(&self.why)
    scribe.transcribe(&self.blamed)
  }
}

extension Item {
  /// What an event was before any rule: several small facts as one number, which older records have
  /// for the first of them alone.
  fileprivate mutating func recordOrigin(_ scribe: inout Scribe) {
    let priorities = Priority.allCases
    let modes = Mode.allCases
    var bits: Int64 = self.isBackground ? 1 : 0
    bits += Int64((priorities.firstIndex(of: self.given) ?? 0) + 1) << 1
    bits += Int64(self.ownMode.flatMap { modes.firstIndex(of: $0) }.map { $0 + 1 } ?? 0) << 3
    scribe.transcribe(&bits)
    guard scribe.isReading else { return }
    self.isBackground = bits & 1 != 0
    let (priority, mode) = (Int(bits >> 1 & 3), Int(bits >> 3 & 7))
    self.given = priority > 0 ? priorities[priority - 1] : self.facts.priority
    self.ownMode = mode > 0 && mode <= modes.count ? modes[mode - 1] : nil
  }
}
