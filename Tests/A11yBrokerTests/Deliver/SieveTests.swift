// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire
import Testing

@testable import A11yBroker

/// The verdicts of a sieve are those of the filters, from any line on.
@Suite struct SieveTests {
  private static let filters = [
    Filter(types: ["announcement"], apps: nil), Filter(types: nil, apps: ["mail"]),
    Filter(types: ["window"], apps: ["chat", "files"]), Filter(types: [], apps: nil),
  ]

  private static func line(_ seq: Int) -> String {
    let app = ["mail", "chat", "files"][seq % 3]
    let type = ["announcement", "window"][seq / 3 % 2]
    return #"{"seq":\#(seq),"time":1,"mono":1,"app":"\#(app)","uid":1,"conn":1,"#
      + #""event":{"type":"\#(type)"},"crc":"00000000"}"#
  }

  private let sieve = Sieve()
  private let reader = JSONReader(limit: 4_096)

  private func judge(_ seqs: ClosedRange<Int>) {
    let text = seqs.map { Self.line($0) + "\n" }.joined()
    sieve.judge(Array(text.utf8).span, with: reader)
  }

  /// The verdicts from a line on, to the last line that was judged.
  private func verdicts(_ holder: Holder, from seq: Int) -> [Bool]? {
    guard var verdicts = sieve.verdicts(for: holder.seat, from: Seq(Int64(seq))) else { return nil }
    var all: [Bool] = []
    while let verdict = verdicts.next() { all.append(verdict) }
    return all
  }

  private func verdicts(of filter: Filter, on seqs: ClosedRange<Int>) throws -> [Bool] {
    try seqs.map { seq in
      try reader.read(Array(Self.line(seq).utf8).span)
      return filter.admits(reader.document)
    }
  }

  @Test(arguments: filters.indices)
  func `each line is judged as its filter judges it, from every line of the last turns on`(
    number: Int
  ) throws {
    let filter = Self.filters[number]
    let others = (Self.filters[(number + 1) % 4], Self.filters[(number + 2) % 4])
    let (before, seat, behind) = (
      Holder(sieve, others.0), Holder(sieve, filter), Holder(sieve, others.1)
    )
    judge(11...16)
    judge(17...17)
    judge(18...30)

    for first in 11...30 {
      let verdicts = verdicts(seat, from: first)
      let expected = try self.verdicts(of: filter, on: first...30)
      #expect(verdicts == expected)
    }
    let (early, late) = (verdicts(seat, from: 10), verdicts(seat, from: 31))
    #expect(early == nil)
    #expect(late == nil)
    _ = (before.bit, behind.bit)
  }

  @Test func `the sieve says which filters the last turn has passed`() throws {
    let seats = (Holder(sieve, Self.filters[0]), Holder(sieve, Self.filters[2]))
    judge(7...8)  // Announcements.
    #expect(sieve.passedLast == 1 << UInt64(try #require(seats.0.bit)))
    judge(9...9)  // A window of mail.
    #expect(sieve.passedLast == 0)
    judge(10...11)
    #expect(sieve.passedLast == 1 << UInt64(try #require(seats.1.bit)))
  }

  @Test func `a line that is no JSON passes no filter, and the lines behind it are judged`() {
    let seat = Holder(sieve, Self.filters[0])
    let lines = [Self.line(1), #"{"seq":2,"#, Self.line(6), ""].joined(separator: "\n")
    sieve.judge(Array(lines.utf8).span, with: reader)

    let verdicts = verdicts(seat, from: 1)
    #expect(verdicts == [true, false, true])
  }

  @Test func `lines from before a filter was seated have no verdicts, nor has a seatless filter`() {
    let first = Holder(sieve, Self.filters[0])
    judge(1...5)
    let second = Holder(sieve, Self.filters[1])
    let none = Holder(sieve, nil)
    judge(6...6)

    let (of1, of5, of6) = (
      verdicts(first, from: 1), verdicts(second, from: 5), verdicts(second, from: 6)
    )
    #expect(of1?.count == 6)
    #expect(of5 == nil)
    #expect(of6 == [true])
    #expect(none.bit == nil)
  }

  @Test func `a bit is free again when its last seat is gone, without the verdicts of before`() {
    let other = Holder(sieve, Self.filters[1])
    var bit: Int?
    do {
      let (one, two) = (Holder(sieve, Self.filters[0]), Holder(sieve, Self.filters[0]))
      #expect(one.bit == two.bit)
      bit = two.bit
      judge(1...3)
    }
    let later = Holder(sieve, Self.filters[2])
    let early = verdicts(later, from: 2)
    judge(4...4)
    let late = verdicts(later, from: 4)

    #expect(later.bit == bit)
    #expect(early == nil)
    #expect(late?.count == 1)
    _ = other.bit
  }

  @Test func `one of two equal seats keeps the bit when the other is gone`() {
    let one = Holder(sieve, Self.filters[0])
    do { _ = Holder(sieve, Self.filters[0]).bit }
    judge(1...2)

    let verdicts = verdicts(one, from: 1)
    #expect(verdicts?.count == 2)
  }

  @Test func `sixty-four filters have a bit, and equal ones count once`() {
    var holders: [Holder] = []
    for _ in 0..<2 {
      for number in 0..<65 {
        holders.append(Holder(sieve, Filter(types: nil, apps: ["\(number)"])))
      }
    }
    #expect(holders.prefix(65).map(\.bit) == (0..<64).map { $0 } + [nil])
    #expect(holders.suffix(65).map(\.bit) == (0..<64).map { $0 } + [nil])
    // The one that has found no bit gets none later.
    holders.removeAll { $0.bit == 7 }
    #expect(Holder(sieve, Filter(types: nil, apps: ["64"])).bit == 7)
    judge(1...2)
    let last = verdicts(holders[holders.count - 1], from: 1)
    #expect(last == nil)
  }

  @Test func `the latest verdicts are kept, up to their bound`() throws {
    let seat = Holder(sieve, Self.filters[0])
    let oldest = 1_001
    let count = Sieve.keptLines + oldest - 1
    judge(1...oldest)
    judge(oldest + 1...count)

    let gone = verdicts(seat, from: oldest - 1)
    let kept = verdicts(seat, from: oldest) ?? []
    let first = try verdicts(of: Self.filters[0], on: oldest...oldest + 9)
    let last = try verdicts(of: Self.filters[0], on: count - 9...count)
    #expect(gone == nil)
    #expect(kept.count == Sieve.keptLines)
    #expect(kept.prefix(10) == first[...])
    #expect(kept.suffix(10) == last[...])
  }

  @Test func `verdicts that were dropped, or stand before missing lines, are not given`() {
    let seat = Holder(sieve, Self.filters[0])
    judge(1...5)
    judge(8...9)
    let (before, behind) = (verdicts(seat, from: 4), verdicts(seat, from: 8))
    sieve.clear()
    let dropped = verdicts(seat, from: 8)
    judge(10...10)
    let fresh = verdicts(seat, from: 10)

    #expect(before == nil)
    #expect(behind?.count == 2)
    #expect(dropped == nil)
    #expect(fresh?.count == 1)
  }
}

/// A subscriber as far as its seat goes.
private final class Holder {
  let seat: Sieve.Seat

  init(_ sieve: Sieve, _ filter: Filter?) { seat = sieve.seat(for: filter) }

  var bit: Int? { seat.bit.map(Int.init) }
}
