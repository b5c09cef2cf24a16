// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit

/// Scripts from dice: a few apps, a user, and now and then a reader, in all they can say.
struct ScriptMaker {
  var dice: Dice
  private var mono: Int64 = 0
  private var actions: [String] = []
  private var events: [String: [String]] = [:]
  private var labels = 0
  private var lines: [String] = []

  init(_ dice: Dice) { self.dice = dice }

  /// A script of about so many lines, at whose end nobody is kept from being heard any more.
  mutating func script(_ length: Int) -> [String] {
    lines = []
    add("U", #""hello":{"app":"seat","role":"control"}"#)
    add("O", #""hello":{"app":"orca","role":"reader","speech":0}"#)
    for app in Self.apps { add(app, #""hello":{"app":"\#(app)"}"#) }
    while lines.count < length { step() }
    mono += 1_000
    for app in Self.apps { add(app, #""event":{"type":"resume"}"#) }
    add("U", #""event":{"type":"do-not-disturb","level":0}"#)
    add("U", #""event":{"type":"action","action":"resume"}"#)
    add("U", #""event":{"type":"voiceover-status","running":true}"#)
    return lines
  }

  private static let apps = ["mail", "chat", "notes"]
  private static let windows = ["w1", "w2"]
  private static let elements = ["e1", "e2", "e3", "e4", "e5"]
  private static let texts = [
    "Saved", "Deleted", "3 new messages", "50 percent", "51 percent", "A", "Größe geändert",
    "Item was added to the list of items that are on the way to you",
  ]
  private static let pauses: [Int64] = [
    0, 0, 0, 1_000, 10_000, 50_000, 100_000, 150_000, 250_000, 333_333, 500_000, 1_000_000,
    2_000_000, 5_000_000, 12_000_000,
  ]

  private mutating func add(_ conn: String, _ rest: String, label: String? = nil) {
    let name = label.map { #""label":"\#($0)","# } ?? ""
    lines.append(#"{"mono":\#(mono),"conn":"\#(conn)",\#(name)\#(rest)}"#)
  }

  private mutating func step() {
    mono += dice.pick(Self.pauses)
    switch dice.roll(0...19) {
    case 0...1: act()
    case 2:
      let time = dice.once(in: 2) ? #","for_ms":\#(dice.pick([0, 500, 20_000]))"# : ""
      let level = dice.pick([0, 0, 30, 60, 90])
      add("U", #""event":{"type":"do-not-disturb","level":\#(level)\#(time)}"#)
    case 3 where dice.once(in: 4):
      add("U", #""event":{"type":"voiceover-status","running":\#(dice.once(in: 2))}"#)
    case 4 where dice.once(in: 4): comeAndGo()
    case 5 where dice.once(in: 4): burst()
    case 6 where dice.once(in: 8): read()
    default: publish(dice.pick(Self.apps))
    }
  }

  private mutating func act() {
    labels += 1
    let label = "a\(labels)"
    let action = dice.pick([
      "next", "previous", "first", "last", "focus", "activate", "increment", "scroll", "escape",
      "magic-tap", "stop", "repeat", "pause", "resume", "resume",
    ])
    var event = #""type":"action","action":"\#(action)""#
    if dice.once(in: 2) { event += #","app":"\#(dice.pick(Self.apps))""# }
    if dice.once(in: 2) { event += #","element":"\#(dice.pick(Self.elements))""# }
    add("U", #""event":{\#(event)}"#, label: label)
    actions.append(label)
  }

  /// Far more at once than anybody wants to hear.
  private mutating func burst() {
    let app = dice.pick(Self.apps)
    let isStorm = dice.once(in: 2)
    let more = dice.pick([#","priority":"low""#, #","class":"chat""#, "", #","priority":"high""#])
    for number in 1...dice.roll(5...40) {
      mono += dice.pick([0, 1_000, 20_000])
      let element = isStorm ? #","element":"s\#(number)""# : ""
      add(
        app,
        #""event":{"type":"announcement","text":"Message \#(number)"\#(element)\#(more)}"#
      )
    }
  }

  /// A screen reader that speaks through the bus has a few sentences said, and cuts some of them.
  private mutating func read() {
    for _ in 0...dice.roll(1...5) {
      labels += 1
      let label = "r\(labels)"
      let manner = #""rate":1.5,"volume":0.5,"pitch_range":1,"voice":"female1","capitals":"icon""#
      let run = #"{"text":"\#(dice.pick(Self.texts))","mark":"m",\#(manner)}"#
      let text = dice.once(in: 4) ? #"[{"text":"a","as":"char"}]"# : "[\(run)]"
      let kept = dice.once(in: 2) ? #","sensitive":false"# : ""
      let event = #""type":"announcement","class":"reading","text":\#(text)\#(kept)"#
      add("O", #""event":{\#(event)}"#, label: label)
      mono += dice.pick([0, 100_000, 400_000, 1_000_000])
      if dice.once(in: 3) { add("O", #""event":{"type":"cancel","of":"@\#(label)"}"#) }
    }
  }

  private mutating func comeAndGo() {
    let app = dice.pick(Self.apps)
    add(app, #""gone":true"#)
    mono += dice.pick(Self.pauses)
    add(app, #""hello":{"app":"\#(app)"}"#)
  }

  private mutating func publish(_ app: String) {
    labels += 1
    let label = "p\(labels)"
    add(app, #""event":{\#(event(of: app))}"#, label: label)
    events[app, default: []].append(label)
  }

  private mutating func event(of app: String) -> String {
    switch dice.roll(0...29) {
    case 0...13: return announcement()
    case 14: return #""type":"layout-changed""# + place() + common()
    case 15: return #""type":"layout-changed","window":"w1","text":"\#(dice.pick(Self.texts))""#
    case 16:
      return #""type":"screen-changed""# + place() + common()
        + (dice.once(in: 3) ? #","modal":true"# : "")
    case 17:
      return #""type":"page-scrolled","text":"Page \#(dice.roll(1...3)) of 3","element":"e1""#
        + (dice.once(in: 3) ? #","continuous":true"# : "") + common()
    case 18: return #""type":"focus-changed","element":"\#(dice.pick(Self.elements))""# + common()
    case 19...22: return elements()
    case 23...24:
      let state = dice.pick(["opened", "active", "active", "inactive", "closed"])
      return #""type":"window","window":"\#(dice.pick(Self.windows))","state":"\#(state)""#
        + (dice.once(in: 5) ? #","modal":true"# : "")
    case 25:
      return #""type":"busy","element":"\#(dice.pick(Self.elements))","busy":\#(dice.once(in: 2))"#
    case 26: return dice.pick([#""type":"pause""#, #""type":"resume""#])
    case 27:
      guard let own = events[app], let last = own.last else { return announcement() }
      return #""type":"cancel","of":"@\#(dice.once(in: 3) ? dice.pick(own) : last)""#
    case 28:
      guard let action = actions.last else { return announcement() }
      return #""type":"handled","of":"gesture:@\#(action)","handled":\#(dice.once(in: 2))"#
    default: return #""type":"announcement","text":"secret word","sensitive":true"#
    }
  }

  private mutating func announcement() -> String {
    var event = #""type":"announcement","text":"\#(dice.pick(Self.texts))""#
    if dice.once(in: 2) { event += #","priority":"\#(dice.pick(["low", "default", "high"]))""# }
    if dice.once(in: 2) {
      event +=
        #","class":""#
        + #"\#(dice.pick(["message", "status", "progress", "timer", "value", "chat", "hint"]))""#
    }
    if dice.once(in: 4) {
      event +=
        #","mode":"\#(dice.pick(["all", "latest", "latest-interrupt", "current-then-latest"]))""#
    }
    if dice.once(in: 4) { event += #","key":"\#(dice.pick(["k1", "k2"]))""# }
    if dice.once(in: 3) { event += #","element":"\#(dice.pick(Self.elements))""# }
    if dice.once(in: 4) { event += #","window":"\#(dice.pick(Self.windows))""# }
    if dice.once(in: 8) { event += #","queue":true"# }
    if dice.once(in: 8) { event += #","final":true"# }
    return event + common()
  }

  private mutating func elements() -> String {
    var list: [String] = []
    for _ in 0...dice.roll(0...2) {
      var element = #""id":"\#(dice.pick(Self.elements))""#
      if dice.once(in: 2) { element += #","label":"\#(dice.pick(["Delete", "Name", "List"]))""# }
      if dice.once(in: 2) { element += #","value":"\#(dice.roll(0...5))""# }
      if dice.once(in: 3) {
        let trait = dice.pick([
          "button", "selected", "not-enabled", "updates-frequently", "text-field", "secure",
          "summary-element", "causes-page-turn", "static-text",
        ])
        element += #","traits":["\#(trait)"]"#
      }
      if dice.once(in: 8) { element += #","hidden":\#(dice.once(in: 2))"# }
      if dice.once(in: 8) { element += #","modal":\#(dice.once(in: 2))"# }
      if dice.once(in: 6) { element += #","responds":["escape","magic-tap"]"# }
      if dice.once(in: 8) { element += #","parent":"e5""# }
      if !list.contains(where: { $0.hasPrefix(String(element.prefix(9))) }) { list.append(element) }
    }
    let kind = dice.pick(["upsert", "upsert", "upsert", "replace"])
    var event =
      #""type":"elements","window":"\#(dice.pick(Self.windows))","\#(kind)":["#
      + list.map { "{\($0)}" }.joined(separator: ",") + "]"
    if kind == "upsert", dice.once(in: 5) {
      event += #","remove":["\#(dice.pick(Self.elements))"]"#
    }
    return event
  }

  private mutating func place() -> String {
    var place = #","window":"\#(dice.pick(Self.windows))""#
    if dice.once(in: 2) { place += #","element":"\#(dice.pick(Self.elements))""# }
    return place
  }

  private mutating func common() -> String {
    var fields = ""
    switch dice.roll(0...7) {
    case 0: fields += #","cause":"user""#
    case 1...2: if let action = actions.last { fields += #","cause":"@\#(action)""# }
    default: break
    }
    if dice.once(in: 8) { fields += #","basis":"focus""# }
    if dice.once(in: 8) { fields += #","ttl_ms":\#(dice.pick([0, 10, 500, 5_000, 60_000]))"# }
    if dice.once(in: 10) { fields += #","foreground":\#(dice.once(in: 2))"# }
    return fields
  }
}
