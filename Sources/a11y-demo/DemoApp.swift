// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// The program: a window with three tabs, and a question that covers it.
///
/// It does what any app does: it tells the bus what there is and what has changed, gives the user's
/// action as the cause of what follows from it, and answers every gesture within its second.
final class DemoApp {
  static let main = "main"

  /// A tab with what it shows.
  protocol Page: AnyObject {
    /// Its name, which is the id of its tab.
    static var name: String { get }
    static var label: String { get }
    /// What it consists of, each below `page`.
    var elements: [AppElement] { get }
    /// Does what a gesture on one of its elements asks for; false where there is nothing to do.
    func handle(_ gesture: DemoGesture, _ app: DemoApp) throws(ClientError) -> Bool
  }

  private let bus: BusConnection
  private let contacts = Contacts()
  private let tips = Tips()
  let backup = Backup()
  private var shown = Contacts.name
  private var question: Question?

  init(_ bus: BusConnection) { self.bus = bus }

  private var pages: [any Page] { [contacts, tips, backup] }

  private var page: any Page { pages.first { type(of: $0).name == shown } ?? contacts }

  // MARK: Telling

  func open() throws(ClientError) {
    Main.say("The app opens the window Contacts.")
    try tell(.window(Self.main, .opened, title: "Contacts"))
    try tell(.elements(window: Self.main, replace: elements))
    try tell(.window(Self.main, .active))
    try tell(.screenChanged(window: Self.main, focusOn: "name"))
  }

  func close() throws(ClientError) {
    Main.say("The app closes its window.")
    try tell(.window(Self.main, .closed))
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

  func tell(_ event: Event) throws(ClientError) {
    let receipt = try bus.publish(event)
    for warning in receipt.warnings { Main.say("The bus advises: \(warning.message)") }
    guard let focus = receipt.focus, focus.result == "denied" else { return }
    Main.say("The bus leaves the focus where it is: \(focus.reason ?? "no reason given").")
  }

  /// Changes some elements of the window.
  func update(_ elements: AppElement..., because cause: Cause) throws(ClientError) {
    try tell(.elements(window: Self.main, upsert: elements).cause(cause))
  }

  // MARK: Gestures

  /// Does what a gesture asks for, and answers it.
  func take(_ gesture: DemoGesture) throws(ClientError) {
    let handled = try handle(gesture)
    if !handled { Main.say("The app has nothing to do for \(gesture.name).") }
    try tell(.handled(gesture: gesture.seq, handled))
  }

  private func handle(_ gesture: DemoGesture) throws(ClientError) -> Bool {
    if let question {
      guard let answer = question.answer(gesture) else { return false }
      try close(question, answer, gesture)
      return true
    }
    // Wherever the focus is.
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
    try tell(.elements(window: Self.main, replace: elements).cause(cause))
    // The focus stays on the tab, which is selected now; the rest of the window is another.
    try tell(.layoutChanged(window: Self.main, focusOn: name).cause(cause))
  }

  // MARK: The question

  /// Asks something before going on; until it is answered nothing else can be done.
  func ask(_ question: Question, because cause: Cause) throws(ClientError) {
    Main.say("The app asks: \(question.title)")
    self.question = question
    try tell(.elements(window: Question.window, replace: question.elements).cause(cause))
    try tell(
      .window(Question.window, .opened, title: question.title, modal: true).cause(cause)
    )
    try tell(.window(Question.window, .active).cause(cause))
  }

  private func close(
    _ question: Question,
    _ answer: Question.Answer,
    _ gesture: DemoGesture
  ) throws(ClientError) {
    self.question = nil
    Main.say(answer == .yes ? "The question is answered with yes." : "The question is cancelled.")
    try tell(.window(Question.window, .closed).cause(gesture.cause))
    try tell(.window(Self.main, .active).cause(gesture.cause))
    if answer == .yes { try question.act(self, gesture.cause) }
  }

  // MARK: Time

  /// How long until the app has something to do by itself; nil where it has not.
  var rest: Duration? { backup.isRunning ? Backup.step : nil }

  /// Time has passed.
  func tick() throws(ClientError) { try backup.advance(self, isShown: shown == Backup.name) }
}
