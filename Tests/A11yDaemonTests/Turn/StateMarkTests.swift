// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yPresenter
import A11yRules
import A11yTestKit
import A11yWire
import Testing

@testable import A11yBroker
@testable import A11yDaemon

/// The state that a subscription begins with, against the fold of the lines before it.
@Suite struct StateMarkTests {
  private static func settings() -> Settings {
    var settings = Settings()
    settings.log.segmentBytes = ByteCount(1_500)
    settings.log.retainAge = nil
    return settings
  }

  @Test func `from wherever one subscribes, the state is the fold of what was before`() throws {
    var dice = Dice()
    var segments = 0
    for _ in 0..<10 {
      let disk = MemoryDisk()
      let hand = try play(on: disk, &dice)
      let note = Comment(rawValue: "seed \(dice.seed)")
      let lines = try answer(hand, #""from":"start""#).filter { $0.hasPrefix(#"{"seq""#) }

      var model = Presenter(rules: .defaults)
      for (index, line) in lines.enumerated() {
        let mono = try fold(line, into: &model)
        guard dice.once(in: 4) else { continue }
        var expected = model
        expected.expire(through: .microseconds(mono))
        let from = "\(hand.bus.epoch.hex):\(index + 1)"
        let told = try answer(hand, #""from":"\#(from)","state":true"#)

        let mark = try JSON(#require(told.dropFirst().first, "\(told), seed \(dice.seed)"))
        #expect(mark["mark"] == "state" && mark["cursor"].string == from, note)
        var state = try state(of: expected, hand, after: index + 1)
        if mark["state"] != state {
          // A segment that begins here knows what has come to pass since, without an entry.
          let next = try lines.dropFirst(index + 1).first.map { try JSON($0) }
          let later = next?["mono"].integer ?? hand.bus.broker.now
          while !expected.hasDecided, let due = expected.due?.microseconds, due <= later {
            expected.ring()
          }
          state = try self.state(of: expected, hand, after: index + 1)
        }
        #expect(mark["state"] == state, note)
        let rest = told.dropFirst(2).filter { $0.hasPrefix(#"{"seq""#) }
        #expect(rest.starts(with: lines.dropFirst(index + 1)), note)
      }
      segments += hand.bus.log.segmentCount
    }
    #expect(segments > 30)
  }

  /// A bus that has been busy, and was started anew now and then.
  private func play(on disk: MemoryDisk, _ dice: inout Dice) throws -> HandBus {
    var hand = try HandBus(on: disk, settings: Self.settings())
    var apps: [HandLink] = []
    for _ in 0..<80 {
      while apps.count < 2 {
        let app = hand.connect(uid: dice.pick([1_000, 7]))
        app.say(#"{"op":"hello","app":"\#(dice.pick(["mail", "files"]))"}"#)
        apps.append(app)
      }
      switch dice.roll(1...20) {
      case 1: apps.remove(at: dice.roll(0...1)).close()
      case 2: hand.time.advance(microseconds: Int64(dice.roll(0...7_000_000)))
      case 3:
        apps = []
        if dice.once(in: 2) { hand.bus.close() }
        hand = try HandBus(on: disk, settings: Self.settings())
      default: dice.pick(apps).say(#"{"op":"publish","event":\#(event(&dice))}"#)
      }
      hand.settle()
      while dice.once(in: 2), hand.bus.hasLogWork { hand.bus.tendLog() }
    }
    return hand
  }

  private func event(_ dice: inout Dice) -> String {
    let window = dice.pick(["v", "w"])
    return dice.pick([
      #"{"type":"announcement","text":"something that takes room in a segment"}"#,
      #"{"type":"window","window":"\#(window)","state":"\#(dice.pick(["active", "closed"]))"}"#,
      #"{"type":"window","window":"\#(window)","title":"T\#(dice.roll(1...9))"}"#,
      #"{"type":"screen-changed","window":"\#(window)","modal":true}"#,
      #"{"type":"do-not-disturb","level":\#(dice.roll(0...100))}"#,
      #"{"type":"elements","window":"\#(window)","upsert":[{"id":"1","label":"L"}]}"#,
    ])
  }

  /// All that a new subscriber is told until nothing happens any more.
  private func answer(_ hand: HandBus, _ members: String) throws -> [String] {
    let link = hand.connect()
    link.say(#"{"id":1,"op":"subscribe",\#(members)}"#)
    hand.settle()
    while !hand.bus.errands.isEmpty { hand.bus.tendLog() }
    hand.settle()
    defer { link.close() }
    return link.takeLines()
  }

  private func fold(_ line: String, into model: inout Presenter) throws -> Int64 {
    let reader = JSONReader(limit: Limits.answerBytes)
    let bytes = Array(line.utf8)
    try reader.read(bytes.span)
    model.follow(reader.document)
    let mono = reader.document.integer("mono", of: reader.document.root)
    return try #require(mono)
  }

  private func state(of model: Presenter, _ hand: HandBus, after seq: Int) throws -> JSON {
    var out = ByteBuffer(capacity: 0)
    let after = Seq(Int64(seq))
    let cursor = hand.bus.broker.head.cursor(after: after)
    Picture(presenter: model, after: after, only: nil).writeState(cursor: cursor, into: &out)
    return try JSON(out.bytes.string)
  }
}
