// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yPosix
import A11yTestKit
import A11yWire
import Testing

/// The lines of a segment that are no entries, and how its files are called.
@Suite struct SegmentHeaderTests {
  private let reader = JSONReader(limit: Limits.answerBytes)

  private func header(epochs: Int, previous: SegmentEnd?) -> SegmentHeader {
    SegmentHeader(
      first: Seq(1_000),
      epochs: (1...epochs).map { number in
        HandDriven.start(hex(UInt32(number)) + String(repeating: "0", count: 24), Int64(number))
      },
      boot: "0123456789abcdef0123456789abcdef",
      began: 5,
      clockOffset: -17,
      previous: previous
    )
  }

  private static let end = SegmentEnd(count: 999, last: Seq(999), hash: .max - 5)

  private func written(_ header: SegmentHeader) -> [UInt8] {
    var out = ByteBuffer(capacity: 0)
    header.writeLine(into: &out)
    return out.bytes.array
  }

  @Test(arguments: [1, 2, 500])
  func `a header is read back as it was written`(epochs: Int) throws {
    for previous in [nil, Self.end] {
      for missing in [SegmentHeader.Missing.nothing, .storage] {
        var header = header(epochs: epochs, previous: previous)
        header.missing = missing
        header.rescued = previous.map { _ in Seq(1_234) }
        header.original = previous.map { _ in .max - 9 }
        header.birth = previous.map { _ in FileBirth(inode: 7, nanoseconds: .max - 9) }
        let line = written(header)

        #expect(line.last == 10)
        let back = SegmentHeader(line.span.extracting(0..<line.count - 1), with: reader)
        #expect(back == header)
      }
    }
  }

  @Test func `what became of earlier entries can be put right without another byte`() {
    var header = header(epochs: 2, previous: Self.end)
    let before = written(header)
    header.missing = .storage
    header.birth = FileBirth(inode: .max, nanoseconds: 1)

    #expect(written(header).count == before.count)
  }

  @Test func `a header states what the log's page promises, and is no entry`() throws {
    let line = try JSON(
      String(decoding: written(header(epochs: 2, previous: Self.end)), as: UTF8.self)
    )

    #expect(line["format"].integer == 1)
    #expect(line["first"].integer == 1_000)
    #expect(line["epoch"].string == line["epochs"][1]["epoch"].string)
    #expect(line["boot"].string?.count == 32)
    #expect(line["previous"].names == ["count", "last", "hash"])
    #expect(line["previous"]["last"].integer == 999)
    #expect(!line["seq"].isThere)
    #expect(!line["event"].isThere)
  }

  @Test func `a damaged header is none`() {
    let line = written(header(epochs: 2, previous: Self.end))
    for index in 0..<line.count - 1 {
      var damaged = line
      damaged[index] ^= 4

      let back = SegmentHeader(damaged.span.extracting(0..<line.count - 1), with: reader)
      let cut = SegmentHeader(line.span.extracting(0..<index), with: reader)

      #expect(back == nil, "byte \(index)")
      #expect(cut == nil, "cut at \(index)")
    }
  }

  @Test(arguments: [
    #"{"format":2,"first":1,"epoch":"E","epochs":[{"epoch":"E","first":1}],"#
      + #""boot":"b","began":0,"clock_offset":0"#,
    #"{"format":1,"epoch":"E","epochs":[{"epoch":"E","first":1}],"#
      + #""boot":"b","began":0,"clock_offset":0"#,
    #"{"format":1,"first":1,"epoch":"E","epochs":[],"boot":"b","began":0,"clock_offset":0"#,
    #"{"format":1,"first":1,"epoch":"E","epochs":[{"epoch":"x","first":1}],"#
      + #""boot":"b","began":0,"clock_offset":0"#,
    #"{"format":1,"first":1,"epoch":"E","epochs":[{"epoch":"E"}],"#
      + #""boot":"b","began":0,"clock_offset":0"#,
    #"{"format":1,"first":1,"epoch":"E","epochs":[{"epoch":"E","first":1}],"#
      + #""began":0,"clock_offset":0"#,
    #"{"format":1,"first":1,"epoch":"E","epochs":[{"epoch":"E","first":1}],"boot":"b","began":0"#,
    #"{"format":1,"first":1,"epoch":"E","epochs":[{"epoch":"E","first":1}],"#
      + #""boot":"b","clock_offset":0"#,
    #"{"format":1,"first":0,"epoch":"E","epochs":[{"epoch":"E","first":1}],"#
      + #""boot":"b","began":0,"clock_offset":0"#,
    #"{"seq":1,"time":1,"mono":1,"app":"a","uid":1,"conn":1,"event":{}"#, "{\"format\":1",
  ])
  func `a whole line that is no header of this format is none`(body: String) {
    let body = body.replacing("E", with: HandDriven.epoch)
    let line = Array((body + ",\"crc\":\"\(Checksum.text(of: body.utf8))\"}").utf8)

    let header = SegmentHeader(line.span, with: reader)

    #expect(header == nil)
  }

  @Test func `a closing line states the segment's end and is no entry`() throws {
    var out = ByteBuffer(capacity: 0)
    Self.end.writeClosing(into: &out)
    let text = out.bytes.string
    let line = try JSON(text)
    let back = SegmentEnd(closing: Array(text.utf8.dropLast()).span, with: reader)

    #expect(back == Self.end)
    #expect(line["closed"]["count"].integer == 999)
    #expect(line["closed"]["last"].integer == 999)
    #expect(line["closed"]["hash"].string == "fffffffffffffffa")
    #expect(!line["seq"].isThere)
    let body = text.utf8.dropLast(19)
    #expect(line["crc"].string == Checksum.text(of: body))
  }

  @Test func `the hash runs over the checksums in their order`() {
    let hashes = [[1, 2], [2, 1], [1], [2], [1, 2, 0], []].map { checksums in
      var end = SegmentEnd(before: Seq(7))
      for (index, checksum) in checksums.enumerated() {
        end.include(Seq(7 + Int64(index)), UInt32(checksum))
      }
      #expect(end.count == checksums.count)
      #expect(end.last == Seq(6 + Int64(checksums.count)))
      return end.hash
    }

    #expect(Set(hashes).count == hashes.count)
    // FNV-1a, as anybody can compute it: (offset ^ 1) * prime.
    let textbook: UInt64 = (0xcbf2_9ce4_8422_2325 ^ 1) &* 0x100_0000_01b3
    #expect(hashes[2] == textbook)
  }

  @Test(arguments: [1, 1_042, 1 << 53])
  func `a file is named after its first entry`(number: Int64) {
    let name = SegmentName.entries(Seq(number))
    let state = SegmentName.state(Seq(number))

    #expect(name.count == 27)
    #expect(name.hasSuffix("\(number).ndjson"))
    #expect(SegmentName.first(entries: name) == Seq(number))
    #expect(SegmentName.first(state: name) == nil)
    #expect(state == name.replacing(".ndjson", with: ".state"))
    #expect(SegmentName.first(state: state) == Seq(number))
    #expect(SegmentName.first(entries: state) == nil)
    for name in [name, state] {
      #expect(SegmentName.isUnfinished(SegmentName.unfinished(name)))
      #expect(!SegmentName.isUnfinished(name))
    }
  }

  @Test(arguments: [
    "", "lock", "1.ndjson", "00000000000000000001.json", "00000000000000000001.ndjson~",
    "0000000000000000000x.ndjson", "000000000000000000001.ndjson", "00000000000000000000.ndjson",
    "-0000000000000000001.ndjson", "+0000000000000000001.ndjson", "99999999999999999999.ndjson",
    ".0000000000000000001.ndjson",
  ])
  func `other files are no segments`(name: String) {
    #expect(SegmentName.first(entries: name) == nil)
    #expect(SegmentName.first(state: name.replacing(".ndjson", with: ".state")) == nil)
    #expect(!SegmentName.isUnfinished(SegmentName.unfinished(name)))
  }
}
