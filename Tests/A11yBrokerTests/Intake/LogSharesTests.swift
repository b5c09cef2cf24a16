// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yBroker

@Suite struct LogSharesTests {
  private let hour: Int64 = 3_600_000_000

  @Test func `what was added more than a day ago counts no more`() {
    var shares = LogShares()
    shares.add(600, of: 7, at: hour / 2)
    shares.add(400, of: 7, at: hour * 5)

    #expect(shares.bytes(of: 7, at: hour * 23) == 1_000)
    #expect(shares.bytes(of: 7, at: hour * 24) == 400)
    #expect(shares.bytes(of: 7, at: hour * 29) == 0)
    #expect(shares.bytes(of: 8, at: hour) == 0)
  }

  @Test func `a user waits until enough hours are over`() {
    var shares = LogShares()
    shares.add(600, of: 7, at: 0)
    shares.add(400, of: 7, at: hour * 5)

    #expect(shares.wait(for: 100, of: 7, upTo: 1_100, at: hour * 6) == 0)
    #expect(shares.wait(for: 101, of: 7, upTo: 1_100, at: hour * 6) == 18 * 3_600_000)
    #expect(shares.wait(for: 800, of: 7, upTo: 1_100, at: hour * 6) == 23 * 3_600_000)
    #expect(shares.wait(for: 101, of: 7, upTo: 1_100, at: hour * 24) == 0)
    #expect(shares.wait(for: 9_999, of: 8, upTo: 1_100, at: 0) == 0)
  }

  @Test func `over the limit one urgent event goes through in a second`() {
    var shares = LogShares()
    shares.add(1, of: 7, at: 0)

    let taken = [5, 1_000_004, 1_000_005].map { shares.takesUrgent(of: 7, at: $0) }
    #expect(taken == [true, false, true])
  }

  @Test func `the user with least gives way to one more than are counted`() {
    var shares = LogShares()
    for uid in 1...256 as ClosedRange<UInt32> { shares.add(Int(uid) + 10, of: uid, at: 0) }
    shares.add(5, of: 1_000, at: 0)

    #expect(shares.bytes(of: 1, at: 0) == 0)
    #expect(shares.bytes(of: 2, at: 0) == 12)
    #expect(shares.bytes(of: 1_000, at: 0) == 5)
  }
}

/// The bounds on the things that the bus keeps for the apps of one user.
@Suite struct ShareTests {
  private let bus: HandDriven

  init() {
    var quotas = Quotas()
    quotas.elementBytesPerApp = 1_000
    quotas.elementBytesPerUser = 2_000
    bus = HandDriven(quotas: quotas)
    bus.open()
    bus.commit()
  }

  private func fill(_ session: Session, _ bytes: Int, window: String = "w") throws -> JSON {
    let label = String(repeating: "a", count: bytes - 2)
    return try bus.ask(
      session,
      #"{"id":1,"op":"publish","event":{"type":"elements","window":"\#(window)","upsert":"#
        + #"[{"id":"x","label":"\#(label)"}]}}"#
    )
  }

  @Test func `an app has its share and no more`() throws {
    let app = bus.connect(app: "a")
    #expect(try fill(app, 600)["ok"].isThere)
    let answer = try fill(app, 600, window: "v")

    #expect(answer["err"]["code"].string == "quota.exceeded")
    #expect(answer["err"]["msg"].string?.contains("1000 bytes") == true)
    #expect(app.farewell == nil)
    #expect(try fill(app, 999)["ok"].isThere)
  }

  @Test func `when a user's share is used up, the app with most of it gives way at once`() throws {
    let heavy = bus.connect(app: "heavy")
    let light = bus.connect(app: "light")
    let other = bus.connect(uid: 7, app: "heavy")
    let last = bus.connect(app: "last")
    #expect(try fill(heavy, 900)["ok"].isThere)
    #expect(try fill(light, 500)["ok"].isThere)
    #expect(try fill(other, 900)["ok"].isThere)
    bus.commit()

    let answer = try fill(last, 700)

    #expect(answer["ok"].isThere)
    #expect(heavy.farewell?.code == .quotaExceeded)
    #expect([light, other, last].allSatisfy { $0.farewell == nil })
    let entries = try bus.entries.map { try JSON($0)["event"] }
    #expect(entries.map { $0["type"].string } == ["client", "elements"])
    #expect(entries[0]["state"].string == "left")
    #expect(entries[0]["reason"].string == "quota.exceeded")
    bus.commit()
    let state = try bus.ask(bus.connect(), #"{"id":1,"op":"state"}"#)["ok"]
    #expect(
      Set((state["windows"].list ?? []).compactMap { $0["app"].string }) == [
        "light", "heavy", "last",
      ]
    )
    // It has left once, and is not told again.
    bus.leave(heavy)
    #expect(bus.entries == [])
  }

  @Test func `who has most of it and wants more has to go`() throws {
    let heavy = bus.connect(app: "heavy")
    let others = [bus.connect(app: "a"), bus.connect(app: "b")]
    #expect(try fill(heavy, 800)["ok"].isThere)
    for session in others { #expect(try fill(session, 550)["ok"].isThere) }

    let answer = try fill(heavy, 950)

    #expect(answer["err"]["code"].string == "quota.exceeded")
    #expect(heavy.farewell?.code == .quotaExceeded)
    #expect(others.allSatisfy { $0.farewell == nil })
    bus.commit()
    #expect(try fill(others[0], 900)["ok"].isThere)
  }
}
