// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

extension Presenter {
  /// The focus has moved: the element there is spoken.
  mutating func presentFocus(_ move: FocusMove) {
    focus.intended = nil
    focus.movedAt = now
    let action = move.cause
    let isByUser =
      move.reason?.isByUser ?? false || action.map { actions[$0] != nil } ?? false
    var spot: Model.Spot?
    if let app = move.app, let window = move.window, let element = move.element {
      spot = Model.Spot(app: app, window: window, element: element)
    }
    var item = focusItem(at: spot, of: move.app, move.window, isByUser: isByUser, as: cause)
    if var words = enterDialog(around: spot) {
      words.append(item.text)
      item.text = words
    }
    if focus.owesSummary, let spot { item.text.append(summaries(around: spot)) }
    focus.owesSummary = false
    item.isSecret = item.text.isRedacted
    item.action = action
    leaveValues(by: item)
    // Reports have waited already.
    item.isSettled = move.reason == .auto
    // The focus of a screen stands behind the screen's own words.
    item.isPatient = move.reason == .screenChanged
    present(consume item)
  }

  /// The label, the kind and the text of a dialog that the focus has come into with this move.
  ///
  /// They are told though hints are not: they are the message of the dialog.
  private mutating func enterDialog(around spot: Model.Spot?) -> SpokenText? {
    let dialog = spot.flatMap { spot in
      model.dialog(around: spot.element, window: spot.window, app: spot.app).map {
        Model.Spot(app: spot.app, window: spot.window, element: $0)
      }
    }
    guard dialog != focus.dialog else { return nil }
    focus.dialog = dialog
    // A dialog that has the focus itself is told as what it is.
    guard let dialog, dialog != spot,
      let own = model.spoken(dialog.element, window: dialog.window, app: dialog.app, alone: true)
    else { return nil }
    return Label(own, pace).introduction
  }

  /// An item that tells of the place of the focus.
  private mutating func focusItem(
    at spot: Model.Spot?,
    of app: AppKey?,
    _ window: Name?,
    isByUser: Bool,
    as seq: Seq
  ) -> Item {
    var facts = Facts.blank
    facts.topic = .focus
    if let app {
      facts.uid = app.uid
      facts.app = app.app
    }
    facts.window = window
    facts.element = spot?.element
    facts.isFocused = spot != nil
    facts.cause = isByUser ? .user : .auto
    var text = SpokenText.nothing
    if let spot {
      facts.traits = model.traits(of: spot.element, window: spot.window, app: spot.app)
      if let spoken = model.spoken(spot.element, window: spot.window, app: spot.app) {
        text = Label(spoken, pace).text
      }
    }
    let treatment = treatment(of: &facts)
    return Item(
      .focus,
      seq: seq,
      mono: now,
      facts: facts,
      treatment: treatment,
      text: text,
      mode: treatment.mode.value
    )
  }

  /// The words of a window's summary elements, each behind a pause.
  private func summaries(around spot: Model.Spot) -> SpokenText {
    var text = SpokenText.nothing
    for name in model.summaries(of: spot.app, window: spot.window) where name != spot.element {
      guard let spoken = model.spoken(name, window: spot.window, app: spot.app) else { continue }
      text.append(SpokenText(". "))
      text.append(Label(spoken, pace).text)
    }
    return text
  }

  /// The app that the user comes to has the focus where it was: the summary of its window is all
  /// there is to say.
  mutating func saySummary(_ app: AppKey) {
    focus.owesSummary = false
    guard floor.readers.narrators.isEmpty,
      let spot = model.focusSpot, spot.app == app, let seq = model.focusSeq
    else { return }
    var item = focusItem(at: spot, of: app, spot.window, isByUser: false, as: seq)
    item.text = .nothing
    for name in model.summaries(of: app, window: spot.window) where name != spot.element {
      guard let spoken = model.spoken(name, window: spot.window, app: app) else { continue }
      if !item.text.isEmpty { item.text.append(SpokenText(". ")) }
      item.text.append(Label(spoken, pace).text)
    }
    guard !item.text.isEmpty else { return }
    item.endsInOutcome = false
    item.isSecret = item.text.isRedacted
    say(item, rank: Item.userRank)
  }

  /// A reader that begins to listen is told once where the focus is, and what is there.
  mutating func presentState() {
    guard floor.readers.narrators.isEmpty,
      let spot = model.focusSpot, let seq = model.focusSeq,
      // An item that still waits to tell so tells it itself.
      !waiting.items.contains(where: { $0.kind == .focus && $0.of == seq })
    else { return }
    var item = focusItem(at: spot, of: spot.app, spot.window, isByUser: false, as: seq)
    item.endsInOutcome = false
    item.text.append(summaries(around: spot))
    item.isSecret = item.text.isRedacted
    say(item, rank: Item.stateRank)
  }

  /// An element that turns the page does so when the user has heard it to its end.
  mutating func turnPage(after item: Item) {
    guard item.kind == .focus, item.facts.traits & Traits.causesPageTurn != 0,
      let spot = model.focusSpot, spot.element == item.facts.element, spot.app == item.app
    else { return }
    var route = Route(action: item.of, app: spot.app, name: "scroll", rest: [], ticket: 0)
    route.endsInOutcome = false
    route.isAnsweredByEvents = true
    send(Route.Stop(window: spot.window, element: spot.element), route)
  }
}
