// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward
import A11yPosix
import A11yWire

/// The streams of machines in Redis, on one server or in a cluster.
final class RedisArchive: EngineArchive {
  private let address: EngineAddress
  private let settings: RedisSettings
  private let owner: RedisOwner
  private let reader = JSONReader(limit: RedisArchive.longestLine)

  /// Keys and entries that are asked for at once: 16 MiB of the longest.
  private static let atOnce = "256"
  /// The server's wait for another entry, in milliseconds.
  private static let waiting = "1000"
  /// The epochs that are looked through for a place; an older place is the beginning of the last.
  private static let mostEpochs = 256
  private static let longestLine = 262_144

  init(_ address: EngineAddress, _ settings: RedisSettings) throws(ForwardFailure) {
    self.address = address
    self.settings = settings
    owner = try RedisOwner(address, settings, turn: 0)
  }

  func readSigns(_ reader: SignReader) throws(ForwardFailure) {
    try eachMachine(.signs) { machine throws(ForwardFailure) in
      let key = machine.aliveKey
      let left = try owner.order(["PTTL", key])
      let value = try owner.order(["GET", key])
      for case .refusal(let words) in [left, value] { throw .engine(words) }
      guard case .integer(let milliseconds) = left, milliseconds >= 0, case .text(let text) = value,
        let sign = SignOfLife(text)
      else { return true }
      // The server counts the life of a key by its own clock.
      let age = max(0, SignOfLife.lifetime * 1_000 - milliseconds) * 1_000
      let time = SystemClock.wallMicroseconds() - age
      return try reader(ArchivedSign(machine: machine.text, sign: sign, time: time))
    }
  }

  func readNewest(_ reader: Reader) throws(ForwardFailure) {
    try eachMachine(.logs) { machine throws(ForwardFailure) in
      guard let entry = try entries("XREVRANGE", machine, "+", "-", atMost: "1").first else {
        return true
      }
      return try reader(entry.archived(machine))
    }
  }

  func readEntries(
    _ machine: MachineName?,
    from start: ArchiveStart,
    pause: (() throws(ForwardFailure) -> Bool)?,
    _ reader: Reader
  ) throws(ForwardFailure) {
    guard let machine else {
      return try eachMachine(.logs) { machine throws(ForwardFailure) in
        try readEntries(machine, start, pause: nil, reader)
      }
    }
    _ = try readEntries(machine, start, pause: pause, reader)
  }

  /// Reads the entries of one machine; false where the reader wants no more.
  private func readEntries(
    _ machine: MachineName,
    _ start: ArchiveStart,
    pause: (() throws(ForwardFailure) -> Bool)?,
    _ reader: Reader
  ) throws(ForwardFailure) -> Bool {
    var from = try startingId(of: start, machine)
    var reached: (Int64, Int64) = (-1, -1)
    while true {
      let found = try entries("XRANGE", machine, from, "+", atMost: Self.atOnce)
      for entry in found {
        guard try reader(entry.archived(machine)) else { return false }
      }
      if let last = found.last {
        guard reached < (last.began, last.seq) else { throw Self.goesBack }
        reached = (last.began, last.seq)
        from = "(\(last.id)"
        continue
      }
      guard let pause else { return true }
      guard try pause() else { return false }
      let behind = from.hasPrefix("(") ? String(from.dropFirst()) : "0"
      _ = try owner.order([
        "XREAD", "COUNT", "1", "BLOCK", Self.waiting, "STREAMS", machine.key, behind,
      ])
    }
  }

  /// An engine that goes back would have us ask for ever.
  private static let goesBack = ForwardFailure.engine("it answers with an older entry")

  // MARK: Machines

  /// The keys of one kind that machines have.
  private struct Keys {
    let ending: String
    let type: String

    static let logs = Keys(ending: "log", type: "stream")
    static let signs = Keys(ending: "alive", type: "string")

    var pattern: String { "a11yd:{*}:\(ending)" }

    /// The machine that has a key of this pattern.
    func machine(_ key: String) -> MachineName? {
      MachineName(String(key.dropFirst("a11yd:{".count).dropLast("}:\(ending)".count)))
    }
  }

  /// Gives each machine, once for each server that has its key, until `body` returns false.
  private func eachMachine(
    _ keys: Keys,
    _ body: (MachineName) throws(ForwardFailure) -> Bool
  ) throws(ForwardFailure) {
    for server in try masters() {
      let link = try RedisLink(server, settings, isImporting: false)
      var cursor = "0"
      repeat {
        let answer = try link.order([
          "SCAN", cursor, "MATCH", keys.pattern, "COUNT", Self.atOnce, "TYPE", keys.type,
        ])
        if case .refusal(let words) = answer { throw .engine(words) }
        guard let list = answer.list, list.count == 2 else {
          throw .engine("it answers without a list of keys")
        }
        cursor = list[0].text ?? "0"
        for key in list[1].list ?? [] {
          if let name = key.text.flatMap(keys.machine), try !body(name) { return }
        }
      } while cursor != "0"
    }
  }

  /// The servers that own keys: those of a cluster, or the one that answers.
  private func masters() throws(ForwardFailure) -> [EngineAddress.Server] {
    guard let text = try owner.link.order(["CLUSTER", "NODES"]).text else {
      return [owner.link.server]
    }
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count > 2 else { return nil }
      let flags = words[2].split(separator: ",")
      guard flags.contains("master"), !flags.contains("fail"), !flags.contains("noaddr") else {
        return nil
      }
      return EngineAddress.Server(String(words[1].prefix { $0 != "@" && $0 != "," }))
    }
  }

  // MARK: Places

  /// The id at which reading begins.
  private func startingId(
    of start: ArchiveStart,
    _ machine: MachineName
  ) throws(ForwardFailure) -> String {
    guard start != .beginning, let newest = try entry(machine, before: "+") else { return "-" }
    if case .last(let count) = start {
      return try startingId(of: .seq(newest.seq - count + 1), machine)
    }
    var last = newest
    for _ in 0..<Self.mostEpochs {
      let front = "\(last.began)-0"
      guard let first = try entries("XRANGE", machine, front, "+", atMost: "1").first else { break }
      if isBefore(start, first) {
        return try idWithinEpoch(of: start, machine, from: first.seq, to: last)
      }
      guard let older = try entry(machine, before: "(\(front)") else { return front }
      // Where the numbers begin anew, the machine was made anew.
      if case .seq = start, older.seq >= first.seq { return front }
      if isBefore(start, older) { return front }
      last = older
    }
    return "\(last.began)-0"
  }

  /// The id within one epoch.
  private func idWithinEpoch(
    of start: ArchiveStart,
    _ machine: MachineName,
    from first: Int64,
    to last: RedisEntry
  ) throws(ForwardFailure) -> String {
    var (low, high) = (first, last.seq + 1)
    while low < high {
      let middle = low + (high - low) / 2
      let from = "\(last.began)-\(middle)"
      if let entry = try entries("XRANGE", machine, from, last.id, atMost: "1").first,
        isBefore(start, entry)
      {
        guard entry.seq >= middle else { throw Self.goesBack }
        low = entry.seq + 1
      } else {
        high = middle
      }
    }
    return "\(last.began)-\(low)"
  }

  private func isBefore(_ start: ArchiveStart, _ entry: RedisEntry) -> Bool {
    switch start {
    case .beginning, .last: return false
    case .seq(let seq): return entry.seq < seq
    case .time(let time):
      let reader = reader
      guard (try? reader.read(entry.line.span)) != nil else { return false }
      // A gap has no time.
      return (EntryView(of: reader.document).time ?? time) < time
    }
  }

  // MARK: Entries

  private func entry(
    _ machine: MachineName,
    before end: String
  ) throws(ForwardFailure) -> RedisEntry? {
    try entries("XREVRANGE", machine, end, "-", atMost: "1").first
  }

  private func entries(
    _ order: String,
    _ machine: MachineName,
    _ from: String,
    _ to: String,
    atMost count: String
  ) throws(ForwardFailure) -> [RedisEntry] {
    let answer = try owner.order([order, machine.key, from, to, "COUNT", count])
    if case .refusal(let words) = answer { throw .engine(words) }
    return (answer.list ?? []).compactMap(RedisEntry.init)
  }
}

/// An entry of a stream of Redis.
private struct RedisEntry {
  let id: String
  /// The two halves of the id.
  let began: Int64
  let seq: Int64
  let line: [UInt8]
  let epoch: String

  /// Reads an answer; nil where the entry is none of ours.
  init?(_ value: RedisValue) {
    guard let parts = value.list, parts.count == 2, let id = parts[0].text,
      case .text(let line)? = parts[1]["line"], let epoch = parts[1]["epoch"]?.text
    else { return nil }
    let halves = id.split(separator: "-").compactMap { Int64($0)?.ifReachable }
    guard halves.count == 2 else { return nil }
    (self.id, began, seq) = (id, halves[0], halves[1])
    (self.line, self.epoch) = (line, epoch)
  }

  func archived(_ machine: MachineName) -> ArchivedEntry {
    ArchivedEntry(machine: machine.text, epoch: epoch, line: line)
  }
}
