// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// The tab with the contacts.
final class Contacts: DemoApp.Page {
  static let name = "contacts"
  static let label = "Contacts"

  /// Names that the field for a new contact is filled with, since nobody types here.
  private static let names = [
    "Ada Lovelace", "Louis Braille", "Grace Hopper", "Jacob Bolotin", "Helen Keller",
  ]

  private var contacts: [(id: String, name: String)] = []
  private var count = 0
  private var size: Int64 = 12

  private var suggestion: String { Self.names[count % Self.names.count] }

  var elements: [AppElement] {
    [
      AppElement("form", label: "New contact", parent: "page"),
      nameField,
      AppElement(
        "save",
        label: "Save",
        hint: "Adds the contact.",
        traits: [.button],
        parent: "form"
      ),
      AppElement("list", label: "Contacts", parent: "page"),
    ] + contacts.map { element($0.id, $0.name) } + [clear, sizeElement]
  }

  private var nameField: AppElement {
    AppElement("name", label: "Name", value: suggestion, traits: [.textField], parent: "form")
  }

  private var clear: AppElement {
    AppElement(
      "clear",
      label: "Clear Contacts",
      hint: "Removes all contacts.",
      traits: contacts.isEmpty ? [.button, .notEnabled] : [.button],
      parent: "page"
    )
  }

  private var sizeElement: AppElement {
    AppElement(
      "size",
      label: "Text size",
      value: "\(size) points",
      traits: [.adjustable],
      parent: "page"
    )
  }

  private func element(_ id: String, _ name: String) -> AppElement {
    AppElement(id, label: name, traits: [.button], parent: "list").with("actions", ["Delete"])
  }

  func handle(_ gesture: AppGesture, _ app: DemoApp) throws(ClientError) -> Bool {
    switch (gesture.name, gesture.element) {
    case ("activate", "save"): try save(app, gesture.cause)
    case ("activate", "clear"):
      guard !contacts.isEmpty else { return false }
      try askToClear(app, gesture.cause)
    case ("increment", "size"): return try resize(by: 1, app, gesture.cause)
    case ("decrement", "size"): return try resize(by: -1, app, gesture.cause)
    case ("activate", let id?): return try call(id, app, gesture.cause)
    case ("Delete", let id?): return try delete(id, app, gesture.cause)
    default: return false
    }
    return true
  }

  private func save(_ app: DemoApp, _ cause: Cause) throws(ClientError) {
    let name = suggestion
    count += 1
    let id = "contact-\(count)"
    contacts.append((id, name))
    Main.say("The app saves \(name).")
    try app.update(element(id, name), nameField, clear, because: cause)
    try app.publish(.layoutChanged(window: DemoApp.main).cause(cause))
    try app.publish(.announcement("\(name) saved").window(DemoApp.main).cause(cause))
  }

  private func call(_ id: String, _ app: DemoApp, _ cause: Cause) throws(ClientError) -> Bool {
    guard let contact = contacts.first(where: { $0.id == id }) else { return false }
    Main.say("The app calls \(contact.name).")
    try app.publish(
      .announcement("Calling \(contact.name)").window(DemoApp.main).element(id).cause(cause)
    )
    return true
  }

  private func delete(_ id: String, _ app: DemoApp, _ cause: Cause) throws(ClientError) -> Bool {
    guard let index = contacts.firstIndex(where: { $0.id == id }) else { return false }
    let contact = contacts.remove(at: index)
    Main.say("The app deletes \(contact.name).")
    try app.publish(
      .elements(window: DemoApp.main, upsert: [clear], remove: [id]).cause(cause)
    )
    try app.publish(.layoutChanged(window: DemoApp.main).cause(cause))
    try app.publish(.announcement("\(contact.name) deleted").window(DemoApp.main).cause(cause))
    return true
  }

  private func resize(by step: Int64, _ app: DemoApp, _ cause: Cause) throws(ClientError) -> Bool {
    guard (8...32).contains(size + step) else { return false }
    size += step
    Main.say("The app sets the text size to \(size).")
    // The bus has the value spoken, since the focus is on the element.
    try app.update(sizeElement, because: cause)
    return true
  }

  private func askToClear(_ app: DemoApp, _ cause: Cause) throws(ClientError) {
    let number = contacts.count == 1 ? "1 contact" : "all \(contacts.count) contacts"
    let question = Question(
      title: "Clear contacts?",
      text: "This deletes \(number) for good",
      yes: "Clear",
      act: { app, cause throws(ClientError) in try self.clearAll(app, cause) }
    )
    try app.ask(question, because: cause)
  }

  private func clearAll(_ app: DemoApp, _ cause: Cause) throws(ClientError) {
    let gone = contacts.map(\.id)
    contacts = []
    Main.say("The app deletes all contacts.")
    try app.publish(.elements(window: DemoApp.main, upsert: [clear], remove: gone).cause(cause))
    try app.publish(.layoutChanged(window: DemoApp.main).cause(cause))
    try app.publish(.announcement("Contacts have been deleted").window(DemoApp.main).cause(cause))
  }
}

/// The tab with a text of several pages; after listening to one, the user hears the next.
final class Tips: DemoApp.Page {
  static let name = "tips"
  static let label = "Tips"

  private static let pages = [
    "Save adds the name that stands in the field",
    "A contact has an action Delete, which readers offer with it",
    "Clear Contacts asks before it deletes anything",
    "A magic tap begins a backup wherever you are, and stops it",
    "Escape leaves a question without an answer",
  ]

  private var page = 0

  private var words: String { "Page \(page + 1) of \(Self.pages.count)" }

  var elements: [AppElement] {
    [
      AppElement("book", label: "Tips", parent: "page"), text,
      AppElement("back", label: "Previous page", traits: [.button], parent: "page"),
      AppElement("forth", label: "Next page", traits: [.button], parent: "page"),
    ]
  }

  private var text: AppElement {
    AppElement(
      "text",
      label: Self.pages[page],
      traits: [.staticText, .causesPageTurn],
      parent: "book"
    )
  }

  func handle(_ gesture: AppGesture, _ app: DemoApp) throws(ClientError) -> Bool {
    switch (gesture.name, gesture.element) {
    case ("scroll", _):
      guard try turn(by: 1, app, gesture.cause) else { return false }
      // The user goes on reading in the new text.
      try app.publish(.layoutChanged(window: DemoApp.main, focusOn: "text").cause(gesture.cause))
      return true
    case ("activate", "forth"): return try turn(by: 1, app, gesture.cause)
    case ("activate", "back"): return try turn(by: -1, app, gesture.cause)
    default: return false
    }
  }

  private func turn(by step: Int, _ app: DemoApp, _ cause: Cause) throws(ClientError) -> Bool {
    guard Self.pages.indices.contains(page + step) else { return false }
    page += step
    Main.say("The app shows \(words).")
    try app.update(text, because: cause)
    try app.publish(
      .pageScrolled(SpeechText(words), in: "book").window(DemoApp.main).cause(cause)
    )
    return true
  }
}

/// The tab with a backup, which goes on when another tab is shown.
final class Backup: DemoApp.Page {
  static let name = "backup"
  static let label = "Backup"

  /// The time of a step of the backup.
  let step: Duration

  init(step: Duration) { self.step = step }

  private var percent: Int?

  var isRunning: Bool { percent != nil }

  var elements: [AppElement] { [button, progress] }

  private var button: AppElement {
    AppElement(
      "run",
      label: isRunning ? "Stop the backup" : "Back up now",
      traits: [.button],
      parent: "page"
    )
  }

  private var progress: AppElement {
    AppElement(
      "progress",
      label: "Progress",
      value: percent.map { "\($0) %" } ?? "Not running",
      traits: [.updatesFrequently],
      parent: "page"
    )
  }

  func handle(_ gesture: AppGesture, _ app: DemoApp) throws(ClientError) -> Bool {
    guard gesture.name == "activate", gesture.element == "run" else { return false }
    try toggle(app, because: gesture.cause, isShown: true)
    return true
  }

  /// Begins the backup, or stops it.
  func toggle(_ app: DemoApp, because cause: Cause, isShown: Bool = false) throws(ClientError) {
    percent = isRunning ? nil : 0
    Main.say(isRunning ? "The app begins the backup." : "The app stops the backup.")
    if isShown { try app.update(button, progress, because: cause) }
    try app.publish(
      .announcement(SpeechText(isRunning ? "Backup has begun" : "Backup was stopped"))
        .window(DemoApp.main).key("backup").cause(cause)
    )
  }

  func goOn(_ app: DemoApp, isShown: Bool) throws(ClientError) {
    guard let now = percent else { return }
    let next = now + 10
    let isDone = next >= 100
    percent = isDone ? nil : next
    if isShown { try app.update(button, progress, because: .auto) }
    let words: SpeechText = isDone ? "Backup is done" : SpeechText("\(next) %")
    if isDone { Main.say("The backup is done.") }
    try app.publish(
      .announcement(words, kind: .progress, final: isDone).window(DemoApp.main).key("backup")
    )
  }
}
