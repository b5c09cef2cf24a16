// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

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

  func handle(_ gesture: DemoGesture, _ app: DemoApp) throws(ClientError) -> Bool {
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
