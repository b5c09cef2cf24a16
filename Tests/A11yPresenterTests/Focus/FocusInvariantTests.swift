// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yPresenter
import A11yModel
import A11yTestKit
import A11yWire
import Testing

/// The invariants of the focus, whatever apps and the user do.
@Suite struct FocusInvariantTests {
  @Test(arguments: [
    UInt64(1), 2, 3, 77, 4_711,
    // Each has found something once.
    13_301_372_266_018_312_543, 17_953_269_652_983_952_418, 886_905_373_036_097_134,
    4_259_809_629_738_776_308,
  ])
  func `after every step the focus is where a user can be`(seed: UInt64) {
    play(Dice(seed: seed))
  }

  @Test func `after every step the focus is where a user can be, from new dice`() {
    play(Dice())
  }

  private func play(_ given: Dice) {
    var dice = given
    for _ in 0..<12 {
      let bus = HandDriven()
      bus.open()
      let apps = [bus.connect(app: "a"), bus.connect(app: "b")]
      let seat = bus.connect(app: "seat")
      var replayed = Model()
      var done = 0
      for step in 0..<120 {
        let event = event(&dice)
        let isAction = event.contains(#""type":"action""#)
        _ = bus.say(
          isAction ? seat : dice.pick(apps),
          #"{"id":1,"op":"publish","event":\#(event)}"#
        )
        bus.commit(after: Int64(dice.pick([0, 1_000, 200_000, 1_200_000])))
        let model = bus.broker.presenter.model
        check(model, "seed \(dice.seed), step \(step), \(event)")
        // A client that folds the entries knows the same as the daemon.
        let entries = bus.log + bus.entries
        for line in entries[done...] { fold(line, into: &replayed) }
        done = entries.count
        var (live, fold) = (model, replayed)
        live.expire(through: bus.mono)
        fold.expire(through: bus.mono)
        let isSame = live == fold
        #expect(isSame, "seed \(dice.seed), step \(step), \(event)")
      }
    }
  }

  private func check(_ model: Model, _ comment: String) {
    guard let spot = model.focusSpot else { return }
    #expect(model.isStop(spot), "the focus is on no stop; \(comment)")
    guard model.isCovered(window: spot.window, element: spot.element, app: spot.app),
      let top = model.cover(of: spot.app)
    else { return }
    let inside = model.step(.first, from: nil, window: top.window, app: spot.app)
    #expect(inside == nil, "the focus is outside of what covers it; \(comment)")
  }

  private func fold(_ line: String, into model: inout Model) {
    let bytes = Array(line.utf8.dropLast())
    let reader = JSONReader(limit: Limits.answerBytes)
    #expect(throws: Never.self) { try reader.read(bytes.span) }
    model.apply(reader.document)
  }

  @Test func `a focus whose element goes is mended in the same way every time`() {
    for removed in [["b"], ["b", "c"], ["a", "b", "c"], ["p"]] {
      let places = (0..<3).map { _ in
        let bus = HandDriven()
        bus.open()
        let app = bus.connect(app: "a")
        let list =
          #"{"id":"o"},{"id":"p"},{"id":"a","parent":"p"},"#
          + #"{"id":"b","parent":"p"},{"id":"c","parent":"p"}"#
        for event in [
          #"{"type":"elements","window":"w","upsert":[\#(list)]}"#,
          #"{"type":"window","window":"w","state":"active"}"#,
          #"{"type":"focus-changed","window":"w","element":"b","cause":"user"}"#,
          #"{"type":"elements","window":"w","remove":["\#(removed.joined(separator: "\",\""))"]}"#,
        ] {
          _ = bus.say(app, #"{"op":"publish","event":\#(event)}"#)
          bus.commit(after: 1_000_000)
        }
        return bus.broker.presenter.model.focusSpot?.element.text
      }
      let expected = ["b": "c", "b,c": "a", "a,b,c": "p", "p": "o"][removed.joined(separator: ",")]
      #expect(places == [expected, expected, expected])
    }
  }

  // MARK: What happens

  private func event(_ dice: inout Dice) -> String {
    let window = dice.pick(["v", "w"])
    let id = dice.pick(["1", "2", "3", "4", "5", "6"])
    let cause = dice.pick(["", #","cause":"user""#])
    switch dice.roll(1...20) {
    case 1...3:
      let action = dice.pick(["next", "previous", "first", "last", "next", "previous"])
      return #"{"type":"action","action":"\#(action)"}"#
    case 4:
      let action = dice.pick(["focus", "touch", "activate"])
      return #"{"type":"action","action":"\#(action)","element":"\#(id)"}"#
    case 5...6:
      return #"{"type":"focus-changed","window":"\#(window)","element":"\#(id)"\#(cause)}"#
    case 7:
      return #"{"type":"layout-changed","window":"\#(window)","element":"\#(id)"\#(cause)}"#
    case 8...9:
      let argument = dice.pick(["", #","element":"\#(id)""#, #","text":"T""#])
      let modal = dice.pick(["", "", #","modal":true"#])
      return #"{"type":"screen-changed","window":"\#(window)"\#(argument)\#(modal)\#(cause)}"#
    case 10...11:
      let state = dice.pick(["opened", "active", "active", "inactive", "closed"])
      let modal = dice.pick(["", "", #","modal":true"#, #","modal":false"#])
      return #"{"type":"window","window":"\#(window)","state":"\#(state)"\#(modal)}"#
    case 12: return #"{"type":"elements","window":"\#(window)","remove":["\#(id)"]}"#
    case 13: return #"{"type":"elements","window":"\#(window)","replace":[\#(list(&dice))]}"#
    default: return #"{"type":"elements","window":"\#(window)","upsert":[\#(list(&dice))]}"#
    }
  }

  private func list(_ dice: inout Dice) -> String {
    (0..<dice.roll(1...4)).map { _ in
      var members = [#""id":"\#(dice.roll(1...6))""#, #""label":"L""#]
      if dice.once(in: 3) {
        let parent = dice.pick(["null", #""\#(dice.roll(1...6))""#])
        members.append(#""parent":\#(parent)"#)
      }
      if dice.once(in: 5) {
        members.append(#""accessible":\#(dice.pick(["true", "false", "null"]))"#)
      }
      if dice.once(in: 6) { members.append(#""hidden":\#(dice.pick(["true", "false"]))"#) }
      if dice.once(in: 6) { members.append(#""modal":\#(dice.pick(["true", "false"]))"#) }
      if dice.once(in: 8) { members.append(#""index":\#(dice.roll(0...5))"#) }
      return "{\(members.joined(separator: ","))}"
    }.joined(separator: ",")
  }
}
