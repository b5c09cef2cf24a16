// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

// The meaning of news whose source is known.
extension Ears {
  /// The time within which two ears hear one change.
  private static let sameChange: Int64 = 250_000
  /// Changes that are remembered for that, of one program.
  private static let mostTold = 16
  /// Elements of a program that the bus keeps.
  private static let mostElements = 32
  private static let mostBusy = 32
  private static let mostWindows = 64

  mutating func consider(
    _ news: AtspiSignal.News,
    _ source: SourceObject,
    _ known: SourceFacts,
    at now: Int64
  ) {
    switch news {
    case .inserted(let text): hearInsertion(text, source, known, at: now)
    case .shown:
      if known.role.isNews, !inquire(SourceQuestion(.labels, source)) { countOverrun() }
    case .focused: hearFocus(source, known, at: now)
    case .valueChanged:
      let isFocused = apps[source.sender]?.focus == source
      guard known.role == .progressBar || isFocused, known.role != .passwordText else { return }
      if !inquire(SourceQuestion(.value, source)) { countOverrun() }
    case .loaded:
      let event = Event(type: "screen-changed").window(window(of: source.sender))
      post(
        known.name.isEmpty ? event : event.with("text", .string(known.name)),
        of: source.sender,
        at: now
      )
    case .announcement, .busy, .activeDescendant, .window: break
    }
  }

  // MARK: Words

  private mutating func hearInsertion(
    _ text: String,
    _ source: SourceObject,
    _ known: SourceFacts,
    at now: Int64
  ) {
    guard let isAssertive = known.isAssertive, known.tellsInsertions else { return }
    if known.isBusy { beginBusy(source, at: now) }
    guard known.isAtomic else {
      return tell(text, isAssertive: isAssertive, of: source, on: .insertion, at: now)
    }
    if !inquire(SourceQuestion(.text, source)) { countOverrun() }
  }

  /// Tells the whole text of a region in which something has changed.
  mutating func tellRegion(_ source: SourceObject, _ text: String, at now: Int64) {
    guard let isAssertive = facts[source]?.isAssertive else { return }
    let words = AtspiSignal.plain(text)
    guard !words.isEmpty else { return }
    tell(words, isAssertive: isAssertive, of: source, on: .insertion, at: now)
  }

  /// Tells an alert that has appeared, by its name and the texts in it.
  mutating func tellAlert(_ source: SourceObject, _ text: String, at now: Int64) {
    guard let known = facts[source] else { return }
    let words = AtspiSignal.plain(text)
    let parts = known.name.contains(words) ? [known.name] : [known.name, words]
    let whole = parts.filter { !$0.isEmpty }.joined(separator: ". ")
    guard !whole.isEmpty else { return }
    let isAssertive = known.isAssertive ?? (known.role == .alert)
    tell(whole, isAssertive: isAssertive, of: source, on: .appearance, at: now)
  }

  /// Announces a text, unless the same change was heard on another way.
  mutating func tell(
    _ text: String,
    isAssertive: Bool,
    of source: SourceObject,
    on way: ForeignApp.Ear,
    at now: Int64
  ) {
    guard var app = apps[source.sender] else { return }
    app.lastTold.removeAll { now - $0.time > Self.sameChange }
    let isKnown = app.lastTold.contains { told in
      told.way != way && (told.source == source || told.text == text)
    }
    if isKnown { return apps[source.sender] = app }
    if app.lastTold.count == Self.mostTold { app.lastTold.removeFirst() }
    app.lastTold.append(.init(source: source, way: way, text: text, time: now))
    apps[source.sender] = app
    let event = Event.announcement(SpeechText(text), priority: isAssertive ? .high : .default)
    post(event.element(source.element), of: source.sender, at: now)
  }

  // MARK: Busy regions

  private mutating func beginBusy(_ source: SourceObject, at now: Int64) {
    // A region is busy for a while only: its facts are asked for again next time.
    facts[source] = nil
    guard var app = apps[source.sender], !app.busy.contains(source),
      app.busy.count < Self.mostBusy
    else { return }
    app.busy.append(source)
    apps[source.sender] = app
    post(.busy(true, element: source.element), of: source.sender, at: now)
  }

  /// The end of a busy region: the sources in it are free.
  mutating func endBusy(_ sender: String, at now: Int64) {
    let sources = apps[sender]?.busy ?? []
    apps[sender]?.busy = []
    for source in sources { post(.busy(false, element: source.element), of: sender, at: now) }
  }

  // MARK: Focus and windows

  private mutating func hearFocus(_ source: SourceObject, _ known: SourceFacts, at now: Int64) {
    let sender = source.sender
    guard var app = apps[sender], app.focus != source else { return }
    app.focus = source
    var gone: [String] = []
    if !app.elements.contains(source) {
      app.elements.append(source)
      if app.elements.count > Self.mostElements {
        gone.append(app.elements.removeFirst().element)
      }
    }
    apps[sender] = app
    let window = window(of: sender)
    let element = AppElement(source.element, label: known.name, traits: known.role.traits)
    post(.elements(window: window, upsert: [element], remove: gone), of: sender, at: now)
    let event = Event.focusChanged(to: source.element, window: window).cause(.user)
    post(event, of: sender, at: now)
    if known.role.traits.contains(.adjustable) { _ = inquire(SourceQuestion(.value, source)) }
  }

  mutating func hearWindow(
    _ change: AtspiSignal.WindowChange,
    _ title: String,
    _ source: SourceObject,
    at now: Int64
  ) {
    guard var app = apps[source.sender] else { return }
    let state: WindowState
    switch change {
    case .created:
      guard app.windows.count < Self.mostWindows else { return countOverrun() }
      app.windows.insert(source)
      state = .opened
    case .activated:
      guard app.window != source else { return }
      guard app.windows.count < Self.mostWindows else { return countOverrun() }
      app.windows.insert(source)
      // The toolkit tells the focus of a window that comes back.
      (app.window, app.focus) = (source, nil)
      if app.hasUntoldWindow {
        app.hasUntoldWindow = false
        app.elements = []
        apps[source.sender] = app
        let event = Event.window(Self.untoldWindow(of: source.sender), .closed)
        post(event, of: source.sender, at: now)
        app = apps[source.sender] ?? app
      }
      state = .active
    case .deactivated:
      guard app.windows.contains(source) else { return }
      if app.window == source { (app.window, app.focus) = (nil, nil) }
      state = .inactive
    case .destroyed:
      guard app.windows.remove(source) != nil else { return }
      if app.window == source { (app.window, app.focus) = (nil, nil) }
      state = .closed
    }
    apps[source.sender] = app
    let event = Event.window(source.element, state, title: title.isEmpty ? nil : title)
    post(event, of: source.sender, at: now)
  }

  /// The window that the user is in, as far as the program has told.
  private mutating func window(of sender: String) -> String {
    if let window = apps[sender]?.window { return window.element }
    apps[sender]?.hasUntoldWindow = true
    return Self.untoldWindow(of: sender)
  }

  /// The window of a program that was active before the ears were there.
  private static func untoldWindow(of sender: String) -> String { "\(sender)/window" }

  // MARK: Values

  mutating func tellValue(
    _ source: SourceObject,
    _ present: Double,
    _ lowest: Double,
    _ highest: Double,
    at now: Int64
  ) {
    guard let known = facts[source], present.isFinite else { return }
    let span = highest - lowest
    if known.role == .progressBar {
      guard span > 0, span.isFinite else { return }
      let share = min(1, max(0, (present - lowest) / span))
      let text = "\(Int((share * 100).rounded())) %"
      let event = Event.announcement(
        SpeechText(known.name.isEmpty ? text : "\(known.name) \(text)"),
        kind: .progress,
        final: share == 1 ? true : nil
      )
      post(event.element(source.element), of: source.sender, at: now)
    } else if apps[source.sender]?.focus == source {
      let element = AppElement(source.element, value: Self.spoken(present))
      let event = Event.elements(window: window(of: source.sender), upsert: [element])
      post(event, of: source.sender, at: now)
    }
  }

  /// A number with two decimals at most.
  private static func spoken(_ number: Double) -> String {
    let hundredths = (number * 100).rounded()
    guard hundredths.magnitude < 1e15 else { return String(number) }
    let whole = Int64(hundredths)
    if whole % 100 == 0 { return String(whole / 100) }
    let digits = String(whole.magnitude % 100)
    let fraction = digits.count == 1 ? "0" + digits : digits
    let sign = whole < 0 ? "-" : ""
    let trimmed = fraction.hasSuffix("0") ? String(fraction.dropLast()) : fraction
    return "\(sign)\(whole.magnitude / 100).\(trimmed)"
  }
}
