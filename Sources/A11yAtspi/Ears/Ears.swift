// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient

/// The ears at the accessibility bus: signals and answers go in with the time, questions and events
/// come out.
///
/// A source is asked once for its role, attributes and name; the facts are kept until it goes. One
/// object of a program is asked at a time, and all that waits has a bound: what is over it is
/// counted, and the count is told.
package struct Ears {
  /// A deed for the process.
  package enum Act: Equatable {
    case ask(SourceQuestion)
    case post(Event, app: String)
    /// The last connection of a program of this name has left.
    case leave(app: String)
  }

  /// Programs that are left alone; our own mouth always is.
  private var silentApps: Set<String> = []
  /// Signals that were given up because too much came at once.
  package private(set) var overrun = 0

  var apps: [String: ForeignApp] = [:]
  var facts = SourceTable()
  /// News that wait for what comes with them, by their time.
  var held: [HeldNews] = []
  /// Items with the focus that are not chosen any more, by the time at which it is told: mostly the
  /// focus goes on with the choice, and it is not.
  var unchosen: [(source: SourceObject, due: Int64)] = []
  private var acts: [Act] = []
  /// Programs with a last word over the budget.
  private var late: [String] = []

  /// The name of this program, whose mouth speaks AT-SPI too.
  package static let ownName = "a11y-atspi"
  /// Questions that are open or wait, of all programs.
  static let mostQuestions = 64
  /// Questions to one program, so that one that hangs leaves room for the others.
  static let mostOfProgram = 32
  /// Signals of a source that wait for its facts.
  static let mostWaiting = 8
  /// Events that wait for the name of their program.
  static let mostUnnamed = 32
  /// Programs that are known at a time.
  static let mostApps = 256

  package init() {}

  /// The deeds since the last time.
  package mutating func takeActs() -> [Act] {
    defer { acts = [] }
    return acts
  }

  /// The time at which `catchUp` has something to do.
  package var due: Int64? {
    let credit = late.isEmpty ? nil : lastTime + ForeignApp.Credit.microseconds
    let retry = apps.values.compactMap { $0.retry?.due }.min()
    let titles = apps.values.flatMap { [$0.titleDue, $0.activatedDue, $0.settleDue] }
    let title = titles.compactMap { $0 }.min().flatMap { $0 == .max ? nil : $0 }
    let page = apps.values.compactMap(\.pageDue).min()
    let times = [credit, held.first?.due, unchosen.first?.due, streamsDue, retry, title, page]
    return times.compactMap { $0 }.min()
  }
  private(set) var lastTime: Int64 = 0
  private var isOrcaThere = false
  /// The status of Orca that was told last.
  private var status: Bool?
  /// The app by which it is told.
  private static let orca = "orca"

  mutating func countOverrun() { overrun += 1 }

  /// Leaves these programs alone from now on, and hears all others.
  package mutating func leaveAlone(_ names: Set<String>) {
    silentApps = names
    for app in apps.values {
      guard let name = app.name, isSilent(name) != app.isSilent else { continue }
      app.isSilent.toggle()
      guard app.isSilent else { continue }
      app.late = nil
      acts.append(.leave(app: name))
    }
  }

  private func isSilent(_ name: String) -> Bool {
    name == Self.ownName || silentApps.contains(name)
  }

  /// The name by which the bus knows the program of a connection; nil where it is left alone.
  package func appName(of sender: String) -> String? {
    guard let app = apps[sender], !app.isSilent else { return nil }
    return app.name
  }

  /// The window that was activated last and is still active, of a program that has its name.
  package var activeWindow: SourceObject? {
    guard let window = lastWindow, let app = apps[window.sender], app.window == window,
      app.name != nil, !app.isSilent
    else { return nil }
    return window
  }
  var lastWindow: SourceObject?

  /// The process that shows the desktop's notifications, while these are told by the calls for
  /// them: that they appear is no news then.
  package var noticeServer: Int64?

  /// A window whose elements are mirrored: they are not the ears' to remove.
  package var mirrored: SourceObject?

  // MARK: Signals

  package mutating func hear(_ signal: AtspiSignal, at now: Int64) {
    lastTime = now
    if signal.news == .childrenChanged { return }
    let source = signal.source
    if isNameOfNothingHeard(signal) { return }
    guard let app = meet(source.sender) else { return overrun += 1 }
    guard !app.isSilent else { return }
    switch signal.news {
    case .window(let change, let title):
      app.hasWindowSignals = true
      hearWindow(change, title, source, at: now)
    case .announcement(let text, let isAssertive):
      var words = Words(text, of: source, on: .announcement, isAssertive: isAssertive)
      // Mostly a page tells it, in whose language the control with the focus is, too.
      words.language = facts[source]?.language ?? app.control?.facts.language
      tell(words, at: now)
    case .busy(let isBusy):
      app.busyTurn += 1
      if !isBusy { endBusy(source, in: app) }
    case .focused: inquireFocus(source, in: app, at: now)
    case .activeDescendant(let child):
      inquireFocus(child, in: app, at: now)
      app.container = (source, child)
    case .state(.active, let isOn): hearActive(isOn, of: source, in: app, at: now)
    case .state(let state, let isOn): hearState(state, isOn, of: source, in: app, at: now)
    case .loaded:
      app.hasPages = true
      // A control without a name may have been asked while its page was made.
      if let focus = app.focus, app.control?.facts.name.isEmpty == true {
        inquire(SourceQuestion(.control, focus))
      }
      noteLoaded(source, in: app)
      makeRoom(in: app)
      inquireOrCount(.page, source)
    case .inserted, .removed, .shown, .appeared, .valueChanged: resolve(signal, in: app, at: now)
    case .renamed where !isOfFocus(source): resolve(signal, in: app, at: now)
    case .renamed: inquireOrCount(.control, app.focus ?? source)
    case .described: inquireOrCount(.control, source)
    case .childrenChanged: break
    }
  }

  /// Whether a name or description has changed that nobody hears of: it is told of the control with
  /// the focus, and in the regions of pages.
  private func isNameOfNothingHeard(_ signal: AtspiSignal) -> Bool {
    let app = apps[signal.source.sender]
    switch signal.news {
    case .renamed: return !isOfFocus(signal.source) && app?.hasPages != true
    case .described: return app?.focus != signal.source
    default: return false
    }
  }

  /// Whether an object is the control with the focus, or the combo box whose button that is.
  private func isOfFocus(_ source: SourceObject) -> Bool {
    guard let app = apps[source.sender] else { return false }
    return app.focus == source || app.control?.box == source
  }

  /// Goes on once the facts about the source are known.
  private mutating func resolve(_ signal: AtspiSignal, in app: ForeignApp, at now: Int64) {
    let source = signal.source
    if let known = facts[source], !known.isLive || known.busyTurn == app.busyTurn {
      return consider(signal.news, source, known, at: now)
    }
    guard var list = app.waiting[source] else {
      guard inquire(SourceQuestion(.facts, source)) else { return overrun += 1 }
      app.waiting[source] = [signal.news]
      return
    }
    // The newest of a kind is enough while the program is slow to answer.
    if list.last == signal.news { return }
    if list.count == Self.mostWaiting {
      list.removeLast()
      overrun += 1
    }
    list.append(signal.news)
    app.waiting[source] = list
  }

  /// The program of a connection; nil where there are too many.
  private mutating func meet(_ sender: String) -> ForeignApp? {
    if let app = apps[sender] { return app }
    guard apps.count < Self.mostApps else { return nil }
    let app = ForeignApp()
    apps[sender] = app
    _ = inquire(SourceQuestion(.program, .root(of: sender)))
    return app
  }

  // MARK: Questions

  var openQuestions: Int { apps.values.reduce(0) { $0 + $1.questions.count } }

  /// Asks now, or behind the question that is with the program; false at the bound.
  ///
  /// A question that is with the program is asked once more: its answer may be older than the news.
  @discardableResult
  mutating func inquire(_ question: SourceQuestion) -> Bool {
    guard let app = apps[question.source.sender] else { return false }
    if app.questions.dropFirst().contains(question) { return true }
    guard app.questions.count < Self.mostOfProgram,
      openQuestions < Self.mostQuestions || takeRoom(for: app)
    else { return false }
    if app.questions.isEmpty { acts.append(.ask(question)) }
    app.questions.append(question)
    return true
  }

  /// Asks, or counts the news as one too many.
  mutating func inquireOrCount(_ topic: SourceQuestion.Topic, _ source: SourceObject) {
    if !inquire(SourceQuestion(topic, source)) { overrun += 1 }
  }

  /// Has a question about a text go, where so many wait that none about a page has room.
  ///
  /// A page with many regions would not be told at all.
  private mutating func makeRoom(in app: ForeignApp) {
    guard app.questions.count == Self.mostOfProgram || openQuestions == Self.mostQuestions else {
      return
    }
    _ = giveUpText(in: app)
  }

  /// Has the program with the most questions give one up for another: programs that hang, or one
  /// with many connections, leave room for all others.
  private mutating func takeRoom(for app: ForeignApp) -> Bool {
    let fullest = apps.values.max { $0.questions.count < $1.questions.count }
    guard let fullest, fullest.questions.count > app.questions.count + 1 else { return false }
    return giveUpText(in: fullest)
  }

  /// Gives up the last question about a text that waits; false where there is none.
  private mutating func giveUpText(in app: ForeignApp) -> Bool {
    guard let last = app.questions.dropFirst().lastIndex(where: { $0.topic.isOfText }) else {
      return false
    }
    let question = app.questions.remove(at: last)
    if question.topic == .facts { app.waiting[question.source] = nil }
    overrun += 1
    return true
  }

  /// Takes the answer to the question that is with a program.
  package mutating func answer(_ question: SourceQuestion, _ answer: SourceAnswer, at now: Int64) {
    lastTime = now
    let source = question.source
    guard let app = apps[source.sender], app.questions.first == question else { return }
    understand(question, answer, in: app, at: now)
    let isSame = { (one: SourceQuestion) in one.topic.isOfText && one.source == source }
    if isSame(question), !app.questions.dropFirst().contains(where: isSame) {
      app.muted.remove(source)
    }
    // New questions stand behind the answered one until here, so that none is asked twice.
    guard app.questions.first == question else { return }
    app.questions.removeFirst()
    if let next = app.questions.first { acts.append(.ask(next)) }
  }

  private mutating func understand(
    _ question: SourceQuestion,
    _ answer: SourceAnswer,
    in app: ForeignApp,
    at now: Int64
  ) {
    let source = question.source
    switch (question.topic, answer) {
    case (.program, .program(let name, let process)):
      app.process = process
      introduce(app, as: AppName.of(name), source, at: now)
    case (.program, _): introduce(app, as: nil, source, at: now)
    case (.facts, .facts(let found)): learn(source, found, in: app, at: now)
    case (.facts, _): app.waiting[source] = nil
    case (.window, .facts(let found)): learnWindow(source, found, in: app, at: now)
    case (.window, _): learnWindow(source, nil, in: app, at: now)
    // Chromium tells the focus of an item whose menu has gone.
    case (.control, .control(let found)) where found.states?[.defunct] == true:
      missFocus(source, in: app, at: now)
    case (.control, .control(let found)):
      learn(source, found.facts, in: app, at: now)
      // The focus may have left an object that was asked for its new name.
      let isComing = app.askedFocus.remove(source) != nil
      if isComing || app.focus == source { tellFocus(source, found, at: now) }
    case (.control, _): missFocus(source, in: app, at: now)
    case (.page, .control(let found)): tellPage(source, found, at: now)
    case (.page, _): tellPage(source, nil, at: now)
    case (.text, .text(let text, let label)): tellRegion(source, text, label: label, at: now)
    case (.text, _): app.regions[source] = nil
    case (.parts(let text, let start), .parts(let parts)):
      tellInsertion(text, parts, at: start, of: source, at: now)
    case (.regions, .objects(let regions)):
      for region in regions { resolve(AtspiSignal(region, .appeared), in: app, at: now) }
    case (.members, .parts(let parts)): compareMembers(parts, of: source, in: app, at: now)
    case (.labels, .text(let text, _)): tellAlert(source, text, at: now)
    case (.labels, _): tellAlert(source, "", at: now)
    case (.choice, .text(let text, _)): tellText(source, text, in: app, at: now)
    case (.dialog, .dialog(let title, let text)): tellDialog(source, title, text, at: now)
    case (.dialog, _): tellDialog(source, "", "", at: now)
    case (.value, .value(let present, let lowest, let highest, let text)):
      tellValue(source, present, lowest, highest, text, at: now)
    case (.parts, _), (.members, _), (.regions, _), (.value, _), (.choice, _): break
    }
  }

  private mutating func introduce(
    _ app: ForeignApp,
    as name: String?,
    _ source: SourceObject,
    at now: Int64
  ) {
    let known = name ?? "atspi \(source.sender)"
    app.name = known
    app.isSilent = isSilent(known)
    let events = app.unnamed
    app.unnamed = []
    if app.isSilent {
      // The question for which it has just answered has gone; the others never were asked.
      (app.questions, app.waiting) = ([], [:])
      return
    }
    for event in events { post(event, of: source.sender, at: now) }
  }

  private mutating func learn(
    _ source: SourceObject,
    _ found: SourceFacts,
    in app: ForeignApp,
    at now: Int64
  ) {
    let isNew = facts[source] == nil
    var found = found
    found.busyTurn = app.busyTurn
    facts[source] = found
    if found.isOfPage { app.hasPages = true }
    if isNew, found.tellsRemovals { beginMembers(source, in: app) }
    for one in app.waiting.removeValue(forKey: source) ?? [] {
      consider(one, source, found, isFirst: isNew, at: now)
    }
  }

  // MARK: Events

  /// Publishes an event in the name of a program, within the budget of the program.
  mutating func post(_ event: Event, of sender: String, at now: Int64) {
    guard let app = apps[sender] else { return }
    guard let name = app.name else {
      if app.unnamed.count == Self.mostUnnamed {
        // The last word of a flood is worth more than the one before.
        app.unnamed.removeLast()
        overrun += 1
      }
      return app.unnamed.append(event)
    }
    guard app.credit.spend(at: now) else {
      // The last word of a flood is told when there is room again.
      if app.late == nil { late.append(sender) } else { overrun += 1 }
      app.late = event
      return
    }
    acts.append(.post(event.origin("atspi"), app: name))
  }

  /// Tells the news whose wait is over, and the last words of floods for which there is room.
  package mutating func catchUp(at now: Int64) {
    lastTime = now
    tellHeld(at: now)
    tellUnchosen(at: now)
    for sender in apps.keys.sorted() {
      guard let app = apps[sender] else { continue }
      retryWindow(in: app, at: now)
      settleFocus(in: app, at: now)
      tellTitle(of: app, at: now)
      tellStreams(of: app, at: now)
      retryFocus(in: app, at: now)
      tellFocusOfPage(sender, in: app, at: now)
    }
    let senders = late
    late = []
    for sender in senders {
      guard let app = apps[sender], let event = app.late else { continue }
      app.late = nil
      post(event, of: sender, at: now)
    }
  }

  // MARK: Leaving

  /// Takes the end of a connection to the accessibility bus.
  package mutating func left(_ sender: String) {
    guard let app = apps.removeValue(forKey: sender) else { return }
    facts.removeAll(of: sender)
    held.removeAll { $0.words.source.sender == sender }
    unchosen.removeAll { $0.source.sender == sender }
    late.removeAll { $0 == sender }
    if let name = app.name, !app.isSilent, !apps.values.contains(where: { $0.name == name }) {
      acts.append(.leave(app: name))
    }
  }

  /// Forgets everything: the accessibility bus has gone, and its names with it.
  package mutating func forget() {
    for sender in apps.keys.sorted() { left(sender) }
    noteOrca(isThere: false)
  }

  // MARK: Orca

  /// Takes whether Orca is at the accessibility bus; its status goes with it.
  package mutating func noteOrca(isThere: Bool) {
    isOrcaThere = isThere
    guard !isThere, status != nil else { return }
    status = nil
    acts.append(.leave(app: Self.orca))
  }

  /// Takes a change of the desktop's wish for a screen reader; it is Orca's while Orca is there.
  package mutating func noteScreenReader(isWanted: Bool) {
    guard isOrcaThere, status != isWanted else { return }
    status = isWanted
    let event = Event.voiceOverStatus(running: isWanted, reader: Orca.name).origin("atspi")
    acts.append(.post(event, app: Self.orca))
  }
}
