// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// Answers the bus and plays the user, in one thread.
final class DemoLoop {
  /// The longest wait for the effect of an action, and for its words.
  private static let patience: Duration = .milliseconds(1_500)
  /// The wait between two questions whether there still are words to come.
  private static let glance: Duration = .milliseconds(10)

  private let bus: BusConnection
  private let app: DemoApp
  private let seat: Seat?
  private let pause: Duration
  /// Whether the app does things by itself; not while a user without a pause acts, so that the same
  /// is heard each time.
  private var isFree: Bool

  init(_ bus: BusConnection, _ app: DemoApp, _ seat: Seat?, pause: Duration) {
    self.bus = bus
    self.app = app
    self.seat = seat
    self.pause = pause
    isFree = seat == nil || pause > .zero
  }

  /// Plays the user to the end, or else goes on for ever.
  func play() throws(ClientError) {
    try app.open()
    guard let seat else {
      while true { try work(until: nil, within: .seconds(3_600)) }
    }
    try rest(seat)
    while let action = try seat.act() {
      try work(until: action, within: Self.patience)
      try rest(seat)
    }
    isFree = true
    while let rest = app.rest { try work(until: nil, within: rest) }
    try app.close()
  }

  /// Lets the pause between two steps pass: without one, the time until all words of the step have
  /// been heard to their end, and all that follows from that end has come, such as the next page.
  ///
  /// The bus sends the app all gestures of one state before it answers with the next. So where two
  /// states with the app's answers between them are alike, nothing more is coming.
  private func rest(_ seat: Seat) throws(ClientError) {
    guard pause == .zero else { return try work(until: nil, within: pause) }
    let end = ContinuousClock.now + Self.patience
    var last: String?
    while ContinuousClock.now < end {
      let quiet = try seat.quietEnd()
      if let quiet, quiet == last { return }
      last = quiet
      try work(until: nil, within: Self.glance)
    }
  }

  /// Answers gestures for a time, or until an action has had its effect.
  private func work(until action: Int64?, within time: Duration) throws(ClientError) {
    let clock = ContinuousClock()
    let end = clock.now + time
    var due = ownRest.map { clock.now + $0 }
    while true {
      let now = clock.now
      if let tick = due, tick <= now {
        try app.tick()
        due = ownRest.map { now + $0 }
        continue
      }
      guard now < end else { return }
      guard let item = try bus.next(timeout: min(end, due ?? end) - now) else { continue }
      guard case .entry(let entry) = item else { continue }
      if let gesture = AppGesture(entry) {
        try app.answer(gesture)
        if due == nil { due = ownRest.map { clock.now + $0 } }
      }
      if let action, Self.ends(entry, action) { return }
    }
  }

  /// The time until the app does something by itself, if it may.
  private var ownRest: Duration? { isFree ? app.rest : nil }

  /// Whether an entry is the effect of an action: its outcome, or a move of the focus.
  private static func ends(_ entry: Entry, _ action: Int64) -> Bool {
    guard entry.conn == 0 else { return false }
    return entry.type == "outcome" && entry.integer("of") == action
      || entry.type == "focus" && entry.integer("cause") == action
        && entry.string("reason") != "activate"
  }
}

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

  /// The end of the log; nil while words of the app are spoken or wait for their turn.
  ///
  /// A changed layout has none: where it moves the focus, the focus has the words.
  func quietEnd() throws(ClientError) -> String? {
    let state = try bus.request("state")
    let isWaiting = (state["pending"]?.list ?? []).contains {
      $0["app"]?.string == app && $0["type"]?.string != "layout-changed"
    }
    return isWaiting ? nil : state["cursor"]?.string
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
