// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// From an entry to an event that asks to be presented: its facts for the rules, and how it is
// treated.
extension Presenter {
  mutating func presentAnnouncement(_ event: borrowing WireEvent) {
    let text = SpokenText(of: event)
    if event.says(.class, "reading") {
      presentReading(text, event)
      return
    }
    var item = item(.announcement, facts(.announcement, event), text, event)
    lendMode(to: &item, event)
    item.isPatient = event.flag(.queue)
    item.isFinal = event.flag(.final)
    present(consume item)
  }

  /// The words of a screen reader are the user's own reading, whatever else the event says.
  private mutating func presentReading(_ text: SpokenText, _ event: borrowing WireEvent) {
    floor.readers.narrators.insert(head.conn)
    var facts = facts(.announcement, event)
    facts.priority = .default
    facts.cause = .user
    var item = item(.reading, facts, text, event)
    item.conn = head.conn
    item.mode = .all
    item.key = nil
    item.ownTTL = nil
    item.action = nil
    if let ending = Admission.ending(of: &item, by: context) {
      end(item, ending)
    } else {
      enqueue(item)
    }
  }

  /// A high one is in no class; but where its sender gave it a key, it is one of several values, as
  /// its class says.
  private func lendMode(to item: inout Item, _ event: borrowing WireEvent) {
    guard item.priority == .high, item.key != nil, event.member(.mode) == nil,
      event.member(.class) != nil
    else { return }
    var facts = item.facts
    facts.priority = facts.speechClass.priority
    item.mode = rules.treatment(of: facts).mode.value
  }

  mutating func presentLayout(_ event: borrowing WireEvent) {
    let facts = facts(.layoutChanged, event)
    let text = SpokenText(of: event)
    var item = item(.layout, facts, text, event)
    let kept = FocusAnswer(.kept, reason: nil, seq: model.focusSeq)
    notes.focus = kept
    item.why.focus = kept
    if let element = facts.element {
      let answer = ask(
        for: element,
        in: facts.window,
        item,
        basis: event.seq(.basis),
        opensModal: false
      )
      notes.focus = answer
      item.why.focus = answer
      if answer.result == .denied {
        item.why.suggestion = suggestion(of: element, in: facts.window, facts.appKey)
        deny(item, answer)
        return
      }
    }
    present(consume item)
  }

  /// Ends an event of which nothing is left to present.
  private mutating func deny(_ item: consuming Item, _ answer: FocusAnswer) {
    item.why.reason = answer.reason
    let rule: OwnRule = answer.reason == .background ? .background : .focusProtection
    end(item, Ending(.denied, by: model.focusSeq, rule: rule))
  }

  mutating func presentScreen(_ event: borrowing WireEvent) {
    let facts = facts(.screenChanged, event)
    let text = SpokenText(of: event)
    var item = item(.screen, facts, text, event)
    item.earcon = .screen
    let answer = showScreen(item, event)
    notes.focus = answer
    item.why.focus = answer
    if answer.result == .denied, let element = facts.element {
      item.why.suggestion = suggestion(of: element, in: facts.window, facts.appKey)
    }
    present(consume item)
  }

  /// A new screen has its focus on the element that is asked for, or else on its first one.
  private mutating func showScreen(
    _ item: Item,
    _ event: borrowing WireEvent
  ) -> FocusAnswer {
    let app = item.app
    let window = item.facts.window ?? model.window(with: item.facts.element, app: app)
    if let window, !item.isBackground {
      focus.noteScreen(app, window, now)
    }
    let basis = event.seq(.basis)
    let opensModal = event.flag(.modal) && !item.isBackground
    if let element = item.facts.element {
      let answer = ask(for: element, in: window, item, basis: basis, opensModal: opensModal)
      guard answer.reason == .missing else { return answer }
      _ = showFirst(of: window, item, basis, opensModal)
      return answer
    }
    return showFirst(of: window, item, basis, opensModal)
  }

  /// The event asks for no place, so nothing is denied: the focus goes to the first one, or stays.
  private mutating func showFirst(
    of window: Name?,
    _ item: Item,
    _ basis: Seq?,
    _ opensModal: Bool
  ) -> FocusAnswer {
    let kept = FocusAnswer(.kept, reason: nil, seq: model.focusSeq)
    // A focus that has just been put back, or whose place words take, stays.
    guard focus.intended == nil, !item.isBackground, let window,
      item.text.isEmpty || focusSpot?.app != item.app || focusSpot?.window != window,
      let first = model.step(.first, from: nil, window: window, app: item.app),
      !model.isCovered(window: window, element: first.element, app: item.app)
    else { return kept }
    if !opensModal, let here = focusSpot, model.isStop(here), hasMoved(item, basis) { return kept }
    guard first != focusSpot || speaksAgain(item) else { return kept }
    return grant(first, item)
  }

  mutating func presentPage(_ event: borrowing WireEvent) {
    var facts = facts(.pageScrolled, event)
    facts.isContinuous = event.flag(.continuous)
    let text = SpokenText(of: event)
    let item = item(.page, facts, text, event)
    present(consume item)
  }

  mutating func presentStatus(_ event: borrowing WireEvent) {
    let facts = facts(.voiceOverStatus, event)
    var item = item(.status, facts, .nothing, event)
    item.isFinal = event.flag(.running)
    present(consume item)
  }

  // MARK: What is known of it

  /// The facts that every event has, from its entry and from the model.
  @inline(__always)
  mutating func facts(_ topic: Topic, _ event: borrowing WireEvent) -> Facts {
    let app = head.app
    let window = event.name(.window)
    let element = event.name(.element)
    let traits = element.map { model.traits(of: $0, window: window, app: app) } ?? 0
    let isFocused = element.map { model.hasFocus($0, window: window, app: app) } ?? false
    let (speechClass, priority) =
      topic == .announcement
      ? classify(event, element, traits, isFocused: isFocused) : (.message, .default)
    var text: [UInt8]?
    if rules.looksAtTexts, event.member(.redacted) == nil,
      let value = event.member(.text), event.line.kind(value) == .string
    {
      text = event.line.raw(value).array
    }
    return Facts(
      topic: topic,
      speechClass: speechClass,
      uid: app.uid,
      app: app.app,
      window: window,
      element: element,
      priority: priority,
      traits: traits,
      cause: causation(event),
      isForeground: isForeground(app, event),
      isFocused: isFocused,
      isContinuous: false,
      origin: event.name(.origin),
      text: text
    )
  }

  private func causation(_ event: borrowing WireEvent) -> Causation {
    guard let cause = event.member(.cause) else { return .auto }
    if event.line.kind(cause) == .number { return .user }
    return event.line.isKey(cause, "user") ? .user : .auto
  }

  /// Whether the user works in an app, as the windows and the event itself have it.
  private func isForeground(_ app: AppKey, _ event: borrowing WireEvent) -> Bool {
    if let flag = event.member(.foreground), event.line.kind(flag) == .no { return false }
    guard let active = model.activeApp else { return true }
    return active == app
  }

  /// The class and the priority of an announcement.
  private mutating func classify(
    _ event: borrowing WireEvent,
    _ element: Name?,
    _ traits: UInt32,
    isFocused: Bool
  ) -> (SpeechClass, Priority) {
    var speechClass = SpeechClass.message
    if let word = event.string(.class) {
      speechClass = SpeechClass(word)
      if case .other = speechClass { notes.unknownClass = word }
    }
    let priority = event.string(.priority).flatMap(Priority.init(rawValue:))
    // An element that changes all the time counts as a timer, whatever its class is called.
    if traits & Traits.updatesFrequently != 0, priority != .high { speechClass = .timer }
    // An element that has neither the focus nor been acted on is not where the user is.
    if priority == nil, case .value = speechClass, let element, !isFocused,
      !isActed(on: element, event)
    {
      return (speechClass, .low)
    }
    return (speechClass, priority ?? speechClass.priority)
  }

  /// An event with these facts.
  ///
  /// Inlined on request, as the facts are: what is not inlined would get a copy of them.
  @inline(__always)
  mutating func item(
    _ kind: Item.Kind,
    _ facts: consuming Facts,
    _ text: consuming SpokenText,
    _ event: borrowing WireEvent
  ) -> Item {
    let given = facts.priority
    let treatment = treatment(of: &facts)
    let isForAnywhere = kind == .announcement && facts.origin.map(Self.isForAnywhere) ?? false
    let isBackground = !facts.isForeground && !isForAnywhere
    let mode = event.string(.mode).flatMap(Mode.init(rawValue:))
    var item = Item(
      kind,
      seq: cause,
      mono: now,
      facts: consume facts,
      treatment: treatment,
      text: consume text,
      mode: mode ?? treatment.mode.value
    )
    item.given = given
    item.ownMode = mode
    item.key = event.name(.key)
    if treatment.present.value == .sound {
      item.becomeSound()
    }
    item.isSecret = item.text.isRedacted
    item.ownTTL = event.integer(.ttl).map { .milliseconds($0) }
    item.isBackground = isBackground
    relate(&item, event)
    return item
  }

  /// A notification is for the user, wherever he is; and a program that speaks through
  /// speech-dispatcher has no window that could be in front.
  private static func isForAnywhere(_ origin: Name) -> Bool {
    origin == notification || origin == speechDispatcher
  }

  private static let notification = Name("notification")
  private static let speechDispatcher = Name("ssip")

  /// How an event is treated; a rule that gives it another priority has it treated as one of these.
  mutating func treatment(of facts: inout Facts) -> Treatment {
    let treatment = rules.recallTreatment(of: facts)
    guard let priority = treatment.priority.value, priority != facts.priority else {
      return treatment
    }
    facts.priority = priority
    return rules.recallTreatment(of: facts)
  }
}

/// The bits of traits that decide something.
enum Traits {
  static let updatesFrequently = bit("updates-frequently")
  static let startsMediaSession = bit("starts-media-session")
  static let causesPageTurn = bit("causes-page-turn")
  static let textField = bit("text-field")

  static let secure = bit("secure")

  static func bit(_ name: StaticString) -> UInt32 {
    guard
      let bit = WordSet.trait.words.firstIndex(where: { $0.description == name.description })
    else { preconditionFailure("the schema lists the trait") }
    return 1 << UInt32(bit)
  }
}

// Changes in the element that the user is at, or has just acted on: they are heard without the app
// having to announce them.
extension Presenter {
  /// The watched elements with what they show, before an entry changes them.
  struct Watched {
    var places: [(element: Name, showing: Model.Showing?, action: Seq?)] = []
  }

  func watched(_ event: borrowing WireEvent) -> Watched {
    var watched = Watched()
    guard let window = event.name(.window) else { return watched }
    let app = head.app
    if let last = actions.last(of: app), now - last.mono <= Bounds.feedback,
      let element = last.element, last.window == nil || last.window == window
    {
      watched.places.append(
        (element, model.showing(element, window: window, app: app), last.seq)
      )
    }
    if let focus = model.focusPlace(of: app), focus.window == window,
      !watched.places.contains(where: { $0.element == focus.element })
    {
      watched.places.append(
        (focus.element, model.showing(focus.element, window: window, app: app), nil)
      )
    }
    return watched
  }

  mutating func presentChanges(since before: Watched, _ event: borrowing WireEvent) {
    guard let window = event.name(.window) else { return }
    let app = head.app
    var changed: [Item] = []
    for (element, old, action) in before.places {
      guard let old, let new = model.showing(element, window: window, app: app) else { continue }
      // Of a secret there is nothing to compare but its length: that it was set is what is new.
      let isSecretAnew = new.redacted != nil && Self.sets(element, in: event)
      guard new != old || isSecretAnew else { continue }
      let isFocused = model.hasFocus(element, window: window, app: app)
      // A window that is told anew has other elements, though they may bear the same ids.
      let isRenamed = isFocused && event.member(.replace) == nil
      let text = Self.words(
        isRenamed ? old : old.called(new.label),
        new,
        isSecretAnew,
        model.language(of: element, window: window, app: app),
        pace
      )
      guard !text.isEmpty else { continue }
      var facts = facts(.elements, event)
      facts.speechClass = .value
      facts.element = element
      facts.isFocused = isFocused
      facts.traits = model.traits(of: element, window: window, app: app)
      if action != nil { facts.cause = .user }
      let kind: Item.Kind
      if facts.traits & Traits.updatesFrequently != 0 {
        // A value that changes all the time is told like a timer that its app announces.
        facts.topic = .announcement
        facts.speechClass = .timer
        facts.priority = facts.speechClass.priority
        kind = .announcement
      } else {
        kind = .value
      }
      var item = item(kind, facts, text, event)
      item.action = action ?? item.action
      item.isActed = action != nil
      changed.append(item)
    }
    // One entry ends once, with the last of them.
    for index in changed.indices {
      if index < changed.count - 1 {
        changed[index].seq = newID()
        changed[index].endsInOutcome = false
      }
      present(changed[index])
    }
  }

  /// Whether an entry gives an element a text that it does not have itself.
  private static func sets(_ element: Name, in event: borrowing WireEvent) -> Bool {
    for field in [WireEvent.Member.upsert, .replace] {
      guard let list = event.member(field), event.line.kind(list) == .list else { continue }
      var item = list + 1
      while item < event.line.end(list) {
        if event.line.name("id", of: item) == element,
          event.line.member("redacted", of: item) != nil
        {
          return true
        }
        item = event.line.end(item)
      }
    }
    return false
  }

  private static func words(
    _ old: Model.Showing,
    _ new: Model.Showing,
    _ isSecretAnew: Bool,
    _ language: [UInt8]?,
    _ pace: ReaderPace
  ) -> SpokenText {
    let own = language.flatMap { OwnWords.of(tag: $0) }
    let words = own ?? OwnWords.of(pace.language)
    let ownLanguage = own == nil ? nil : language
    var text = SpokenText.nothing
    // A voice makes a little pause between the parts.
    var pause: String { text.isEmpty ? "" : ", " }
    if new.label != old.label, let label = new.label, label != new.value {
      text.append(SpokenText(written: label.span, language: language))
    }
    if isSecretAnew || new.redacted != old.redacted || new.value != old.value {
      if let redacted = new.redacted {
        text.append(SpokenText(redacted: redacted))
      } else if let value = new.value {
        text.append(SpokenText(written: (Array(pause.utf8) + value).span, language: language))
      }
    }
    words.changes(from: old.states, to: new.states, new.role) {
      text.append(SpokenText(pause + $0, language: ownLanguage))
    }
    return text
  }
}
