// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yLog

/// Damage costs exactly the damaged entries: nothing else is lost, nothing damaged is delivered,
/// and what is missing is told with both bounds.
@Suite struct DamageTests {
  /// How the log came to its end.
  enum Ending: CaseIterable {
    case stopped
    /// Killed, when everything had reached the medium and the watermark said so.
    case killedSafe
    /// Killed, when nothing of it had.
    case killed
  }

  /// A log of one segment, or of three of which the middle one is looked at.
  struct Sample {
    let disk: MemoryDisk
    let lines: [String]
    let epochs: [EpochStart]
    let name: String
    /// The entries of the file, and where each lies in it, newlines left out.
    var places: [(seq: Int64, bytes: Range<Int>)] = []

    init(_ ending: Ending) throws {
      disk = MemoryDisk()
      let bench = try LogBench(on: disk)
      for number in 0..<4 { bench.append("number \(number)", #"\u0007, \"crc\":\"0"#) }
      if ending == .killedSafe { bench.syncAll() }
      if ending == .stopped { try bench.stop() }
      lines = bench.lines
      epochs = bench.log.epochs
      name = SegmentName.entries(Seq(1))
      locate()
    }

    init(middle: Void) throws {
      disk = MemoryDisk()
      var policy = LogBench.endless
      policy.segmentBytes = 1_200
      let bench = try LogBench(on: disk, policy: policy)
      while bench.log.segmentCount < 4 { bench.append("some text that takes room") }
      try bench.stop()
      lines = bench.lines
      epochs = bench.log.epochs
      name = disk.names.filter { SegmentName.first(entries: $0) != nil }[1]
      locate()
    }

    private mutating func locate() {
      var at = 0
      for line in disk.text(name).split(separator: "\n") {
        let end = at + line.utf8.count
        if let seq = Seq(of: Array(line.utf8).span) { places.append((seq.number, at..<end)) }
        at = end + 1
      }
    }

    var bytes: [UInt8] { disk[name] ?? [] }

    /// A disk on which this file has another content.
    func with(_ bytes: [UInt8]) -> MemoryDisk {
      let copy = disk.copy()
      copy[name] = bytes
      return copy
    }

    /// The deliveries that a reader must get when the entries with these seqs are lost.
    func expected(without lost: Set<Int64>) -> [Delivery] {
      var expected: [Delivery] = []
      for (index, line) in lines.enumerated() {
        let seq = Int64(index + 1)
        if !lost.contains(seq) {
          expected.append(.line(line))
        } else if case .gap(let range, _)? = expected.last {
          expected[expected.count - 1] = .gap(range.lowerBound...seq, isStorage: false)
        } else {
          expected.append(.gap(seq...seq, isStorage: false))
        }
      }
      return expected
    }

    /// The entries of which some of these bytes are part.
    func entries(in range: Range<Int>) -> Set<Int64> {
      Set(places.filter { $0.bytes.overlaps(range) }.map(\.seq))
    }
  }

  /// The bytes of a file that were put aside, by their offset in it.
  private func quarantined(_ disk: MemoryDisk, _ name: String) -> [Int: [UInt8]] {
    var pieces: [Int: [UInt8]] = [:]
    for file in disk.names(below: Quarantine.folder) where file.hasPrefix(name + "@") {
      guard let offset = Int(file.dropFirst(name.count + 1)) else { continue }
      pieces[offset] = disk[Quarantine.folder + "/" + file]
    }
    return pieces
  }

  // MARK: Flipped bits

  @Test(arguments: Ending.allCases)
  func `whatever bit of the last segment is flipped, that costs its entry and no other`(
    ending: Ending
  ) throws {
    let sample = try Sample(ending)
    let whole = sample.bytes
    var dice = Dice()
    for byte in whole.indices {
      var damaged = whole
      let bit = dice.roll(0...7)
      damaged[byte] ^= 1 << bit
      let disk = sample.with(damaged)
      let note = Comment(rawValue: "bit \(bit) of byte \(byte), seed \(dice.seed)")

      let bench = try LogBench(on: disk)
      let delivered = try bench.log.everything()

      let lost = sample.entries(in: byte..<byte + 1)
      let opening = bench.found.opening
      // Of the very last line nobody knows that it was there, so that its number may be known.
      let isUnknown = ending == .killed && lost.contains(Int64(sample.lines.count))
      if isUnknown {
        #expect(delivered == sample.expected(without: []).dropLast(), note)
        #expect(opening.isNewEpoch, note)
        #expect(bench.log.epochs.last?.first == Seq(Int64(sample.lines.count)), note)
      } else {
        #expect(delivered == sample.expected(without: lost), note)
        #expect(opening.damaged == lost.map { Seq($0)...Seq($0) }, note)
        #expect(bench.log.last == Seq(Int64(sample.lines.count)), note)
        // Behind a bad end there may have been more.
        if ending != .stopped, !lost.contains(Int64(sample.lines.count)) {
          #expect(!opening.isNewEpoch, note)
          #expect(bench.log.epochs == sample.epochs, note)
        }
      }
      // The damaged bytes can still be looked at.
      if let seq = lost.first, let place = sample.places.first(where: { $0.seq == seq })?.bytes {
        let pieces = quarantined(disk, sample.name)
        #expect(pieces[place.lowerBound]?.starts(with: damaged[place]) == true, note)
        #expect(opening.quarantined == 1, note)
      }
    }
  }

  @Test func `whatever bit of an older segment is flipped, that costs its entry and no other`()
    throws
  {
    let sample = try Sample(middle: ())
    let whole = sample.bytes
    var dice = Dice()
    for byte in whole.indices {
      var damaged = whole
      let bit = dice.roll(0...7)
      damaged[byte] ^= 1 << bit
      let disk = sample.with(damaged)
      let note = Comment(rawValue: "bit \(bit) of byte \(byte), seed \(dice.seed)")

      let bench = try LogBench(on: disk)
      // Where the header is damaged, it does not tell the boot.
      var opening = bench.found.opening
      opening.isSameBoot = false
      #expect(opening == LogOpening(), note)
      let delivered = try bench.log.everything(checking: dice.roll(1...3_000))

      let lost = sample.entries(in: byte..<byte + 1)
      #expect(delivered == sample.expected(without: lost), note)
      let findings = bench.log.findings
      #expect(findings.flatMap(\.lost) == lost.map { Seq($0)...Seq($0) }, note)
      if let seq = lost.first, let place = sample.places.first(where: { $0.seq == seq })?.bytes {
        #expect(findings.map(\.segment) == [sample.name], note)
        let pieces = quarantined(disk, sample.name)
        #expect(pieces[place.lowerBound]?.starts(with: damaged[place]) == true, note)
        #expect(bench.log.recall(Seq(seq)) == .gone, note)
      }
      #expect(try bench.log.everything() == delivered, note)
      #expect(bench.log.findings.count == findings.count, "it is told once; \(note)")
    }
  }

  @Test(arguments: [false, true])
  func `whatever bit of a segment is flipped that was written here, it is not delivered`(
    isOpen: Bool
  ) throws {
    var policy = LogBench.endless
    policy.segmentBytes = 1_200
    let disk = MemoryDisk()
    let bench = try LogBench(on: disk, policy: policy)
    // Somebody reads there, and has not come far, or comes later.
    var held = isOpen ? bench.log.active : nil
    while bench.log.segmentCount < 3 { bench.append("some text that takes room") }
    bench.syncAll()
    let whole = try #require(disk[SegmentName.entries(Seq(1))])
    let line = whole.firstIndex(of: 10) ?? 0
    for offset in stride(from: line + 20, to: whole.count - 200, by: 300) {
      disk.flip(SegmentName.entries(Seq(1)), at: offset)
    }

    let delivered = try bench.log.everything()

    let segment = bench.log.segment(holding: Seq(1))
    if let held { #expect(segment === held) }
    held = segment
    #expect(delivered.contains { if case .gap = $0 { true } else { false } })
    for case .line(let text) in delivered { #expect(bench.lines.contains(text)) }
    #expect(bench.log.findings.map(\.segment) == [SegmentName.entries(Seq(1))])
    #expect(bench.log.recall(Seq(1)) == .gone)
    // A place that was found once is not looked for again.
    let read = disk.bytesRead
    _ = bench.log.check(segment, budget: .max)
    #expect(disk.bytesRead == read)
  }

  @Test func `the first segment's name says where the log begins, though all in it is spoilt`()
    throws
  {
    let sample = try Sample(middle: ())
    let name = SegmentName.entries(Seq(1))
    let disk = sample.disk.copy()
    disk[name] = (disk[name] ?? []).map { _ in 0 }
    let next = try #require(sample.places.first?.seq)

    let bench = try LogBench(on: disk)

    #expect(bench.log.first == Seq(1))
    #expect(try bench.log.everything() == sample.expected(without: Set(1..<next)))
  }

  // MARK: Truncation

  @Test(arguments: Ending.allCases)
  func `wherever the last segment is cut off, what is whole is there`(ending: Ending) throws {
    let sample = try Sample(ending)
    let whole = sample.bytes
    for length in whole.indices {
      let note = Comment(rawValue: "cut at \(length)")
      let disk = sample.with(Array(whole.prefix(length)))

      let bench = try LogBench(on: disk)

      let last = sample.places.last { $0.bytes.upperBound <= length }?.seq ?? 0
      let count = Int64(sample.lines.count)
      let opening = bench.found.opening
      if ending == .killed {
        #expect(bench.log.last == Seq(last), note)
        #expect(opening.damaged == [], note)
        #expect(!opening.isNewEpoch, note)
        let lines = sample.lines.prefix(Int(last))
        #expect(try bench.log.everything() == lines.map { .line($0) }, note)
        let end = sample.places.last { $0.bytes.upperBound <= length }?.bytes.upperBound ?? 0
        if last > 0 { #expect(opening.tornBytes == Int64(max(0, length - end - 1)), note) }
      } else {
        // The watermark knows of all of them.
        #expect(bench.log.last == Seq(count), note)
        #expect(opening.damaged == (last < count ? [Seq(last + 1)...Seq(count)] : []), note)
        let lost = last < count ? Set(last + 1...count) : []
        #expect(try bench.log.everything() == sample.expected(without: lost), note)
      }
    }
  }

  @Test func `wherever an older segment is cut off, what is whole is there`() throws {
    let sample = try Sample(middle: ())
    let whole = sample.bytes
    let seqs = sample.places.map(\.seq)
    for length in whole.indices {
      let note = Comment(rawValue: "cut at \(length)")
      let disk = sample.with(Array(whole.prefix(length)))

      let bench = try LogBench(on: disk)
      let delivered = try bench.log.everything()

      let kept = Set(sample.places.filter { $0.bytes.upperBound <= length }.map(\.seq))
      #expect(delivered == sample.expected(without: Set(seqs).subtracting(kept)), note)
    }
  }

  // MARK: More than a bit

  @Test func `whatever is done to the bytes of all segments, what is whole is there`() throws {
    var dice = Dice()
    for round in 0..<150 {
      let sample = try Sample(middle: ())
      let note = Comment(rawValue: "round \(round), seed \(dice.seed)")
      let disk = sample.disk.copy()
      let names = disk.names.filter { SegmentName.first(entries: $0) != nil }
      var lost: Set<Int64> = []
      for name in names {
        guard var bytes = disk[name], dice.once(in: 2) else { continue }
        let whole = bytes
        for _ in 0..<dice.roll(1...4) { damage(&bytes, &dice) }
        disk[name] = bytes
        lost.formUnion(spoilt(whole, bytes))
      }

      let bench = try LogBench(on: disk)
      let delivered = try bench.log.everything(checking: dice.roll(1...5_000))

      #expect(delivered == sample.expected(without: lost), note)
      #expect(bench.log.last == Seq(Int64(sample.lines.count)), note)
      // And once more, behind entries of another start.
      bench.append("more")
      bench.syncAll()
      let again = try LogBench(on: disk)
      let expected = sample.expected(without: lost) + bench.lines.map { .line($0) }
      #expect(try again.log.everything() == expected, note)
    }
  }

  private func damage(_ bytes: inout [UInt8], _ dice: inout Dice) {
    let start = dice.roll(0...bytes.count - 1)
    let end = min(bytes.count, start + dice.roll(1...dice.pick([1, 3, 40, 400])))
    switch dice.roll(1...4) {
    case 1: bytes[start] ^= 1 << dice.roll(0...7)
    case 2: for index in start..<end { bytes[index] = 0 }
    case 3: for index in start..<end { bytes[index] = UInt8(dice.roll(0...255)) }
    default: bytes[start] = 10
    }
  }

  /// The entries of a file that are not in it any more byte for byte.
  private func spoilt(_ whole: [UInt8], _ bytes: [UInt8]) -> Set<Int64> {
    var lost: Set<Int64> = []
    var at = 0
    for line in whole.split(separator: 10, omittingEmptySubsequences: false) {
      let place = at..<at + line.count
      if bytes[place] != whole[place], let seq = Seq(of: Array(line).span) {
        lost.insert(seq.number)
      }
      at = place.upperBound + 1
    }
    return lost
  }

  @Test func `a hole of a page in the middle costs what was in it`() throws {
    let disk = MemoryDisk()
    let bench = try LogBench(on: disk)
    for number in 0..<200 { bench.append("number \(number)") }
    try bench.stop()
    let name = SegmentName.entries(Seq(1))
    let whole = try #require(disk[name])
    for start in stride(from: 0, to: whole.count - 4_096, by: 4_096) {
      var bytes = whole
      for index in start..<start + 4_096 { bytes[index] = 0 }
      let copy = disk.copy()
      copy[name] = bytes

      let again = try LogBench(on: copy)

      let lost = spoilt(whole, bytes)
      #expect(lost.count > 15)
      let entries = try again.log.everything()
      #expect(entries.count == bench.lines.count - lost.count + 1)
      let bounds = Seq(lost.min() ?? 0)...Seq(lost.max() ?? 0)
      #expect(again.found.opening.damaged == [bounds])
    }
  }
}
