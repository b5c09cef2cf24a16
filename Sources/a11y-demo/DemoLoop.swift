// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// Answers the bus and plays the user, in one thread.
final class DemoLoop {
  /// The longest wait for the effect of an action.
  private static let patience: Duration = .milliseconds(1_500)

  private let bus: BusConnection
  private let app: DemoApp
  private let seat: Seat?
  private let pause: Duration

  init(_ bus: BusConnection, _ app: DemoApp, _ seat: Seat?, pause: Duration) {
    self.bus = bus
    self.app = app
    self.seat = seat
    self.pause = pause
  }

  /// Plays the user to the end, or else goes on for ever.
  func play() throws(ClientError) {
    try app.open()
    guard let seat else {
      while true { try work(until: nil, within: .seconds(3_600)) }
    }
    try work(until: nil, within: pause)
    while let action = try seat.act() {
      try work(until: action, within: Self.patience)
      try work(until: nil, within: pause)
    }
    while let rest = app.rest { try work(until: nil, within: rest) }
    try app.close()
  }

  /// Answers gestures for a time, or until an action has had its effect.
  private func work(until action: Int64?, within time: Duration) throws(ClientError) {
    let clock = ContinuousClock()
    let end = clock.now + time
    var due = app.rest.map { clock.now + $0 }
    while true {
      let now = clock.now
      if let tick = due, tick <= now {
        try app.tick()
        due = app.rest.map { now + $0 }
        continue
      }
      guard now < end else { return }
      guard let item = try bus.next(timeout: min(end, due ?? end) - now) else { continue }
      guard case .entry(let entry) = item else { continue }
      if let gesture = DemoGesture(entry) {
        try app.answer(gesture)
        if due == nil { due = app.rest.map { clock.now + $0 } }
      }
      if let action, Self.ends(entry, action) { return }
    }
  }

  /// Whether an entry is the effect of an action: its outcome, or a move of the focus.
  private static func ends(_ entry: Entry, _ action: Int64) -> Bool {
    guard entry.conn == 0 else { return false }
    return entry.type == "outcome" && entry.integer("of") == action
      || entry.type == "focus" && entry.integer("cause") == action
        && entry.string("reason") != "activate"
  }
}
