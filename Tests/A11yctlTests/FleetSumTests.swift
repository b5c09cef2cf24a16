// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import a11yctl

/// Sums over the entries of many machines, in bounded memory.
@Suite struct FleetSumTests {
  private let reader = JSONReader(limit: Limits.answerBytes)

  private func note(_ fleet: inout QuietMachines, _ machine: String, _ line: String) throws {
    try reader.read(line.utf8Span.span)
    fleet.include(reader.document, of: machine, in: "e", from: .entries)
  }

  private func noteSign(
    _ fleet: inout QuietMachines,
    at time: Int64,
    last: Int,
    readers: Int,
    epoch: String = "e"
  ) throws {
    let line = #"{"mark":"alive","time":\#(time),"last":\#(last),"readers":\#(readers)}"#
    try reader.read(line.utf8Span.span)
    fleet.include(reader.document, of: "m", in: epoch, from: .signs)
  }

  private static func own(_ seq: Int, _ time: Int64, _ event: String) -> String {
    #"{"seq":\#(seq),"time":\#(time),"mono":\#(time),"app":"a11yd","uid":0,"conn":0,"#
      + #""event":\#(event)}"#
  }

  private static func client(_ seq: Int, _ state: String, _ conn: Int) -> String {
    own(
      seq,
      5,
      #"{"type":"client","state":"\#(state)","app":"r","uid":0,"conn":\#(conn),"role":"reader"}"#
    )
  }

  private static func end(_ seq: Int, _ result: String, _ why: String = "{}") -> String {
    own(
      seq,
      5,
      #"{"type":"outcome","of":1,"app":"x","result":"\#(result)","rule":"r","why":\#(why)}"#
    )
  }

  private static let usual = QuietMachines.Bounds(silence: 10, lost: 50)

  @Test func `a machine is named when its last reader has left, and not before`() throws {
    var fleet = QuietMachines()
    try note(&fleet, "m", Self.client(1, "joined", 7))
    try note(&fleet, "m", Self.client(2, "joined", 8))
    try note(&fleet, "m", Self.client(3, "left", 7))
    #expect(fleet.findings(Self.usual, now: 6).isEmpty)

    try note(&fleet, "m", Self.client(4, "left", 8))

    #expect(fleet.findings(Self.usual, now: 6).map(\.reasons) == [[.noReader]])
  }

  @Test func `a machine of which no entry tells a reader is not blamed`() throws {
    var fleet = QuietMachines()
    try note(&fleet, "m", Self.end(1, "heard"))
    #expect(fleet.findings(Self.usual, now: 6).isEmpty)
  }

  @Test func `a machine is silent behind the bound, and not at it`() throws {
    var fleet = QuietMachines()
    try note(&fleet, "m", Self.end(1, "heard"))
    #expect(fleet.findings(Self.usual, now: 15).isEmpty)

    let found = fleet.findings(Self.usual, now: 16)

    #expect(found.map(\.reasons) == [[.silent]])
    #expect(
      found.map { FleetWords.sentence($0, now: 7_200_000_005) }
        == ["m: no entry for 2 hours."]
    )
  }

  @Test func `an idle machine that gives signs of life is not silent`() throws {
    var fleet = QuietMachines()
    try noteSign(&fleet, at: 40, last: 1, readers: 1)
    try note(&fleet, "m", Self.end(1, "heard"))
    #expect(fleet.findings(Self.usual, now: 50).isEmpty)

    let found = fleet.findings(Self.usual, now: 51)

    #expect(found.map(\.reasons) == [[.silent]])
    #expect(
      found.map { FleetWords.sentence($0, now: 120_000_040) }
        == ["m: no sign of life for 2 minutes."]
    )
  }

  @Test func `readers are told by the sign of life, unless an entry is newer`() throws {
    var fleet = QuietMachines()
    try noteSign(&fleet, at: 6, last: 3, readers: 0)
    try note(&fleet, "m", Self.client(2, "joined", 7))
    #expect(fleet.findings(Self.usual, now: 6).map(\.reasons) == [[.noReader]])

    try note(&fleet, "m", Self.client(4, "joined", 8))

    #expect(fleet.findings(Self.usual, now: 6).isEmpty)
  }

  @Test func `an idle machine without a reader is named by its sign of life alone`() throws {
    var fleet = QuietMachines()
    try noteSign(&fleet, at: 6, last: 3, readers: 0)
    #expect(fleet.findings(Self.usual, now: 6).map(\.reasons) == [[.noReader]])
  }

  @Test func `the sign of an earlier life tells no readers`() throws {
    var fleet = QuietMachines()
    try noteSign(&fleet, at: 6, last: 900, readers: 0, epoch: "earlier")
    try note(&fleet, "m", Self.client(2, "joined", 7))
    #expect(fleet.findings(Self.usual, now: 6).isEmpty)
  }

  @Test func `texts that were replaced or kept by a rule are no loss`() throws {
    var fleet = QuietMachines()
    for seq in 1...5 { try note(&fleet, "m", Self.end(seq, "heard")) }
    for seq in 6...20 { try note(&fleet, "m", Self.end(seq, "superseded")) }
    for seq in 21...30 { try note(&fleet, "m", Self.end(seq, "inhibited")) }
    #expect(fleet.findings(Self.usual, now: 6).isEmpty)

    for seq in 31...36 { try note(&fleet, "m", Self.end(seq, "expired")) }

    let found = fleet.findings(Self.usual, now: 6)
    #expect(found.map(\.reasons) == [[.unheard]])
    #expect(found.map { FleetWords.sentence($0, now: 6) } == ["m: 6 of 11 texts were not heard."])
  }

  @Test func `fewer than ten ends are no share`() throws {
    var fleet = QuietMachines()
    for seq in 1...9 { try note(&fleet, "m", Self.end(seq, "expired")) }
    #expect(fleet.findings(Self.usual, now: 6).isEmpty)
    try note(&fleet, "m", Self.end(10, "expired"))
    #expect(fleet.findings(Self.usual, now: 6).map(\.reasons) == [[.unheard]])
  }

  @Test func `machines beyond the bound are counted, and known ones go on`() throws {
    var fleet = QuietMachines()
    let line = Self.end(1, "heard")
    for number in 0..<QuietMachines.most { try note(&fleet, "m-\(number)", line) }
    try note(&fleet, "late", line)
    try note(&fleet, "m-0", line)

    #expect(fleet.machines.count == QuietMachines.most)
    #expect(fleet.unseen == 1)
    #expect(fleet.machines["m-0"]?.heard == 2)
  }

  @Test func `the missing entries of a gap are counted`() throws {
    var fleet = QuietMachines()
    try note(&fleet, "m", #"{"mark":"gap","from":3,"to":7,"reason":"retention"}"#)
    #expect(fleet.machines["m"]?.missing == 5)
    #expect(fleet.machines["m"]?.last == 7)
  }

  @Test func `apps are told the busiest first, with the machine that has most of each`() {
    var tally = FleetTally()
    for _ in 0..<3 { tally.countEvent(of: "mail", on: "a") }
    for _ in 0..<2 { tally.countEvent(of: "mail", on: "b") }
    for _ in 0..<9 { tally.countEvent(of: "clock", on: "b") }
    tally.countEnd(of: "mail", isHeard: true)
    tally.countEnd(of: "mail", isHeard: false)

    #expect(tally.sorted.map(\.app) == ["clock", "mail"])
    let mail = tally.apps["mail"]
    #expect(mail?.published == 5 && mail?.heard == 1 && mail?.unheard == 1)
    #expect(mail?.machines == 2 && mail?.busiest == "a" && mail?.most == 3)
  }

  @Test func `apps beyond the bound are counted together`() {
    var tally = FleetTally()
    for number in 0..<FleetTally.mostApps + 5 { tally.countEvent(of: "app-\(number)", on: "m") }
    #expect(tally.apps.count == FleetTally.mostApps)
    #expect(tally.others == 5)
  }

  @Test func `a new life of a machine is noticed by its seqs`() {
    var lives = FleetLives()
    let answers = [1, 2, 5, 1, 2].map { seq in
      lives.isAnother(#"{"seq":\#(seq),"time":1}"#.utf8Span.span)
    }
    #expect(answers == [false, false, false, true, false])
  }
}
