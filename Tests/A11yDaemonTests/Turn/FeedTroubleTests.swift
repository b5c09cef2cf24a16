// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yBroker
@testable import A11yDaemon
@testable import A11yLog

/// Subscribers notice nothing of what the log does to keep its entries: none is missing or comes
/// twice, or else they are told which.
@Suite struct FeedTroubleTests {
  let disk = MemoryDisk()

  private func open(
    segment: Int = 1 << 24,
    entries: Int? = nil,
    on disk: MemoryDisk? = nil
  ) throws -> LogOnDisk {
    var policy = Settings().log
    policy.segmentBytes = ByteCount(segment)
    policy.retainEntries = entries
    policy.retainAge = nil
    return try LogOnDisk(on: disk ?? self.disk, policy: policy)
  }

  private func fail(_ disk: MemoryDisk, _ error: Errno = .noSpace) {
    disk.refusal = { call, _ in
      switch call {
      case .names, .measure, .open, .read, .size, .makeFolder, .remove: nil
      case .create, .rename, .synchronizeNames, .write, .truncate, .synchronize: error
      }
    }
  }

  private func recover(_ disk: MemoryDisk) { disk.refusal = { _, _ in nil } }

  private func entries(_ heard: [String]) -> [String] {
    heard.filter { $0.hasPrefix("{\"seq\":") }.map { $0 + "\n" }
  }

  // MARK: Into memory and back

  @Test func `who follows live hears entries that are on no disk, each once`() throws {
    let log = try open()
    let listener = try HandListener(log, #","from":"start""#)
    log.append("a")
    try listener.advance(log)
    fail(disk)
    for number in 0..<5 {
      log.append("number \(number)", "more")
      try listener.advance(log)
    }
    recover(disk)
    #expect(log.log.heal())
    try listener.idle(log)
    log.append("b")
    try listener.advance(log)
    while log.sync() == .progress {}
    log.append("c")
    try listener.advance(log)

    #expect(entries(listener.hear()) == log.lines)
    #expect(listener.feed.isAtEnd)
  }

  @Test func `who stands at the end of an empty segment goes on in the one that replaces it`()
    throws
  {
    let name = SegmentName.entries(Seq(1))
    for isForGood in [false, true] {
      let disk = MemoryDisk()
      let log = try open(on: disk)
      let listener = try HandListener(log, #","from":"start""#)
      try listener.idle(log)
      #expect(listener.feed.isAtEnd)
      var count = 0
      disk.refusal = { call, asked in
        guard call == .write, asked.hasPrefix(name) else { return nil }
        count += 1
        return count == 1 || isForGood ? .inputOutput : nil
      }

      log.append("a", "b")
      try listener.advance(log)
      log.append("c")
      try listener.advance(log)

      #expect((log.log.trouble != nil) == isForGood)
      #expect(entries(listener.hear()) == log.lines)
    }
  }

  @Test func `who has fallen behind reads from memory, at its own pace`() throws {
    let log = try open()
    log.append("a")
    fail(disk)
    for number in 0..<20 { log.append(String(repeating: "\(number % 10)", count: 3_000)) }
    for filter in ["", #","filter":{"types":["announcement","client","outcome"]}"#] {
      let listener = try HandListener(log, #","from":"start""# + filter, size: 777)
      try listener.drain(log)

      #expect(entries(listener.hear()) == log.lines)
    }
  }

  @Test func `what memory had no room for is a gap of the storage, whenever one comes by`() throws {
    let log = try open()
    log.append("a")
    let early = try HandListener(log, #","from":"start""#, size: 100)
    try early.idle(log)
    fail(disk)
    let text = String(repeating: "x", count: 30_000)
    for _ in 0..<70 {
      log.append([String](repeating: text, count: 9))
      try early.idle(log)
    }
    let first = try #require(log.log.known.dropFirst().first?.first.number)
    #expect(first > 50)
    let gap = #"{"mark":"gap","from":3,"to":\#(first - 1),"reason":"storage"}"#

    func check(_ listener: HandListener, _ log: LogOnDisk, _ lines: [String]) throws {
      try listener.drain(log)
      let heard = listener.hear()
      #expect(heard.filter { $0.hasPrefix(#"{"mark":"gap""#) } == [gap])
      #expect(entries(heard) == Array(lines.prefix(2) + lines.dropFirst(Int(first) - 1)))
    }
    try check(HandListener(log, #","from":"start""#, size: 1 << 20), log, log.lines)
    recover(disk)
    #expect(log.log.heal())
    try check(HandListener(log, #","from":"start""#, size: 1 << 20), log, log.lines)
    early.size(1 << 20)
    try check(early, log, log.lines)
    let again = try open()
    try check(HandListener(again, #","from":"start""#, size: 1 << 20), again, log.lines)
  }

  @Test func `who reads what goes for lack of memory is told from where on`() throws {
    let log = try open()
    fail(disk)
    let text = String(repeating: "x", count: 30_000)
    log.append([String](repeating: text, count: 9))
    // In the middle of the first segment that is in memory.
    let slow = try HandListener(log, #","from":"start""#, size: 100_000)
    try slow.idle(log)
    let begun = entries(slow.hear()).count
    #expect(begun > 1)
    for _ in 0..<70 {
      log.append([String](repeating: text, count: 9))
      try slow.feed.forsake()
    }
    let first = try #require(log.log.known.first?.first.number)
    #expect(first > 50)

    slow.size(1 << 20)
    try slow.drain(log)
    let heard = slow.hear()

    let gap = try JSON(try #require(heard.first { $0.hasPrefix(#"{"mark":"gap""#) }))
    let from = try #require(gap["from"].integer)
    #expect(gap["to"].integer == first - 1)
    #expect(gap["reason"] == "storage")
    let rest = entries(heard)
    let kept = Array(log.lines[begun..<Int(from) - 1])
    let behind = Array(log.lines.dropFirst(Int(first) - 1))
    #expect(rest == kept + behind)
  }

  // MARK: Rescue

  /// A log of several segments, of which the first entries are safe, and one listener for each
  /// number of entries that it may have heard.
  private func standing(
    _ log: LogOnDisk,
    _ fields: String
  ) throws -> [(listener: HandListener, heard: Int)] {
    var all: [(listener: HandListener, heard: Int)] = []
    for count in 0...log.lines.count {
      let room = log.lines.prefix(count).joined().utf8.count
      let listener = try HandListener(log, fields, size: room)
      try listener.idle(log)
      all.append((listener, count))
    }
    return all
  }

  @Test(arguments: [0, 1, 3, 6], ["", #","filter":{"types":["announcement","client"]}"#])
  func `wherever one stands when entries are rescued, it hears each once`(
    safe: Int,
    filter: String
  ) throws {
    for failures in 1...3 {
      let disk = MemoryDisk()
      let log = try open(segment: 900, on: disk)
      for number in 0..<14 {
        log.append("number \(number)")
        if number < safe { while log.sync() == .progress {} }
      }
      var standing = try standing(log, #","from":"start""# + filter)
      for _ in 0..<failures { _ = log.sync(.inputOutput) }
      #expect((log.log.trouble != nil) == (failures > 1))
      log.append("behind the rescue")
      for (listener, _) in standing {
        listener.size(1 << 20)
        try listener.drain(log)
        #expect(entries(listener.hear()) == log.lines)
      }
      // And who comes now.
      standing = try self.standing(log, #","from":"start""# + filter)
      _ = log.log.heal()
      while log.sync() == .progress {}
      log.append("the last")
      for (listener, _) in standing {
        listener.size(1 << 20)
        try listener.drain(log)
        #expect(entries(listener.hear()) == log.lines)
        #expect(listener.feed.isAtEnd)
      }
    }
  }

  @Test func `wherever one stands when what was in memory is rescued, it hears each once`() throws {
    for safe in [0, 2] {
      let disk = MemoryDisk()
      let log = try open(segment: 900, on: disk)
      for _ in 0..<4 { log.append("before") }
      for _ in 0..<safe { _ = log.sync() }
      fail(disk)
      for number in 0..<5 { log.append("number \(number)") }
      let standing = try standing(log, #","from":"start""#)
      recover(disk)
      #expect(log.log.heal())
      let behind = try self.standing(log, #","from":"start""#)
      #expect(log.sync(.inputOutput) == .rescued(.inputOutput))
      log.append("behind the rescue")
      for (listener, _) in standing + behind {
        listener.size(1 << 20)
        try listener.drain(log)
        #expect(entries(listener.hear()) == log.lines)
      }
    }
  }

  @Test func `who is on its way to a segment that is given up is told what is missing before it`()
    throws
  {
    let log = try open(segment: 900, entries: 3)
    for number in 0..<20 {
      log.append("number \(number)")
      if number < 12 { while log.sync() == .progress {} }
    }
    let listener = try HandListener(log, #","from":"\#(log.epoch.hex):1""#, size: 0)
    try listener.idle(log)
    log.retain()
    try listener.feed.forsake()
    let first = log.log.first.number
    #expect(first > 3)
    #expect(log.sync(.inputOutput) == .rescued(.inputOutput))

    listener.size(1 << 20)
    try listener.drain(log)

    let heard = listener.hear()
    #expect(heard.first == #"{"mark":"gap","from":2,"to":\#(first - 1),"reason":"retention"}"#)
    #expect(entries(heard) == Array(log.lines.dropFirst(Int(first) - 1)))
    #expect(listener.feed.isAtEnd)
  }

  // MARK: A medium that changes under the reader

  @Test func `who stands where entries are missing between two lines is told, read anew or not`()
    throws
  {
    let whole = try open(segment: 9_000)
    for number in 0..<40 { whole.append("number \(number)", "more") }
    while whole.sync() == .progress {}
    let name = SegmentName.entries(Seq(1))
    let file = disk.text(name)
    for lost in [4...4, 9...12] {
      let disk = disk.copy()
      var text = file
      for seq in lost {
        if let range = text.firstRange(of: whole.lines[seq - 1]) { text.removeSubrange(range) }
      }
      disk[name] = Array(text.utf8)
      let log = try open(segment: 9_000, on: disk)
      let before = whole.lines.prefix(lost.lowerBound - 1)
      let listener = try HandListener(
        log,
        #","from":"start""#,
        // The last one of them is cut, and finished from memory.
        size: before.joined().utf8.count - 3
      )
      try listener.idle(log)

      log.log.doubt(log.log.segment(holding: Seq(1)))
      listener.size(1 << 20)
      try listener.drain(log)

      let heard = listener.hear()
      #expect(heard.prefix(before.count).map { $0 + "\n" } == Array(before))
      #expect(
        heard.dropFirst(before.count).first
          == #"{"mark":"gap","from":\#(lost.lowerBound),"to":\#(lost.upperBound),"#
          + #""reason":"corruption"}"#
      )
      #expect(entries(heard) == Array(before + whole.lines.dropFirst(lost.upperBound)))
    }
  }

  @Test func `where a segment has to be read through again, nobody hears a line twice`() throws {
    let whole = try open(segment: 9_000)
    for number in 0..<40 { whole.append("number \(number)", "more") }
    while whole.sync() == .progress {}
    let name = SegmentName.entries(Seq(1))
    let bytes = try #require(disk[name])
    let offsets = LogFiles.places(of: bytes)
    for damaged in stride(from: 3, to: offsets.count - 3, by: 7) {
      let copy = disk.copy()
      let log = try open(segment: 9_000, on: copy)
      var listeners: [HandListener] = []
      for count in [1, damaged - 2, damaged - 1, damaged, damaged + 1, damaged + 2] {
        let room = whole.lines.prefix(count).joined().utf8.count
        let listener = try HandListener(log, #","from":"start""#, size: room)
        try listener.idle(log)
        listeners.append(listener)
      }
      copy.flip(name, at: offsets[damaged] + 20)
      var isFirst = true
      copy.refusal = { call, asked in
        guard call == .read, asked == name, isFirst else { return nil }
        isFirst = false
        return .inputOutput
      }
      // The medium refuses one read, and is read through again.
      let unlucky = try HandListener(log, #","from":"start""#, size: 1 << 20)
      #expect(throws: Errno.inputOutput) { try unlucky.idle(log) }

      for listener in listeners {
        listener.size(1 << 20)
        do {
          try listener.drain(log)
        } catch {
          // It stands in the damage: it comes again, with the cursor that it has.
          continue
        }
        let heard = listener.hear()
        let seqs = entries(heard).compactMap { Seq(of: Array($0.utf8).span)?.number }
        #expect(seqs == seqs.sorted())
        #expect(Set(seqs).count == seqs.count)
        #expect(
          Set(1...Int64(whole.lines.count)).subtracting(seqs).isSubset(of: [Int64(damaged + 1)])
        )
        let gaps = heard.filter { $0.hasPrefix(#"{"mark":"gap""#) }
        #expect(gaps.count == whole.lines.count - seqs.count)
        #expect(listener.feed.isAtEnd)
      }
    }
  }

  // MARK: At random

  @Test func `whatever the disk does, subscribers of all kinds hear what they should`() throws {
    var dice = Dice()
    for round in 0..<60 {
      try play(&dice, Comment(rawValue: "round \(round), seed \(dice.seed)"))
    }
  }

  private func play(_ dice: inout Dice, _ note: Comment) throws {
    let disk = MemoryDisk()
    var isKeeping = dice.once(in: 2)
    let log = try open(segment: dice.roll(500...4_000), entries: isKeeping ? nil : 10, on: disk)
    let filter = #","filter":{"types":["pause"]}"#
    var listeners: [(listener: HandListener, isFiltered: Bool, first: Int)] = []
    for _ in 0..<90 {
      switch dice.roll(1...14) {
      case 1...6:
        let texts = (0..<dice.roll(1...4)).map { _ in
          String(repeating: "x", count: dice.roll(0...300))
        }
        if dice.once(in: 3) { log.append(texts, type: "pause") } else { log.append(texts) }
        for (listener, _, _) in listeners { try listener.advance(log) }
      case 7:
        while log.sync() == .progress, dice.once(in: 2) {}
      case 8: _ = log.sync(.inputOutput)
      case 9: if dice.once(in: 2) { fail(disk) } else { recover(disk) }
      case 10: _ = log.log.heal()
      case 11 where listeners.count < 6:
        let isFiltered = dice.once(in: 3)
        let from = dice.once(in: 2)
        let listener = try HandListener(
          log,
          (from ? #","from":"start""# : "") + (isFiltered ? filter : ""),
          size: dice.pick([90, 500, 5_000, 1 << 20])
        )
        let first = from ? Int(log.log.first.number) : log.lines.count + 1
        listeners.append((listener, isFiltered, first))
      case 12:
        if !isKeeping, dice.once(in: 3) {
          log.retain()
          isKeeping = false
        }
      default:
        for (listener, _, _) in listeners where dice.once(in: 2) { try listener.resume(log) }
      }
      for (listener, _, _) in listeners { try listener.feed.forsake() }
    }
    recover(disk)
    for _ in 0..<4 {
      _ = log.log.heal()
      while log.sync() == .progress {}
    }
    #expect(log.log.trouble == nil, note)
    log.append("the end")
    for (listener, isFiltered, first) in listeners {
      try listener.drain(log)
      #expect(listener.feed.isAtEnd, note)
      var next = first
      var expected: [String] = []
      let heard = listener.hear()
      var caughtUp = 0
      for line in heard where !line.hasPrefix(#"{"mark":"checkpoint""#) {
        if line.hasPrefix(#"{"mark":"caught-up""#) {
          caughtUp += 1
        } else if line.hasPrefix(#"{"mark":"gap""#) {
          let gap = try JSON(line)
          let (from, to) = (try #require(gap["from"].integer), try #require(gap["to"].integer))
          #expect(!isKeeping && gap["reason"] == "retention", "\(line), \(note)")
          #expect(from >= next && to >= from, note)
          expected += passing(log.lines[next - 1..<Int(from) - 1], isFiltered)
          next = Int(to) + 1
        }
      }
      expected += passing(log.lines[min(next - 1, log.lines.count)...], isFiltered)
      #expect(entries(heard) == expected, note)
      #expect(caughtUp == 1, note)
    }
  }

  private func passing(_ lines: ArraySlice<String>, _ isFiltered: Bool) -> [String] {
    lines.filter { !isFiltered || $0.contains(#""type":"pause""#) }
  }
}

/// A subscribed connection with a client in memory.
private final class HandListener {
  private let link: HandLink
  private let connection: ClientConnection
  let feed: Feed
  private let desk: FeedDesk

  /// A client that takes `size` bytes until it has read.
  init(_ log: LogOnDisk, _ fields: String = "", size: Int = 1 << 20) throws {
    let (session, subscription) = try log.subscribe(fields)
    link = HandLink(size: size)
    connection = ClientConnection(link, session: session)
    desk = FeedDesk(epoch: log.epoch)
    feed = Feed(subscription, in: log.log, desk)
  }

  /// From now on so much until it has read.
  func size(_ size: Int) { link.resize(size) }

  /// A turn with new lines.
  func advance(_ log: LogOnDisk) throws {
    guard !connection.isStalled else { return }
    try log.withFresh { try feed.advance(connection, $0, desk) }
  }

  /// A turn without.
  func idle(_ log: LogOnDisk) throws {
    guard !connection.isStalled else { return }
    try log.withNothingFresh { try feed.advance(connection, $0, desk) }
  }

  /// The client has read, and takes more.
  func resume(_ log: LogOnDisk) throws {
    link.read()
    connection.resume()
    try idle(log)
  }

  /// Until nothing comes any more.
  func drain(_ log: LogOnDisk) throws {
    for _ in 0..<100_000 {
      try resume(log)
      if feed.isAtEnd, connection.backlog.isEmpty { return }
    }
    Issue.record("there is no end to it")
  }

  /// All lines that have come since the last time.
  func hear() -> [String] { link.takeLines() }
}
