// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The script of a day: events of apps and actions of a user, a line every 170 ms.
///
/// The script is a row of scenes, which dice choose: reading through a list, pressing a button that
/// opens a page, a download, a conversation, typing, a clock, now and then an urgent message. The
/// dice are the same each time.
struct DayScript {
  private var text: [UInt8] = []
  private(set) var lines = 0
  private var mono = 0
  private var dice = ScriptDice(seed: 42)

  static let apps = ["contacts", "mail", "files", "chat", "player"]
  private static let listed = 40
  private static let spacing = 170_000

  /// Writes a script of this many lines to a new file.
  static func create(_ lines: Int, to path: String) throws {
    var script = DayScript()
    script.openWindows()
    while script.lines < lines { script.scene() }
    try script.cut(to: lines)
    try write(String(decoding: script.text, as: UTF8.self), to: path)
  }

  private mutating func cut(to count: Int) throws {
    while lines > count {
      text.removeLast()
      guard let newline = text.lastIndex(of: 0x0A) else {
        throw BenchFailure("a script has no lines")
      }
      text.removeLast(text.count - newline - 1)
      lines -= 1
    }
  }

  private mutating func appendLine(_ conn: String, _ rest: String, after microseconds: Int) {
    mono += microseconds
    text += #"{"mono":\#(mono),"conn":"\#(conn)",\#(rest)}"#.utf8
    text.append(0x0A)
    lines += 1
  }

  private mutating func event(_ conn: String, _ members: String, after microseconds: Int) {
    appendLine(conn, #""event":{\#(members)}"#, after: microseconds)
  }

  private mutating func pause() { mono += dice.roll(2 * Self.spacing * 8) }

  private mutating func act(_ action: String) {
    event("user", #""type":"action","action":"\#(action)""#, after: Self.spacing)
  }

  private mutating func openWindows() {
    appendLine("user", #""hello":{"app":"seat","role":"control"}"#, after: 0)
    for app in Self.apps {
      appendLine(app, #""hello":{"app":"\#(app)"}"#, after: 0)
      event(app, #""type":"window","window":"w","state":"opened","title":"\#(app)""#, after: 100)
      let list = (0..<Self.listed).map { index in
        #"{"id":"e\#(index)","label":"Entry \#(Self.word(index))","traits":["button"]}"#
      }
      let all = list.joined(separator: ",")
      event(app, #""type":"elements","window":"w","upsert":[\#(all)]"#, after: 100)
    }
  }

  private mutating func scene() {
    let app = Self.apps[dice.roll(Self.apps.count)]
    let element = "e\(dice.roll(Self.listed))"
    switch dice.roll(10) {
    case 0...2: walk(app)
    case 3: press(app, element)
    case 4: download(app)
    case 5: talk(app)
    case 6: slide(app, element)
    case 7: tick(app)
    case 8: message(app)
    default: move(app, element)
    }
    pause()
  }

  /// The user goes through a window.
  private mutating func walk(_ app: String) {
    event(app, #""type":"window","window":"w","state":"active""#, after: Self.spacing)
    for _ in 0..<3 + dice.roll(12) { act(dice.roll(5) == 0 ? "previous" : "next") }
  }

  /// The user presses a button, which opens a page or deletes an entry.
  private mutating func press(_ app: String, _ element: String) {
    let place = #""window":"w","element":"\#(element)""#
    event(
      "user",
      #""type":"action","action":"activate","app":"\#(app)",\#(place)"#,
      after: Self.spacing
    )
    if dice.roll(2) == 0 {
      event(app, #""type":"screen-changed","window":"w","cause":"user""#, after: 30_000)
    } else {
      let text = "Entry \(word()) has been deleted"
      event(app, #""type":"layout-changed",\#(place),"cause":"user""#, after: 20_000)
      event(app, #""type":"announcement","text":"\#(text)","cause":"user""#, after: 5_000)
    }
  }

  private mutating func download(_ app: String) {
    for step in 0...20 {
      let isLast = step == 20 ? #","final":true"# : ""
      let text = "\(step * 5) percent of \(word())"
      event(
        app,
        #""type":"announcement","text":"\#(text)","class":"progress","key":"load"\#(isLast)"#,
        after: Self.spacing
      )
    }
  }

  private mutating func talk(_ app: String) {
    for _ in 0..<2 + dice.roll(6) {
      let text = "\(word()) says: \(Sayings.text(dice.roll(1_000_000)))"
      event(
        app,
        #""type":"announcement","text":"\#(text)","class":"chat","element":"e1""#,
        after: 4 * Self.spacing
      )
    }
  }

  private mutating func slide(_ app: String, _ element: String) {
    for _ in 0..<8 + dice.roll(8) {
      let value = #"{"id":"\#(element)","value":"\#(dice.roll(100)) percent"}"#
      event(app, #""type":"elements","window":"w","upsert":[\#(value)]"#, after: 40_000)
    }
  }

  private mutating func tick(_ app: String) {
    for second in 0..<10 {
      let text = "\(10 - second) seconds left"
      event(
        app,
        #""type":"announcement","text":"\#(text)","class":"timer","key":"clock""#,
        after: 1_000_000
      )
    }
  }

  private mutating func message(_ app: String) {
    let priority = ["low", "default", "default", "high"][dice.roll(4)]
    let text = Sayings.text(dice.roll(1_000_000))
    event(
      app,
      #""type":"announcement","text":"\#(text)","priority":"\#(priority)""#,
      after: Self.spacing
    )
    let state = "Connection \(word())"
    event(
      app,
      #""type":"announcement","text":"\#(state)","class":"status","key":"network""#,
      after: Self.spacing
    )
  }

  /// The toolkit moves its focus, and a page scrolls.
  private mutating func move(_ app: String, _ element: String) {
    event(
      app,
      #""type":"focus-changed","window":"w","element":"\#(element)","cause":"user""#,
      after: Self.spacing
    )
    let text = "Page \(1 + dice.roll(30)) of 30"
    event(
      app,
      #""type":"page-scrolled","window":"w","element":"e0","text":"\#(text)""#,
      after: Self.spacing
    )
  }

  private mutating func word() -> String { Self.word(dice.roll(400)) }

  private static func word(_ number: Int) -> String {
    let first = ["red", "old", "new", "big", "far", "low", "odd", "shy", "dry", "hot"]
    let second = ["tree", "lake", "road", "hill", "ship", "lamp", "book", "cake", "door", "moon"]
    let place = number / 100 == 0 ? "" : ["", " abroad", " upstairs", " at home"][number / 100 % 4]
    return "\(first[number % 10]) \(second[number / 10 % 10])\(place)"
  }
}

/// Numbers that look like chance and are the same each time (Knuth's MMIX).
private struct ScriptDice {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A number from 0 up to `bound`, without it.
  mutating func roll(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}
