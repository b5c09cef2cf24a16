// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

// Focus, windows, pages and values.
extension Ears {
  /// Elements of a program that the bus keeps.
  private static let mostElements = 32
  private static let mostWindows = 64
  private static let retryWait: Int64 = 1_000_000
  /// The wait for the end of loading of a page that has the focus.
  private static let loadWait: Int64 = 1_000_000
  private static let mostPages = 16

  // MARK: Focus

  /// Asks about the object that has the focus now.
  mutating func inquireFocus(_ source: SourceObject, in app: ForeignApp, at now: Int64) {
    app.moved = now
    if app.retry?.source != source { app.retry = nil }
    // GTK tells each move twice, that of a table also after the one within it.
    if let container = app.container {
      if container.source == source, (app.comingFocus ?? app.focus) == container.member { return }
      app.container = nil
    }
    guard source != app.comingFocus, source != app.focus || app.comingFocus != nil else { return }
    guard inquire(SourceQuestion(.control, source)) else { return countOverrun() }
    app.comingFocus = source
    app.askedFocus.insert(source)
  }

  /// Has an object that did not answer be asked once more: GTK 4 tells its first focus before its
  /// objects answer.
  mutating func missFocus(_ source: SourceObject, in app: ForeignApp, at now: Int64) {
    app.askedFocus.remove(source)
    guard app.comingFocus == source else { return }
    app.comingFocus = nil
    app.retry = app.retry?.source == source ? nil : (source, now + Self.retryWait)
  }

  mutating func retryFocus(in app: ForeignApp, at now: Int64) {
    guard let retry = app.retry, let due = retry.due, due <= now else { return }
    app.retry = (retry.source, nil)
    inquireFocus(retry.source, in: app, at: now)
  }

  mutating func tellFocus(_ source: SourceObject, _ found: ControlFacts, at now: Int64) {
    let sender = source.sender
    guard let app = apps[sender] else { return }
    if app.comingFocus == source { app.comingFocus = nil }
    // LibreOffice tells the pane that fills a window behind the cell in it, or more than a second
    // after the window. The pane says nothing but the window's title once more.
    let isTitleTold = app.focus != nil || app.titleDue == nil
    if found.facts.role == .rootPane, isTitleTold, found.facts.name == app.title { return }
    if app.focus == source {
      let isNew = app.control?.tellsRow ?? false
      var found = found.inRow(isNew: isNew)
      // Typing in a field is no news.
      if found.facts.role.isField { found.text = app.control?.text }
      return tellChange(found, in: app, at: now)
    }
    // GTK 4 tells the first focus of a window just before the window.
    if app.questions.dropFirst().contains(where: { $0.topic == .window }) {
      app.earlyFocus = (source, found)
      return
    }
    let isNew = found.row?.isSame(app.control?.row) == false
    (app.focus, app.control) = (source, found.inRow(isNew: isNew))
    unchosen.removeAll { $0.source.sender == sender }
    app.hasUntoldFocus = true
    if app.titleDue != nil { app.settleDue = now + Self.shortWait }
    let dialog = found.dialog.flatMap { isBehind($0, in: app) ? nil : $0 }
    if let dialog, dialog != app.dialog {
      app.dialog = dialog
      // A window has told its title, whatever it answers.
      (app.dialogTitle, app.dialogText) = (dialog.source == app.window ? app.title : "", nil)
      if inquire(SourceQuestion(.dialog, dialog.source)) { return }
    }
    app.dialog = dialog
    // A dialog that is being asked brings the focus along, wherever in it that is.
    if let dialog, app.questions.contains(SourceQuestion(.dialog, dialog.source)) { return }
    if app.settleDue != nil { return }
    bringFocus(of: sender, in: app, at: now)
  }

  /// Whether a dialog waits behind another window of its program, such as the menu of a combo box:
  /// nobody goes into it.
  ///
  /// The dialogs of pages are in one window with their menus.
  private func isBehind(_ dialog: ControlFacts.Dialog, in app: ForeignApp) -> Bool {
    !app.hasPages && app.window != nil && app.window != dialog.source
      && app.windows.contains(dialog.source)
  }

  /// Brings the element with the focus and the dialog around it, and moves the focus there.
  mutating func bringFocus(of sender: String, in app: ForeignApp, at now: Int64) {
    guard let source = app.focus, let found = app.control else { return }
    let isKnown = app.elements.contains(source)
    var gone: [String] = []
    if !isKnown { app.elements.append(source) }
    if app.elements.count > Self.mostElements,
      let index = app.elements.firstIndex(where: { $0 != app.dialog?.source })
    {
      let oldest = app.elements.remove(at: index)
      if !isMirrored(app) { gone.append(oldest.element) }
    }
    app.homes = app.homes.filter { app.elements.contains($0.key) }
    app.homes[source] = app.window
    let hasTitle = takesTitle(in: app)
    var element = element(source, found, in: app, isKnown: isKnown)
    // The bus goes to the first element of a screen.
    if hasTitle { element = element.with("index", 0) }
    let elements = dialogElements(in: app) + [element]
    post(
      .elements(window: window(of: sender), upsert: elements, remove: gone),
      of: sender,
      at: now
    )
    // A page whose title is being asked for brings its focus along, and one that is new may load.
    let isNewPage = found.facts.role.isPage && !app.loadedPages.contains(source)
    app.pageDue = isNewPage ? now + Self.loadWait : nil
    app.hasUntoldFocus = isNewPage || app.questions.contains { $0.topic == .page }
    if !app.hasUntoldFocus, !hasTitle { postFocus(of: sender, in: app, at: now) }
    if hasTitle { postTitle(of: sender, in: app, at: now) }
  }

  private func isMirrored(_ app: ForeignApp) -> Bool { app.window != nil && app.window == mirrored }

  private func element(
    _ source: SourceObject,
    _ found: ControlFacts,
    in app: ForeignApp,
    isKnown: Bool
  ) -> AppElement {
    let element = Self.element(source, found, isKnown: isKnown)
    guard let dialog = app.dialog, !isMirrored(app) else { return element }
    return element.with("parent", .string(dialog.source.element))
  }

  /// The dialog around the focus, which is told on the way into it.
  private func dialogElements(in app: ForeignApp) -> [AppElement] {
    guard let dialog = app.dialog, !app.elements.contains(dialog.source) else { return [] }
    app.elements.append(dialog.source)
    app.homes[dialog.source] = app.window
    let text = app.dialogText ?? ""
    let element = AppElement(
      dialog.source.element,
      label: app.dialogTitle,
      hint: text.isEmpty ? nil : text
    )
    return [element.role(dialog.facts.kind == .alertDialog ? .alertDialog : .dialog)]
  }

  /// Takes title and text of the dialog that the focus has gone into.
  mutating func tellDialog(
    _ source: SourceObject,
    _ title: String,
    _ text: String,
    at now: Int64
  ) {
    guard let app = apps[source.sender], app.dialog?.source == source else { return }
    // The texts of one that has appeared before may be told already.
    let isTold = recentlyTold(in: app, within: Self.sameObjects, at: now)
      .contains { $0.way == .appearance && $0.sources.contains(source) }
    let plain = AtspiSignal.plain(title)
    if !plain.isEmpty { app.dialogTitle = plain }
    app.dialogText = isTold ? nil : text
    app.elements.removeAll { $0 == source }
    guard app.hasUntoldFocus, app.settleDue == nil else { return }
    bringFocus(of: source.sender, in: app, at: now)
  }

  /// Tells what has changed of the control with the focus.
  private mutating func tellChange(_ found: ControlFacts, in app: ForeignApp, at now: Int64) {
    guard let focus = app.focus, let before = app.control else { return }
    app.control = found
    guard let change = Self.change(of: focus, from: before, to: found) else { return }
    post(.elements(window: window(of: focus.sender), upsert: [change]), of: focus.sender, at: now)
  }

  private mutating func postFocus(of sender: String, in app: ForeignApp, at now: Int64) {
    (app.hasUntoldFocus, app.pageDue) = (false, nil)
    guard let focus = app.focus else { return }
    app.toldPage = app.control?.facts.role.isPage ?? false ? focus : nil
    let event = Event.focusChanged(to: focus.element, window: window(of: sender)).cause(.user)
    post(event, of: sender, at: now)
  }

  /// Whether the user is in a window without a title in which nothing but a choice has been told:
  /// Chromium has its menus and suggestions there, and tells of no focus in them.
  private func isInMenuWithoutFocus(_ app: ForeignApp) -> Bool {
    let focus = app.comingFocus ?? app.focus
    return app.window != nil && app.title.isEmpty && (focus == nil || focus == app.chosen)
  }

  /// A change of a state of the control with the focus; of others it is no news.
  mutating func hearState(
    _ state: AtspiState,
    _ isOn: Bool,
    of source: SourceObject,
    in app: ForeignApp,
    at now: Int64
  ) {
    if state == .selected, isOn, isInMenuWithoutFocus(app) {
      app.chosen = source
      return inquireFocus(source, in: app, at: now)
    }
    guard let focus = app.focus, var control = app.control else { return }
    if focus != source {
      // The items of a combo box tell of its choice.
      guard control.facts.role == .comboBox, state == .selected, isOn else { return }
      return inquireOrCount(.choice, focus)
    }
    // The button of a combo box is pressed while it is open.
    if control.facts.role == .comboBox, state != .expanded, state != .sensitive { return }
    guard control.states?[state] != isOn else { return }
    control.states = control.states ?? AtspiStates([.enabled, .sensitive])
    control.states?[state] = isOn
    if state == .sensitive { control.states?[.enabled] = isOn }
    // What opens by itself, as the address bar of Firefox, would cut off its name.
    let isByItself = state == .expanded && isOn && isReturning(focus, at: now)
    // The page shows another part of itself, whose regions come back.
    let isTab = control.facts.role == .pageTab
    if state == .expanded || state == .selected && isTab { app.moved = now }
    if state == .selected {
      unchosen.removeAll { $0.source.sender == source.sender }
      if !isOn, control.facts.role.isItem {
        return unchosen.append((source, now + Self.shortWait))
      }
    }
    tellChange(control, in: app, at: now)
    if isByItself, !app.hasUntoldFocus { postFocus(of: focus.sender, in: app, at: now) }
    // The message about a value that is not accepted is asked for, too.
    if state == .invalid, isOn { inquireOrCount(.control, focus) }
  }

  /// Tells of the items that have stayed where they are and are not chosen any more.
  mutating func tellUnchosen(at now: Int64) {
    while let first = unchosen.first, first.due <= now {
      unchosen.removeFirst()
      guard let app = apps[first.source.sender], var control = app.control else { continue }
      control.states?[.selected] = false
      tellChange(control, in: app, at: now)
    }
  }

  /// Whether an object is a field of one line that has the focus, as a combo box may be.
  func isLineWithFocus(_ source: SourceObject, _ known: SourceFacts) -> Bool {
    guard known.role.isField || known.role == .comboBox, let app = apps[source.sender],
      app.focus == source
    else { return false }
    return app.control?.states?[.multiLine] != true
  }

  /// Tells another value or choice of the control with the focus.
  mutating func tellText(
    _ source: SourceObject,
    _ text: String,
    in app: ForeignApp,
    at now: Int64
  ) {
    guard app.focus == source, var control = app.control else { return }
    // A description that has repeated the value is as old as that.
    if Self.repeats(control.description, control.text) { control.description = "" }
    control.text = text
    tellChange(control, in: app, at: now)
  }

  // MARK: Windows and pages

  mutating func hearWindow(
    _ change: AtspiSignal.WindowChange,
    _ title: String,
    _ source: SourceObject,
    at now: Int64
  ) {
    guard let app = apps[source.sender] else { return }
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
      leaveFocus(in: app)
      (app.window, app.title) = (source, title)
      awaitTitle(of: source, in: app, at: now)
      lastWindow = source
      if app.hasUntoldWindow {
        app.hasUntoldWindow = false
        app.elements = []
        let event = Event.window(Self.untoldWindow(of: source.sender), .closed)
        post(event, of: source.sender, at: now)
      }
      state = .active
    case .deactivated:
      guard app.windows.contains(source) else { return }
      if app.window == source {
        if !app.title.isEmpty { app.covered = source }
        leaveFocus(in: app)
      }
      state = .inactive
    case .destroyed:
      guard app.windows.remove(source) != nil else { return }
      if app.window == source { leaveFocus(in: app) }
      state = .closed
    }
    let event = Event.window(source.element, state, title: title.isEmpty ? nil : title)
    post(event, of: source.sender, at: now)
  }

  /// Forgets window and focus: the toolkit tells the focus of a window that comes back.
  private func leaveFocus(in app: ForeignApp) {
    (app.window, app.focus, app.control, app.dialog, app.chosen) = (nil, nil, nil, nil, nil)
    (app.titleDue, app.settleDue, app.earlyFocus) = (nil, nil, nil)
  }

  /// Tells window and focus of a program once more: the bus has lost its connection in between.
  package mutating func retell(_ name: String, at now: Int64) {
    for (sender, app) in apps where app.name == name && !app.isSilent {
      app.elements = []
      guard let window = app.window else { continue }
      let title = app.title.isEmpty ? nil : app.title
      post(.window(window.element, .active, title: title), of: sender, at: now)
      guard let focus = app.focus, let control = app.control else { continue }
      app.focus = nil
      tellFocus(focus, control, at: now)
    }
  }

  /// Tells a page that has loaded, unless it is loaded ahead or in another tab.
  ///
  /// Firefox loads pages without a name for itself; as news they would take the place of the page.
  mutating func tellPage(_ source: SourceObject, _ found: ControlFacts?, at now: Int64) {
    guard let app = apps[source.sender] else { return }
    guard let found, found.states?[.showing] != false, !found.facts.name.isEmpty else {
      // A dialog that is being asked brings the focus along.
      let isBrought = app.settleDue != nil || app.questions.contains { $0.topic == .dialog }
      if app.hasUntoldFocus, !isBrought { postFocus(of: source.sender, in: app, at: now) }
      return
    }
    // The page has a title of its own.
    (app.titleDue, app.settleDue) = (nil, nil)
    // The same text on another page is news; this one has brought its texts just before.
    app.standing.forget(before: now - Self.loadWait)
    // The questions about texts that came before it have been answered before this one.
    dropArrivals(of: source.sender, in: app)
    let isTold = app.toldPage == source && app.focus == source
    (app.hasUntoldFocus, app.pageDue, app.toldPage) = (false, nil, nil)
    let isMirrored = app.window != nil && app.window == mirrored
    let isMuted = isMirrored ? false : renewFocus(of: source.sender, in: app, isTold, at: now)
    // The focus on it has told its name.
    if isTold { return }
    let event = Event(type: "screen-changed").window(window(of: source.sender))
    post(event.with("text", .string(found.facts.name)), of: source.sender, at: now)
    if isMuted { nameFocusedPage(of: source.sender, in: app, at: now) }
  }

  func noteLoaded(_ page: SourceObject, in app: ForeignApp) {
    app.loadedPages.removeAll { $0 == page }
    if app.loadedPages.count == Self.mostPages { app.loadedPages.removeFirst() }
    app.loadedPages.append(page)
  }

  /// Tells the focus on a page that does not end loading.
  mutating func tellFocusOfPage(_ sender: String, in app: ForeignApp, at now: Int64) {
    guard let due = app.pageDue, due <= now else { return }
    app.pageDue = nil
    let isBrought =
      app.settleDue != nil || app.questions.contains { $0.topic == .page || $0.topic == .dialog }
    if app.hasUntoldFocus, !isBrought { postFocus(of: sender, in: app, at: now) }
  }

  /// Removes the elements of the page before, and has the focus be the first element of a new one:
  /// the bus speaks it behind the title, while a move of the focus would cut the title off.
  ///
  /// A page that has the focus itself gets it with the end of the elements before it, and has no
  /// name in that moment: its title is spoken once. The answer is whether it has none.
  private mutating func renewFocus(
    of sender: String,
    in app: ForeignApp,
    _ isTold: Bool,
    at now: Int64
  ) -> Bool {
    let isOnPage = app.control?.facts.role.isPage ?? false
    let gone = app.elements.filter { !isOnPage || $0 != app.focus }
    let window = window(of: sender)
    let mute = gone.isEmpty || isTold || !isOnPage ? nil : app.focus
    if !gone.isEmpty {
      let upsert = mute.map { [AppElement($0.element).with("label", .null)] } ?? []
      post(
        .elements(window: window, upsert: upsert, remove: gone.map(\.element)),
        of: sender,
        at: now
      )
    }
    app.elements = app.focus.map { [$0] } ?? []
    guard !isOnPage, let focus = app.focus, let control = app.control else { return mute != nil }
    let element = Self.element(focus, control, isKnown: false)
    post(.elements(window: window, upsert: [element]), of: sender, at: now)
    return false
  }

  /// Gives a page that has the focus its name, by which the bus speaks it when the user comes back.
  private mutating func nameFocusedPage(of sender: String, in app: ForeignApp, at now: Int64) {
    guard let focus = app.focus, let control = app.control else { return }
    // What is new in a list that replaces another is not told.
    let element = Self.element(focus, control, isKnown: false)
    post(.elements(window: window(of: sender), replace: [element]), of: sender, at: now)
  }

  /// The window that the user is in, as far as the program has told.
  private func window(of sender: String) -> String {
    guard let app = apps[sender] else { return Self.untoldWindow(of: sender) }
    if let window = app.window { return window.element }
    app.hasUntoldWindow = true
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
    _ text: String?,
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
    } else if let app = apps[source.sender] {
      tellText(source, text ?? Self.spoken(present), in: app, at: now)
    }
  }

  /// A number with two decimals at most.
  package static func spoken(_ number: Double) -> String {
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
