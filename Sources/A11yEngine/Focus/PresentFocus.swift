// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

extension Engine {
  /// The focus has moved: what is there is spoken.
  mutating func presentFocus(_ event: borrowing WireEvent) {
    intendedSpot = nil
    let reason = event.string(.reason) ?? ""
    let action = event.seq(.cause)
    var facts = Facts.blank
    facts.topic = .focus
    if let app = event.name(.app),
      let uid = event.integer(.uid).flatMap(UInt32.init(exactly:))
    {
      facts.uid = uid
      facts.app = app
    }
    facts.window = event.name(.window)
    facts.element = event.name(.element)
    facts.isFocused = facts.element != nil
    let isByUser = MoveReason.byUser.contains(reason) || action.map { actions[$0] != nil } ?? false
    facts.cause = isByUser ? .user : .auto
    var text = SpokenText.nothing
    if let window = facts.window, let element = facts.element {
      let app = AppKey(uid: facts.uid, app: facts.app)
      facts.traits = model.traits(of: element, window: window, app: app)
      if let spoken = model.spoken(element, window: window, app: app) {
        text = Label(spoken, pace).text
      }
      if reason == Self.windowReason {
        text.append(summaries(of: app, window: window, but: element))
      }
    }
    let treatment = treatment(of: &facts)
    var item = Item(
      .focus,
      seq: cause,
      mono: now,
      facts: facts,
      treatment: treatment,
      text: text,
      mode: treatment.mode.value
    )
    item.isSecret = text.isRedacted
    item.action = action
    item.isActed = false
    // Reports have waited already.
    item.isSettled = reason == "auto"
    admit(consume item)
  }

  /// What tells in short what is in a window.
  private func summaries(of app: AppKey, window: Name, but element: Name) -> SpokenText {
    var text = SpokenText.nothing
    for name in model.summaries(of: app, window: window) where name != element {
      if let spoken = model.spoken(name, window: window, app: app) {
        text.append(Label(spoken, pace).text)
      }
    }
    return text
  }

  /// Whoever begins to listen hears once what is the case.
  mutating func presentState() {
    guard let label = lastLabel else { return }
    var echo = label
    if let spot = model.focusSpot {
      echo.text.append(summaries(of: spot.app, window: spot.window, but: spot.element))
    }
    say(echo, rank: Item.stateRank)
  }

  /// What the user has heard to its end turns the page.
  mutating func turnPage(after item: Item) {
    guard item.kind == .focus, item.facts.traits & Traits.causesPageTurn != 0,
      let spot = model.focusSpot, spot.element == item.facts.element, spot.app == item.app
    else { return }
    var route = Route(action: item.of, app: spot.app, name: "scroll", rest: [], ticket: 0)
    route.endsInOutcome = false
    send(Route.Stop(window: spot.window, element: spot.element), route)
  }

  mutating func takeRules(_ event: borrowing WireEvent) {
    guard let content = event.member(.content),
      let rules = RuleSet(event.line, content)
    else { return }
    self.rules = rules
    pace.take(event)
    for seq in items.keys.sorted() {
      guard var item = items[seq] else { continue }
      item.treatment = treatment(of: &item.facts)
      items[seq] = item
    }
  }

  static var windowReason: String { "window" }
}
