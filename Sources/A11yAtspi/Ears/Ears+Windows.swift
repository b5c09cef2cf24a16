// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

// Titles of windows, and windows that are told by their state alone.
//
// Whoever goes to another window must know where that is. The title is a screen whose first element
// has the focus, since a move of the focus would cut it off.
extension Ears {
  /// The wait for a focus behind the title, which a window without one does not bring.
  private static let titleWait: Int64 = 1_000_000

  /// Has the title of the active window be told with its focus, unless the user has not left it: a
  /// menu that was open over it has no title.
  ///
  /// The elements that the bus has of the window go, since it would tell the one that had the focus
  /// before the title, and not behind it.
  mutating func awaitTitle(of window: SourceObject, in app: ForeignApp, at now: Int64) {
    guard !app.title.isEmpty else { return app.isCoveredByMenu = app.covered != nil }
    // A program without signals for windows has none for its menus either.
    let isOwnMenu = app.isCoveredByMenu || (!app.hasWindowSignals && lastWindow == window)
    let isLeft = app.covered != window || !isOwnMenu
    (app.covered, app.isCoveredByMenu) = (nil, false)
    guard isLeft, window != mirrored else { return }
    app.titleDue = now + Self.titleWait
    let gone = app.elements.filter { app.homes[$0] == window }
    guard !gone.isEmpty else { return }
    app.elements.removeAll { gone.contains($0) }
    let event = Event.elements(window: window.element, remove: gone.map(\.element))
    post(event, of: window.sender, at: now)
  }

  /// Brings the focus of a new window once it has come to rest: programs move it about first, and
  /// the next move would cut the title off.
  mutating func settleFocus(in app: ForeignApp, at now: Int64) {
    guard let due = app.settleDue, let focus = app.focus else { return }
    guard min(due, app.titleDue ?? due) <= now else { return }
    app.settleDue = nil
    let isAsked = app.dialog.map { app.questions.contains(SourceQuestion(.dialog, $0.source)) }
    if app.hasUntoldFocus, isAsked != true { bringFocus(of: focus.sender, in: app, at: now) }
  }

  /// Whether the focus that is told now brings the title of its window along.
  ///
  /// A dialog brings its own, and so does a page that is being asked, and a control with that name;
  /// a mirrored window is told as a whole.
  func takesTitle(in app: ForeignApp) -> Bool {
    defer { app.titleDue = nil }
    let isPage = app.questions.contains { $0.topic == .page }
    let isDialog = app.dialog != nil && app.dialog?.source == app.window
    let isNamed = app.control?.facts.name == app.title
    return app.titleDue != nil && !isPage && !isDialog && !isNamed && app.window != mirrored
  }

  mutating func postTitle(of sender: String, in app: ForeignApp, at now: Int64) {
    app.hasUntoldFocus = false
    guard let window = app.window else { return }
    let event = Event(type: "screen-changed").window(window.element)
    post(event.with("text", .string(app.title)), of: sender, at: now)
  }

  /// Tells the title of a window that no focus has come into.
  mutating func tellTitle(of app: ForeignApp, at now: Int64) {
    guard let due = app.titleDue, due <= now, let window = app.window else { return }
    app.titleDue = nil
    // An alert has told it with its texts.
    let isTold = app.lastTold.contains { $0.text.hasPrefix(app.title) }
    guard !isTold, window != mirrored else { return }
    let event = Event.announcement(SpeechText(app.title), queue: true)
    post(event.element(window.element), of: window.sender, at: now)
  }

  // MARK: Windows that are told by their state

  /// Takes the state of a window of a program that has no signals for windows, as GTK 4 has none.
  mutating func hearActive(
    _ isActive: Bool,
    of source: SourceObject,
    in app: ForeignApp,
    at now: Int64
  ) {
    guard !app.hasWindowSignals else { return }
    if isActive {
      app.activated = source
      return inquireOrCount(.window, source)
    }
    guard app.window == source else { return }
    // The focus of the next window may have come before it.
    let isAhead = now - app.moved < Self.shortWait
    let next = isAhead ? zip(app.focus, app.control) : nil
    hearWindow(.deactivated, app.title, source, at: now)
    app.earlyFocus = next
  }

  private func zip(
    _ source: SourceObject?,
    _ control: ControlFacts?
  ) -> (source: SourceObject, control: ControlFacts)? {
    guard let source, let control else { return nil }
    return (source, control)
  }

  /// Takes the facts about an object that has become active.
  mutating func learnWindow(
    _ source: SourceObject,
    _ found: SourceFacts?,
    in app: ForeignApp,
    at now: Int64
  ) {
    defer { tellEarlyFocus(in: app, at: now) }
    guard !app.hasWindowSignals else { return }
    guard let found else {
      // GTK 4 tells its first window before its objects answer.
      app.activatedDue = app.activatedDue == nil ? now + Self.titleWait : nil
      return
    }
    (app.activated, app.activatedDue) = (nil, nil)
    guard found.role.isWindow else { return }
    let isAhead = app.window == nil && now - app.moved < Self.shortWait
    let early = app.earlyFocus ?? (isAhead ? zip(app.focus, app.control) : nil)
    hearWindow(.activated, found.name, source, at: now)
    app.earlyFocus = early
  }

  /// Asks a window once more that has not answered.
  mutating func retryWindow(in app: ForeignApp, at now: Int64) {
    guard let due = app.activatedDue, due <= now, let window = app.activated else { return }
    // The answer that fails again ends it.
    app.activatedDue = .max
    inquireOrCount(.window, window)
  }

  private mutating func tellEarlyFocus(in app: ForeignApp, at now: Int64) {
    guard let (source, found) = app.earlyFocus else { return }
    app.earlyFocus = nil
    tellFocus(source, found, at: now)
  }
}
