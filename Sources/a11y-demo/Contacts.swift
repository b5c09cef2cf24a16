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

  func handle(_ gesture: DemoGesture, _ app: DemoApp) throws(ClientError) -> Bool {
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
