// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yPosix
import A11yTestKit
import A11yWire

/// Any bytes as the files of a log: what is intact of it is found, and nothing else.
enum Start {
  static func take(_ input: [UInt8]) throws(Broken) {
    let disk = LogDirectory.disk(input)
    let first = try start(on: disk)
    let seen = try entries(of: first)
    try demand(
      seen.allSatisfy { $0.seq <= first.last.number },
      "the last entry is \(first.last.number); there are later ones"
    )

    // Where numbering ends nothing can be appended.
    guard Seq(stated: first.last.number + 4) != nil else { return }
    let line = entry(first.last.next)
    let lines = line + [UInt8(ascii: "\n")]
    _ = first.append(lines.span, [line.checksum], last: first.last.next, mono: 1)
    let after = seen + [Found(seq: first.last.number, line: line)]
    try compare(try entries(of: first), after, "once an entry was appended")

    // A start on what the first has left finds the same.
    let second = try start(on: disk)
    try demand(second.last == first.last, "a second start goes on behind \(second.last.number)")
    try compare(try entries(of: second), after, "after a second start")
  }

  struct Found: Equatable {
    let seq: Int64
    let line: [UInt8]
  }

  private static func start(on disk: MemoryDisk) throws(Broken) -> EventLog {
    guard let epoch = Epoch(hex: String(repeating: "e", count: 32)) else {
      throw Broken("an epoch is one")
    }
    let now = StartCircumstances(
      boot: "boot",
      uptime: 1_000_000,
      wall: 1_795_242_000_000_000,
      left: nil,
      epoch: epoch
    )
    let recovery: Recovery<BrokerState>
    do throws(Errno) {
      recovery = try Recovery<BrokerState>(on: disk, now) { done, total in
        precondition(done <= total, "no more is done than there is")
      }
    } catch {
      throw Broken("a disk that never fails could not be read: \(error)")
    }
    try check(recovery)
    return EventLog(recovery, policy: .endless, syncing: HandSyncing(disk), mono: 1)
  }

  private static func check(_ recovery: Recovery<BrokerState>) throws(Broken) {
    try demand(!recovery.epochs.isEmpty, "a log without an epoch")
    try demand(recovery.last >= .none, "the last entry is \(recovery.last.number)")
    var behind = Seq.none
    for lost in recovery.opening.damaged {
      try demand(lost.lowerBound > behind, "damage that is told twice: \(lost)")
      behind = lost.upperBound
    }
    try demand(behind <= recovery.last, "damage behind the end")
  }

  /// All that a reader from the start would be given.
  private static func entries(of log: EventLog) throws(Broken) -> [Found] {
    var found: [Found] = []
    var segment: Segment? = log.segment(holding: Seq(1))
    while let here = segment {
      while !log.check(here, budget: 1_000) {}
      for extent in here.extents where !extent.isEmpty {
        let lines = try lines(of: extent, in: here)
        try demand(lines.first?.seq == extent.first.number, "an extent begins with another entry")
        try demand(lines.last?.seq == extent.last.number, "an extent ends with another entry")
        for line in lines {
          try demand(
            line.seq > found.last?.seq ?? 0,
            "\(line.seq) comes behind \(found.last?.seq ?? 0)"
          )
          found.append(line)
        }
      }
      segment = log.segment(after: here)
    }
    return found
  }

  private static func lines(of extent: Extent, in segment: Segment) throws(Broken) -> [Found] {
    var buffer = ByteBuffer(capacity: 4_096)
    var left = Int(extent.end - extent.start)
    do throws(Errno) {
      while left > 0 {
        let at = extent.end - Int64(left)
        let count = try segment.read(into: &buffer, at: at, room: left)
        if count == 0 { throw .inputOutput }
        left -= count
      }
    } catch {
      throw Broken("an extent could not be read: \(error)")
    }
    var bytes = buffer.bytes.array
    if extent.lacksNewline { bytes.append(10) }
    try demand(bytes.last == 10, "an extent ends within a line")
    var found: [Found] = []
    for line in bytes.dropLast().split(separator: 10, omittingEmptySubsequences: false) {
      let line = Array(line)
      try demand(LineChecksum.verified(line.span) != nil, "a line with a wrong checksum is given")
      guard let seq = Seq(of: line.span) else { throw Broken("what is no entry is given") }
      try demand(
        seq.number == found.last.map { $0.seq + 1 } ?? seq.number,
        "an extent goes from \(found.last?.seq ?? 0) to \(seq.number)"
      )
      found.append(Found(seq: seq.number, line: line))
    }
    return found
  }

  private static func compare(
    _ found: [Found],
    _ wanted: [Found],
    _ when: String
  ) throws(Broken) {
    if found == wanted { return }
    let (found, wanted) = (found.map(\.seq), wanted.map(\.seq))
    throw Broken("\(when) there are other entries: \(found), not \(wanted)")
  }

  private static func entry(_ seq: Seq) -> [UInt8] {
    let head = "{\"seq\":\(seq.number),\"time\":1,\"mono\":1,\"app\":\"a\",\"uid\":0,\"conn\":1"
    return Array((head + ",\"event\":{\"type\":\"pause\"}").utf8).sealed
  }
}

extension LogPolicy {
  /// Everything is kept, in one segment a start.
  fileprivate static let endless = LogPolicy(
    segmentBytes: 1 << 40,
    retainAge: nil,
    retainBytes: nil,
    retainEntries: nil
  )
}

extension [UInt8] {
  /// The checksum that stands at the end of a sealed line.
  fileprivate var checksum: UInt32 { LineChecksum.verified(span) ?? 0 }
}
