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
  private var acts: [Act] = []

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
    apps.values.contains { $0.late != nil } ? lastTime + ForeignApp.Credit.microseconds : nil
  }
  private var lastTime: Int64 = 0
  private var isOrcaThere = false
  /// The status of Orca that was told last.
  private var status: Bool?
  /// The app by which it is told.
  private static let orca = "orca"

  mutating func countOverrun() { overrun += 1 }

  /// Leaves these programs alone from now on, and hears all others.
  package mutating func leaveAlone(_ names: Set<String>) {
    silentApps = names
    for (sender, app) in apps {
      guard let name = app.name, isSilent(name) != app.isSilent else { continue }
      apps[sender]?.isSilent.toggle()
      if app.isSilent { continue }
      apps[sender]?.late = nil
      acts.append(.leave(app: name))
    }
  }

  private func isSilent(_ name: String) -> Bool {
    name == Self.ownName || silentApps.contains(name)
  }

  // MARK: Signals

  package mutating func hear(_ signal: AtspiSignal, at now: Int64) {
    lastTime = now
    let sender = signal.source.sender
    guard meet(sender) else { return overrun += 1 }
    guard apps[sender]?.isSilent == false else { return }
    switch signal.news {
    case .window(let change, let title):
      hearWindow(change, title, signal.source, at: now)
    case .announcement(let text, let isAssertive):
      tell(text, isAssertive: isAssertive, of: signal.source, on: .announcement, at: now)
    case .busy(false):
      endBusy(sender, at: now)
    case .busy(true): break
    case .focused:
      // GTK tells each move twice.
      if apps[sender]?.focus != signal.source { resolve(signal, at: now) }
    case .activeDescendant(let child):
      if apps[sender]?.focus != child { resolve(AtspiSignal(child, .focused), at: now) }
    case .inserted, .shown, .valueChanged, .loaded: resolve(signal, at: now)
    }
  }

  /// Goes on once the facts about the source are known.
  private mutating func resolve(_ signal: AtspiSignal, at now: Int64) {
    let source = signal.source
    if let known = facts[source] { return consider(signal.news, source, known, at: now) }
    guard var list = apps[source.sender]?.waiting[source] else {
      guard inquire(SourceQuestion(.facts, source)) else { return overrun += 1 }
      apps[source.sender]?.waiting[source] = [signal.news]
      return
    }
    // The newest of a kind is enough while the program is slow to answer.
    if list.last == signal.news { return }
    if list.count == Self.mostWaiting {
      list.removeLast()
      overrun += 1
    }
    list.append(signal.news)
    apps[source.sender]?.waiting[source] = list
  }

  /// Makes sure that a program is known; false where there are too many.
  private mutating func meet(_ sender: String) -> Bool {
    if apps[sender] != nil { return true }
    guard apps.count < Self.mostApps else { return false }
    apps[sender] = ForeignApp()
    _ = inquire(SourceQuestion(.program, .root(of: sender)))
    return true
  }

  // MARK: Questions

  var openQuestions: Int { apps.values.reduce(0) { $0 + $1.questions.count } }

  /// Asks now, or behind the question that is with the program; false at the bound.
  mutating func inquire(_ question: SourceQuestion) -> Bool {
    let sender = question.source.sender
    guard let questions = apps[sender]?.questions else { return false }
    if questions.contains(question) { return true }
    guard questions.count < Self.mostOfProgram, openQuestions < Self.mostQuestions else {
      return false
    }
    if questions.isEmpty { acts.append(.ask(question)) }
    apps[sender]?.questions.append(question)
    return true
  }

  /// Takes the answer to the question that is with a program.
  package mutating func answer(_ question: SourceQuestion, _ answer: SourceAnswer, at now: Int64) {
    lastTime = now
    let sender = question.source.sender
    guard apps[sender]?.questions.first == question else { return }
    switch (question.topic, answer) {
    case (.program, .program(let name)): introduce(sender, as: AppName.of(name), at: now)
    case (.program, _): introduce(sender, as: nil, at: now)
    case (.facts, .facts(let found)): learn(question.source, found, at: now)
    case (.facts, _): apps[sender]?.waiting[question.source] = nil
    case (.text, .text(let text)): tellRegion(question.source, text, at: now)
    case (.labels, .text(let text)): tellAlert(question.source, text, at: now)
    case (.labels, _): tellAlert(question.source, "", at: now)
    case (.value, .value(let present, let lowest, let highest)):
      tellValue(question.source, present, lowest, highest, at: now)
    case (.text, _), (.value, _): break
    }
    // New questions stand behind the answered one until here, so that none is asked twice.
    guard apps[sender]?.questions.first == question else { return }
    apps[sender]?.questions.removeFirst()
    if let next = apps[sender]?.questions.first { acts.append(.ask(next)) }
  }

  private mutating func introduce(_ sender: String, as name: String?, at now: Int64) {
    guard var app = apps[sender] else { return }
    let known = name ?? "atspi \(sender)"
    app.name = known
    app.isSilent = isSilent(known)
    let events = app.unnamed
    app.unnamed = []
    if app.isSilent {
      // The question for which it has just answered has gone; the others never were asked.
      (app.questions, app.waiting) = ([], [:])
      apps[sender] = app
      return
    }
    apps[sender] = app
    for event in events { post(event, of: sender, at: now) }
  }

  private mutating func learn(_ source: SourceObject, _ found: SourceFacts, at now: Int64) {
    facts[source] = found
    let news = apps[source.sender]?.waiting.removeValue(forKey: source) ?? []
    for one in news { consider(one, source, found, at: now) }
  }

  // MARK: Events

  /// Publishes an event in the name of a program, within the budget of the program.
  mutating func post(_ event: Event, of sender: String, at now: Int64) {
    guard var app = apps[sender] else { return }
    defer { apps[sender] = app }
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
      if app.late != nil { overrun += 1 }
      app.late = event
      return
    }
    acts.append(.post(event.origin("atspi"), app: name))
  }

  /// Tells the last words of floods for which there is room now.
  package mutating func catchUp(at now: Int64) {
    lastTime = now
    for (sender, app) in apps {
      guard let event = app.late else { continue }
      apps[sender]?.late = nil
      post(event, of: sender, at: now)
    }
  }

  // MARK: Leaving

  /// Takes the end of a connection to the accessibility bus.
  package mutating func left(_ sender: String) {
    guard let app = apps.removeValue(forKey: sender) else { return }
    facts.removeAll(of: sender)
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
