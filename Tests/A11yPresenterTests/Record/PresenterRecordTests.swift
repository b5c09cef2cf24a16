// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yPresenter
import A11yRules
import A11yTestKit
import A11yWire
import Testing

/// A presenter that is read back, or made from the log, is the one that there was.
@Suite struct PresenterRecordTests {
  @Test func `the log retold comes to the same decisions, byte for byte`() {
    let dice = Dice()
    for round in 0..<12 {
      var bustle = Bustle(Dice(seed: dice.seed &+ UInt64(round)))
      for _ in 0..<200 { _ = bustle.step() }
      var presenter = Presenter(rules: RuleSet())
      let words = Retelling.difference(&presenter, bustle.lines)
      #expect(words == nil, "A11Y_SEED=\(dice.seed &+ UInt64(round))")
    }
  }

  @Test func `a presenter that is read back writes itself down as it was`() throws {
    let dice = Dice()
    for round in 0..<10 {
      var bustle = Bustle(Dice(seed: dice.seed &+ UInt64(round)))
      for step in 0..<150 {
        _ = bustle.step()
        guard step % 6 == 0 else { continue }
        let lines = Record.lines(bustle.bus.broker.presenter)
        let back = try #require(Record.presenter(lines), "A11Y_SEED=\(dice.seed &+ UInt64(round))")
        let words = Record.difference(Record.lines(back), lines)
        #expect(words == nil, "A11Y_SEED=\(dice.seed &+ UInt64(round)), step \(step)")
        #expect(back.due == bustle.bus.broker.presenter.due)
      }
    }
  }

  @Test func `a presenter that is read back decides as the one that went on`() throws {
    let dice = Dice()
    for round in 0..<10 {
      let seed = dice.seed &+ UInt64(round)
      var bustle = Bustle(Dice(seed: seed))
      for _ in 0..<(40 + round * 8) { _ = bustle.step() }
      let start = bustle.lines.count
      var back = try #require(Record.presenter(Record.lines(bustle.bus.broker.presenter)))
      for _ in 0..<100 { _ = bustle.step() }
      let words = Retelling.difference(&back, bustle.lines[start...])
      #expect(words == nil, "A11Y_SEED=\(seed)")
    }
  }

  /// The alarms of rows, of which another process has other places.
  @Test func `two storms of one instant are told in one order, before and behind a record`() throws
  {
    let bus = HandDriven()
    bus.open()
    let app = bus.connect(app: "a")
    func says(_ text: String, _ element: String, _ more: String = "") throws {
      _ = try bus.publish(
        app,
        #"{"type":"announcement","text":"\#(text)","element":"\#(element)"\#(more)}"#
      )
    }
    _ = try bus.publish(app, #"{"type":"busy","element":"x","busy":true}"#)
    try says("One", "x", #","ttl_ms":60000"#)
    try says("Two", "x", #","class":"chat","ttl_ms":60000"#)
    bus.commit(after: 9_900_000)
    // Nobody reads any more, so that they end as they come; but they begin two storms.
    try says("Three", "y", #","class":"chat""#)
    try says("Four", "y")
    bus.commit(after: 150_000)
    bus.commit()
    var back = try #require(Record.presenter(Record.lines(bus.broker.presenter)))
    let start = bus.log.count
    bus.commit(after: 1_000_000)
    bus.commit()

    let lines = bus.log[start...]

    #expect(lines.count { $0.contains("undeliverable") } == 2)
    #expect(Retelling.difference(&back, lines) == nil)
  }

  @Test func `going over the log comes to the live presenter, from any record on`() throws {
    let dice = Dice()
    for round in 0..<5 {
      let seed = dice.seed &+ UInt64(round)
      var bustle = Bustle(Dice(seed: seed))
      var followed = Presenter(rules: RuleSet())
      var other = followed
      var done = 0
      for step in 0..<120 {
        guard bustle.step() else { continue }
        let lines = bustle.lines
        followed.follow(lines[done...])
        other.follow(lines[done...])
        done = lines.count
        let live = Record.lines(bustle.bus.broker.presenter)
        let words = Record.difference(Record.lines(followed), live)
        #expect(words == nil, "A11Y_SEED=\(seed), step \(step)")
        let otherwise = Record.difference(Record.lines(other), live)
        #expect(otherwise == nil, "A11Y_SEED=\(seed), step \(step)")
        if step % 7 == 0 { other = try #require(Record.presenter(live)) }
      }
    }
  }

  @Test(arguments: [
    "",
    #"{"state":{"presenter":{"part":"item","is":[1,2,3]}},"crc":"0"}"#,
    #"{"state":{"presenter":{"part":"session","is":{}}},"crc":"0"}"#,
    #"{"state":{"presenter":{"part":"rules","is":[{}]}},"crc":"0"}"#,
    #"{"state":{"presenter":{"part":"alarm","is":["cut",1,2,3,4]}},"crc":"0"}"#,
    #"{"state":{"presenter":{"part":"alarm","is":["bucket",-1,2,3]}},"crc":"0"}"#,
    #"{"state":{"presenter":{"part":"alarm","is":["storm",9223372036854775807,2,3]}},"crc":"0"}"#,
    #"{"state":{"presenter":{"part":"of the future","is":[1]}},"crc":"0"}"#,
    #"{"state":{"presenter":{"is":[]}},"crc":"0"}"#,
    #"{"state":{},"crc":"0"}"#,
  ])
  func `what is no line of a record is refused`(_ line: String) {
    #expect(Record.presenter([line.isEmpty ? "{}" : line]) == nil)
  }
}
