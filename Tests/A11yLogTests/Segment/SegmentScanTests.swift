// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yTestKit
import A11yWire
import Testing

/// Every intact line of a segment counts, wherever it stands.
@Suite struct SegmentScanTests {
  /// Header, nine entries from seq 1 on and a closing line, each with its newline.
  private let header: [UInt8]
  private let lines: [[UInt8]]
  private let checksums: [UInt32]

  init() throws {
    let bus = HandDriven()
    let session = bus.connect()
    for number in 0..<8 {
      _ = try bus.publish(session, #"{"type":"announcement","text":"number \#(number)"}"#)
    }
    lines = bus.entries.map { Array($0.utf8) }
    checksums = bus.checksums
    var out = ByteBuffer(capacity: 0)
    SegmentHeader(
      first: Seq(1),
      epochs: [HandDriven.start(HandDriven.epoch, 1)],
      boot: "boot",
      began: 0,
      clockOffset: 0,
      previous: nil
    )
    .writeLine(into: &out)
    header = out.bytes.array
  }

  private var closing: [UInt8] {
    var out = ByteBuffer(capacity: 0)
    end(of: 1...9).writeClosing(into: &out)
    return out.bytes.array
  }

  /// The result of a scan.
  private struct Found {
    let scan: SegmentScan
    let seqs: [Int64]
  }

  /// Scans bytes that come in pieces of this size.
  private func scan(_ bytes: [UInt8], piece: Int = .max, before limit: Seq? = nil) -> Found {
    var scan = SegmentScan(first: Seq(1), before: limit)
    var seqs: [Int64] = []
    var window: [UInt8] = []
    var rest = bytes[...]
    while true {
      let more = rest.prefix(piece)
      rest = rest.dropFirst(more.count)
      window += more
      let taken = scan.scan(window.span, isEnd: more.isEmpty) { line, seq in
        #expect(Seq(of: line) == seq)
        seqs.append(seq.number)
      }
      window.removeFirst(taken)
      if more.isEmpty { break }
    }
    #expect(window.isEmpty)
    #expect(scan.offset == bytes.count)
    return Found(scan: scan, seqs: seqs)
  }

  /// How a segment ends that has these entries.
  private func end(of seqs: ClosedRange<Int>) -> SegmentEnd {
    var end = SegmentEnd(before: Seq(1))
    for seq in seqs { end.include(Seq(Int64(seq)), checksums[seq - 1]) }
    return end
  }

  private func join(_ parts: [[UInt8]]) -> [UInt8] { parts.flatMap { $0 } }

  // MARK: Undamaged

  @Test(arguments: [1, 7, 100, 1_000, .max])
  func `an undamaged segment is one extent, however it is read`(piece: Int) {
    let found = scan(join([header] + lines + [closing]), piece: piece)

    let start = Int64(header.count)
    #expect(
      found.scan.extents
        == [
          Extent(start: start, end: start + Int64(join(lines).count), first: Seq(1), last: Seq(9))
        ]
    )
    #expect(found.seqs == Array(1...9))
    #expect(found.scan.end == end(of: 1...9))
    #expect(found.scan.header == header.dropLast())
    #expect(found.scan.closing == closing.dropLast())
    #expect(found.scan.damage == [])
    #expect(found.scan.tail == .whole)
  }

  @Test func `a header alone is a segment without entries`() {
    let found = scan(header)

    #expect(found.scan.extents == [])
    #expect(found.scan.end == SegmentEnd(before: Seq(1)))
    #expect(found.scan.tail == .whole)
  }

  @Test func `what belongs to the next segment is not this one's`() {
    let found = scan(join([header] + lines), before: Seq(6))

    #expect(found.seqs == [1, 2, 3, 4, 5])
    #expect(found.scan.end == end(of: 1...5))
    #expect(found.scan.damage == [])
  }

  // MARK: The end

  @Test func `a last line torn at any byte does not count`() {
    let whole = join([header] + lines)
    for length in 1..<lines[8].count - 1 {
      let found = scan(Array(whole.dropLast(lines[8].count - length)))

      let start = Int64(whole.count - lines[8].count)
      #expect(found.scan.tail == .torn(start..<start + Int64(length)), "torn at \(length)")
      #expect(found.scan.end == end(of: 1...8))
    }
  }

  @Test func `a last line that only lacks its newline counts`() {
    let found = scan(join([header] + lines).dropLast())

    #expect(found.seqs == Array(1...9))
    #expect(found.scan.extents.map(\.lacksNewline) == [true])
    #expect(found.scan.tail == .whole)
  }

  @Test(arguments: [
    Junk(0, times: 1), Junk(0, times: 5_000), Junk("junk"), Junk("{\"seq\":10,\"time"),
    Junk(97, times: 600_000),
  ])
  func `what never was a line is torn`(junk: Junk) {
    let whole = join([header] + lines)
    let found = scan(whole + junk.bytes)

    let start = Int64(whole.count)
    #expect(found.scan.tail == .torn(start..<start + Int64(junk.bytes.count)))
    #expect(found.scan.innerDamage == [])
    #expect(found.seqs == Array(1...9))
  }

  @Test(arguments: ["junk\n", "\n", "{}\n", "{\"seq\":10,\"crc\":\"00000000\"}\n", "a\nb"])
  func `what has been a line is bad`(junk: String) {
    let whole = join([header] + lines)
    let found = scan(whole + Array(junk.utf8))

    let start = Int64(whole.count)
    #expect(found.scan.tail == .bad(start..<start + Int64(junk.utf8.count)))
    #expect(found.seqs == Array(1...9))
  }

  // MARK: Damage

  @Test func `a flipped bit costs its line and no other`() {
    let whole = join([header] + lines + [closing])
    let start = join([header] + lines.prefix(4)).count
    let place = Int64(start)..<Int64(start + lines[4].count)
    for index in lines[4].indices.dropLast() {
      for bit in 0..<8 {
        var damaged = whole
        damaged[start + index] ^= 1 << bit

        let found = scan(damaged)

        #expect(found.seqs == [1, 2, 3, 4, 6, 7, 8, 9], "bit \(bit) of byte \(index)")
        #expect(found.scan.damage == [place], "bit \(bit) of byte \(index)")
        #expect(found.scan.innerDamage == [place])
        #expect(found.scan.tail == .whole)
        #expect(found.scan.extents.map(\.last) == [Seq(4), Seq(9)])
        #expect(found.scan.extents.map(\.first) == [Seq(1), Seq(6)])
        #expect(found.scan.closing != nil)
      }
    }
  }

  @Test func `a newline that is another byte costs no entry`() {
    for bit in 0..<8 {
      var damaged = lines
      damaged[4][lines[4].count - 1] ^= 1 << bit

      let found = scan(join([header] + damaged))

      #expect(found.seqs == Array(1...9), "bit \(bit)")
      #expect(found.scan.extents.map(\.lacksNewline) == [true, false])
      #expect(found.scan.extents.map(\.last) == [Seq(5), Seq(9)])
      #expect(found.scan.damage == [])
    }
  }

  @Test func `newlines that are gone cost no entry, wherever they were`() {
    for gone in 0..<lines.count {
      var damaged = lines
      for index in gone..<lines.count { damaged[index].removeLast() }

      let found = scan(join([header] + damaged))

      #expect(found.seqs == Array(1...9), "from line \(gone) on")
    }
  }

  @Test func `the header's newline may be another byte`() {
    var damaged = header
    damaged[header.count - 1] ^= 1

    let found = scan(join([damaged] + lines))

    #expect(found.seqs == Array(1...9))
    #expect(found.scan.header == header.dropLast())
  }

  @Test func `a closing line that hangs on the last entry is found`() {
    var damaged = lines
    damaged[8][lines[8].count - 1] ^= 1

    let found = scan(join([header] + damaged + [closing]))

    #expect(found.seqs == Array(1...9))
    #expect(found.scan.closing == closing.dropLast())
    #expect(found.scan.tail == .whole)
  }

  @Test func `a byte that has become a newline costs its line and no other`() {
    for index in lines[4].indices.dropLast() {
      var damaged = lines
      damaged[4][index] = 10

      let found = scan(join([header] + damaged))

      #expect(found.seqs == [1, 2, 3, 4, 6, 7, 8, 9], "byte \(index)")
      #expect(found.scan.damage.count == 1)
    }
  }

  @Test func `a missing line is missing, and no other`() {
    for missing in 1..<8 {
      var rest = lines
      rest.remove(at: missing)

      let found = scan(join([header] + rest))

      #expect(found.seqs == (1...9).filter { $0 != missing + 1 }.map { Int64($0) })
      #expect(found.scan.extents.count == 2)
      #expect(found.scan.damage == [])
    }
  }

  @Test func `a line counts once, however often it is there`() {
    for doubled in 0..<9 {
      var more = lines
      more.insert(lines[doubled], at: doubled)

      let found = scan(join([header] + more))

      #expect(found.seqs == Array(1...9), "line \(doubled)")
      #expect(found.scan.damage.count == 1)
    }
  }

  @Test func `lines in the wrong order never make the seqs go back`() {
    var mixed = lines
    mixed.swapAt(2, 6)

    let found = scan(join([header] + mixed))

    #expect(found.seqs == [1, 2, 7, 8, 9])
  }

  @Test func `entries that stand right behind a long stretch of nothing are found`() {
    for length in [4_000, 262_143, 262_144, 262_145, 300_000, 600_000] {
      for piece in [50_000, 262_144] {
        let hole = [UInt8](repeating: 0, count: length)

        let found = scan(
          join([header] + lines.prefix(3) + [hole] + lines.dropFirst(4)),
          piece: piece
        )

        #expect(found.seqs == [1, 2, 3, 5, 6, 7, 8, 9], "\(length) bytes in pieces of \(piece)")
        #expect(found.scan.innerDamage.count == 1)
      }
    }
  }
}
