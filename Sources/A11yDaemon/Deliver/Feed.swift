// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
import A11yLog
import A11yPosix
import A11yWire

/// Where a subscriber stands in the log, and how it comes nearer to its end.
///
/// Position is all there is: a subscriber that stands at the end gets a turn's lines from memory,
/// one that has fallen behind gets them from the file, and there is no other difference. So being
/// slow costs nothing but time, and nobody is cut off for it. Nothing that was not sent is kept
/// either, but for the rest of the one line that a full socket has cut.
final class Feed {
  let subscription: Subscription
  private unowned let log: EventLog
  private var file: SegmentFile
  private var offset: Int64
  /// Why entries before the present file may be missing.
  private var missing = Mark.GapReason.retention
  /// The next entry, where that is known; else it is read off the line at `offset`.
  private var next: Seq?

  /// A feed that begins behind `subscription.after`.
  init(_ subscription: Subscription, in log: EventLog) throws(Errno) {
    self.subscription = subscription
    self.log = log
    let wanted = subscription.after.next
    next = wanted
    (file, offset) = try log.place(of: wanted)
  }

  /// Whether there is nothing to send: the end is reached, and the subscriber knows.
  var isAtEnd: Bool { file === log.active && offset >= file.end && subscription.isCaughtUp }

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
  func advance(_ connection: Connection, _ fresh: Fresh, _ desk: FeedDesk) throws(Errno) {
    var share = FeedDesk.share
    while !connection.isStalled, !connection.isDeaf {
      if let next, next < file.first { tellGap(connection, desk) }
      if offset >= file.end {
        guard let successor = try log.segment(after: file) else {
          reachEnd(connection, desk)
          return
        }
        try enter(successor)
        continue
      }
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

  /// Lets go of a segment that retention has dropped, so that it does not live on unseen; what was
  /// not sent of it is told as a gap.
  func forsake() throws(Errno) {
    guard !log.holds(file) else { return }
    next = try nextSeq()
    missing = .retention
    file = try log.segment(holding: log.first)
    offset = file.start
  }

  /// The last entry that it has passed, for `stats`.
  var place: Seq {
    if isAtEnd { return log.last }
    return (try? nextSeq().previous) ?? file.first.previous
  }

  // MARK: Steps

  private func enter(_ successor: SegmentFile) throws(Errno) {
    next = try nextSeq()
    // What is missing between two segments that are both there was damaged.
    missing = log.holds(file) ? .corruption : .retention
    file = successor
    offset = successor.start
  }

  private func nextSeq() throws(Errno) -> Seq {
    if let next { return next }
    if offset < file.end { return try file.seq(at: offset) }
    return try file.lastSeq().next
  }

  private func tellGap(_ connection: Connection, _ desk: FeedDesk) {
    guard let from = next, from < file.first else { return }
    desk.say(.gap(from: from, to: file.first.previous, reason: missing), to: connection)
    next = file.first
  }

  private func reachEnd(_ connection: Connection, _ desk: FeedDesk) {
    next = log.last.next
    guard subscription.reachEnd() else { return }
    subscription.place()
    desk.say(.caughtUp(desk.cursor(log.last)), to: connection)
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
      offset += Int64(sendWhole(lines, connection))
      return
    }
    let room = Int(min(file.end - offset, Int64(limit)))
    let sent = try connection.offer(file.content, at: offset, count: room)
    guard sent > 0 else { return }
    offset += Int64(sent)
    if offset < file.end { try finishLine(connection) }
  }

  /// Sends lines as far as the socket takes them, and says how much of them is done with.
  ///
  /// A line that was begun is owed to its end, before any reply may follow; those behind it are not.
  private func sendWhole(_ lines: Span<UInt8>, _ connection: Connection) -> Int {
    let sent = connection.offer(lines)
    guard sent > 0, sent < lines.count, lines[sent - 1] != UInt8(ascii: "\n"),
      let newline = lines.firstIndex(of: UInt8(ascii: "\n"), from: sent)
    else { return sent }
    connection.send(lines.extracting(sent..<newline + 1))
    return newline + 1
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
    let looked: Int
    if let fresh {
      let from = Int(offset - fresh.start)
      let to = min(fresh.lines.count, from + FeedDesk.windowBytes)
      looked = choose(fresh.lines.extracting(from..<to), isBehind: false, desk)
    } else {
      desk.window.clear()
      let room = Int(min(file.end - offset, Int64(FeedDesk.windowBytes)))
      try desk.window.append(room: room) { target throws(Errno) in
        try file.content.read(into: target, at: offset)
      }
      looked = choose(desk.window.bytes, isBehind: true, desk)
    }
    // Not a line as long as a line can be: this is no log any more.
    guard looked > 0 else { throw .inputOutput }
    next = nil
    let done = sendWhole(desk, connection)
    offset += Int64(done == desk.chosen.count ? looked : desk.source(of: done))
  }

  private func sendWhole(_ desk: FeedDesk, _ connection: Connection) -> Int {
    Self.borrow(desk.chosen) { lines in sendWhole(lines, connection) }
  }

  private static func borrow<R>(
    _ buffer: borrowing ByteBuffer,
    _ body: (Span<UInt8>) -> R
  ) -> R { body(buffer.bytes) }

  /// Collects on the desk what is wanted of these lines, and says how far they went.
  private func choose(_ lines: Span<UInt8>, isBehind: Bool, _ desk: FeedDesk) -> Int {
    let latest = isBehind && subscription.wantsLatest ? newest(lines, desk) : nil
    let reader = desk.reader
    desk.clear()
    var skipped = 0
    var start = 0
    while let newline = lines.firstIndex(of: UInt8(ascii: "\n"), from: start) {
      let line = lines.extracting(start..<newline)
      if !desk.reads(line) || !(subscription.filter?.admits(reader.document) ?? true) {
        leaveOut(line, through: newline + 1, desk)
      } else if latest?.keeps(reader.document, at: start) ?? true {
        if skipped > 0 { Mark.skipped(count: skipped).write(into: &desk.chosen) }
        skipped = 0
        desk.chosen.append(lines.extracting(start..<newline + 1))
        desk.note(through: newline + 1)
        subscription.place()
      } else {
        skipped += 1
      }
      start = newline + 1
    }
    return start
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

  private func leaveOut(_ line: Span<UInt8>, through end: Int, _ desk: FeedDesk) {
    desk.hasLeftOut = true
    guard subscription.leaveOut(), let seq = LineSeq.of(line) else { return }
    Mark.checkpoint(desk.cursor(seq)).write(into: &desk.chosen)
    desk.note(through: end)
    subscription.place()
  }
}
