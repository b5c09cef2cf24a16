// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yPosix
import A11yWire

/// A subscriber's place in the log, which moves towards the end as lines are sent.
///
/// The place is the whole state: a subscriber at the end gets a turn's lines from memory, one that
/// has fallen behind gets them from the file, and there is no other difference. So being slow costs
/// nothing but time, and nobody is cut off for it. No unsent lines are kept, but for the rest of
/// the one line that a full socket has cut.
///
/// A place is a segment, one of its extents (runs of intact lines), and an offset there. Reading
/// goes through extents and segments in their order; where the seqs of two of them do not meet, the
/// subscriber hears of a gap, with its bounds and its reason. A segment is read through (`check`)
/// before anything of it is delivered, a share in each turn, and the next one already while this
/// one is sent.
///
/// The log changes beneath a feed, and each change has a way out. Retention drops the segment
/// (`forsake`): the feed goes on at the oldest one, behind a gap. The disk has failed and entries
/// were written anew elsewhere (`follow`): the old segment tells where each of them stands now. The
/// segment was read through again and other lines are intact (`findPlaceAgain`), or entries of it
/// were forgotten: the place is looked for once more, by the next seq. That seq is known whenever
/// the line at the place might not state it: at the beginning, at the end of an extent, and at the
/// end of the log.
///
/// Without a filter, lines go from the file to the socket inside the kernel. With one, a window of
/// them is read, and the chosen ones are collected on the desk, which notes how far the source was
/// gone through behind each: a socket that is full in the middle leaves the place exactly there. A
/// feed that leaves all lines out rests on a bench of the rotation, and its place is brought up
/// to date only when it wakes (`passOver`).
final class Feed {
  let subscription: Subscription
  /// The place of its filter among those that are judged together.
  let seat: Sieve.Seat
  private let log: EventLog
  private var segment: Segment { didSet { ahead = nil } }
  /// The segment behind it, which is checked while the subscriber reads.
  private var ahead: Segment?
  /// The place in the segment; nil as long as the segment is not checked.
  private var place: Segment.Place?
  /// The number of the reading through of the segment that `place` belongs to.
  private var reading = 0
  /// Why entries before the present extent may be missing.
  private var missing: Mark.GapReason
  /// The next entry, where known; else its seq is read off the line at the place.
  private var next: Seq?
  /// Whether lines of the feed may have been sent: none are while the answer to `subscribe` waits
  /// behind a reply that waits for the disk.
  private(set) var hasBegun = false
  /// It rests at the end of the log; lines behind its place are such as it leaves out.
  var isResting = false

  /// A feed that begins behind `subscription.after`.
  init(_ subscription: Subscription, in log: EventLog, _ desk: FeedDesk) {
    self.subscription = subscription
    seat = desk.sieve.seat(for: subscription.filter)
    self.log = log
    let wanted = subscription.after.next
    next = wanted
    segment = log.segment(holding: wanted)
    missing = Self.reason(for: wanted, before: segment, in: log)
  }

  /// Why entries from `next` on are missing before a segment.
  private static func reason(
    for next: Seq,
    before segment: Segment,
    in log: EventLog
  ) -> Mark.GapReason {
    if next < log.first { return .retention }
    return log.isStorageGap(before: segment) ? .storage : .corruption
  }

  /// Whether there is nothing to send: the end is reached, and the subscriber knows.
  var isAtEnd: Bool {
    if subscription.isDurable {
      return subscription.isCaughtUp && next.map { $0 > log.synced } ?? false
    }
    return isResting
      || segment === log.active && segment.move == nil && subscription.isCaughtUp
        && isPastSegment
  }

  /// The entry at which a checkpoint is due, should it leave out all from here on.
  var checkpointDue: Seq {
    let left = Subscription.checkpointEntries - subscription.leftOut
    return Seq((next ?? log.last.next).number + Int64(left) - 1)
  }

  /// Whether it goes on with the lines that the last turn has appended.
  func stands(in fresh: Fresh) -> Bool {
    guard segment === log.active, fresh.lines.count > 0, !subscription.isDurable, let place
    else { return false }
    return place.offset >= fresh.start
  }

  /// Whether it needs nothing more of its segment, so that it goes on without waiting for a check.
  private var isPastSegment: Bool { place.map { $0.offset >= segment.end } ?? false }

  /// Sends until the end is reached, the socket is full, or the turn's share is used up.
  func advance(_ connection: ClientConnection, _ fresh: Fresh, _ desk: FeedDesk) throws(Errno) {
    var share = FeedDesk.share
    hasBegun = true
    while share > 0, !connection.isStalled, !connection.isDeaf {
      if try follow() { continue }
      guard isPastSegment || log.check(segment, budget: share) else { return }
      try findPlaceAgain()
      let place = try currentPlace()
      guard place.extent < segment.extents.count else {
        guard let successor = log.segment(after: segment) else { return }
        enter(successor)
        continue
      }
      let whole = segment.extents[place.extent]
      if let next, next < whole.first { tellGap(before: whole, connection, desk) }
      guard let extent = try confirmed(whole), place.offset < extent.end || extent == whole else {
        reachEnd(connection, desk)
        return
      }
      if place.offset >= extent.end {
        guard segment !== log.active || place.extent + 1 < segment.extents.count else {
          reachEnd(connection, desk)
          return
        }
        leave(extent)
        continue
      }
      let isFresh = stands(in: fresh)
      let secrets = isFresh ? subscription.share(of: fresh.secrets) : []
      if subscription.filter != nil || !secrets.isEmpty || subscription.wantsLatest && !isFresh {
        try sendChosen(
          connection,
          isFresh ? fresh : nil,
          secrets,
          from: place.offset,
          in: extent,
          desk
        )
      } else {
        try sendAll(
          connection,
          isFresh ? fresh : nil,
          from: place.offset,
          in: extent,
          limit: share,
          desk
        )
      }
      // The fresh lines are the last, and the subscriber knows that it has come to the end.
      if isFresh, subscription.isCaughtUp, self.place?.offset == extent.end { return }
      // There was room, and nothing came: the file lacks bytes that it is said to have.
      guard connection.isStalled || connection.isDeaf || self.place?.offset != place.offset
      else { throw .inputOutput }
      // Secrets are told live or not at all, so they do not wait for another turn.
      if secrets.isEmpty { share -= Int((self.place?.offset ?? place.offset) - place.offset) }
    }
    if connection.isStalled { checkAhead(budget: FeedDesk.share - share) }
  }

  /// Checks as much of the next segment as was sent of this one, so that the subscriber does not
  /// wait for it there.
  private func checkAhead(budget: Int) {
    guard budget > 0, let successor = ahead ?? log.segment(after: segment) else { return }
    ahead = successor
    _ = log.check(successor, budget: budget)
  }

  /// Rests no longer, and goes on with the fresh lines.
  func wake(before fresh: Fresh) {
    // Nearly always it stands before them already, having left nothing out.
    if next == nil || Seq(of: fresh.lines) != next { passOver(before: fresh) }
    isResting = false
  }

  /// Goes over the lines that it leaves out while it rests, all but fresh ones.
  ///
  /// Lines that have moved since are gone over one by one, as behind the end of the log.
  func passOver(before fresh: Fresh?) {
    guard isResting, segment.move == nil, let next, let place else { return }
    var (end, following) = (segment.end, segment.last.next)
    if let fresh, segment === log.active, let first = Seq(of: fresh.lines) {
      (end, following) = (fresh.start, first)
    }
    guard next < following else { return }
    subscription.leaveOut(Int(following.number - next.number))
    self.place = Segment.Place(extent: place.extent, offset: end)
    self.next = following
  }

  /// Lets go of a segment that the log has dropped, so that it does not live on unseen; its unsent
  /// entries are told as a gap.
  func forsake() throws(Errno) {
    ahead = nil
    guard segment.move == nil, !log.holds(segment) else { return }
    passOver(before: nil)
    try findPlaceAgain()
    next = try nextSeq()
    if log.hasSegment(from: segment.first) {
      // The segment was written anew, without the entries that were to be forgotten.
      segment = log.segment(holding: segment.first)
      place = nil
      return
    }
    let isInMemory = segment.file == nil
    segment = log.segment(after: segment) ?? log.active
    missing = isInMemory ? .storage : Self.reason(for: next ?? .none, before: segment, in: log)
    place = nil
  }

  /// The last entry that it has passed, for `stats`.
  var passed: Seq {
    if isAtEnd, !subscription.isDurable { return log.last }
    return (try? nextSeq().previous) ?? segment.first.previous
  }

  // MARK: Steps

  /// Goes where the entries are that were given up here; true if there are such.
  private func follow() throws(Errno) -> Bool {
    guard let move = segment.move else { return false }
    if let place {
      guard place.offset >= move.from else { return false }
      self.place = move.place(of: place.offset)
      // The feed stands in a piece that was lost, and only its subscriber knows at which entry.
      guard self.place != nil || next != nil else { throw .inputOutput }
    } else if let next, next < move.target.first {
      return false
    }
    segment = move.target
    reading = segment.readings
    return true
  }

  /// Finds the place anew where the segment was read through again, and other lines of it are
  /// intact than before.
  private func findPlaceAgain() throws(Errno) {
    guard let place, reading != segment.readings else { return }
    reading = segment.readings
    if next == nil, let index = segment.extents.firstIndex(where: { $0.holds(place.offset) }) {
      self.place?.extent = index
      return
    }
    if let before = segment.extents.last(where: { $0.end == place.offset }), next == nil {
      next = before.last.next
    }
    // The feed stands in the damage, and only its subscriber knows at which entry.
    guard next != nil else { throw .inputOutput }
    self.place = nil
  }

  private func currentPlace() throws(Errno) -> Segment.Place {
    if let place { return place }
    let found =
      try segment.place(of: next ?? segment.first)
      ?? (segment === log.active ? segment.ending : segment.beyond)
    place = found
    reading = segment.readings
    return found
  }

  /// Leaves an extent for the next one, or for the end of the segment.
  private func leave(_ extent: Extent) {
    guard let place else { return }
    if !extent.isEmpty { next = extent.last.next }
    let following = place.extent + 1
    self.place =
      following < segment.extents.count
      ? Segment.Place(extent: following, offset: segment.extents[following].start) : segment.beyond
    missing = .corruption
  }

  private func enter(_ successor: Segment) {
    missing = Self.reason(for: next ?? segment.last.next, before: successor, in: log)
    segment = successor
    place = nil
  }

  private func nextSeq() throws(Errno) -> Seq {
    if let next { return next }
    guard let place, place.extent < segment.extents.count else { return segment.last.next }
    if let seq = try segment.seq(at: place) { return seq }
    return segment.extents[place.extent].last.next
  }

  private func tellGap(before extent: Extent, _ connection: ClientConnection, _ desk: FeedDesk) {
    guard let from = next, from < extent.first else { return }
    desk.say(.gap(from: from, to: extent.first.previous, reason: missing), to: connection)
    subscription.place()
    next = extent.first
  }

  /// As much of an extent as a durable subscriber may have; nil for nothing.
  private func confirmed(_ extent: Extent) throws(Errno) -> Extent? {
    guard subscription.isDurable, !extent.isEmpty, extent.last > log.synced else { return extent }
    let following = log.synced.next
    guard extent.first < following, let end = try segment.place(of: following) else { return nil }
    return extent.cut(at: end.offset, before: following)
  }

  private func reachEnd(_ connection: ClientConnection, _ desk: FeedDesk) {
    // A durable subscriber may have begun behind entries that the medium does not have yet.
    next = subscription.isDurable ? max(next ?? .none, log.synced.next) : log.last.next
    guard subscription.reachEnd() else { return }
    subscription.place()
    desk.say(.caughtUp(desk.cursor((next ?? log.last.next).previous)), to: connection)
  }

  /// Moves on within an extent; a last line that lacks its newline gets one.
  private func move(to offset: Int64, in extent: Extent, _ connection: ClientConnection) {
    stand(at: offset, in: extent)
    if extent.lacksNewline, offset == extent.end { connection.send([UInt8(ascii: "\n")].span) }
  }

  /// At the end of an extent no line says which entry is next: where lines were lost, those of the
  /// next extent may stand there.
  private func stand(at offset: Int64, in extent: Extent) {
    place?.offset = min(offset, extent.end)
    next = offset >= extent.end ? extent.last.next : nil
  }

  /// Everything from here on, as far as the socket takes it.
  private func sendAll(
    _ connection: ClientConnection,
    _ fresh: Fresh?,
    from offset: Int64,
    in extent: Extent,
    limit: Int,
    _ desk: FeedDesk
  ) throws(Errno) {
    if let fresh {
      let from = Int(offset - fresh.start)
      let lines = fresh.lines.extracting(from..<fresh.lines.count)
      move(to: offset + Int64(sendWhole(lines, connection)), in: extent, connection)
      return
    }
    guard let file = segment.file, offset < segment.confirmedEnd else {
      let room = Int(min(extent.end - offset, Int64(FeedDesk.windowBytes)))
      desk.window.clear()
      _ = try segment.read(into: &desk.window, at: offset, room: room)
      let sent = Self.borrow(desk.window) { lines in sendWhole(lines, connection) }
      var end = offset + Int64(sent)
      // The window may end in the middle of a line.
      if sent == desk.window.count, end < extent.end {
        end = try finishLine(connection, at: end, in: extent)
      }
      move(to: end, in: extent, connection)
      return
    }
    let room = Int(min(min(extent.end, segment.confirmedEnd) - offset, Int64(limit)))
    do throws(Errno) {
      let sent = try connection.offer(file, at: offset, count: room)
      guard sent > 0 else { return }
      var end = offset + Int64(sent)
      if end < extent.end { end = try finishLine(connection, at: end, in: extent) }
      move(to: end, in: extent, connection)
    } catch {
      // The segment could be read before; it is checked again before anybody gets more of it.
      log.doubt(segment)
      throw error
    }
  }

  /// Sends lines as far as the socket takes them, and says how many bytes of them are done with.
  ///
  /// A line that was begun is owed to its end before any reply may follow; the lines behind it are
  /// not.
  private func sendWhole(_ lines: Span<UInt8>, _ connection: ClientConnection) -> Int {
    let sent = connection.offer(lines)
    guard sent > 0, sent < lines.count else { return sent }
    var end = sent
    if lines[sent - 1] != UInt8(ascii: "\n") { end = Self.endOfLine(lines, from: sent) }
    // A secret goes with the line before it, or not at all.
    if lines.extracting(end..<lines.count).begins(with: Mark.secretBeginning) {
      end = Self.endOfLine(lines, from: end)
    }
    if end > sent { connection.send(lines.extracting(sent..<end)) }
    return end
  }

  /// Behind the newline of the line that `offset` lies in; there where none is in sight.
  private static func endOfLine(_ lines: Span<UInt8>, from offset: Int) -> Int {
    lines.firstIndex(of: UInt8(ascii: "\n"), from: offset).map { $0 + 1 } ?? offset
  }

  /// Sends the rest of the line that `offset` lies in, unless a line begins there.
  private func finishLine(
    _ connection: ClientConnection,
    at offset: Int64,
    in extent: Extent
  ) throws(Errno) -> Int64 {
    var rest = ByteBuffer(capacity: 4_096)
    // From the byte before, so that a newline there shows that a line begins here.
    let end: Int64
    do throws(Errno) {
      end = try segment.restOfLine(at: offset - 1, in: extent, into: &rest)
    } catch {
      // Half a line is ignored as long as nothing comes behind it; so there is no farewell either.
      connection.deafen()
      throw error
    }
    if rest.count > 1 { connection.send(rest.bytes.extracting(1..<rest.count)) }
    return end
  }

  /// Those lines from here on that the subscriber wants, up to a window full of them.
  private func sendChosen(
    _ connection: ClientConnection,
    _ fresh: Fresh?,
    _ secrets: [Secret],
    from offset: Int64,
    in extent: Extent,
    _ desk: FeedDesk
  ) throws(Errno) {
    let looked: Int
    if let fresh {
      let from = Int(offset - fresh.start)
      let to = min(fresh.lines.count, from + FeedDesk.windowBytes)
      looked = choose(fresh.lines.extracting(from..<to), secrets, isBehind: false, desk)
    } else {
      desk.window.clear()
      let room = Int(min(extent.end - offset, Int64(FeedDesk.windowBytes)))
      let read = try segment.read(into: &desk.window, at: offset, room: room)
      if extent.lacksNewline, offset + Int64(read) == extent.end {
        desk.window.append(byte: UInt8(ascii: "\n"))
      }
      looked = choose(desk.window.bytes, [], isBehind: true, desk)
    }
    // No newline in the longest possible line: the file is no log any more.
    guard looked > 0 else { throw .inputOutput }
    let done = sendWhole(desk, connection)
    let moved = done == desk.chosen.count ? looked : desk.source(of: done)
    if !secrets.isEmpty { desk.chosen.wipe() }
    stand(at: offset + Int64(moved), in: extent)
  }

  private func sendWhole(_ desk: FeedDesk, _ connection: ClientConnection) -> Int {
    Self.borrow(desk.chosen) { lines in sendWhole(lines, connection) }
  }

  private static func borrow<R>(
    _ buffer: borrowing ByteBuffer,
    _ body: (Span<UInt8>) -> R
  ) -> R { body(buffer.bytes) }

  /// Collects on the desk the lines that the subscriber wants, and says how far the lines went.
  private func choose(
    _ lines: Span<UInt8>,
    _ secrets: [Secret],
    isBehind: Bool,
    _ desk: FeedDesk
  ) -> Int {
    let latest = isBehind && subscription.wantsLatest ? newest(lines, desk) : nil
    // The newest about a thing is told by the whole line, which then is read anyway.
    var verdicts =
      latest == nil
      ? Seq(of: lines).flatMap { desk.sieve.verdicts(for: seat, from: $0) } : nil
    let json = desk.json
    desk.clear()
    var skipped = 0
    var start = 0
    while let newline = lines.firstIndex(of: UInt8(ascii: "\n"), from: start) {
      let line = lines.extracting(start..<newline)
      let isMeant =
        verdicts?.next()
        ?? (desk.reads(line) && subscription.filter?.admits(json.document) ?? true)
      if !isMeant {
        leaveOut(line, through: newline + 1, desk)
      } else if latest?.keeps(json.document, at: start) ?? true {
        if skipped > 0 {
          Mark.skipped(count: skipped).write(into: &desk.chosen)
          desk.markProgress(through: start)
        }
        skipped = 0
        desk.chosen.append(lines.extracting(start..<newline + 1))
        desk.markProgress(through: newline + 1)
        if !secrets.isEmpty, let secret = secrets.first(where: { Seq(of: line) == $0.of }) {
          Mark.secret(secret).write(into: &desk.chosen)
          desk.markProgress(through: newline + 1)
        }
        subscription.place()
      } else {
        skipped += 1
      }
      start = newline + 1
    }
    return start
  }

  /// The lines that are the last about their things.
  private func newest(_ lines: Span<UInt8>, _ desk: FeedDesk) -> Latest {
    let json = desk.json
    var latest = Latest()
    var start = 0
    while let newline = lines.firstIndex(of: UInt8(ascii: "\n"), from: start) {
      if desk.reads(lines.extracting(start..<newline)),
        subscription.filter?.admits(json.document) ?? true
      {
        latest.note(json.document, at: start)
      }
      start = newline + 1
    }
    return latest
  }

  private func leaveOut(_ line: Span<UInt8>, through end: Int, _ desk: FeedDesk) {
    desk.hasLeftOut = true
    guard subscription.leaveOut(), let seq = Seq(of: line) else { return }
    Mark.checkpoint(desk.cursor(seq)).write(into: &desk.chosen)
    desk.markProgress(through: end)
    subscription.place()
  }
}

extension Feed {
  /// The lines that the last turn has appended, which need not be read from the file.
  struct Fresh: ~Escapable {
    let lines: Span<UInt8>
    let start: Int64
    /// The secret texts that live readers are told beside the lines.
    let secrets: [Secret]

    @_lifetime(copy lines)
    init(lines: Span<UInt8>, start: Int64, secrets: [Secret]) {
      self.lines = lines
      self.start = start
      self.secrets = secrets
    }
  }
}
