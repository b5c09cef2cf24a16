// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// From an entry to an event that asks to be presented: what rules may know of it, and how it is
// treated.
extension Engine {
  mutating func presentAnnouncement(_ entry: JSONDocument, _ event: JSONIndex) {
    var speechClass = SpeechClass.message
    if let word = entry.string("class", of: event) { speechClass = SpeechClass(word) }
    var facts = facts(.announcement, entry, event)
    facts.speechClass = speechClass
    if isTimer(facts) {
      facts.speechClass = .timer
      speechClass = .timer
    }
    facts.priority =
      entry.string("priority", of: event).flatMap(Priority.init(rawValue:)) ?? speechClass.priority
    let text = SpokenText(of: event, in: entry)
    guard var item = item(.announcement, facts, text, entry, event) else { return }
    item.isPatient = entry.flag("queue", of: event)
    item.isFinal = entry.flag("final", of: event)
    admit(consume item)
  }

  mutating func presentLayout(_ entry: JSONDocument, _ event: JSONIndex) {
    let facts = facts(.layoutChanged, entry, event)
    let text = SpokenText(of: event, in: entry)
    guard var item = item(.layout, facts, text, entry, event) else { return }
    let kept = FocusAnswer(.kept, reason: nil, seq: model.focusSeq)
    notes.focus = kept
    item.why.focus = kept
    if let element = facts.element {
      let answer = ask(
        for: element,
        in: facts.window,
        item,
        basis: entry.seq("basis", of: event),
        opensModal: false
      )
      notes.focus = answer
      item.why.focus = answer
      if answer.result == .denied {
        deny(item, answer)
        return
      }
    }
    admit(consume item)
  }

  /// Ends an event of which nothing is left to present.
  private mutating func deny(_ item: Item, _ answer: FocusAnswer) {
    var why = Why()
    why.reason = answer.reason
    let rule = answer.reason == "background" ? Self.background : Self.focusProtection
    settle(item, .denied, by: model.focusSeq, rule: rule, why)
  }

  static var focusProtection: String { "focus protection" }

  mutating func presentScreen(_ entry: JSONDocument, _ event: JSONIndex) {
    let facts = facts(.screenChanged, entry, event)
    let text = SpokenText(of: event, in: entry)
    guard var item = item(.screen, facts, text, entry, event) else { return }
    item.earcon = .screen
    let answer = showScreen(item, entry, event)
    notes.focus = answer
    item.why.focus = answer
    admit(consume item)
  }

  /// A new screen has its focus on the element that is asked for, or else on its first one.
  private mutating func showScreen(
    _ item: Item,
    _ entry: JSONDocument,
    _ event: JSONIndex
  ) -> FocusAnswer {
    let app = item.app
    let window = item.facts.window ?? model.window(with: item.facts.element, app: app)
    if let window, !item.isBackground {
      var key = Key("screen", app)
      key.window = window
      if let place = focus.screens.place(of: key) {
        focus.screens[place] = now
        focus.screens.touch(place)
      } else {
        if let gone = focus.screens.leaving(isSpent: { _ in true }) {
          focus.screens.remove(at: gone)
        }
        _ = focus.screens.insert(key, now)
      }
    }
    let basis = entry.seq("basis", of: event)
    let opensModal = entry.flag("modal", of: event) && !item.isBackground
    if let element = item.facts.element {
      let answer = ask(for: element, in: window, item, basis: basis, opensModal: opensModal)
      guard answer.reason == "missing" else { return answer }
      _ = showFirst(of: window, item, basis, opensModal)
      return answer
    }
    return showFirst(of: window, item, basis, opensModal)
  }

  private mutating func showFirst(
    of window: Name?,
    _ item: Item,
    _ basis: Seq?,
    _ opensModal: Bool
  ) -> FocusAnswer {
    let kept = FocusAnswer(.kept, reason: nil, seq: model.focusSeq)
    // Where the focus has just been put back, or where words take its place, it stays.
    guard intendedSpot == nil, let window,
      item.text.isEmpty || focusSpot?.app != item.app || focusSpot?.window != window,
      let first = model.step(.first, from: nil, window: window, app: item.app)
    else { return kept }
    return ask(
      for: first.element,
      in: window,
      item,
      basis: basis,
      opensModal: opensModal
    )
  }

  mutating func presentPage(_ entry: JSONDocument, _ event: JSONIndex) {
    var facts = facts(.pageScrolled, entry, event)
    facts.isContinuous = entry.flag("continuous", of: event)
    let text = SpokenText(of: event, in: entry)
    guard let item = item(.page, facts, text, entry, event) else { return }
    admit(consume item)
  }

  mutating func presentStatus(_ entry: JSONDocument, _ event: JSONIndex) {
    let facts = facts(.voiceOverStatus, entry, event)
    guard var item = item(.status, facts, .nothing, entry, event) else { return }
    item.isFinal = entry.flag("running", of: event)
    admit(consume item)
  }

  // MARK: What is known of it

  /// What every event has, read off its entry and off the model.
  func facts(_ topic: Topic, _ entry: JSONDocument, _ event: JSONIndex) -> Facts {
    let app = head.app
    let window = entry.name("window", of: event)
    let element = entry.name("element", of: event)
    var text: [UInt8]?
    if rules.looksAtTexts, entry.member("redacted", of: event) == nil,
      let value = entry.member("text", of: event), entry.kind(value) == .string
    {
      text = entry.raw(value).array
    }
    return Facts(
      topic: topic,
      speechClass: .message,
      uid: app.uid,
      app: app.app,
      window: window,
      element: element,
      priority: .default,
      traits: element.map { model.traits(of: $0, window: window, app: app) } ?? 0,
      cause: causation(entry, event),
      isForeground: isForeground(app, entry, event),
      isFocused: element.map { model.hasFocus($0, window: window, app: app) } ?? false,
      isContinuous: false,
      text: text
    )
  }

  private func causation(_ entry: JSONDocument, _ event: JSONIndex) -> Causation {
    guard let cause = entry.member("cause", of: event) else { return .auto }
    if entry.kind(cause) == .number { return .user }
    return entry.isKey(cause, "user") ? .user : .auto
  }

  /// Whether the user works in an app, as the windows and the event itself have it.
  private func isForeground(_ app: AppKey, _ entry: JSONDocument, _ event: JSONIndex) -> Bool {
    if let flag = entry.member("foreground", of: event), entry.kind(flag) == .no { return false }
    guard let active = model.activeApp else { return true }
    return active == app
  }

  /// What changes all the time counts as a timer, whatever it is called.
  private func isTimer(_ facts: Facts) -> Bool {
    facts.traits & Traits.updatesFrequently != 0 && facts.priorityMayMove
  }

  func item(
    _ kind: Item.Kind,
    _ facts: consuming Facts,
    _ text: SpokenText,
    _ entry: JSONDocument,
    _ event: JSONIndex
  ) -> Item? {
    let treatment = treatment(of: &facts)
    let isBackground = !facts.isForeground
    let mode = entry.string("mode", of: event).flatMap(Mode.init(rawValue:))
    var item = Item(
      kind,
      seq: cause,
      mono: now,
      facts: facts,
      treatment: treatment,
      text: text,
      mode: mode ?? treatment.mode.value
    )
    item.key = entry.name("key", of: event)
    item.isSecret = text.isRedacted
    item.ownTTL = entry.integer("ttl_ms", of: event).map { $0 * Bounds.millisecond }
    item.isBackground = isBackground
    relate(&item, entry, event)
    return item
  }

  /// How an event is treated; a rule that gives it another priority has it treated as one of these.
  func treatment(of facts: inout Facts) -> Treatment {
    let treatment = rules.treatment(of: facts)
    guard let priority = treatment.priority.value, priority != facts.priority else {
      return treatment
    }
    facts.priority = priority
    return rules.treatment(of: facts)
  }
}

extension Facts {
  /// Whether the class may be another than was said.
  fileprivate var priorityMayMove: Bool { speechClass != .timer }
}

/// The bits of traits that decide something.
enum Traits {
  static let updatesFrequently = bit("updates-frequently")
  static let startsMediaSession = bit("starts-media-session")
  static let summaryElement = bit("summary-element")
  static let causesPageTurn = bit("causes-page-turn")
  static let textField = bit("text-field")

  static let selected = bit("selected")
  static let notEnabled = bit("not-enabled")

  static func bit(_ name: StaticString) -> UInt32 {
    guard
      let bit = WordSet.trait.words.firstIndex(where: { $0.description == name.description })
    else { preconditionFailure("the schema lists the trait") }
    return 1 << UInt32(bit)
  }
}

extension JSONDocument {
  func flag(_ name: StaticString, of object: JSONIndex) -> Bool {
    member(name, of: object).map { kind($0) == .yes } ?? false
  }
}
