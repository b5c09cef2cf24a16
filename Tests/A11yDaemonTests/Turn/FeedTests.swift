// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yBroker
@testable import A11yDaemon

/// A subscriber at one end of a real socket, the log on a real disk at the other.
@Suite struct FeedTests {
  let directory: ScratchDirectory

  init() throws {
    directory = try ScratchDirectory()
    Signals.ignoreBrokenPipe()
  }

  private func open(segment: Int = 1 << 24, entries: Int? = nil) throws -> LogOnDisk {
    var policy = Settings().log
    policy.segmentBytes = ByteCount(segment)
    policy.retainEntries = entries
    return try LogOnDisk(in: directory, policy: policy)
  }

  private func caughtUp(_ disk: LogOnDisk, _ seq: Int64) -> String {
    "{\"mark\":\"caught-up\",\"cursor\":\"\(disk.epoch.hex):\(seq)\"}\n"
  }

  private func checkpoint(_ disk: LogOnDisk, _ seq: Int64) -> String {
    "{\"mark\":\"checkpoint\",\"cursor\":\"\(disk.epoch.hex):\(seq)\"}\n"
  }

  private func gap(_ from: Int64, _ to: Int64) -> String {
    "{\"mark\":\"gap\",\"from\":\(from),\"to\":\(to),\"reason\":\"retention\"}\n"
  }

  // MARK: From where on

  @Test func `who subscribes now is told that it is at the end, and gets what comes`() throws {
    let disk = try open()
    disk.append("a")
    let listener = try Listener(disk)

    try listener.advance()
    #expect(listener.read() == [caughtUp(disk, 2)])
    disk.append("b", "c")
    try listener.advance()

    #expect(listener.read() == Array(disk.lines.suffix(2)))
    #expect(listener.feed.isAtEnd)
    #expect(listener.feed.passed == Seq(4))
  }

  @Test func `who subscribes from the start gets the whole log, then its end, then what comes`()
    throws
  {
    let disk = try open()
    disk.append("a", "b")
    let listener = try Listener(disk, #","from":"start""#)

    try listener.advance()
    disk.append("c")
    try listener.advance()

    #expect(listener.read() == disk.lines.prefix(3) + [caughtUp(disk, 3)] + disk.lines.suffix(1))
  }

  @Test func `from every cursor on exactly the entries behind it come`() throws {
    let disk = try open(segment: 1_500)
    for number in 0..<20 { disk.append("number \(number)") }

    for seq in 0...disk.lines.count {
      let listener = try Listener(disk, #","from":"\#(disk.epoch.hex):\#(seq)""#)
      try listener.advance()

      #expect(listener.read() == disk.lines.dropFirst(seq) + [caughtUp(disk, 21)])
    }
  }

  @Test func `nothing is sent twice to who has nothing new`() throws {
    let disk = try open()
    disk.append("a")
    let listener = try Listener(disk, #","from":"start""#)

    for _ in 0..<3 { try listener.advance() }

    #expect(listener.read() == disk.lines + [caughtUp(disk, 2)])
  }

  @Test func `a feed goes over from one segment to the next`() throws {
    let disk = try open(segment: 1_500)
    let listener = try Listener(disk, #","from":"start""#)
    var expected = [caughtUp(disk, 0)]
    try listener.advance()
    for number in 0..<40 {
      disk.append("number \(number)", "more")
      if number % 7 == 0 { try listener.advance() }
    }
    try listener.advance()
    expected += disk.lines

    #expect(disk.log.segmentCount > 4)
    #expect(listener.read() == expected)
  }

  // MARK: Slow readers

  @Test(arguments: ["", #","filter":{"types":["announcement","client","outcome"]}"#])
  func `a slow reader gets exactly the stored lines, at its own pace`(filter: String) throws {
    var dice = Dice()
    for _ in 0..<8 {
      let directory = try ScratchDirectory()
      var policy = Settings().log
      policy.segmentBytes = ByteCount(dice.roll(20_000...200_000))
      let disk = try LogOnDisk(in: directory, policy: policy)
      let listener = try Listener(disk, #","from":"start""# + filter, sendBuffer: 4_096)
      var received: [UInt8] = []

      for _ in 0..<120 {
        switch dice.roll(1...3) {
        case 1:
          disk.append(
            (0..<dice.roll(1...6)).map { _ in String(repeating: "x", count: dice.roll(0...9_000)) }
          )
          try listener.advance()
        case 2: received += listener.read(atMost: dice.roll(1...20_000))
        default: try listener.resume()
        }
      }
      // Now it reads on until nothing comes any more.
      var idle = 0
      while idle < 3 {
        let more = listener.read(atMost: 100_000)
        received += more
        try listener.resume()
        idle = more.isEmpty ? idle + 1 : 0
      }

      let lines = received.split(separator: 10).map { String(decoding: $0, as: UTF8.self) + "\n" }
      let entries = lines.filter { $0.hasPrefix("{\"seq\":") }
      #expect(entries == disk.lines, "seed \(dice.seed)")
      #expect(lines.count == entries.count + 1, "and that it has caught up, once")
    }
  }

  @Test func `a reader that has gone is noticed and not fed any more`() throws {
    let disk = try open()
    disk.append([String](repeating: "x", count: 50))
    let listener = try Listener(disk, #","from":"start""#)

    listener.close()
    try listener.advance()

    #expect(listener.connection.isDeaf)
  }

  @Test func `one subscriber gets no more than its share in one turn`() throws {
    let disk = try open()
    for _ in 0..<30 {
      disk.append([String](repeating: String(repeating: "x", count: 8_000), count: 8))
    }
    let listener = try Listener(disk, #","from":"start""#, sendBuffer: 8 << 20)
    let empty = ByteBuffer(capacity: 0)

    try listener.feed.advance(
      listener.connection,
      Feed.Fresh(lines: empty.bytes, start: disk.log.active.end, secrets: []),
      listener.desk
    )

    let received = listener.read(atMost: 8 << 20)
    #expect(received.last == 10, "a turn ends with a whole line")
    #expect(received.count <= FeedDesk.share + 70_000)
    #expect(!listener.feed.isAtEnd || listener.connection.isStalled)
  }

  // MARK: Gaps

  @Test func `a cursor older than the log is told the gap, and then goes on`() throws {
    let disk = try open(segment: 1_500, entries: 5)
    for number in 0..<40 { disk.append("number \(number)") }
    disk.retain()
    let first = disk.log.first.number

    let listener = try Listener(disk, #","from":"\#(disk.epoch.hex):3""#)
    try listener.advance()

    #expect(first > 20)
    #expect(
      listener.read()
        == [gap(4, first - 1)] + disk.lines.dropFirst(Int(first) - 1) + [caughtUp(disk, 41)]
    )
  }

  @Test func `a reader whose next segments were retained away gets what it has begun, and the gap`()
    throws
  {
    let disk = try open(segment: 1_500, entries: 5)
    for number in 0..<5 { disk.append("number \(number)") }
    let listener = try Listener(disk, #","from":"start""#)
    let begun = disk.log.active
    for number in 5..<60 { disk.append("number \(number)") }
    disk.retain()
    let first = disk.log.first.number

    try listener.advance()

    let received = listener.read()
    let old = received.prefix { !$0.hasPrefix("{\"mark\"") }
    #expect(begun.first == Seq(1))
    #expect(
      Array(old) == Array(disk.lines.prefix(old.count)),
      "a file stays readable for who has begun"
    )
    #expect(
      Array(received.dropFirst(old.count))
        == [gap(Int64(old.count) + 1, first - 1)] + disk.lines.dropFirst(Int(first) - 1)
        + [caughtUp(disk, disk.log.last.number)]
    )
  }

  @Test func `a filtered reader is told of a gap too`() throws {
    let disk = try open(segment: 1_500, entries: 5)
    for number in 0..<40 { disk.append("number \(number)") }
    disk.retain()

    let listener = try Listener(disk, #","from":"start","filter":{"types":["window"]}"#)
    let old = try Listener(disk, #","from":"\#(disk.epoch.hex):0","filter":{"types":["window"]}"#)
    try listener.advance()
    try old.advance()

    #expect(listener.read() == [caughtUp(disk, 41)])
    #expect(old.read() == [gap(1, disk.log.first.number - 1), caughtUp(disk, 41)])
  }

  // MARK: Filters

  @Test func `a filtered reader gets what passes, live and from the file alike`() throws {
    let disk = try open(segment: 4_000)
    let live = try Listener(disk, #","filter":{"types":["pause"]}"#)
    try live.advance()
    for number in 0..<20 {
      disk.append(["number \(number)"])
      disk.append(["k"], type: "pause")
      try live.advance()
    }
    try live.advance()

    let late = try Listener(disk, #","from":"start","filter":{"types":["pause"]}"#)
    try late.advance()

    let passing = disk.lines.filter { $0.contains(#""type":"pause""#) }
    #expect(passing.count == 20)
    #expect(live.read() == [caughtUp(disk, 0)] + passing)
    #expect(late.read() == passing + [caughtUp(disk, 41)])
  }

  @Test func `each thousand entries left out are marked by a checkpoint`() throws {
    let disk = try open(segment: 40_000)
    for _ in 0..<25 { disk.append([String](repeating: "x", count: 100), type: "resume") }
    disk.append(["k"], type: "pause")
    disk.append([String](repeating: "x", count: 1_000), type: "resume")
    // The first entry says who has come.
    let listener = try Listener(disk, #","from":"start","filter":{"types":["pause"]}"#)

    try listener.advance()

    #expect(
      listener.read() == [
        checkpoint(disk, 1_000), checkpoint(disk, 2_000), disk.lines[2_501],
        checkpoint(disk, 3_502), caughtUp(disk, 3_502),
      ]
    )
    #expect(listener.feed.subscription.leftOut == 0)
    #expect(listener.desk.hasLeftOut)
  }

  @Test func `an empty list lets nothing through`() throws {
    let disk = try open()
    disk.append("a", "b")
    let listener = try Listener(disk, #","from":"start","filter":{"types":[]}"#)

    try listener.advance()

    #expect(listener.read() == [caughtUp(disk, 3)])
  }
}

/// A subscribed connection whose other end the test holds.
private final class Listener {
  let disk: LogOnDisk
  let connection: ClientConnection
  let feed: Feed
  let desk: FeedDesk
  private var peer: FileDescriptor?

  init(_ disk: LogOnDisk, _ fields: String = "", sendBuffer: Int = 4 << 20) throws {
    self.disk = disk
    let (session, subscription) = try disk.subscribe(fields)
    let pair = try UnixStream.pair()
    try pair.first.setSendBuffer(bytes: sendBuffer)
    connection = ClientConnection(
      SocketLink(pair.first, watchedBy: try Poll()),
      session: session
    )
    peer = Optional.some(pair.second)
    desk = FeedDesk(epoch: disk.epoch)
    feed = Feed(subscription, in: disk.log, desk)
  }

  /// A turn of the daemon, which has the last lines in memory.
  func advance() throws {
    guard !connection.isStalled else { return }
    try disk.withFresh { try feed.advance(connection, $0, desk) }
  }

  /// The socket takes more, as the kernel would say.
  func resume() throws {
    connection.resume()
    try advance()
  }

  func close() { peer = nil }

  func read(atMost limit: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    var count = 0
    while count < limit {
      let received = bytes.withUnsafeMutableBytes {
        peer?.receive(into: UnsafeMutableRawBufferPointer(rebasing: $0[count...]))
      }
      guard case .bytes(let more)? = received else { break }
      count += more
    }
    return Array(bytes.prefix(count))
  }

  /// All lines that are there.
  func read() -> [String] {
    String(decoding: read(atMost: 8 << 20), as: UTF8.self)
      .split(separator: "\n").map { $0 + "\n" }
  }
}
