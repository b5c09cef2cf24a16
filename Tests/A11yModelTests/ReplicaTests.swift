// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yTestKit
import A11yWire
import Testing

/// Writing a model down while it goes on, and restoring it.
@Suite struct ReplicaTests {
  @Test func `after every entry the model can be written, restored, and go on`() throws {
    var dice = Dice()
    for _ in 0..<3 {
      var teller = Teller(dice: dice)
      var twin = Model()
      for _ in 0..<90 {
        let before = teller.story.lines.count
        teller.tell()
        let line = teller.story.lines[before...].joined()
        for line in teller.story.lines[before...] { Story.read(line) { twin.apply($0) } }
        let isTwin = twin == teller.story.model
        #expect(isTwin, "seed \(dice.seed): \(line)")

        let lines = replica(teller.story.model, budget: teller.dice.roll(1...5_000))
        guard let copy = restored(lines) else {
          Issue.record("seed \(dice.seed): \(lines) is no model")
          return
        }
        let isEqual = copy == teller.story.model
        let again = replica(copy, budget: 99)
        #expect(isEqual, "seed \(dice.seed): \(line)")
        #expect(again == lines, "seed \(dice.seed): \(line)")
        #expect(copy.nextExpiry == teller.story.model.nextExpiry, "seed \(dice.seed): \(line)")
        #expect(try Story.state(copy) == teller.story.state, "seed \(dice.seed)")
        twin = copy
      }
      dice = teller.dice
    }
  }

  @Test func `entries that do not concern the model can be left out`() {
    var dice = Dice()
    for _ in 0..<8 {
      var teller = Teller(dice: dice)
      for _ in 0..<200 { teller.tell() }
      var model = Model()

      for line in teller.story.lines where Model.concerns(Array(line.utf8).span) {
        Story.read(line) { model.apply($0) }
      }
      model.expire(through: teller.story.mono)

      let isEqual = model == teller.story.model
      #expect(isEqual, "seed \(dice.seed)")
      dice = teller.dice
    }
  }

  @Test func `a replica writes the model as it was when it was copied`() {
    var dice = Dice()
    for _ in 0..<8 {
      var teller = Teller(dice: dice)
      for _ in 0..<100 { teller.tell() }
      let before = teller.story.model
      var slices = Replica(before)
      var out = ByteBuffer(capacity: 0)

      while slices.write(into: &out, budget: 300) { teller.tell() }

      let lines = out.bytes.string.split(separator: "\n").map(String.init)
      #expect(lines == replica(before, budget: .max), "seed \(dice.seed)")
      let isEqual = restored(lines) == before
      #expect(isEqual, "seed \(dice.seed)")
      dice = teller.dice
    }
  }

  @Test func `every line is whole, sealed, and of a length that is read`() throws {
    var story = Story()
    let app = story.join("mail")
    // A field at a time, the longest element that requests can make.
    let long = String(repeating: #"\u0001"#, count: 4_096)
    let name = String(repeating: #"\u0002"#, count: 128)
    for id in ["a", "b", name] {
      for field in ["label", "value", "hint"] {
        story.elements(app, name, #""upsert":[{"id":"\#(id)","\#(field)":"\#(long)"}]"#)
      }
      let actions = Array(repeating: "\"\(name)\"", count: 83).joined(separator: ",")
      story.elements(
        app,
        name,
        #""upsert":[{"id":"\#(id)","parent":"\#(name)","actions":[\#(actions)]}]"#
      )
    }

    let lines = replica(story.model, budget: 1)

    for line in lines {
      #expect(line.utf8.count < Limits.answerBytes)
      #expect(line.hasPrefix("{\"state\":{"))
      #expect(line.hasSuffix(",\"crc\":\"\(Checksum.text(of: line.utf8.dropLast(18)))\"}"))
    }
    let isEqual = restored(lines) == story.model
    #expect(isEqual)
  }

  @Test func `a slice is about as long as it may be`() {
    var story = Story()
    let app = story.join("mail")
    for start in stride(from: 0, to: 20_000, by: 1_000) {
      let ids = (start..<start + 1_000).map { #"{"id":"\#($0)","label":"Row number \#($0)"}"# }
      story.elements(app, "w", #""upsert":[\#(ids.joined(separator: ","))]"#)
    }
    var slices = Replica(story.model)
    var more = true
    var count = 0

    while more {
      var out = ByteBuffer(capacity: 0)
      more = slices.write(into: &out, budget: 100_000)
      let length = out.count
      #expect(length < 100_000 + 33_000)
      count += 1
    }

    // Some slices release written parts instead.
    #expect((5...30).contains(count))
    var nothing = ByteBuffer(capacity: 0)
    let hasMore = slices.write(into: &nothing, budget: 1)
    #expect(!hasMore)
    let rest = nothing.count
    #expect(rest == 0)
  }

  @Test(arguments: [
    #"{"state":{}}"#, #"{"state":7}"#, #"{"seq":1}"#, #"{"state":{"session":{}}}"#,
    #"{"state":{"client":{"app":"x","uid":1,"conn":1}}}"#,
    #"{"state":{"window":{"app":"x","uid":1,"window":"w","arrival":1,"state":"opened","#
      + #""modal":false}}}"#,
    #"{"state":{"elements":{"app":"x","uid":1,"window":"w","list":[]}}}"#,
    #"{"state":{"app":{"app":"x","uid":-1,"arrival":1}}}"#,
    #"{"state":{"session":{"arrivals":0,"do_not_disturb":0,"focus":{"seq":1}}}}"#,
  ])
  func `a line that is none of a replica's is refused`(line: String) {
    #expect(restored([line]) == nil)
  }

  @Test func `models that differ in one thing are not equal`() {
    var story = Story()
    let app = story.join("mail")
    story.elements(app, "w", #""upsert":[{"id":"a"},{"id":"b"},{"id":"c","parent":"a"}]"#)
    let changes = [
      #""upsert":[{"id":"a","label":"A"}]"#, #""upsert":[{"id":"c","parent":"b"}]"#,
      #""remove":["b"]"#, #""upsert":[{"id":"a","traits":["secure"]}]"#,
      #""upsert":[{"id":"d"}],"remove":["c"]"#,
    ]
    for change in changes {
      var other = story
      other.elements(app, "w", change)
      let isEqual = other.model == story.model
      #expect(!isEqual, "\(change)")
    }
  }
}
