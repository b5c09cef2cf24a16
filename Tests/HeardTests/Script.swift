// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPlay
import A11yRules
import A11yTestKit

/// The deeds of apps, the user and readers, line by line; `run` returns what was heard.
///
/// Times are milliseconds. A client that is named for the first time says hello first.
struct Script {
  private var lines: [String] = []
  private var people: Set<String> = []
  /// The instant that the test calls 0.
  private var zero: Int64 = 0
  private var rules: RuleSet
  private var reader: Simulation.Reader

  /// With a reader that is there from the beginning and speaks everything, or with those alone
  /// that join.
  enum Reading { case always, whenJoined }

  init(_ reading: Reading = .always, rules: RuleSet = .defaults) {
    reader = reading == .always ? .auto : .none
    self.rules = rules
  }

  /// A minute ago a window of "App" became active, with these elements, and the user went to the
  /// first of them; nothing of that can matter any more.
  init(_ elements: [JSON], _ reading: Reading = .always, rules: RuleSet = .defaults) {
    self.init(reading, rules: rules)
    at(0, window("w", "opened"))
    at(0, tree("w", elements))
    at(0, window("w", "active"))
    at(1_000, user("first"))
    zero = 60_000_000
  }

  /// Makes this instant the 0 of all later lines.
  mutating func startOver(at milliseconds: Double) { zero += Int64(milliseconds * 1_000) }

  mutating func at(_ milliseconds: Double, _ event: JSON, by conn: String? = nil) {
    at(milliseconds, nil, event, by: conn)
  }

  mutating func at(
    _ milliseconds: Double,
    _ label: String?,
    _ event: JSON,
    by conn: String? = nil
  ) {
    let mono = zero + Int64(milliseconds * 1_000)
    let conn = conn ?? Self.author(of: event)
    if !people.contains(conn) { hello(mono, conn, role: nil, uid: nil) }
    var line: [String: JSON] = ["mono": .integer(mono), "conn": .string(conn), "event": event]
    if let label { line["label"] = .string(label) }
    lines.append(JSON.object(line).text(descending: true))
  }

  /// Somebody connects; a reader is subscribed with it.
  mutating func joins(
    _ milliseconds: Double,
    _ conn: String,
    role: String? = nil,
    uid: Int64? = nil,
    with voice: [String: JSON] = [:]
  ) {
    hello(zero + Int64(milliseconds * 1_000), conn, role: role, uid: uid, with: voice)
  }

  mutating func leaves(_ milliseconds: Double, _ conn: String) {
    let mono = zero + Int64(milliseconds * 1_000)
    people.remove(conn)
    lines.append(#"{"mono":\#(mono),"conn":"\#(conn)","gone":true}"#)
  }

  /// Others sit at the machine, or have logged in; nil: nobody tells.
  mutating func seat(_ milliseconds: Double, _ uids: [Int64]?, people: [Int64]?) {
    let mono = zero + Int64(milliseconds * 1_000)
    var seat: [String: JSON] = [:]
    if let uids { seat["uids"] = .list(uids.map(JSON.integer)) }
    if let people { seat["people"] = .list(people.map(JSON.integer)) }
    let line: JSON = ["mono": .integer(mono), "conn": "Login", "seat": .object(seat)]
    lines.append(line.text(descending: true))
  }

  private mutating func hello(
    _ mono: Int64,
    _ conn: String,
    role: String?,
    uid: Int64?,
    with voice: [String: JSON] = [:]
  ) {
    people.insert(conn)
    var greeting: [String: JSON] = ["app": .string(conn)].merging(voice) { $1 }
    if let role { greeting["role"] = .string(role) }
    if let uid { greeting["uid"] = .integer(uid) }
    let line: JSON = ["mono": .integer(mono), "conn": .string(conn), "hello": .object(greeting)]
    lines.append(line.text(descending: true))
  }

  private static func author(of event: JSON) -> String {
    switch event["type"].string {
    case "action", "do-not-disturb": "User"
    case "speech", "voiceover-status": "Reader"
    default: "App"
    }
  }

  /// Plays it, and sees to it that what always holds held.
  func run() throws -> Heard {
    let heard = try Heard(Performance(lines, rules: rules, reader: reader), zero: zero)
    heard.expectPrinciples()
    return heard
  }
}

// MARK: What is published

func event(_ type: String, _ fields: [String: JSON]) -> JSON {
  .object(fields.merging(["type": .string(type)]) { $1 })
}

func says(_ text: String, _ fields: [String: JSON] = [:]) -> JSON {
  event("announcement", ["text": .string(text)].merging(fields) { $1 })
}

/// As high announcements are written throughout.
func shouts(_ text: String, _ fields: [String: JSON] = [:]) -> JSON {
  says(text, ["priority": "high"].merging(fields) { $1 })
}

func murmurs(_ text: String, _ fields: [String: JSON] = [:]) -> JSON {
  says(text, ["priority": "low"].merging(fields) { $1 })
}

/// An announcement of a class with a rule of its own.
func tells(_ kind: String, _ text: String, _ fields: [String: JSON] = [:]) -> JSON {
  says(text, ["class": .string(kind)].merging(fields) { $1 })
}

func layout(_ fields: [String: JSON] = [:]) -> JSON {
  event("layout-changed", ["window": "w"].merging(fields) { $1 })
}

func screen(_ fields: [String: JSON] = [:]) -> JSON {
  event("screen-changed", ["window": "w"].merging(fields) { $1 })
}

func page(_ text: String, _ fields: [String: JSON] = [:]) -> JSON {
  event("page-scrolled", ["text": .string(text), "element": "list"].merging(fields) { $1 })
}

/// A toolkit reports where its focus went.
func focused(_ element: String, _ fields: [String: JSON] = [:]) -> JSON {
  event("focus-changed", ["window": "w", "element": .string(element)].merging(fields) { $1 })
}

func user(_ action: String, _ fields: [String: JSON] = [:]) -> JSON {
  event("action", ["action": .string(action)].merging(fields) { $1 })
}

func window(_ id: String, _ state: String, _ fields: [String: JSON] = [:]) -> JSON {
  event("window", ["window": .string(id), "state": .string(state)].merging(fields) { $1 })
}

func tree(_ window: String, _ elements: [JSON]) -> JSON {
  event("elements", ["window": .string(window), "replace": .list(elements)])
}

func changes(_ fields: [String: JSON]) -> JSON {
  event("elements", ["window": "w", "upsert": .list([.object(fields)])])
}

func removes(_ ids: [JSON], window: String = "w") -> JSON {
  event("elements", ["window": .string(window), "remove": .list(ids)])
}

func reader(running: Bool) -> JSON {
  event("voiceover-status", ["running": .bool(running), "reader": "orca"])
}

/// A reader says what became of a delivery.
func report(_ label: String, _ state: String, _ fields: [String: JSON] = [:]) -> JSON {
  event(
    "speech",
    ["of": .string("deliver:@\(label)"), "state": .string(state)].merging(fields) { $1 }
  )
}

/// The user reads on her own.
func ownReading(_ state: String) -> JSON {
  event("speech", ["reading": true, "state": .string(state)])
}

/// Do not disturb, for so many milliseconds or until it is said otherwise.
func quiet(_ level: Int64, for milliseconds: Int64? = nil) -> JSON {
  var fields: [String: JSON] = ["level": .integer(level)]
  if let milliseconds { fields["for_ms"] = .integer(milliseconds) }
  return event("do-not-disturb", fields)
}

// MARK: Elements

func element(_ id: String, _ label: String, _ fields: [String: JSON] = [:]) -> JSON {
  .object(["id": .string(id), "label": .string(label)].merging(fields) { $1 })
}

func button(_ id: String, _ label: String, _ fields: [String: JSON] = [:]) -> JSON {
  element(id, label, ["traits": ["button"]].merging(fields) { $1 })
}

/// "Apple, button", "Bean, button" and "Cherry, button".
let threeButtons: [JSON] = [
  button("a", "Apple"), button("b", "Bean"), button("c", "Cherry"),
]

/// A text of so many characters; the reader takes 50 ms for each.
func text(_ length: Int, _ letter: Character = "x") -> String {
  String(repeating: letter, count: length)
}
