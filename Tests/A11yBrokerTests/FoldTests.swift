// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPresenter
import A11yModel
import A11yTestKit
import A11yWire
import Testing

@testable import A11yBroker

/// The broker's model is what its log says, and knows no secret.
@Suite struct FoldTests {
  @Test func `the live model is the fold of the stored lines, after every one of them`() throws {
    var dice = Dice()
    for _ in 0..<20 {
      let bus = HandDriven()
      var sessions = [bus.connect(app: "a"), bus.connect(uid: 7, app: "a")]
      var replayed = Model()
      var done = 0
      for _ in 0..<60 {
        switch dice.roll(1...16) {
        case 1: bus.leave(sessions.remove(at: dice.roll(0...sessions.count - 1)))
        case 2: bus.commit(after: Int64(dice.roll(0...7_000_000)))
        default: _ = bus.say(dice.pick(sessions), line(&dice))
        }
        if sessions.count < 2 || dice.once(in: 10) {
          sessions.append(bus.connect(uid: dice.pick([7, 8]), app: dice.pick(["a", "b"])))
        }
        var live = replayed
        fold((bus.log + bus.entries).dropFirst(done), into: &live)
        var model = bus.broker.presenter.model
        // It looks at the clock only when an entry concerns it.
        model.expire(through: bus.mono)
        live.expire(through: bus.mono)
        let isSame = live == model
        #expect(isSame, "seed \(dice.seed)")
        fold(bus.log.dropFirst(done), into: &replayed)
        done = bus.log.count
      }
    }
  }

  private func fold(_ lines: ArraySlice<String>, into model: inout Model) {
    let reader = JSONReader(limit: Limits.answerBytes)
    for line in lines {
      let bytes = Array(line.utf8.dropLast())
      #expect(throws: Never.self) { try reader.read(bytes.span) }
      model.apply(reader.document)
    }
  }

  private func line(_ dice: inout Dice) -> String {
    let window = dice.pick(["v", "w"])
    let id = dice.pick(["1", "2", #"\u0031"#])
    let event = dice.pick([
      #"{"type":"announcement","text":"x"}"#,
      #"{"type":"window","window":"\#(window)","state":"\#(dice.pick(["active", "closed"]))"}"#,
      #"{"type":"window","window":"\#(window)","title":"T","sensitive":true}"#,
      #"{"type":"screen-changed","window":"\#(window)","modal":true}"#,
      #"{"type":"voiceover-status","running":true,"reader":"R"}"#,
      #"{"type":"do-not-disturb","level":\#(dice.roll(0...101))}"#,
      #"{"type":"elements","window":"\#(window)","remove":["\#(id)"]}"#,
      #"{"type":"elements","window":"\#(window)","replace":[{"id":"\#(id)","parent":"2"}]}"#,
      #"{"type":"\u0065lements","window":"\#(window)","upsert":[{"traits":["secure"],"#
        + #""id":"\#(id)"}]}"#,
      #"{"upsert":[{"value":"typed","id":"\#(id)"}],"type":"elements","window":"\#(window)"}"#,
    ])
    let dedupe = dice.pick(["", "", #","dedupe":"\#(dice.roll(1...9))""#])
    return #"{"id":1,"op":"publish","event":\#(event)\#(dedupe)}"#
  }

  // MARK: Secrets

  @Test func `no secret is on the log, in a replica or in an answer`() throws {
    var dice = Dice()
    for _ in 0..<20 {
      let bus = HandDriven()
      let session = bus.connect(app: "bank")
      var secure: Set<String> = []
      var told: [String] = []
      for round in 0..<30 {
        let (event, after) = elements(secure, round, &dice)
        told += bus.say(session, #"{"id":1,"op":"publish","event":\#(event)}"#)
        told += bus.say(session, #"{"id":2,"op":"state"}"#)
        secure = after

        let written = (bus.log + bus.entries + told).joined()
        #expect(!written.contains("HUNTER2"), "seed \(dice.seed): \(event)")
        let replica = replica(bus.broker.presenter.model)
        #expect(!replica.contains("HUNTER2"), "seed \(dice.seed): \(event)")
        for id in secure {
          // Text that was typed before it became a secret.
          #expect(!replica.contains("plain-\(id)"), "seed \(dice.seed): \(event)")
        }
        if dice.once(in: 3) { bus.commit() }
      }
      #expect(!told.joined().contains("\"err\""), "seed \(dice.seed)")
    }
  }

  private func replica(_ model: Model) -> String {
    var replica = Replica(model)
    var out = ByteBuffer(capacity: 0)
    while replica.write(into: &out, budget: 1_000) {}
    return out.bytes.string
  }

  /// An event in which a secret stands wherever one may, and which elements are secure after it.
  private func elements(
    _ secure: Set<String>,
    _ round: Int,
    _ dice: inout Dice
  ) -> (String, Set<String>) {
    let isSensitive = dice.once(in: 8)
    let isReplace = dice.once(in: 6)
    var items: [(id: String, traits: Bool?, value: Bool)] = []
    for _ in 0..<dice.roll(1...4) {
      items.append(
        (dice.pick(["a", "b", "c"]), dice.pick([nil, nil, true, false]), dice.once(in: 2))
      )
    }
    var hidden = secure
    var after = isReplace ? secure.intersection(items.map(\.id)) : secure
    for item in items {
      if item.traits == true { hidden.insert(item.id) }
      if let traits = item.traits {
        if traits { after.insert(item.id) } else { after.remove(item.id) }
      }
    }
    let texts = items.map { item in
      var members = [#""id":"\#(item.id)""#]
      let isHidden = isSensitive || hidden.contains(item.id)
      let text = isHidden ? "HUNTER2-\(round)" : "plain-\(item.id)"
      if item.value { members.append(#""value":"\#(text)""#) }
      if isSensitive { members.append(#""label":"HUNTER2""#) }
      if let traits = item.traits {
        members.append(#""traits":[\#(traits ? #""s\u0065cure""# : "")]"#)
      }
      return "{\(members.joined(separator: ","))}"
    }
    let field = isReplace ? "replace" : "upsert"
    let event =
      #"{"type":"elements","window":"w","sensitive":\#(isSensitive),"#
      + #""\#(field)":[\#(texts.joined(separator: ","))]}"#
    return (event, after)
  }
}
