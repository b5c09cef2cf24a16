// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// The demo: a window with three tabs, and a question that covers it.
///
/// The demo does what any app does: it tells the bus of its elements and their changes, names the
/// user's action as the cause of its consequences, and answers every gesture within a second.
final class DemoApp {
  static let main = "main"

  /// A tab with its page.
  protocol Page: AnyObject {
    /// The name, which is the id of the tab.
    static var name: String { get }
    static var label: String { get }
    /// The elements, each below `page`.
    var elements: [AppElement] { get }
    /// Handles a gesture on one of its elements; false where there is nothing to do.
    func handle(_ gesture: AppGesture, _ app: DemoApp) throws(ClientError) -> Bool
  }

  private let bus: BusConnection
  private let contacts = Contacts()
  private let tips = Tips()
  let backup: Backup
  private var shown = Contacts.name
  private var question: Question?

  /// The app, whose backup takes this time for each step.
  init(_ bus: BusConnection, step: Duration) {
    self.bus = bus
    backup = Backup(step: step)
  }

  private var pages: [any Page] { [contacts, tips, backup] }

  private var page: any Page { pages.first { type(of: $0).name == shown } ?? contacts }

  // MARK: Telling

  func open() throws(ClientError) {
    Main.say("The app opens the window Contacts.")
    try publish(.window(Self.main, .opened, title: "Contacts"))
    try publish(.elements(window: Self.main, replace: elements))
    // A window that is active and knows no place yet has its first element spoken, only to be cut.
    try publish(.screenChanged(window: Self.main, focusOn: "name"))
    try publish(.window(Self.main, .active))
  }

  func close() throws(ClientError) {
    Main.say("The app closes its window.")
    try publish(.window(Self.main, .closed))
  }

  private var elements: [AppElement] {
    let tabs = pages.map { page in
      AppElement(
        type(of: page).name,
        label: type(of: page).label,
        traits: type(of: page).name == shown ? [.button, .selected] : [.button],
        parent: "tabs"
      )
    }
    return [AppElement("tabs", label: "Tabs")] + tabs
      + [AppElement("page", label: type(of: page).label)] + page.elements
  }

  func publish(_ event: Event) throws(ClientError) {
    let receipt = try bus.publish(event)
    for warning in receipt.warnings { Main.say("The bus advises: \(warning.message)") }
    guard let focus = receipt.focus, focus.result == "denied" else { return }
    Main.say("The bus leaves the focus where it is: \(focus.reason ?? "no reason given").")
  }

  /// Changes some elements of the window.
  func update(_ elements: AppElement..., because cause: Cause) throws(ClientError) {
    try publish(.elements(window: Self.main, upsert: elements).cause(cause))
  }

  // MARK: Gestures

  /// Handles a gesture, and answers it.
  func answer(_ gesture: AppGesture) throws(ClientError) {
    let handled = try handle(gesture)
    if !handled { Main.say("The app has nothing to do for \(gesture.name).") }
    try publish(.handled(gesture: gesture.seq, handled))
  }

  private func handle(_ gesture: AppGesture) throws(ClientError) -> Bool {
    if let question {
      guard let answer = question.answer(gesture) else { return false }
      try close(question, answer, gesture)
      return true
    }
    // A magic tap means the backup, wherever the focus is.
    if gesture.name == "magic-tap" {
      try backup.toggle(self, because: gesture.cause)
      return true
    }
    if gesture.name == "activate",
      let page = pages.first(where: { type(of: $0).name == gesture.element })
    {
      try show(page, because: gesture.cause)
      return true
    }
    return try page.handle(gesture, self)
  }

  private func show(_ page: any Page, because cause: Cause) throws(ClientError) {
    let name = type(of: page).name
    Main.say("The app shows the tab \(type(of: page).label).")
    shown = name
    try publish(.elements(window: Self.main, replace: elements).cause(cause))
    // The focus stays on the tab, which is selected now; the rest of the window is new.
    try publish(.layoutChanged(window: Self.main, focusOn: name).cause(cause))
  }

  // MARK: The question

  /// Opens a question, which has to be answered before anything else.
  func ask(_ question: Question, because cause: Cause) throws(ClientError) {
    Main.say("The app asks: \(question.title)")
    self.question = question
    try publish(.elements(window: Question.window, replace: question.elements).cause(cause))
    try publish(
      .window(Question.window, .opened, title: question.title, modal: true).cause(cause)
    )
    try publish(.window(Question.window, .active).cause(cause))
  }

  private func close(
    _ question: Question,
    _ answer: Question.Answer,
    _ gesture: AppGesture
  ) throws(ClientError) {
    self.question = nil
    Main.say(answer == .yes ? "The question is answered with yes." : "The question is cancelled.")
    try publish(.window(Question.window, .closed).cause(gesture.cause))
    try publish(.window(Self.main, .active).cause(gesture.cause))
    if answer == .yes { try question.act(self, gesture.cause) }
  }

  // MARK: Time

  /// The time until the app has to do something by itself, if it has.
  var rest: Duration? { backup.isRunning ? backup.step : nil }

  /// Goes on with the backup.
  func tick() throws(ClientError) { try backup.goOn(self, isShown: shown == Backup.name) }
}

/// A question that covers the rest of the app until it is answered.
struct Question {
  static let window = "question"

  enum Answer {
    case yes, cancel
  }

  let title: String
  let text: String
  /// The label of the button for yes.
  let yes: String
  /// The consequence of yes.
  let act: (DemoApp, Cause) throws(ClientError) -> Void

  /// The elements; the safe answer stands before the other.
  var elements: [AppElement] {
    [
      AppElement("question", label: title).with("modal", true)
        .with("responds", ["escape"]),
      AppElement("question-text", label: text, traits: [.staticText], parent: "question"),
      AppElement("cancel", label: "Cancel", traits: [.button], parent: "question"),
      AppElement("yes", label: yes, traits: [.button], parent: "question"),
    ]
  }

  /// The answer that a gesture gives, if it gives one.
  func answer(_ gesture: AppGesture) -> Answer? {
    switch (gesture.name, gesture.element) {
    case ("escape", _), ("activate", "cancel"): .cancel
    case ("activate", "yes"): .yes
    default: nil
    }
  }
}
