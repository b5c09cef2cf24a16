// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yTestKit
import A11yWire
import Testing

@testable import A11yCore
@testable import A11yDaemon

/// Keys against duplicates are read back from the entries that bear them.
@Suite struct UsedKeyTests {
  private static let minute: Int64 = 60_000_000

  let directory: ScratchDirectory
  let files: LogFiles

  init() throws {
    directory = try ScratchDirectory()
    files = LogFiles(path: directory.path)
  }

  private func open() throws -> LogOnDisk {
    var policy = Settings().log
    policy.segmentBytes = ByteCount(2_000)
    return try LogOnDisk(in: directory, policy: policy)
  }

  /// The keys that a start at this time remembers, each with its entry's seq.
  private func remembered(at mono: Int64) throws -> [String] {
    let found = try FoundLog(in: directory.path, uptime: mono, wall: 1_795_242_000_000_000)
    return try found.usedKeys(at: mono).map { "\($0.uid) \($0.app) \($0.key) \($0.seq.number)" }
  }

  @Test(arguments: [true, false])
  func `a start remembers keys of all segments, oldest first`(isClosed: Bool) throws {
    let disk = try open()
    for number in 0..<12 {
      try disk.append(["some text that takes room in its segment"])
      try disk.append(["a"], dedupe: "key \(number)")
    }
    if isClosed { try disk.log.close() }

    let keys = try remembered(at: 2_000_000)

    #expect(disk.log.segmentCount > 2)
    // The first entry says who has come; then every second one bears a key.
    #expect(keys == (0..<12).map { "1000 uid:1000 key \($0) \(3 + 2 * $0)" })
  }

  @Test func `a start remembers no key longer than ten minutes`() throws {
    let disk = try open()
    try disk.append(["a"], dedupe: "old")
    for _ in 0..<20 { try disk.append(["some text that takes room in its segment"]) }
    try disk.append(["b"], dedupe: "new", after: 8 * Self.minute)
    let mono = try #require(try JSON(disk.lines[disk.lines.count - 1])["mono"].integer)

    #expect(try remembered(at: mono + Self.minute).count == 2)
    #expect(try remembered(at: mono + 3 * Self.minute) == ["1000 uid:1000 new 23"])
    #expect(try remembered(at: mono + 11 * Self.minute) == [])
  }

  @Test func `a key is read by what it says`() throws {
    let disk = try open()
    try disk.append(["a"], dedupe: #"k\u0065y"#)

    #expect(try remembered(at: 2_000_000) == ["1000 uid:1000 key 2"])
  }

  @Test(arguments: [#",\"dedupe\":\"k\""#, #"\",\"dedupe\":\"k"#, ",'dedupe':'k'"])
  func `a text that looks like a key is none, and the log is closed as it should be`(
    text: String
  ) throws {
    let disk = try open()
    try disk.append([text])
    try disk.log.close()

    let again = try FoundLog(in: directory.path, uptime: 2_000_000, wall: 0)

    #expect(again.opening.isClean)
    #expect(again.previous?.keys == 0)
    #expect(try remembered(at: 2_000_000) == [])
  }

  @Test func `keys of refused events are in no closing line`() throws {
    let disk = try open()
    try disk.append(["a"], dedupe: "k")
    try disk.append(["", "b", "", "b"], dedupe: "k")
    try disk.append(["", "c"], dedupe: "l")
    try disk.log.close()

    let again = try FoundLog(in: directory.path, uptime: 2_000_000, wall: 0)

    #expect(again.opening.isClean)
    #expect(again.previous?.keys == 2)
    #expect(try remembered(at: 2_000_000).count == 2)
  }
}
