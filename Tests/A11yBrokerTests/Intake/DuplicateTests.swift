// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yBroker

/// A key against duplicates: the same of the same app is the same event, for ten minutes.
@Suite struct DuplicateTests {
  let bus = HandDriven()

  private static let minute: Int64 = 60_000_000

  private func repeated(
    _ session: Session,
    key: String = "k"
  ) throws -> (seq: Int64?, isDuplicate: Bool) {
    let event = HandDriven.announcement
    let answer = try bus.ask(
      session,
      #"{"id":1,"op":"publish","dedupe":"\#(key)","event":\#(event)}"#
    )
    return (answer["ok"]["seq"].integer, answer["ok"]["duplicate"].bool == true)
  }

  @Test func `a repeated key is given the first seq again and is not written again`() throws {
    let session = bus.connect(app: "x")

    let first = try repeated(session)
    let again = try repeated(session)

    #expect(first == (2, false))
    #expect(again == (2, true))
    #expect(bus.entries.count == 1)
    #expect(bus.last == 2)
  }

  @Test func `a later turn and another connection of the app know the key`() throws {
    let first = try repeated(bus.connect(app: "x"))
    bus.commit()

    let again = try repeated(bus.connect(app: "x"))

    #expect(again == (first.seq, true))
  }

  @Test func `a key is known by what it says`() throws {
    let session = bus.connect(app: "x")
    _ = try repeated(session, key: "key")

    #expect(try repeated(session, key: #"k\u0065y"#).isDuplicate)
  }

  @Test func `another app, another user and another key are others`() throws {
    _ = try repeated(bus.connect(uid: 1, app: "x"))

    #expect(try !repeated(bus.connect(uid: 1, app: "y")).isDuplicate)
    #expect(try !repeated(bus.connect(uid: 2, app: "x")).isDuplicate)
    #expect(try !repeated(bus.connect(uid: 1, app: "x"), key: "K").isDuplicate)
    #expect(try repeated(bus.connect(uid: 1, app: "x")).isDuplicate)
  }

  @Test func `a key is remembered for ten minutes, by the bus clock`() throws {
    let session = bus.connect(app: "x")
    let first = try repeated(session)
    bus.commit(after: 10 * Self.minute - 1)

    #expect(try repeated(session) == (first.seq, true))

    bus.commit(after: 2)

    #expect(try repeated(session) == (3, false))
  }

  @Test func `asking again does not make a key last longer`() throws {
    let session = bus.connect(app: "x")
    _ = try repeated(session)
    bus.commit(after: 9 * Self.minute)
    _ = try repeated(session)
    bus.commit(after: 2 * Self.minute)

    #expect(try !repeated(session).isDuplicate)
  }

  @Test func `a refused event takes no key`() throws {
    let session = bus.connect(app: "x")
    _ = bus.say(session, #"{"op":"publish","dedupe":"k","event":{"type":"cancel","of":99}}"#)

    #expect(try repeated(session) == (2, false))
  }

  @Test func `a key has up to 64 bytes`() throws {
    let session = bus.connect(app: "x")
    let key = String(repeating: "ß", count: 32)

    #expect(try repeated(session, key: key) == (2, false))
    #expect(try repeated(session, key: key) == (2, true))
    #expect(try repeated(session, key: key + "a").seq == nil)
  }

  // MARK: The table itself

  @Test func `the table is bounded, and the oldest keys go first`() {
    var table = DuplicateTable()
    let count = DuplicateTable.room + 100
    for number in 0..<count {
      table.remember(
        UsedKey(uid: 1, app: "x", key: "\(number)", seq: Seq(Int64(number + 1)), mono: 0)
      )
    }

    let known = (0..<count).filter { table.first(uid: 1, app: "x", key: "\($0)", at: 0) != nil }

    #expect(known == Array(100..<count))
  }

  @Test func `one user's keys push out nobody else's`() {
    var table = DuplicateTable()
    func use(_ uid: UInt32, _ key: String, _ seq: Int64) {
      table.remember(UsedKey(uid: uid, app: "x", key: key, seq: Seq(seq), mono: 0))
    }
    use(1, "mine", 1)
    for number in 0..<3 * Int64(DuplicateTable.room) { use(2, "\(number)", number + 2) }

    #expect(table.first(uid: 1, app: "x", key: "mine", at: 0) == Seq(1))
    #expect(table.first(uid: 2, app: "x", key: "0", at: 0) == nil)
    #expect(table.keys.count == DuplicateTable.room + 1)
  }

  @Test func `what is written down of many users' keys is the same table when it is read back`() {
    var table = DuplicateTable()
    for number in 0..<100 {
      let uid = UInt32(number % 7)
      table.remember(
        UsedKey(uid: uid, app: "x", key: "\(number)", seq: Seq(Int64(number + 1)), mono: 0)
      )
    }
    var copy = DuplicateTable()
    for key in table.keys { copy.remember(key) }

    #expect(copy.keys == table.keys)
    #expect(table.keys.count == 100)
  }

  @Test func `users without a key that counts take no room`() {
    var table = DuplicateTable()
    for uid in 0..<200 {
      table.remember(
        UsedKey(uid: UInt32(uid), app: "x", key: "k", seq: Seq(Int64(uid + 1)), mono: 0)
      )
    }
    for uid in 0..<200 {
      _ = table.first(uid: UInt32(uid), app: "x", key: "k", at: DuplicateTable.memory)
    }

    #expect(table.users == 0)
  }

  @Test func `of more users than there is room for, the one who used none for longest gives way`() {
    var table = DuplicateTable()
    for uid in 0...UInt32(DuplicateTable.mostUsers) {
      table.remember(UsedKey(uid: uid, app: "x", key: "k", seq: Seq(Int64(uid + 1)), mono: 0))
    }

    #expect(table.users == DuplicateTable.mostUsers)
    #expect(table.first(uid: 0, app: "x", key: "k", at: 0) == nil)
    #expect(table.first(uid: 1, app: "x", key: "k", at: 0) == Seq(2))
  }

  @Test func `a key that was used again counts from then on, also when both uses are read back`() {
    var table = DuplicateTable()
    for (seq, mono) in [(Seq(1), 0), (Seq(5), 11 * Self.minute)] {
      table.remember(UsedKey(uid: 1, app: "x", key: "k", seq: seq, mono: mono))
    }

    #expect(table.first(uid: 1, app: "x", key: "k", at: 12 * Self.minute) == Seq(5))
  }

  @Test func `whatever is remembered and forgotten, the table answers as a plain list would`() {
    var dice = Dice()
    for _ in 0..<60 {
      var table = DuplicateTable()
      var list: [(key: String, seq: Seq, mono: Int64)] = []
      var mono: Int64 = 0
      var last = Seq.none
      for _ in 0..<120 {
        mono += Int64(dice.roll(0...60)) * 1_000_000
        let key = "\(dice.roll(0...30))"
        list.removeAll { $0.mono <= mono - DuplicateTable.memory }
        let expected = list.first { $0.key == key }?.seq

        let found = table.first(uid: 1, app: "x", key: key, at: mono)

        #expect(found == expected, "seed \(dice.seed)")
        guard found == nil else { continue }
        last = last.next
        table.remember(UsedKey(uid: 1, app: "x", key: key, seq: last, mono: mono))
        list.append((key, last, mono))
      }
    }
  }
}
