// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The verdict on damaged logs.
@Suite(.timeLimit(.minutes(hangs)))
struct LogVerifyTests {
  private let log: LogFiles

  init() throws { log = try LogFiles() }

  /// Expects damage that has cost these entries, and no other.
  private func expectDamage(
    _ lost: ClosedRange<Int64>?,
    words: String,
    reason: String = "corruption"
  ) throws {
    let all = try log.run("verify", "--json").output.split(separator: "\n").map {
      try JSON(String($0))
    }
    let sum = try #require(all.last)
    let (status, output) = try log.run("verify")

    #expect(status == 1)
    #expect(output.contains(words), "\(output)")
    #expect(sum["intact"] == false)
    let gaps = try log.gaps()
    if let lost {
      #expect(
        sum["lost"] == [["from": .integer(lost.lowerBound), "to": .integer(lost.upperBound)]]
      )
      #expect(
        gaps == [
          #"{"mark":"gap","from":\#(lost.lowerBound),"to":\#(lost.upperBound),"#
            + #""reason":"\#(reason)"}"#
        ]
      )
    } else {
      #expect(sum["lost"] == [])
      #expect(gaps == [])
      #expect(output.contains("no entry is known to be lost"), "\(output)")
    }
  }

  /// Expects all entries but these to be printed.
  private func expectPrinted(_ whole: ClosedRange<Int64>, without lost: ClosedRange<Int64>?) throws
  {
    #expect(try log.printed() == whole.filter { !(lost?.contains($0) ?? false) })
  }

  private func whole() throws -> ClosedRange<Int64> {
    1...(try log.seqs(log.last()).upperBound)
  }

  // MARK: Nothing wrong

  @Test func `an undamaged log is intact, and its segments are listed`() throws {
    let whole = try whole()
    let segments = try log.segments()
    #expect(segments.count >= 3)

    #expect(
      try log.output("verify").split(separator: "\n").last
        == "The log is intact: \(whole.count) entries, 1 to \(whole.upperBound),"
        + " in \(segments.count) segments."
    )
    let list = try log.output("ls").split(separator: "\n")
    #expect(list.count == segments.count + 1)
    #expect(list[0].hasPrefix("Segment 1 has \(try log.seqs(0).count) entries, 1 to "))
    let objects = try log.output("ls", "--json").split(separator: "\n").map { try JSON(String($0)) }
    #expect(objects.map { $0["file"].string } == segments)
    #expect(objects.compactMap { $0["count"].integer }.reduce(0, +) == Int64(whole.count))
    #expect(objects.allSatisfy { $0["closed"] == true && $0["damaged"] == false })
  }

  @Test func `a log is read beside the daemon that writes it`() throws {
    let daemon = try log.start()
    let client = try daemon.connect()
    try client.publishAccepted(#"{"type":"announcement","text":"beside"}"#)

    #expect(try log.run("verify").status == 0)
    #expect(try log.output("cat").split(separator: "\n").contains { $0.hasSuffix(": beside") })
  }

  @Test func `where there is no log, the advice says where one may be`() throws {
    let (status, output) = try Command(
      LogFiles.tool,
      ["log", "verify", "--log", log.directory("nowhere")]
    ).run()

    #expect(status == 66)
    #expect(output.contains("/var/lib/a11yd"))
  }

  // MARK: Bytes

  @Test func `flipped bits cost the entries that they are in`() throws {
    let whole = try whole()
    let (first, second) = (
      try log.offset(of: #"{"seq":51,"#, in: 0), try log.offset(of: #"{"seq":53,"#, in: 0)
    )
    let end = try log.offset(of: #"{"seq":54,"#, in: 0)
    let between = try log.offset(of: #"{"seq":52,"#, in: 0)
    try log.change(0) { data in
      for place in [first + 30, between + 2, second + 50] { data[place] ^= 4 }
    }

    try expectDamage(
      51...53,
      words: """
        In 00000000000000000001.ndjson, bytes \(first) to \(end - 1) are damaged: entries 51 to 53 \
        are lost and will be told as a gap.
        Entries 51 to 53 are damaged and will be told as a gap; everything else is intact.
        """
    )
    try expectPrinted(whole, without: 51...53)
  }

  @Test func `any flipped bit is found, wherever it is`() throws {
    var dice = Dice()
    let original = try log.bytes(1)
    // The ends of lines are where one could go unnoticed.
    let newlines = original.indices.filter { original[$0] == UInt8(ascii: "\n") }
    let places =
      [0, original.count - 1, newlines[0], newlines[1], newlines[newlines.count - 2]]
      + (0..<20).map { _ in dice.roll(0...original.count - 1) }
    for place in places {
      let bit = UInt8(1) << UInt8(dice.roll(0...7))
      try log.change(1) { $0[place] ^= bit }
      #expect(try log.run("verify").status == 1, "byte \(place), bit \(bit), seed \(dice.seed)")
      try log.change(1) { $0[place] ^= bit }
    }
    #expect(try log.run("verify").status == 0)
  }

  @Test func `a header and a closing line cost no entry`() throws {
    let whole = try whole()
    try log.change(1) { data in
      data[20] ^= 1
      data[data.count - 30] ^= 1
    }

    try expectDamage(nil, words: "that is its first line, which describes it. No entry is lost")
    try expectPrinted(whole, without: nil)
  }

  /// Has an entry tell another time, with the checksum that belongs to it.
  private func forge(_ seq: Int64, in index: Int) throws {
    let start = try log.offset(of: #"{"seq":\#(seq),"#, in: index)
    try log.change(index) { data in
      let end = try #require(data[start...].firstIndex(of: UInt8(ascii: "\n")))
      let line = String(decoding: data[start..<end], as: UTF8.self)
      let body = try #require(line.components(separatedBy: #","crc""#).first)
        .replacing(#""time":1"#, with: #""time":2"#)
      let crc = Checksum.text(of: body.utf8)
      data.replaceSubrange(start..<end, with: Data(#"\#(body),"crc":"\#(crc)"}"#.utf8))
    }
  }

  @Test func `an entry that was exchanged for another is noticed by the closing line`() throws {
    try forge(51, in: 0)

    try expectDamage(nil, words: "Its entries are not those that its last line was written for.")
  }

  @Test func `where the closing line is gone, it is noticed by the next header`() throws {
    try forge(51, in: 0)
    let closing = try log.offset(of: #"{"closed":"#, in: 0)
    try log.change(0) { $0 = $0.prefix(closing) }

    try expectDamage(nil, words: "The segment before it is not the one that it was begun behind.")
  }

  @Test func `entries that were cut out of the middle are missed`() throws {
    let whole = try whole()
    let (from, to) = (
      try log.offset(of: #"{"seq":20,"#, in: 0), try log.offset(of: #"{"seq":23,"#, in: 0)
    )
    try log.change(0) { $0.removeSubrange(from..<to) }

    try expectDamage(
      20...22,
      words: "entries are missing at byte \(from): entries 20 to 22 are lost"
    )
    try expectPrinted(whole, without: 20...22)
  }

  @Test func `an older segment that was cut short has lost its last entries`() throws {
    let whole = try whole()
    let last = try log.seqs(1).upperBound
    let cut = try log.offset(of: #"{"seq":\#(last - 1),"#, in: 1)
    try log.change(1) { $0 = $0.prefix(cut + 40) }

    try expectDamage(last - 1...last, words: "entries \(last - 1) to \(last) are lost")
    try expectPrinted(whole, without: last - 1...last)
  }

  // MARK: The end of the log

  @Test(arguments: ["half a line", "NULs"])
  func `a torn tail is told, and is no damage`(kind: String) throws {
    let end = try log.segments().count - 1
    let tail = kind == "NULs" ? Data(count: 700) : Data(#"{"seq":999999,"time":17952"#.utf8)
    let closing = try log.offset(of: #"{"closed":"#, in: end)
    let whole = try whole()
    try log.change(end) { $0 = $0.prefix(closing) + tail }

    let (status, output) = try log.run("verify")

    #expect(status == 0)
    #expect(output.contains("ends in \(tail.count) bytes of an unfinished line. That is no damage"))
    #expect(output.contains("The log is intact: "))
    try expectPrinted(whole, without: nil)
  }

  // MARK: Files

  @Test(arguments: ["pipe", "folder", "link", "nothing"])
  func `a segment that is no file any more has lost its entries`(kind: String) throws {
    let whole = try whole()
    let lost = try log.seqs(1)
    let (file, name) = (try log.file(1), try log.segments()[1])
    try FileManager.default.removeItem(atPath: file)
    switch kind {
    case "pipe": #expect(mkfifo(file, 0o600) == 0)
    case "folder":
      try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
    case "link":
      try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/dev/zero")
    default: break
    }

    try expectDamage(lost, words: "entries \(lost.lowerBound) to \(lost.upperBound) are lost")
    if kind != "nothing" {
      #expect(try log.run("verify").output.contains("\(name) has the name of a segment, but is no"))
    }
    try expectPrinted(whole, without: lost)
  }

  @Test func `segments that bear each other's names are read where they belong`() throws {
    let whole = try whole()
    let (one, two) = (try log.bytes(1), try log.bytes(2))
    try log.change(1) { $0 = two }
    try log.change(2) { $0 = one }

    try expectDamage(nil, words: "has the name of another segment")
    try expectPrinted(whole, without: nil)
  }

  @Test func `a segment that is there twice stands in for none`() throws {
    let whole = try whole()
    let lost = try log.seqs(1)
    let one = try log.bytes(0)
    try log.change(1) { $0 = one }

    try expectDamage(lost, words: "is another copy of the segment that begins with entry")
    try expectPrinted(whole, without: lost)
  }

  @Test func `what does not belong there is named and left alone`() throws {
    try Data("x".utf8).write(to: URL(filePath: "\(log.path)/notes\u{1b}[2J.txt"))

    let (status, output) = try log.run("verify")

    #expect(status == 0)
    #expect(output.contains("notes<U+001B>[2J.txt is nothing that the log has made."))
  }

  // MARK: What stands beside the segments

  @Test(arguments: ["cut", "flipped", "without an end"])
  func `a damaged state file costs no entry`(kind: String) throws {
    let whole = try whole()
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: log.path).first {
        $0.hasSuffix(".state") && !$0.hasPrefix("latest")
      }
    )
    let file = URL(filePath: "\(log.path)/\(name)")
    var data = try Data(contentsOf: file)
    switch kind {
    case "cut": data.removeLast(5)
    case "flipped": data[30] ^= 1
    default: data = data.prefix(try #require(data.firstRange(of: Data("{\"end\"".utf8))).lowerBound)
    }
    try data.write(to: file)

    try expectDamage(nil, words: "It only spares reading what comes before it. No entry is lost")
    try expectPrinted(whole, without: nil)
  }

  @Test func `the state within a segment is told when neither is whole, and is no damage`() throws {
    let whole = try whole()
    let files = (0...1).map { URL(filePath: "\(log.path)/latest-\($0).state") }
    let states = try FileManager.default.contentsOfDirectory(atPath: log.path)
    let state = try #require(states.first { $0.hasSuffix(".state") && !$0.hasPrefix("latest") })
    let data = try Data(contentsOf: URL(filePath: "\(log.path)/\(state)"))
    // Behind its end stands what is left of a larger one.
    try (data + data.suffix(200) + Data("   ".utf8)).write(to: files[0])
    // The other one is being written.
    try data.dropLast(5).write(to: files[1])
    #expect(try !log.run("verify").output.contains("latest"))
    try data.dropLast(5).write(to: files[0])

    let told = try log.run("verify")

    #expect(told.status == 0)
    for number in 0...1 { #expect(told.output.contains("latest-\(number).state ends too early")) }
    try expectPrinted(whole, without: nil)
  }

  @Test func `the watermark knows of entries that were cut off the end`() throws {
    let whole = try whole()
    let last = try log.last()
    let cut = try log.offset(of: #"{"seq":\#(whole.upperBound),"#, in: last)
    try log.change(last) { $0 = $0.prefix(cut) }
    let lost = whole.upperBound...whole.upperBound

    try expectDamage(lost, words: "entry \(whole.upperBound) is lost")
    try expectPrinted(whole, without: lost)
  }

  @Test func `the watermark knows of a last segment that is gone`() throws {
    let whole = try whole()
    let last = try log.last()
    let lost = try log.seqs(last)
    try FileManager.default.removeItem(atPath: log.file(last))

    try expectDamage(lost, words: "At the end a segment is missing: entries")
    try expectPrinted(whole, without: lost)
  }

  @Test func `one line of the watermark is enough, none is damage`() throws {
    let file = URL(filePath: "\(log.path)/watermark")
    var data = try Data(contentsOf: file)
    data[20] ^= 1
    try data.write(to: file)

    let (status, output) = try log.run("verify")
    #expect(status == 0)
    #expect(output.contains("One of the two lines of watermark is damaged"))

    data[532] ^= 1
    try data.write(to: file)
    try expectDamage(nil, words: "watermark is damaged.")
  }
}
