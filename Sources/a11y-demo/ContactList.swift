// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import Glibc

/// An app with a list of contacts, as far as a screen reader is concerned.
///
/// It paces itself by the bus's acknowledgements: what it does next, it does when the bus has on
/// record what it did before.
final class ContactList {
  private static let window = "main"

  private let bus: Connection
  private let pause: Duration
  private var contacts: [String] = []

  init(_ bus: Connection, pause: Duration) {
    self.bus = bus
    self.pause = pause
  }

  func play() throws(ClientError) {
    try open()
    try save("Ada Lovelace")
    try save("Louis Braille")
    try save("Grace Hopper")
    try turnPage()
    try clear()
    try close()
  }

  // MARK: What the user does

  private func open() throws(ClientError) {
    Main.say("The app opens the window \"Contacts\" with two fields, two buttons and a list.")
    try tell(.window(Self.window, .opened, title: "Contacts"))
    try tell(.elements(window: Self.window, replace: Self.elements))
    try tell(.window(Self.window, .active, title: "Contacts"))
    try tell(.screenChanged(window: Self.window, focusOn: "name"))
    wait()
  }

  private func save(_ name: String) throws(ClientError) {
    Main.say("The user types \(name) and presses Save. The contact stands in the list.")
    contacts.append(name)
    let contact = Element(
      "contact-\(contacts.count)",
      label: name,
      traits: [.button],
      parent: "list"
    )
    try tell(.elements(window: Self.window, upsert: [contact]).cause(.user))
    try tell(.layoutChanged(window: Self.window).cause(.user))
    Main.say("The app has \"Contact saved\" announced.")
    try tell(.announcement("Contact saved").window(Self.window).cause(.user))
    wait()
  }

  private func turnPage() throws(ClientError) {
    Main.say("The user scrolls the list. The app tells which page it shows.")
    try tell(.pageScrolled("Page 1 of 2", in: "list").window(Self.window).cause(.user))
    wait()
  }

  private func clear() throws(ClientError) {
    Main.say("The user presses Clear contacts. The list is empty, and the focus goes to the name.")
    let ids = contacts.indices.map { "contact-\($0 + 1)" }
    contacts = []
    try tell(.elements(window: Self.window, remove: ids).cause(.user))
    try tell(.layoutChanged(window: Self.window, focusOn: "name").cause(.user))
    Main.say("The app has \"Contacts have been deleted\" announced.")
    try tell(
      .announcement("Contacts have been deleted", priority: .high).window(Self.window).cause(.user)
    )
    wait()
  }

  private func close() throws(ClientError) {
    Main.say("The app closes its window.")
    try tell(.window(Self.window, .closed, title: "Contacts"))
  }

  // MARK: What the bus says

  private func tell(_ event: Event) throws(ClientError) {
    let receipt = try bus.publish(event)
    for warning in receipt.warnings { Main.say("The bus advises: \(warning.message)") }
    guard let focus = receipt.focus, focus.result == "denied" else { return }
    Main.say("The bus leaves the focus where it is: \(focus.reason ?? "no reason given").")
  }

  private func wait() {
    var time = timespec()
    time.tv_sec = Int(pause.components.seconds)
    time.tv_nsec = Int(pause.components.attoseconds / 1_000_000_000)
    nanosleep(&time, nil)
  }

  private static let elements = [
    Element("form", label: "New contact"),
    Element("name", label: "Name", traits: [.textField], parent: "form"),
    Element("phone", label: "Phone", traits: [.textField], parent: "form"),
    Element("save", label: "Save", hint: "Adds the contact.", traits: [.button], parent: "form"),
    Element("clear", label: "Clear contacts", hint: "Removes all contacts.", traits: [.button]),
    Element("list", label: "Contacts"),
  ]
}
