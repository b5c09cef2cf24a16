// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// A user at the machine, whose actions come from a script.
final class Seat {
  /// One action of the user.
  struct Deed {
    let words: String
    let event: Event
  }

  private let bus: BusConnection
  private let app: String
  /// The number of steps that are still to come, at most.
  private var left: Int
  private var next = 0

  init(_ bus: BusConnection, app: String, steps: Int) {
    self.bus = bus
    self.app = app
    left = steps
  }

  private var deeds: [Deed] {
    [
      act("goes to the next element", "next"),
      act("activates Save", "activate", "save"),
      act("activates it once more", "activate", "save"),
      act("goes to the next element", "next"),
      act("has the contact deleted", "custom", "contact-1", name: "Delete"),
      act("activates Clear Contacts", "activate", "clear"),
      act("leaves the question", "escape"),
      act("goes to the text size", "focus", "size"),
      act("raises it", "increment", "size"),
      act("activates Clear Contacts", "activate", "clear"),
      act("activates Clear", "activate", "yes"),
      act("changes to the tab Tips", "activate", "tips"),
      act("activates Next page", "activate", "forth"),
      act("scrolls on", "scroll", "text"),
      act("begins a backup with a magic tap", "magic-tap"),
      act("changes to the tab Backup", "activate", "backup"),
      act("goes to the last element", "last"),
    ]
  }

  private func act(
    _ words: String,
    _ action: String,
    _ element: String? = nil,
    name: String? = nil
  ) -> Deed {
    let event = Event.action(action, app: app, element: element)
    return Deed(words: words, event: name.map { event.with("name", .string($0)) } ?? event)
  }

  /// Whether words of the app still wait for their turn to be heard.
  ///
  /// A changed layout has none: where it moves the focus, the focus has the words.
  func awaitsWords() throws(ClientError) -> Bool {
    let pending = try bus.request("state")["pending"]?.list ?? []
    return pending.contains {
      $0["app"]?.string == app && $0["state"]?.string != "speaking"
        && $0["type"]?.string != "layout-changed"
    }
  }

  /// Publishes the next action, and returns its seq; nil after the last.
  func act() throws(ClientError) -> Int64? {
    guard next < deeds.count, left > 0 else { return nil }
    let deed = deeds[next]
    next += 1
    left -= 1
    Main.say("The user \(deed.words).")
    return try bus.publish(deed.event).seq
  }
}
