// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yTestKit
import A11yWire

/// Bytes from several clients at once, cut anywhere, up to the entries and the answers.
enum Lines {
  static func take(_ input: [UInt8], _ readers: Readers) throws(Broken) {
    let script = ClientScript(input)
    let bus = HandDriven()
    var clients: [UInt8: Client] = [:]
    for piece in script.pieces {
      let client = clients[piece.client.letter] ?? Client(piece.client, on: bus, script, readers)
      clients[piece.client.letter] = client
      try client.hear(piece.bytes)
      if piece.hangsUp || client.isSentAway {
        try client.end()
        clients[piece.client.letter] = nil
      }
      try endTurn(of: bus, after: piece.pause, readers)
    }
    for client in clients.values.sorted(by: { $0.letter < $1.letter }) { try client.end() }
    try endTurn(of: bus, after: 0, readers)
  }

  private static func endTurn(
    of bus: HandDriven,
    after pause: Int64,
    _ readers: Readers
  ) throws(Broken) {
    let entries = EntriesOfATurn(
      bytes: bus.entryBytes,
      checksums: bus.checksums,
      before: bus.before,
      mono: bus.mono,
      readers: readers
    )
    try entries.check()
    try demand(
      bus.last == bus.before + Int64(bus.checksums.count),
      "the log's last seq is \(bus.last); it was \(bus.before) \(bus.checksums.count) entries ago"
    )
    bus.commit(after: pause)
  }
}

/// One connection: its bytes on their way through the splitter into the broker.
private final class Client {
  let letter: UInt8
  private let bus: HandDriven
  private let readers: Readers
  private let session: Session
  private let cuts: [Int]
  private let limit: Int
  private var splitter: LineSplitter
  private var cut = 0
  private var kept: [UInt8] = []
  /// All that came, and what the splitter made of it, to be held against a simpler one's.
  private var heard: [UInt8] = []
  private var split: [SplitLine] = []

  init(
    _ who: ClientScript.Who,
    on bus: HandDriven,
    _ script: ClientScript,
    _ readers: Readers
  ) {
    letter = who.letter
    self.bus = bus
    self.readers = readers
    session = bus.connect(uid: who.uid, role: who.role)
    cuts = script.cuts
    limit = script.limit
    splitter = LineSplitter(limit: script.limit)
  }

  var isSentAway: Bool { session.farewell != nil }

  /// Takes bytes in pieces, as a socket would hand them over.
  func hear(_ bytes: [UInt8]) throws(Broken) {
    var rest = bytes[...]
    while !rest.isEmpty, !isSentAway {
      let size = cuts.isEmpty ? rest.count : cuts[cut % cuts.count]
      cut += 1
      let piece = rest.prefix(size)
      rest = rest.dropFirst(size)
      heard += piece
      kept += piece
      try takeLines()
    }
  }

  private func takeLines() throws(Broken) {
    var start = 0
    while !isSentAway {
      switch splitter.step(kept.span, from: start) {
      case .line(let range, let next):
        try demand(range.count <= limit, "a line has \(range.count) bytes; the limit is \(limit)")
        try demand(
          start <= range.lowerBound && next > range.upperBound && next <= kept.count,
          "a line at \(range) of \(kept.count) bytes goes on at \(next)"
        )
        start = next
        let line = Array(kept[range])
        split.append(.line(line))
        try Answers(bus.say(session, bytes: line), to: line, readers).check()
      case .tooLong(let next):
        try demand(next > start && next <= kept.count, "a step from \(start) leads to \(next)")
        start = next
        split.append(.tooLong)
        try Answers(bus.sayTooMuch(session), to: nil, readers).check()
      case .incomplete(let from):
        try demand(from >= start && from <= kept.count, "from \(from) on is kept")
        try demand(kept.count - from <= limit + 1, "\(kept.count - from) bytes of a line are kept")
        kept.removeFirst(from)
        return
      }
    }
  }

  /// Hangs up.
  func end() throws(Broken) {
    // A client that was sent away may have said more than the bus has read.
    if !isSentAway {
      try demand(split == SplitLine.all(of: heard, limit: limit), "other lines come out in pieces")
    }
    bus.leave(session)
  }
}

/// The outcome of a line.
private enum SplitLine: Equatable {
  case line([UInt8])
  case tooLong

  /// The lines of a text that lies there as a whole.
  static func all(of bytes: [UInt8], limit: Int) -> [SplitLine] {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let rest = lines.removeLast()
    let whole = lines.map { line -> SplitLine in
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      return line.count <= limit ? .line(Array(line)) : .tooLong
    }
    // Of the last one so much must be there that no end could make it short enough.
    return rest.count > limit + 1 ? whole + [.tooLong] : whole
  }
}
