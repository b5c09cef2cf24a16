// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A day of a person at a desk, of any length: mail, a browser, a terminal and alarms, a machine
/// that sleeps, a disk that is full at noon, an upgrade at three, and no network in the evening.
///
/// A shorter day has fewer scenes; within a scene time passes as it always does.
package struct PersonsDay {
  package enum Deed: Equatable {
    /// An app says something, as the JSON of an event.
    case event(app: String, String)
    /// The person does something.
    case action(String)
    case sleep, wake
    case diskFull, diskFree
    case upgrade
    case networkLost, networkBack

    fileprivate var isByApps: Bool {
      switch self {
      case .event, .action: true
      default: false
      }
    }
  }

  package struct Moment {
    /// Microseconds since the day began.
    package let time: Int64
    package let deed: Deed
  }

  /// In the order of their times.
  package private(set) var moments: [Moment] = []
  package let length: Int64
  private var dice: Dice
  private var count = 0
  private var time: Int64 = 0
  /// The app whose window the person looks at.
  private var front: String?

  /// What happens when, in hours; apps are at work while the machine is awake.
  private static let turns: [(hour: Double, deed: Deed)] = [
    (0.5, .sleep), (6.5, .wake), (12, .diskFull), (12.5, .diskFree), (13, .sleep), (13.5, .wake),
    (15, .upgrade), (18, .networkLost), (21.5, .networkBack), (23, .sleep), (23.9, .wake),
  ]
  private static let people = ["Ada", "Grace", "Edsger", "Barbara"]
  package static let apps = ["mail", "browser", "terminal", "clock", "network"]

  /// A day of so many seconds, with a scene a minute at most; about 300 in a whole day.
  package init(seconds: Int, _ dice: Dice) {
    self.dice = dice
    length = Int64(seconds) * 1_000_000
    for app in Self.apps { open(app) }
    let scenes = min(300, max(6, seconds / 60))
    for scene in 0..<scenes {
      let hour = 24 * (Double(scene) + 0.5) / Double(scenes)
      time = at(hour)
      if Self.isAwake(hour) { play(hour) }
    }
    for (hour, deed) in Self.turns {
      time = at(hour)
      come(deed)
    }
    waitForWaking()
  }

  /// What somebody was about to say when the machine fell asleep is said when it is awake again.
  private mutating func waitForWaking() {
    let nights = Self.turns.filter { $0.deed == .sleep }.map { night in
      let morning = Self.turns.first { $0.hour > night.hour && $0.deed == .wake }
      return at(night.hour)..<at(morning?.hour ?? 24)
    }
    moments = moments.map { moment in
      guard moment.deed.isByApps, let night = nights.first(where: { $0.contains(moment.time) })
      else { return moment }
      return Moment(time: night.upperBound + 1, deed: moment.deed)
    }
    moments.sort { $0.time < $1.time }
  }

  private func at(_ hour: Double) -> Int64 { Int64(hour / 24 * Double(length)) }

  private static func isAwake(_ hour: Double) -> Bool {
    turns.last { $0.hour <= hour && [.sleep, .wake].contains($0.deed) }?.deed != .sleep
  }

  // MARK: Scenes

  private mutating func open(_ app: String) {
    say(app, #""type":"window","window":"main","state":"opened","title":"\#(app)""#)
    let elements = (1...12).map { number in
      #"{"id":"e\#(number)","label":"Item \#(number) of \#(app)","traits":["button"]}"#
    }
    let all = elements.joined(separator: ",")
    say(app, #""type":"elements","window":"main","replace":[\#(all)]"#)
  }

  private mutating func play(_ hour: Double) {
    let isOnline = !(18..<21.5).contains(hour)
    switch dice.roll(0...9) {
    case 0...2 where isOnline: mail()
    case 0...2: announce("mail", "Mail cannot be fetched", #","class":"status""#)
    case 3...5 where isOnline: browse()
    case 3...5: announce("browser", "The page cannot be loaded")
    case 6...7: work()
    case 8: walk("mail")
    default: announce("clock", "Alarm \(count): get up and move", #","priority":"high""#)
    }
  }

  /// The person turns to the window of an app.
  private mutating func turn(to app: String) {
    guard front != app else { return }
    if let front { say(front, #""type":"window","window":"main","state":"inactive""#) }
    say(app, #""type":"window","window":"main","state":"active""#)
    front = app
  }

  /// Mail comes, and the person goes through it.
  private mutating func mail() {
    for _ in 0..<dice.roll(1...4) {
      announce("mail", "New mail \(count) from \(dice.pick(Self.people))", #","queue":true"#)
      pass(0.2)
    }
    walk("mail")
  }

  /// A page loads, tells how far it is, and has a conversation in it.
  private mutating func browse() {
    turn(to: "browser")
    act(#""action":"activate","app":"browser","window":"main","element":"e1""#)
    for step in 1...10 {
      pass(0.2)
      let last = step == 10 ? #","final":true"# : ""
      announce("browser", "\(step * 10) percent", #","class":"progress","key":"load"\#(last)"#)
    }
    say("browser", #""type":"screen-changed","window":"main","cause":"user""#)
    for _ in 0..<dice.roll(1...3) {
      pass(Double(dice.roll(5...20)) / 10)
      announce("browser", "\(dice.pick(Self.people)) writes line \(count)", #","class":"chat""#)
    }
  }

  /// A command prints more than anybody wants to hear, and ends.
  private mutating func work() {
    turn(to: "terminal")
    for _ in 0..<dice.roll(5...60) {
      announce("terminal", "Line \(count) of the output", #","class":"chat","element":"e1""#)
      pass(0.03)
    }
    announce("terminal", "Command \(count) has ended", #","queue":true"#)
  }

  /// The person goes through a window.
  private mutating func walk(_ app: String) {
    turn(to: app)
    for _ in 0..<dice.roll(2...8) {
      act(#""action":"next""#)
      pass(Double(dice.roll(2...15)) / 10)
    }
    if dice.once(in: 4) { act(#""action":"stop""#) }
  }

  private mutating func come(_ deed: Deed) {
    if deed == .networkLost { announce("network", "The network is gone", #","class":"status""#) }
    add(deed)
    if deed == .networkBack { announce("network", "The network is back", #","class":"status""#) }
  }

  // MARK: Moments

  private mutating func pass(_ seconds: Double) { time += Int64(seconds * 1_000_000) }

  private mutating func announce(_ app: String, _ text: String, _ fields: String = "") {
    say(app, #""type":"announcement","text":"\#(text)"\#(fields)"#)
  }

  private mutating func say(_ app: String, _ members: String) {
    count += 1
    add(.event(app: app, "{\(members)}"))
  }

  private mutating func act(_ members: String) { add(.action(#"{"type":"action",\#(members)}"#)) }

  private mutating func add(_ deed: Deed) { moments.append(Moment(time: time, deed: deed)) }
}
