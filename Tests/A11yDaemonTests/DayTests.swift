// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yDaemon

/// A whole day of a person at a desk in virtual time: the real bus and the real log on a disk and a
/// clock that the day commands.
@Suite struct DayTests {
  @Test func `in a day all that was announced is accounted for, and nothing is left over`() throws {
    var day = try VirtualDay(PersonsDay(seconds: 86_400, Dice()))
    try day.live()

    print(
      "the day: \(day.entries.count) entries, \(day.acknowledged.count) acknowledged, "
        + "outcomes \(day.outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })"
    )
    #expect(day.faults == [])
    #expect(day.refused == [])
    #expect(day.acknowledged.count > 1_000)
    // Each trouble of the day has come and gone.
    #expect(day.wasInTrouble && !day.hand.bus.isInTrouble)
    #expect(day.entries.count { $0.type == "opened" } == 2)
    #expect(day.evening == day.morning)
  }
}

private struct VirtualDay {
  struct Entry {
    let seq: Int64
    let type: String
    let event: JSON
  }

  private(set) var hand: HandBus
  private let disk = MemoryDisk()
  private let day: PersonsDay
  private var apps: [String: HandLink] = [:]
  private var observer = HandLink(size: 0)
  private var sent: [String] = []
  private(set) var entries: [Entry] = []
  private(set) var acknowledged: [Int64] = []
  private(set) var refused: [String] = []
  private(set) var faults: [String] = []
  private(set) var wasInTrouble = false
  /// What the bus holds when the person begins, and when all is over.
  private(set) var morning: [String] = []
  private(set) var evening: [String] = []
  private var isAsleep = false

  init(_ day: PersonsDay) throws {
    self.day = day
    hand = try HandBus(on: disk)
    connect()
  }

  /// Lets every client come: the apps, the person, a voice, and somebody who reads along.
  private mutating func connect() {
    for app in PersonsDay.apps + ["person"] {
      let link = hand.connect()
      link.say(#"{"op":"hello","app":"\#(app)"}"#)
      apps[app] = link
    }
    let voice = hand.connect()
    voice.say(#"{"op":"hello","app":"voice","role":"reader"}"#)
    voice.say(#"{"op":"subscribe","filter":{"types":["deliver","silence"]}}"#)
    apps["voice"] = voice
    observer = hand.connect()
    observer.say(#"{"op":"subscribe","from":"\#(entries.isEmpty ? "start" : cursor)"}"#)
    take()
  }

  private var cursor: String { "\(hand.bus.epoch.hex):\(entries.last?.seq ?? 0)" }

  // MARK: The day

  mutating func live() throws {
    let start = Int64(hand.time.boot)
    pass(to: start + 1_000_000)
    for moment in day.moments {
      pass(to: max(start + moment.time, Int64(hand.time.boot)))
      try perform(moment.deed)
      take()
      if morning.isEmpty, moment.deed == .wake { morning = holdings() }
    }
    // An hour in which nobody says anything.
    pass(to: start + day.length + 3_600_000_000)
    evening = holdings()
    judge()
  }

  private mutating func perform(_ deed: PersonsDay.Deed) throws {
    switch deed {
    case .event(let app, let event): publish(event, as: app)
    case .action(let action): publish(action, as: "person")
    case .sleep: isAsleep = true
    case .wake:
      isAsleep = false
      hand.bus.wake()
    case .diskFull: disk.room = 0
    case .diskFree: disk.room = nil
    case .upgrade:
      hand.bus.close()
      take()
      hand.time.advance(microseconds: 300_000)
      hand = try HandBus(on: disk, time: hand.time)
      connect()
    case .networkLost, .networkBack: break
    }
  }

  private mutating func publish(_ event: String, as app: String) {
    apps[app]?.say(#"{"id":"e","op":"publish","event":\#(event)}"#)
  }

  /// Lets time pass with all that is due in it; a machine that sleeps does nothing of it.
  private mutating func pass(to end: Int64) {
    while Int64(hand.time.boot) < end {
      let now = Int64(hand.time.boot)
      let due = hand.bus.due.map { Int64($0) } ?? end
      let next = isAsleep ? end : max(now + 1_000, min(end, due, now + 60_000_000))
      hand.time.advance(microseconds: next - now)
      if isAsleep { continue }
      hand.bus.wake()
      wasInTrouble = wasInTrouble || hand.bus.isInTrouble
      if hand.bus.isInTrouble { hand.bus.heal() }
      hand.bus.retain()
      take()
    }
  }

  /// Has everything that is ready done, and takes what has come.
  private mutating func take() {
    hand.settle()
    if hand.bus.hasUnsynced { hand.bus.synchronize() }
    hand.syncing.complete()
    hand.bus.takeSyncAnswer()
    while hand.bus.hasLogWork { hand.bus.tendLog() }
    hand.settle()
    for (name, link) in apps {
      link.read()
      for line in link.takeLines() where name != "voice" { takeAnswer(line) }
    }
    observer.read()
    for line in observer.takeLines() { takeEntry(line) }
  }

  private mutating func takeAnswer(_ line: String) {
    guard let answer = try? JSON(line), answer["id"] == "e" else { return }
    if let seq = answer["ok"]["seq"].integer {
      acknowledged.append(seq)
    } else {
      refused.append(line)
    }
  }

  private mutating func takeEntry(_ line: String) {
    guard let entry = try? JSON(line), let seq = entry["seq"].integer else { return }
    let event = entry["event"]
    entries.append(Entry(seq: seq, type: event["type"].string ?? "", event: event))
  }

  // MARK: The report

  /// How often each result was the end of an event.
  var outcomes: [String: Int] {
    entries.reduce(into: [:]) { sums, entry in
      guard entry.type == "outcome" else { return }
      sums[entry.event["result"].string ?? "", default: 0] += 1
    }
  }

  private static let ending: Set = [
    "announcement", "focus", "layout-changed", "page-scrolled", "screen-changed",
  ]

  private mutating func judge() {
    for (entry, next) in zip(entries, entries.dropFirst()) where next.seq != entry.seq + 1 {
      faults.append("behind \(entry.seq) comes \(next.seq)")
    }
    var ends: [Int64: Int] = [:]
    for entry in entries where entry.type == "outcome" {
      ends[entry.event["of"].integer ?? 0, default: 0] += 1
    }
    for entry in entries where Self.ending.contains(entry.type) && ends[entry.seq] != 1 {
      faults.append("\(entry.seq), \(entry.type), has \(ends[entry.seq] ?? 0) outcomes")
    }
    let seqs = Set(entries.map(\.seq))
    faults += acknowledged.filter { !seqs.contains($0) }.map { "\($0) is not on the log" }
  }

  /// Who is there, and what waits, as the bus says itself.
  private mutating func holdings() -> [String] {
    let looker = hand.connect()
    looker.say(#"{"id":1,"op":"stats"}"#)
    hand.settle()
    defer {
      looker.close()
      hand.settle()
    }
    guard let line = looker.takeLines().first, let stats = try? JSON(line)["ok"] else { return [] }
    let gauges = stats["presenter"]
    let tables = ["busy", "storms", "windows"].map { gauges["tables"][$0] }
    return ([stats["connections"], gauges["pending"]] + tables).map { $0.text(descending: false) }
  }
}
