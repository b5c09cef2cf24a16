// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yTestKit
import A11yWire

@testable import A11ySsip

/// A door with a bus and a speech-dispatcher that are played by hand.
struct DoorTrial {
  var door: Door
  var now: Int64 = 1_000_000
  /// All that was done, the latest last.
  private(set) var acts: [Door.Act] = []
  private var lastEntry: Int64 = 1_000

  init(hasBus: Bool = true, _ settings: DoorSettings = DoorSettings()) {
    door = Door(settings, at: now)
    if hasBus { door.busCame(epoch: "e", at: now) } else { door.busLeft(at: now) }
  }

  /// A client that has told its name and wants to know everything.
  mutating func visit(_ name: String, _ settings: String...) -> Int {
    let id = door.open(at: now) ?? 0
    say("SET SELF CLIENT_NAME root:\(name):main", "SET SELF NOTIFICATION ALL ON", from: id)
    for setting in settings { say("SET SELF \(setting)", from: id) }
    return id
  }

  /// Sends lines.
  mutating func say(_ lines: String..., from id: Int) {
    door.receive(Array(lines.map { $0 + "\r\n" }.joined().utf8), from: id, at: now)
    collect()
  }

  mutating func collect() { acts += door.takeActs() }

  /// All that a client was sent, line by line, since the last call.
  mutating func heard(by id: Int) -> [String] {
    collect()
    var text = ""
    for case .send(id, let bytes) in acts { text += String(decoding: bytes, as: UTF8.self) }
    acts.removeAll { if case .send(id, _) = $0 { true } else { false } }
    return text.split(separator: "\r\n").map(String.init)
  }

  /// All that was done beside sending, since the last call.
  mutating func takeOthers() -> [Door.Act] {
    collect()
    let others = acts.filter { if case .send = $0 { false } else { true } }
    acts.removeAll { if case .send = $0 { false } else { true } }
    return others
  }

  /// The answers to a line.
  mutating func answers(to line: String, from id: Int) -> [String] {
    _ = heard(by: id)
    say(line, from: id)
    return heard(by: id)
  }

  /// What was published since the last call.
  mutating func published() -> [(ticket: Int64?, event: JSON)] {
    collect()
    var events: [(Int64?, JSON)] = []
    for case .publish(_, let event, let ticket) in acts {
      events.append((ticket, (try? JSON(event.json)) ?? .null))
    }
    acts.removeAll { if case .publish = $0 { true } else { false } }
    return events
  }

  /// What speech-dispatcher was sent on a line since the last call.
  mutating func written(on line: Int) -> [String] {
    collect()
    var text = ""
    for case .write(line, let words) in acts { text += words }
    acts.removeAll { if case .write(line, _) = $0 { true } else { false } }
    return text.split(separator: "\r\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  // MARK: The bus

  /// The bus records an event; its seq.
  mutating func record(_ ticket: Int64?, of id: Int) -> Int64 {
    lastEntry += 1
    door.recorded(ticket ?? 0, as: lastEntry, of: id, at: now)
    return lastEntry
  }

  /// The bus hands an event to the reader 7; the seq of the delivery.
  mutating func deliver(_ seqs: Int64...) throws -> Int64 {
    let of = seqs.map(String.init).joined(separator: ",")
    return try entry(#"{"type":"deliver","of":[\#(of)],"to":7,"speak":[]}"#)
  }

  mutating func report(_ state: String, of delivery: Int64, by reader: Int64 = 7) throws {
    _ = try entry(#"{"type":"speech","of":\#(delivery),\#(state)}"#, conn: reader)
  }

  mutating func conclude(_ seq: Int64, _ result: String) throws {
    _ = try entry(#"{"type":"outcome","of":\#(seq),"result":"\#(result)","rule":"r","why":{}}"#)
  }

  /// An entry comes; its seq.
  private mutating func entry(_ event: String, conn: Int64 = 0) throws -> Int64 {
    lastEntry += 1
    let line =
      #"{"seq":\#(lastEntry),"time":1,"mono":1,"app":"a","uid":1,"conn":\#(conn),"#
      + #""event":\#(event)}"#
    door.hear(try Entry(line: line), at: now)
    collect()
    return lastEntry
  }

  // MARK: speech-dispatcher

  mutating func openLine(_ line: Int) {
    collect()
    door.lineOpened(line, at: now)
    collect()
  }

  mutating func answer(_ lines: String..., on line: Int) {
    door.hear(Array(lines.map { $0 + "\r\n" }.joined().utf8), on: line, at: now)
    collect()
  }
}

extension Entry {
  fileprivate init(line: String) throws {
    let reader = JSONReader(limit: line.utf8.count)
    try reader.read(Array(line.utf8).span)
    let seq = reader.document.integer(reader.document.member("seq", of: reader.document.root) ?? 0)
    self = try Entry(seq ?? 0, reader.document)
  }
}
