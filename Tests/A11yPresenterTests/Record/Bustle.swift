// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yPresenter
import A11yRules
import A11yTestKit
import A11yWire

/// A busy bus from dice: apps that say all sorts of things, readers that read well and badly, a
/// user, and time.
struct Bustle {
  private(set) var dice: Dice
  private(set) var play: Play
  private var apps: [Int] = []
  private var readers: [Int] = []
  private let seat: Int
  private var looked = 0
  /// Delivered words, the newest last.
  private var delivered: [Int64] = []
  private var published: [Int64] = []
  private var actions: [Int64] = []

  init(_ dice: Dice, on bus: HandDriven = HandDriven()) {
    self.dice = dice
    play = Play(on: bus)
    seat = play.connect(app: "seat")
  }

  var bus: HandDriven { play.bus }

  /// All lines so far, those of the turn at hand too.
  var lines: [String] { play.lines }

  /// One thing happens; true if it was an event, so that the presenter stands right behind an
  /// entry.
  mutating func step() -> Bool {
    look()
    switch dice.roll(1...20) {
    case 1...4: pass(dice.pick([0, 1_000, 30_000, 120_000, 400_000]))
    case 5: pass(dice.pick([1_000_000, 4_000_000, 20_000_000]))
    case 6...8: return report()
    case 9: return use()
    case 10: meet()
    default: return speak()
    }
    return false
  }

  private mutating func pass(_ time: Int64) { play.perform(.pass(time)) }

  private mutating func look() {
    let lines = lines
    for line in lines[looked...] where line.contains(#""type":"deliver""#) {
      guard let entry = try? JSON(line), let seq = entry["seq"].integer,
        entry["event"]["speak"].count ?? 0 > 0
      else { continue }
      delivered.append(seq)
    }
    looked = lines.count
  }

  // MARK: Who is there

  private mutating func meet() {
    switch dice.roll(1...6) {
    case 1...2 where readers.count < 3:
      let reader = play.connect(app: nil)
      let voice = dice.pick([
        "", "", #","reports":true"#, #","speech":0"#, #","speech":80"#,
        #","speech":60,"reports":true"#,
      ])
      let hello = #"{"op":"hello","app":"orca","role":"reader"\#(voice)}"#
      play.perform(.say(reader, hello))
      if !dice.once(in: 4) { play.perform(.say(reader, #"{"op":"subscribe"}"#)) }
      readers.append(reader)
    case 3 where !readers.isEmpty && dice.once(in: 3):
      let reader = dice.pick(readers)
      let isReading = dice.once(in: 2)
      let line = isReading ? #"{"op":"unsubscribe"}"# : #"{"op":"subscribe"}"#
      play.perform(.say(reader, line))
    case 3 where !readers.isEmpty:
      play.perform(.leave(readers.remove(at: dice.roll(0...readers.count - 1))))
    case 4 where apps.count > 1:
      play.perform(.leave(apps.remove(at: dice.roll(0...apps.count - 1))))
    default: apps.append(play.connect(app: dice.pick(["a", "b", "c"])))
    }
  }

  private mutating func publish(_ session: Int, _ event: String) -> Bool {
    guard let seq = play.perform(.publish(session, event)) else { return false }
    published.append(seq)
    if event.contains(#""type":"action""#) { actions.append(seq) }
    return true
  }

  // MARK: The reader

  private mutating func report() -> Bool {
    guard !readers.isEmpty else { return false }
    let reader = dice.once(in: 6) ? dice.pick(readers) : readers[0]
    switch dice.roll(1...12) {
    case 1:
      let state = dice.pick(["started", "finished"])
      return publish(reader, #"{"type":"speech","reading":true,"state":"\#(state)"}"#)
    case 2:
      let session = dice.once(in: 2) ? seat : reader
      let running = dice.pick(["true", "true", "false"])
      return publish(session, #"{"type":"voiceover-status","running":\#(running)}"#)
    case 3:
      // Of something that it was never given.
      let of = dice.roll(1...Int(max(1, bus.last)))
      return publish(reader, #"{"type":"speech","of":\#(of),"state":"finished"}"#)
    default:
      guard let of = delivered.last else { return false }
      let state = dice.pick([
        "started", "finished", "finished", "interrupted", "lost", "elsewhere", "progress",
      ])
      let heard = dice.once(in: 2) ? #","heard_ms":\#(dice.roll(0...900))"# : ""
      return publish(reader, #"{"type":"speech","of":\#(of),"state":"\#(state)"\#(heard)}"#)
    }
  }

  // MARK: The user

  private mutating func use() -> Bool {
    if dice.once(in: 12) {
      play.perform(.load(rules()))
      return false
    }
    if dice.once(in: 5) {
      let level = dice.pick([0, 0, 30, 60, 90])
      let time = dice.once(in: 2) ? #","for_ms":\#(dice.pick([0, 300, 4_000, 60_000]))"# : ""
      return publish(seat, #"{"type":"do-not-disturb","level":\#(level)\#(time)}"#)
    }
    let action = dice.pick(["activate", "activate", "next", "stop", "repeat", "pause", "resume"])
    let app = dice.pick(["a", "b", "c"])
    return publish(
      seat,
      #"{"type":"action","action":"\#(action)","app":"\#(app)","element":"\#(element())"}"#
    )
  }

  /// Rules of the user's own that reach what waits.
  private mutating func rules() -> [Rule] {
    var rule = Rule("own")
    rule.matchers.apps = [Pattern(dice.pick(["a", "b", "*"]))]
    switch dice.roll(1...7) {
    case 1: rule.settings.present = dice.pick([.log, .sound])
    case 2: rule.settings.priority = dice.pick([.low, .default, .high])
    case 3: rule.settings.ttl = .some(.milliseconds(Int64(dice.roll(1...9_000))))
    case 4: rule.settings.rate = .some(Rate(count: 1, period: .seconds(2)))
    case 5: rule.settings.maxWait = .milliseconds(Int64(dice.roll(1...400)))
    case 6: rule.settings.mode = dice.pick([.all, .latest])
    default: return []
    }
    return [rule]
  }

  // MARK: The apps

  private mutating func speak() -> Bool {
    guard !apps.isEmpty else {
      apps.append(play.connect(app: "a"))
      return false
    }
    let app = dice.pick(apps)
    switch dice.roll(1...24) {
    case 1:
      let modal = dice.pick(["", #","modal":true"#])
      return publish(app, #"{"type":"screen-changed","window":"\#(window())"\#(modal)\#(cause())}"#)
    case 2:
      return publish(
        app,
        #"{"type":"screen-changed","text":"Screen \#(dice.roll(1...2))"\#(cause())}"#
      )
    case 3...4:
      return publish(
        app,
        #"{"type":"layout-changed","window":"\#(window())","element":"\#(element())"\#(cause())}"#
      )
    case 5: return publish(app, #"{"type":"layout-changed","text":"Layout"\#(cause())}"#)
    case 6:
      let continuous = dice.pick(["", #","continuous":true"#])
      let page = dice.roll(1...3)
      return publish(
        app,
        #"{"type":"page-scrolled","text":"Page \#(page)"\#(continuous)\#(cause())}"#
      )
    case 7:
      let state = dice.pick(["opened", "active", "active", "inactive", "closed"])
      return publish(app, #"{"type":"window","window":"\#(window())","state":"\#(state)"}"#)
    case 8...9:
      let traits = dice.pick(["", #","traits":["selected"]"#, #","traits":["updates-frequently"]"#])
      let place = #""window":"\#(window())""#
      let role = dice.pick(["", #","role":"dialog","label":"D""#, #","checked":true"#])
      let parent = dice.pick(["", "", #","parent":"\#(element())""#])
      let element =
        #"{"id":"\#(element())"\#(parent),"value":"\#(dice.roll(1...3))"\#(traits)\#(role)}"#
      return publish(app, #"{"type":"elements",\#(place),"upsert":[\#(element)]}"#)
    case 10:
      let busy = dice.pick(["true", "false"])
      return publish(app, #"{"type":"busy","element":"\#(element())","busy":\#(busy)}"#)
    case 11: return publish(app, #"{"type":"\#(dice.pick(["pause", "resume"]))"}"#)
    case 12:
      guard !published.isEmpty else { return false }
      return publish(app, #"{"type":"cancel","of":\#(dice.pick(published.suffix(5)))}"#)
    case 13:
      // Many at once.
      for number in 0..<dice.roll(2...16) {
        _ = publish(
          app,
          #"{"type":"announcement","text":"Row \#(number)","element":"r\#(number)"}"#
        )
      }
      return true
    default: return publish(app, announcement())
    }
  }

  private mutating func announcement() -> String {
    var members = [#""type":"announcement""#, #""text":"\#(text())""#]
    if dice.once(in: 2) {
      members.append(#""priority":"\#(dice.pick(["low", "default", "high"]))""#)
    }
    if dice.once(in: 3) {
      let words = ["status", "progress", "timer", "value", "chat", "hint", "alert"]
      members.append(#""class":"\#(dice.pick(words))""#)
    }
    if dice.once(in: 5) {
      let modes = ["all", "latest", "latest-interrupt", "current-then-latest"]
      members.append(#""mode":"\#(dice.pick(modes))""#)
    }
    if dice.once(in: 4) { members.append(#""element":"\#(element())""#) }
    if dice.once(in: 4) { members.append(#""window":"\#(window())""#) }
    if dice.once(in: 4) { members.append(#""key":"\#(dice.pick(["k", "l"]))""#) }
    if dice.once(in: 8) { members.append(#""queue":true"#) }
    if dice.once(in: 8) { members.append(#""final":true"#) }
    if dice.once(in: 8) { members.append(#""ttl_ms":\#(dice.pick([0, 10, 900, 5_000]))"#) }
    if dice.once(in: 8) { members.append(#""sensitive":true"#) }
    if dice.once(in: 12) { members.append(#""foreground":false"#) }
    return "{\(members.joined(separator: ","))\(cause())}"
  }

  private mutating func text() -> String {
    if dice.once(in: 30) { return String(repeating: "long ", count: 900) }
    return dice.pick(["Saved", "Sent", #"Caf\u00e9"#, "Café", "12 %", "A new message from Ada"])
  }

  private mutating func cause() -> String {
    switch dice.roll(1...4) {
    case 1: return #","cause":"user""#
    case 2:
      guard let action = actions.last else { return "" }
      return #","cause":\#(action)"#
    default: return ""
    }
  }

  private mutating func window() -> String { dice.pick(["v", "w"]) }

  private mutating func element() -> String { dice.pick(["x", "y", "z"]) }
}
