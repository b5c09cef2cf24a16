// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yTestKit
import A11yWire
import Testing

@Suite struct SubscribeTests {
  private static let first = String(repeating: "a", count: 32)
  private static let second = String(repeating: "b", count: 32)
  private static let third = String(repeating: "c", count: 32)

  /// A log of three lives, of which the first is gone for the most part.
  private static var threeLives: LogHead {
    LogHead(
      epochs: [
        HandDriven.start(first, 1), HandDriven.start(second, 101), HandDriven.start(third, 201),
      ],
      first: Seq(90),
      last: Seq(300)
    )
  }

  @Test(
    arguments: [
      ("", 300), (#","from":"now""#, 300), (#","from":"start""#, 89),
      (#","from":"\#(third):300""#, 300), (#","from":"\#(third):250""#, 250),
      (#","from":"\#(third):200""#, 200), (#","from":"\#(second):200""#, 200),
      (#","from":"\#(second):101""#, 101), (#","from":"\#(first):100""#, 100),
      (#","from":"\#(first):90""#, 90), (#","from":"\#(first):1""#, 1),
      (#","from":"\#(first):0""#, 0),
    ] as [(String, Int64)]
  )
  func `a subscription begins where it was asked to`(from: String, after: Int64) throws {
    let bus = HandDriven(Self.threeLives)
    let session = bus.connect()

    let answer = try bus.ask(session, #"{"id":1,"op":"subscribe"\#(from)}"#)

    #expect(answer["ok"]["cursor"].string == "\(Self.third):\(after)")
    #expect(answer["ok"].count == 1)
    #expect(session.subscription?.after == Seq(after))
  }

  @Test(
    arguments: [
      ("\(third):301", 300), ("\(third):9223372036854775807", 300), ("\(second):201", 200),
      ("\(second):300", 200), ("\(first):101", 100),
    ] as [(String, Int64)]
  )
  func `a cursor beyond the reach of its epoch is in the future`(from: String, last: Int64) throws {
    let bus = HandDriven(Self.threeLives)
    let session = bus.connect()

    let answer = try bus.ask(session, #"{"id":1,"op":"subscribe","from":"\#(from)"}"#)

    #expect(answer["err"]["code"].string == "cursor.future")
    #expect(answer["err"]["field"].string == "from")
    #expect(answer["err"]["last"].integer == last)
    #expect(session.subscription == nil)
  }

  @Test func `a cursor of an epoch that nobody knows is told the one in force`() throws {
    let bus = HandDriven(Self.threeLives)

    let answer = try bus.ask(
      bus.connect(),
      #"{"id":1,"op":"subscribe","from":"\#(String(repeating: "d", count: 32)):1"}"#
    )

    #expect(answer["err"]["code"].string == "cursor.epoch")
    #expect(answer["err"]["field"].string == "from")
    #expect(answer["err"]["epoch"].string == Self.third)
  }

  @Test(arguments: [
    "", "5", "Now", "end", ":", "\(first)", "\(first):", "\(first):-1", "\(first):1.0", "x:1",
  ])
  func `what is no cursor is refused as such`(from: String) throws {
    let bus = HandDriven(Self.threeLives)

    let answer = try bus.ask(bus.connect(), #"{"id":1,"op":"subscribe","from":"\#(from)"}"#)

    #expect(answer["err"]["code"].string == "cursor.invalid")
    #expect(answer["err"]["field"].string == "from")
  }

  @Test(arguments: [
    (#""from":7"#, "from"), (#""from":null"#, "from"), (#""filter":[]"#, "filter"),
    (#""filter":{"types":"announcement"}"#, "filter.types"),
    (#""filter":{"types":["nonsense"]}"#, "filter.types[0]"),
    (#""filter":{"apps":["a",""]}"#, "filter.apps[1]"),
    (#""filter":{"windows":[7]}"#, "filter.windows[0]"),
    (#""filter":{"elements":null}"#, "filter.elements"),
    (#""filter":{"priorities":["low","urgent"]}"#, "filter.priorities[1]"),
    (#""mode":"fast""#, "mode"), (#""mode":1"#, "mode"),
  ])
  func `a wrong field is refused by its path`(field: String, path: String) throws {
    let bus = HandDriven()
    let session = bus.connect()

    let answer = try bus.ask(session, #"{"id":1,"op":"subscribe",\#(field)}"#)

    #expect(answer["err"]["code"].string == "field.invalid")
    #expect(answer["err"]["field"].string == path)
    #expect(session.subscription == nil)
  }

  @Test func `a log without entries can be followed from its start`() throws {
    let bus = HandDriven()
    let session = bus.connect()

    let answer = try bus.ask(session, #"{"id":1,"op":"subscribe","from":"start"}"#)

    #expect(answer["ok"]["cursor"].string == "\(HandDriven.epoch):0")
    let cursor = #""\#(HandDriven.epoch):0""#
    #expect(
      try bus.ask(bus.connect(), #"{"id":1,"op":"subscribe","from":\#(cursor)}"#)["ok"].isThere
    )
  }

  @Test func `start is where retention has left it`() throws {
    let bus = HandDriven(Self.threeLives)
    bus.retain(from: Seq(150))

    let answer = try bus.ask(bus.connect(), #"{"id":1,"op":"subscribe","from":"start"}"#)

    #expect(answer["ok"]["cursor"].string == "\(Self.third):149")
  }

  @Test func `now is behind what the same turn has brought`() throws {
    let bus = HandDriven()
    let session = bus.connect(app: "x")
    let seq = try bus.publish(session)

    let answer = try bus.ask(session, #"{"id":1,"op":"subscribe"}"#)

    #expect(answer["ok"]["cursor"].string == "\(HandDriven.epoch):\(seq)")
  }

  @Test func `a connection has one subscription at a time`() throws {
    let bus = HandDriven()
    let session = bus.connect()
    _ = bus.say(session, #"{"op":"subscribe"}"#)
    let kept = session.subscription

    let second = try bus.ask(session, #"{"id":2,"op":"subscribe","from":"start"}"#)
    #expect(second["err"]["code"].string == "quota.exceeded")
    #expect(session.subscription === kept)

    #expect(bus.say(session, #"{"id":3,"op":"unsubscribe"}"#) == ["{\"id\":3,\"ok\":{}}\n"])
    #expect(session.subscription == nil)
    #expect(try bus.ask(session, #"{"id":4,"op":"subscribe"}"#)["ok"].isThere)
  }

  @Test func `listening makes nobody a client in the log`() {
    let bus = HandDriven()
    _ = bus.say(bus.connect(), #"{"op":"subscribe"}"#)

    #expect(bus.entries == [])
  }

  // MARK: The subscription itself

  @Test func `a checkpoint is due after a thousand entries left out, and the end comes once`()
    throws
  {
    let bus = HandDriven()
    let session = bus.connect()
    _ = bus.say(session, #"{"op":"subscribe"}"#)
    let subscription = try #require(session.subscription)

    let due = (1...1_000).map { _ in subscription.leaveOut() }
    subscription.place()
    let again = subscription.leaveOut()
    let ends = [subscription.reachEnd(), subscription.reachEnd()]

    #expect(due.dropLast().allSatisfy { !$0 })
    #expect(due.last == true)
    #expect(!again)
    #expect(ends == [true, false])
    #expect(subscription.isCaughtUp)
  }

  @Test func `marks are lines without a seq`() throws {
    let epoch = try #require(Epoch(hex: Self.first))
    let cursor = Cursor(epoch: epoch, seq: Seq(9))
    var out = ByteBuffer(capacity: 0)
    Mark.caughtUp(cursor).write(into: &out)
    Mark.checkpoint(cursor).write(into: &out)
    Mark.gap(from: Seq(1), to: Seq(8), reason: .retention).write(into: &out)

    let text = out.bytes.string

    #expect(
      text == """
        {"mark":"caught-up","cursor":"\(Self.first):9"}
        {"mark":"checkpoint","cursor":"\(Self.first):9"}
        {"mark":"gap","from":1,"to":8,"reason":"retention"}

        """
    )
  }
}
