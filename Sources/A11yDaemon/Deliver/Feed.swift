// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
import A11yPosix
import A11yWire

/// Where a subscriber stands in the log, and how it comes nearer to its end.
///
/// Position is all there is: a subscriber that stands at the end gets a turn's lines from memory,
/// one that has fallen behind gets them from the file, and there is no other difference. So being
/// slow costs nothing but time, and nobody is cut off for it.
final class Feed {
  let subscription: Subscription
  private var file: SegmentFile
  private var offset: Int64
  /// The next entry, where that is known; else it is read off the line at `offset`.
  private var next: Seq?
  /// Whether it stood at the log's end when it was last looked at.
  private(set) var isAtEnd = false

  /// A feed that begins behind `subscription.after`.
  init(_ subscription: Subscription, in log: EventLog) throws(Errno) {
    self.subscription = subscription
    let wanted = subscription.after.next
    next = wanted
    guard wanted <= log.last else {
      file = log.active
      offset = log.active.end
      return
    }
    file = try log.segment(holding: wanted)
    offset = try file.offset(of: wanted)
  }

  /// The lines that the last turn has appended, which need not be read from the file.
  struct Fresh: ~Escapable {
    let lines: Span<UInt8>
    let start: Int64

    @_lifetime(copy lines)
    init(lines: Span<UInt8>, start: Int64) {
      self.lines = lines
      self.start = start
    }
  }

  /// Sends until the end is reached, the socket is full, or the turn's share is used up.
  func advance(
    _ connection: Connection,
    _ log: EventLog,
    _ fresh: Fresh,
    _ desk: FeedDesk
  ) throws(Errno) {
    isAtEnd = false
    var share = FeedDesk.share
    while !connection.isStalled, !connection.isDeaf {
      if offset >= file.end {
        guard let successor = try log.segment(after: file) else {
          reachEnd(connection, log, desk)
          return
        }
        try enter(successor, connection, desk)
        continue
      }
      if let next, next < file.first { tellGap(upTo: file.first, connection, desk) }
      guard share > 0 else { return }
      let before = offset
      let isFresh = file === log.active && offset >= fresh.start && fresh.lines.count > 0
      if subscription.filter != nil || subscription.wantsLatest && !isFresh {
        try sendChosen(connection, isFresh ? fresh : nil, desk)
      } else {
        try sendAll(connection, isFresh ? fresh : nil, limit: share)
      }
      share -= Int(offset - before)
    }
  }

  /// The last entry that it has passed, for `stats`.
  func place(in log: EventLog) -> Seq {
    if isAtEnd { return log.last }
    if let next { return next.previous }
    guard offset < file.end, let seq = try? file.seq(at: offset) else { return file.first }
    return seq.previous
  }

  // MARK: Steps

  private func enter(
    _ successor: SegmentFile,
    _ connection: Connection,
    _ desk: FeedDesk
  ) throws(Errno) {
    if next == nil, offset > file.start { next = try lastSeq().next }
    file = successor
    offset = successor.start
    if let next, next < successor.first { tellGap(upTo: successor.first, connection, desk) }
    next = successor.first
  }

  /// The last entry of this file, which was sent whole.
  private func lastSeq() throws(Errno) -> Seq {
    var window = ByteBuffer(capacity: 1_024)
    var length: Int64 = 1_024
    while true {
      let from = max(file.start, offset - length)
      window.clear()
      try window.append(room: Int(offset - from)) { target throws(Errno) in
        try file.descriptor.read(into: target, at: UInt64(from))
      }
      let bytes = window.bytes
      guard bytes.count > 1 else { throw .inputOutput }
      var start = bytes.count - 1
      while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
      if start > 0 || from == file.start {
        guard let seq = LineSeq.of(bytes.extracting(start..<bytes.count)) else {
          throw .inputOutput
        }
        return seq
      }
      length *= 4
    }
  }

  private func tellGap(upTo first: Seq, _ connection: Connection, _ desk: FeedDesk) {
    guard let from = next, from < first else { return }
    desk.say(.gap(from: from, to: first.previous, reason: .retention), to: connection)
    next = first
  }

  private func reachEnd(_ connection: Connection, _ log: EventLog, _ desk: FeedDesk) {
    isAtEnd = true
    next = log.last.next
    if subscription.reachEnd() {
      subscription.place()
      desk.say(.caughtUp(desk.cursor(log.last)), to: connection)
    }
  }

  /// Everything from here on, as far as the socket takes it.
  private func sendAll(
    _ connection: Connection,
    _ fresh: Fresh?,
    limit: Int
  ) throws(Errno) {
    next = nil
    if let fresh {
      let from = Int(offset - fresh.start)
      let lines = fresh.lines.extracting(from..<fresh.lines.count)
      let sent = connection.offer(lines)
      guard sent < lines.count else {
        offset += Int64(sent)
        return
      }
      if connection.isDeaf { return }
      var rest = sent
      // A line that was begun is owed to its end, before any reply may follow.
      if sent > 0, lines[sent - 1] != UInt8(ascii: "\n"),
        let newline = lines.firstIndex(of: UInt8(ascii: "\n"), from: sent)
      {
        rest = newline + 1
        connection.send(lines.extracting(sent..<rest))
      }
      offset += Int64(rest)
      return
    }
    let room = Int(min(file.end - offset, Int64(limit)))
    do throws(Errno) {
      let sent = try file.descriptor.sendFile(
        to: connection.descriptor,
        from: UInt64(offset),
        count: room
      )
      guard sent > 0 else { throw .inputOutput }
      offset += Int64(sent)
      if offset < file.end { try finishLine(connection) }
    } catch .wouldBlock {
      connection.stall()
    } catch .brokenPipe, .connectionReset {
      connection.deafen()
    }
  }

  /// Sends the rest of the line that `offset` lies in, unless a line begins there.
  private func finishLine(_ connection: Connection) throws(Errno) {
    var rest = ByteBuffer(capacity: 4_096)
    // From the byte before, so that a newline there shows that a line begins here.
    offset = try file.restOfLine(at: offset - 1, into: &rest)
    if rest.count > 1 { connection.send(rest.bytes.extracting(1..<rest.count)) }
  }

  /// Those lines from here on that the subscriber wants, up to a window full of them.
  private func sendChosen(
    _ connection: Connection,
    _ fresh: Fresh?,
    _ desk: FeedDesk
  ) throws(Errno) {
    desk.chosen.clear()
    if let fresh {
      let from = Int(offset - fresh.start)
      let to = min(fresh.lines.count, from + FeedDesk.windowBytes)
      choose(fresh.lines.extracting(from..<to), isBehind: false, desk)
    } else {
      desk.window.clear()
      let room = Int(min(file.end - offset, Int64(FeedDesk.windowBytes)))
      try desk.window.append(room: room) { target throws(Errno) in
        try file.descriptor.read(into: target, at: UInt64(offset))
      }
      choose(desk.window.bytes, isBehind: true, desk)
    }
    connection.send(desk.chosen)
  }

  private func choose(_ lines: Span<UInt8>, isBehind: Bool, _ desk: FeedDesk) {
    let latest = isBehind && subscription.wantsLatest ? newest(lines, desk) : nil
    let reader = desk.reader
    if let latest, latest.skipped > 0 {
      Mark.skipped(count: latest.skipped).write(into: &desk.chosen)
    }
    var start = 0
    while let newline = lines.firstIndex(of: UInt8(ascii: "\n"), from: start) {
      let line = lines.extracting(start..<newline)
      if !desk.reads(line) || !(subscription.filter?.admits(reader.document) ?? true) {
        leaveOut(line, desk)
      } else if latest?.keeps(reader.document, at: start) ?? true {
        desk.chosen.append(lines.extracting(start..<newline + 1))
        subscription.place()
      }
      start = newline + 1
    }
    next = nil
    offset += Int64(start)
  }

  /// Which of these lines is the last about its thing.
  private func newest(_ lines: Span<UInt8>, _ desk: FeedDesk) -> Latest {
    let reader = desk.reader
    var latest = Latest()
    var start = 0
    while let newline = lines.firstIndex(of: UInt8(ascii: "\n"), from: start) {
      if desk.reads(lines.extracting(start..<newline)),
        subscription.filter?.admits(reader.document) ?? true
      {
        latest.note(reader.document, at: start)
      }
      start = newline + 1
    }
    return latest
  }

  private func leaveOut(_ line: Span<UInt8>, _ desk: FeedDesk) {
    desk.hasLeftOut = true
    guard subscription.leaveOut(), let seq = LineSeq.of(line) else { return }
    Mark.checkpoint(desk.cursor(seq)).write(into: &desk.chosen)
    subscription.place()
  }
}
