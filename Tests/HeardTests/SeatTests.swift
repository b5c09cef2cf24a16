// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// Several people at one machine: each is heard by the own voice, while he sits there.
@Suite struct SeatTests {
  private static let (greeter, ann, bob, service): (Int64, Int64, Int64, Int64) = (
    110, 1_001, 1_002, 90
  )

  /// A machine whose greeter speaks; the people and a service have their apps and voices there.
  private func machine(sits uid: Int64, voices: [Int64]) -> Script {
    var script = Script(.whenJoined)
    script.seat(0, [0, uid], people: [Self.greeter, Self.ann, Self.bob])
    for (index, voice) in voices.enumerated() {
      script.joins(Double(index + 1), "voice \(voice)", role: "reader", uid: voice)
    }
    for app in [Self.greeter, Self.ann, Self.bob, Self.service] {
      script.joins(10, "app \(app)", uid: app)
    }
    script.startOver(at: 10_000)
    return script
  }

  // MARK: A person logs in

  @Test func `the greeter's voice hands over, and what it has not said is not said any more`()
    throws
  {
    var script = machine(sits: Self.greeter, voices: [Self.greeter, Self.ann])
    script.at(0, "spoken", says("Welcome. Who are you?", ["queue": true]), by: "app 110")
    script.at(1, "waiting", says("The keyboard is American.", ["queue": true]), by: "app 110")
    script.seat(400, [0, Self.ann], people: [Self.greeter, Self.ann, Self.bob])
    script.at(450, "first", says("Good morning, Ann."), by: "app 1001")
    script.at(3_000, report("first", "finished"), by: "voice 1001")

    let heard = try script.run()

    #expect(heard.owner("spoken") == "voice 110")
    #expect(heard.silenced == ["400 spoken"])
    #expect(heard.end("spoken") == "400 interrupted by seat")
    #expect(heard.why("spoken")["reason"] == "away")
    #expect(heard.end("waiting") == "400 undeliverable")
    #expect(heard.why("waiting")["reason"] == "away")
    #expect(heard.owner("first") == "voice 1001")
    #expect(heard.times("first") == ["450"])
    #expect(heard.spoken.count == 2)
  }

  @Test func `what a greeter that has ended says is not spoken to the person`() throws {
    var script = machine(sits: Self.greeter, voices: [Self.greeter])
    script.at(0, "spoken", shouts("Welcome. Who are you?"), by: "app 110")
    script.at(1, "waiting", shouts("The battery of the keyboard is low."), by: "app 110")
    script.seat(100, nil, people: [Self.greeter, Self.ann, Self.bob])
    script.leaves(101, "voice 110")
    script.seat(900, [0, Self.ann], people: [Self.greeter, Self.ann, Self.bob])
    script.joins(1_500, "voice 1001", role: "reader", uid: Self.ann)

    let heard = try script.run()

    #expect(heard.result("waiting") == "expired")
    #expect(heard.spoken == ["0 Welcome. Who are you?"])
  }

  @Test func `a user who has never logged in is a service, whatever the number`() throws {
    var script = machine(sits: Self.ann, voices: [Self.ann])
    script.joins(0, "kiosk", uid: 1_003)
    script.at(0, "kiosk", says("Choose a ticket"), by: "kiosk")
    script.at(3_000, report("kiosk", "finished"), by: "voice 1001")

    #expect(try script.run().result("kiosk") == "heard")
  }

  @Test func `a voice of higher rank does not keep the person's from speaking`() throws {
    var script = machine(sits: Self.ann, voices: [Self.ann])
    script.joins(0, "loud", role: "reader", uid: Self.bob, with: ["speech": 100])
    script.at(10, "one", says("Hello"), by: "app 1001")

    #expect(try script.run().owner("one") == "voice 1001")
  }

  // MARK: Two sessions

  @Test func `what is said in the background ends with the reason, and is not spoken`() throws {
    var script = machine(sits: Self.ann, voices: [Self.ann, Self.bob])
    script.at(0, "bob", says("A message for Bob"), by: "app 1002")
    script.at(10, "ann", says("A message for Ann"), by: "app 1001")

    let heard = try script.run()

    #expect(heard.end("bob") == "0 undeliverable")
    #expect(heard.why("bob")["reason"] == "away")
    #expect(heard.owner("ann") == "voice 1001")
    #expect(heard.spoken == ["10 A message for Ann"])
  }

  @Test func `an alarm waits for its person, and is spoken by the own voice`() throws {
    var script = machine(sits: Self.ann, voices: [Self.ann, Self.bob])
    script.at(0, "alarm", shouts("Your train leaves"), by: "app 1002")
    script.seat(20_000, [0, Self.bob], people: [Self.ann, Self.bob])
    script.at(22_000, report("alarm", "finished"), by: "voice 1002")

    let heard = try script.run()

    #expect(heard.times("alarm") == ["20000"])
    #expect(heard.owner("alarm") == "voice 1002")
  }

  @Test func `an alarm of another's is not spoken while nobody sits there`() throws {
    var script = machine(sits: Self.ann, voices: [Self.ann])
    script.seat(0, nil, people: [Self.ann, Self.bob])
    script.at(10, "bob", shouts("Your train leaves"), by: "app 1002")
    script.at(20, "ann", shouts("Your cake burns"), by: "app 1001")

    let heard = try script.run()

    #expect(heard.times("bob") == [])
    #expect(heard.times("ann").count == 1)
  }

  @Test func `what a service says is heard by whoever sits there`() throws {
    var script = machine(sits: Self.bob, voices: [Self.ann, Self.bob])
    script.at(0, "one", says("The battery is low"), by: "app 90")
    script.at(1_500, report("one", "finished"), by: "voice 1002")

    let heard = try script.run()

    #expect(heard.owner("one") == "voice 1002")
    #expect(heard.end("one") == "1500 heard")
  }

  @Test func `a voice of the machine speaks for whoever sits there, and for nobody else`() throws {
    var script = machine(sits: Self.bob, voices: [Self.service])
    script.at(0, "bob", says("A message for Bob"), by: "app 1002")
    script.at(10, "ann", says("A message for Ann"), by: "app 1001")

    let heard = try script.run()

    #expect(heard.times("bob").count == 1)
    #expect(heard.end("ann") == "10 undeliverable")
  }

  // MARK: Coming back

  @Test func `who comes back hears once where he is`() throws {
    var script = machine(sits: Self.ann, voices: [Self.ann])
    script.at(0, event("window", ["window": "w", "state": "opened"]), by: "app 1001")
    script.at(0, tree("w", [button("a", "Anna's button")]), by: "app 1001")
    script.at(0, event("window", ["window": "w", "state": "active"]), by: "app 1001")
    script.at(5_000, event("voiceover-status", ["running": true]), by: "voice 1001")
    script.seat(10_000, [0, Self.bob], people: [Self.ann, Self.bob])
    script.seat(20_000, [0, Self.ann], people: [Self.ann, Self.bob])

    let heard = try script.run()

    #expect(heard.spoken.filter { $0.hasPrefix("2000") } == ["20000 Anna's button, button, again"])
  }

  @Test func `a reader of somebody who is away switches off nobody else's`() throws {
    var script = machine(sits: Self.ann, voices: [Self.ann, Self.bob])
    script.at(0, event("voiceover-status", ["running": false]), by: "voice 1001")
    script.seat(5_000, [0, Self.bob], people: [Self.ann, Self.bob])
    script.at(6_000, "first", says("Good morning"), by: "app 1002")
    script.at(8_000, report("first", "finished"), by: "voice 1002")
    script.at(9_000, event("voiceover-status", ["running": false]), by: "voice 1001")
    script.at(15_000, "second", says("Good evening"), by: "app 1002")

    let heard = try script.run()

    #expect(heard.owner("first") == "voice 1002")
    #expect(heard.owner("second") == "voice 1002")
  }

  @Test func `a screen reader of somebody who is away tells nothing for whoever sits there`() throws
  {
    var script = machine(sits: Self.ann, voices: [Self.ann, Self.bob])
    script.joins(0, "orca", role: "reader", uid: Self.ann)
    script.at(10, tells("reading", "Inbox"), by: "orca")
    script.seat(5_000, [0, Self.bob], people: [Self.ann, Self.bob])
    script.at(6_000, "bob", says("A letter", ["origin": "atspi"]), by: "app 1002")

    #expect(try script.run().times("bob").count == 1)
  }

  @Test func `where nobody tells who has logged in, all are as one`() throws {
    var script = machine(sits: Self.ann, voices: [Self.ann])
    script.seat(0, [0, Self.ann], people: nil)
    script.at(10, "bob", says("A message for Bob"), by: "app 1002")

    #expect(try script.run().times("bob").count == 1)
  }
}
