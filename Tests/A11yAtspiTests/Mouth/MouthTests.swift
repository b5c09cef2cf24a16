// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import A11yTestKit
import Testing

/// The mouth by itself: deliveries, answers and the time in, texts and reports out.
@Suite(.timeLimit(.minutes(hangs))) struct MouthTests {
  private var stage = MouthRehearsal()

  // MARK: Hand-over

  @Test mutating func `a text is handed over, and its end is an estimate`() throws {
    try stage.deliver("Saved", seq: 102)
    #expect(stage.handed == ["Saved"])
    #expect(stage.reports() == ["started 102"])

    stage.wait(499)
    #expect(stage.reports() == [])
    stage.wait(1)

    #expect(stage.reports() == ["finished 102 after 500, estimated"])
    #expect(stage.mouth.due == nil)
  }

  @Test mutating func `texts for another reader, and sounds, are not handed over`() throws {
    try stage.deliver("Saved", seq: 102, to: 8)
    try stage.deliver(runs: "[]", seq: 103, #","earcon":"screen""#)

    #expect(stage.handed == [])
    #expect(stage.reports() == [])
  }

  @Test mutating func `what is to be spelled is spelled`() throws {
    try stage.deliver(
      runs: #"[{"text":"Code "},{"text":"98110","spell":true}]"#,
      seq: 102
    )

    #expect(stage.handed == ["Code 9 8 1 1 0"])
  }

  @Test mutating func `the pace is the one of the settings`() throws {
    stage = MouthRehearsal(perCharacter: 10)
    try stage.deliver("Saved", seq: 102)
    stage.wait(50)

    #expect(stage.reports() == ["started 102", "finished 102 after 50, estimated"])
  }

  // MARK: Secrets

  @Test mutating func `hidden words are handed over when they come, and told nobody else`() throws {
    try stage.deliver(runs: #"[{"redacted":"1-8"}]"#, seq: 102)
    #expect(stage.handed == [])

    stage.change { $0.receiveSecret(of: 102, kind: "text", "Code 42", masked: nil, at: 0) }

    #expect(stage.handed == ["Code 42"])
    #expect(stage.reports() == ["started 102"])
  }

  @Test mutating func `what stands in a password field is not said`() throws {
    try stage.deliver(runs: #"[{"text":"Password "},{"redacted":"1-8"}]"#, seq: 102)
    let words = SpeechText(runs: [.init("Password "), .init("abc")])
    stage.change { $0.receiveSecret(of: 102, kind: "value", words, masked: "3 bullets", at: 0) }

    #expect(stage.handed == ["Password 3 bullets"])
  }

  @Test mutating func `hidden words that do not come are lost`() throws {
    try stage.deliver(runs: #"[{"redacted":"1-8"}]"#, seq: 102)
    stage.wait(1_000)

    #expect(stage.reports() == ["lost 102: its secret words did not come"])
  }

  // MARK: What Orca has heard

  @Test mutating func `what came through AT-SPI is left to Orca`() throws {
    try stage.announce(101, origin: "atspi")
    try stage.deliver("Saved", seq: 102)

    #expect(stage.handed == [])
    #expect(stage.reports() == ["elsewhere 102, by Orca"])
  }

  @Test mutating func `a notification is handed over, and so is what came by no bridge`() throws {
    try stage.announce(101, origin: "notification")
    try stage.deliver("Mail", seq: 102)
    try stage.announce(103)
    try stage.deliver("Saved", seq: 104)

    #expect(stage.handed == ["Mail", "Saved"])
  }

  @Test mutating func `the focus of a foreign program is left to Orca`() throws {
    try stage.entry(101, #"{"type":"focus-changed","element":"a","origin":"atspi"}"#, app: "app")
    try stage.entry(102, #"{"type":"focus","app":"app","window":"w","element":"a","by":101}"#)
    try stage.deliver("Save, button", seq: 103, of: 102)
    #expect(stage.reports() == ["elsewhere 103, by Orca"])

    // The user goes on by the bus's own means, of which Orca knows nothing.
    try stage.entry(104, #"{"type":"action","action":"next"}"#, app: "seat")
    try stage.entry(105, #"{"type":"focus","app":"app","window":"w","element":"b","by":104}"#)
    try stage.deliver("Cancel, button", seq: 106, of: 105)
    #expect(stage.handed == ["Cancel, button"])
  }

  @Test mutating func `what came before Orca was there is handed over, but for the focus`() throws {
    try stage.announce(99, origin: "atspi")
    try stage.entry(97, #"{"type":"focus-changed","element":"a","origin":"atspi"}"#, app: "app")
    try stage.entry(98, #"{"type":"focus","app":"app","window":"w","element":"a","by":97}"#)

    try stage.deliver("Battery is low", seq: 101, of: 99)
    try stage.deliver("Save, button", seq: 102, of: 98)

    #expect(stage.handed == ["Battery is low"])
    #expect(stage.reports() == ["started 101", "elsewhere 102, by Orca"])
  }

  // MARK: Cuts

  @Test mutating func `what cannot be stopped is spoken to its end, and the next behind it`() throws
  {
    try stage.deliver("0123456789", seq: 102)
    stage.wait(400)
    _ = stage.reports()
    try stage.deliver("Fire", seq: 104, #","interrupts":102"#)

    #expect(stage.handed == ["0123456789", "Fire"])
    #expect(stage.stopped == [])
    #expect(stage.reports() == ["finished 102 after 1000, estimated"])
    stage.wait(600)
    #expect(stage.reports() == ["started 104"])
    stage.wait(400)
    #expect(stage.reports() == ["finished 104 after 400, estimated"])
  }

  @Test mutating func `Orca's service is told to stop, and how far it came is an estimate`() throws
  {
    stage = MouthRehearsal(MouthRehearsal.serving)
    try stage.deliver("0123456789", seq: 102)
    stage.wait(400)
    _ = stage.reports()
    try stage.deliver("Fire", seq: 104, #","interrupts":102"#)
    #expect(stage.stopped == [102])
    #expect(stage.reports() == ["started 104"])

    stage.change { $0.stopped(102, true) }

    #expect(stage.reports() == ["interrupted 102 after 400, estimated"])
  }

  @Test mutating func `a service that does not stop has spoken to the end`() throws {
    stage = MouthRehearsal(MouthRehearsal.serving)
    try stage.deliver("0123456789", seq: 102)
    try stage.silence(103, of: 102)
    _ = stage.reports()

    stage.change { $0.stopped(102, false) }

    #expect(stage.reports() == ["finished 102 after 1000, estimated"])
  }

  @Test mutating func `silence without a way to stop is told as it is`() throws {
    try stage.deliver("Saved", seq: 102)
    _ = stage.reports()
    try stage.silence(103, of: 102)

    #expect(stage.reports() == ["finished 102 after 500, estimated"])
  }

  @Test mutating func `a text that Orca refuses is lost`() throws {
    stage = MouthRehearsal(MouthRehearsal.serving)
    try stage.deliver("Saved", seq: 102)
    _ = stage.reports()

    stage.change { $0.failed(102, "no script") }

    #expect(stage.reports() == ["lost 102: no script"])
  }

  // MARK: Who is there

  @Test mutating func `without Orca nothing is listened to`() {
    stage = MouthRehearsal(nil)
    #expect(stage.places == [])

    stage.change { $0.meet(MouthRehearsal.notifying) }
    #expect(stage.renewals == 1)
    stage.connect(last: 5_000)

    #expect(stage.places == [LogCursor("\(MouthRehearsal.epoch):4000")])
  }

  @Test mutating func `an Orca that has gone is left, and the next one is met`() throws {
    try stage.deliver("Saved", seq: 102)
    stage.change { $0.meet(nil) }
    #expect(stage.places.last == .some(nil))
    #expect(stage.mouth.due == nil)

    stage.change { $0.meet(Orca(connection: ":1.8", version: nil, way: .announcement)) }
    stage.connect(last: 110)

    #expect(stage.places.count == 3)
    #expect(stage.places[2] != nil)
  }

  @Test mutating func `another Orca in the place of the first gets the text again`() throws {
    try stage.deliver("Saved", seq: 102)
    stage.change { $0.meet(Orca(connection: ":1.8", version: nil, way: .notification)) }
    stage.connect(conn: 10, last: 103)
    // The first delivery comes along as one of those from before.
    try stage.deliver("Saved", seq: 102)
    try stage.deliver("Saved", seq: 105, of: 101, to: 10, #","again":true"#)

    #expect(stage.handed == ["Saved", "Saved"])
  }

  @Test mutating func `a second mouth keeps silent until the first has gone`() {
    stage.change { $0.choose(false) }
    #expect(stage.places.last == .some(nil))

    stage.change { $0.choose(true) }

    #expect(stage.places.count == 3)
  }

  @Test mutating func `a bus that comes back offers what Orca has already, which is not repeated`()
    throws
  {
    try stage.deliver("0123456789", seq: 102)
    stage.change { $0.disconnected() }
    stage.wait(400)
    _ = stage.reports()
    stage.connect(conn: 2, last: 110)
    #expect(stage.places.last == LogCursor("\(MouthRehearsal.epoch):102"))

    try stage.deliver("0123456789", seq: 112, of: 101, to: 2, #","again":true"#)
    #expect(stage.handed == ["0123456789"])
    stage.wait(600)

    #expect(stage.reports() == ["started 112", "finished 112 after 1000, estimated"])
  }

  @Test mutating func `deliveries from before a connection are for a reader that has gone`() throws
  {
    stage.connect(conn: 9, last: 200)
    try stage.deliver("Old", seq: 150)
    try stage.deliver("New", seq: 202)

    #expect(stage.handed == ["New"])
  }

  @Test mutating func `a screen reader that has its own words said is given none of ours`() throws {
    let line = #"{"type":"announcement","class":"reading","redacted":"1-8"}"#
    try stage.deliver("Before", seq: 102)
    try stage.entry(103, line, app: "orca")
    try stage.deliver("While", seq: 104)
    #expect(stage.ranks == [0])

    stage.connect(conn: 12, last: 104)
    try stage.entry(105, line, app: "orca")
    try stage.entry(106, #"{"type":"client","state":"left","conn":4}"#)
    #expect(stage.ranks == [0])
    try stage.entry(107, #"{"type":"client","state":"left","conn":3}"#)
    #expect(stage.ranks == [0, 60])

    stage.connect(conn: 13, last: 107)
    try stage.deliver("After", seq: 109, to: 13)
    #expect(stage.handed == ["Before", "After"])
  }

  @Test mutating func `a bus that was started anew has none of the connections of before`() throws {
    try stage.entry(102, #"{"type":"announcement","class":"reading"}"#, app: "orca")
    stage.connect(conn: 1, last: 102)
    try stage.entry(103, #"{"type":"opened"}"#)

    #expect(stage.ranks == [0, 60])
  }

  @Test mutating func `a place that the bus does not know is given up`() {
    stage.change { $0.restart() }

    #expect(stage.places.last == LogCursor("\(MouthRehearsal.epoch):100"))
  }
}
