// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yTestKit
import A11yWire
import Testing

@testable import A11yDaemon

/// `explain` in the daemon: the log is gone through in slices, and nobody waits for that.
@Suite struct ExplainTests {
  let directory: ScratchDirectory
  let hand: HandBus

  init() throws {
    directory = try ScratchDirectory()
    var settings = Settings()
    settings.log.segmentBytes = ByteCount(1 << 20)
    hand = try HandBus(on: KernelDisk(directory.path), settings: settings)
  }

  private func announce(_ text: String, id: Int? = nil) -> String {
    let id = id.map { #""id":\#($0),"# } ?? ""
    return #"{"op":"publish",\#(id)"event":{"type":"announcement","text":"\#(text)"}}"#
  }

  /// Turns until there is nothing to do for anybody, the log's work in between.
  @discardableResult
  private func settle() -> Int {
    var slices = 0
    for _ in 0..<100_000 {
      hand.settle()
      guard hand.bus.hasLogWork else { return slices }
      hand.bus.tendLog()
      slices += 1
    }
    return slices
  }

  private func answers(_ link: HandLink) throws -> [JSON] {
    try link.takeLines().map { try JSON($0) }
  }

  @Test func `the answer keeps its place among the replies`() throws {
    let app = hand.connect()
    app.say(#"{"op":"hello","id":1,"app":"org.x"}"#, announce("Saved", id: 2))
    settle()
    let seq = try #require(try answers(app).last?["ok"]["seq"].integer)

    app.say(
      #"{"id":3,"op":"ping"}"#,
      #"{"id":4,"op":"explain","seq":\#(seq)}"#,
      #"{"id":5,"op":"ping"}"#,
      #"{"id":6,"op":"explain","seq":\#(seq + 100)}"#
    )
    settle()

    let told = try answers(app)
    #expect(told.map { $0["id"].integer } == [3, 4, 5, 6])
    #expect(told[1]["ok"]["entry"]["event"]["text"] == "Saved")
    #expect(told[1]["ok"]["pending"]["state"] == "queued")
    #expect(told[3]["err"]["code"] == "seq.unknown")
  }

  @Test func `an end far on in the log is found, over segments, and nobody waits meanwhile`() throws
  {
    let app = hand.connect()
    app.say(#"{"op":"hello","id":1,"app":"org.x"}"#, announce("first", id: 2))
    settle()
    let seq = try #require(try answers(app).last?["ok"]["seq"].integer)
    let other = hand.connect()
    let filler = String(repeating: "x", count: 30_000)
    for _ in 0..<100 {
      // Elements of no window that anybody is in: they are on record, and nothing comes of them.
      other.say(
        #"{"op":"publish","event":{"type":"window","window":"w","#
          + #""title":"\#(filler.prefix(4_000))"}}"#
      )
      other.say(#"{"op":"publish","event":{"type":"announcement","text":"\#(filler)"}}"#)
      hand.settle()
    }
    // Without a reader low and default ones end when nobody has come for five seconds.
    hand.time.advance(microseconds: 6_000_000)
    hand.bus.wake()
    settle()

    app.say(#"{"id":3,"op":"explain","seq":\#(seq)}"#)
    hand.turn()
    var pings = 0
    var waited = 0
    while hand.bus.hasLogWork, waited < 1_000 {
      other.say(#"{"id":9,"op":"ping"}"#)
      hand.turn()
      pings += other.takeLines().count
      hand.bus.tendLog()
      waited += 1
    }
    settle()

    let told = try answers(app)
    #expect(told.last?["ok"]["result"] == "undeliverable")
    #expect(
      told.last?["ok"]["sentence"].string?.contains(" was not heard: no screen reader") == true
    )
    #expect(waited > 3, "in slices")
    #expect(pings == waited, "everybody else is answered in between")
    #expect(try LogFiles(path: directory.path).names.count > 1)
  }

  @Test func `an entry in an older segment is explained, though that is read in many slices`()
    throws
  {
    let app = hand.connect()
    app.say(#"{"op":"hello","id":1,"app":"org.x"}"#, announce("first", id: 2))
    settle()
    let seq = try #require(try answers(app).last?["ok"]["seq"].integer)
    let filler = String(repeating: "x", count: 30_000)
    for _ in 0..<100 {
      app.say(#"{"op":"publish","event":{"type":"announcement","text":"\#(filler)"}}"#)
      hand.settle()
    }
    // The medium has all of it, so that nobody holds the older segments.
    for _ in 0..<8 {
      hand.bus.synchronize()
      hand.syncing.complete()
      hand.bus.takeSyncAnswer()
      settle()
    }
    _ = app.takeLines()

    app.say(#"{"id":3,"op":"explain","seq":\#(seq)}"#)
    hand.turn()
    var slices = 0
    while hand.bus.hasLogWork, slices < 200 {
      hand.bus.tendLog()
      slices += 1
    }
    settle()

    #expect(try answers(app).map { $0["ok"]["entry"]["seq"].integer } == [seq])
    #expect(try LogFiles(path: directory.path).names.count > 2)
    #expect((4...100).contains(slices), "each part of a segment is read once")
  }

  @Test func `several are explained side by side`() throws {
    let app = hand.connect()
    app.say(#"{"op":"hello","id":1,"app":"org.x"}"#, announce("Saved", id: 2))
    settle()
    let links = (0..<5).map { _ in hand.connect() }
    for link in links { link.say(#"{"id":1,"op":"explain","seq":3}"#) }
    settle()

    for link in links {
      #expect(try answers(link).map { $0["ok"]["entry"]["seq"].integer } == [3])
    }
  }

  @Test func `who has gone is not answered, and the others are`() throws {
    let app = hand.connect()
    app.say(#"{"op":"hello","id":1,"app":"org.x"}"#, announce("Saved", id: 2))
    settle()
    let gone = hand.connect()
    let there = hand.connect()
    gone.say(#"{"id":1,"op":"explain","seq":3}"#)
    there.say(#"{"id":1,"op":"explain","seq":3}"#)
    hand.turn()
    gone.close()
    settle()

    #expect(try answers(there).count == 1)
    #expect(gone.takeLines() == [])
  }

  @Test func `what was forgotten is not told any more`() throws {
    let app = hand.connect()
    app.say(#"{"op":"hello","id":1,"app":"org.x"}"#, announce("a word of mine", id: 2))
    settle()
    let seq = try #require(try answers(app).last?["ok"]["seq"].integer)
    let other = hand.connect()
    other.say(
      #"{"id":1,"op":"forget","apps":["org.x"]}"#,
      #"{"id":2,"op":"explain","seq":\#(seq)}"#
    )
    settle()

    let told = try answers(other)
    #expect(told.map { $0["id"].integer } == [1, 2])
    #expect(told[1]["err"]["code"] == "seq.unknown")
  }
}
