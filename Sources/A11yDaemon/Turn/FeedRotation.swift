// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yPosix
import A11yWire

/// Feeds the subscribers that have something to get, each in its turn.
///
/// A subscriber at the end of the log rests until a line comes that it may want, and costs nothing
/// until then. Subscribers with the same filter rest together, so that one look at the verdicts on
/// a turn's lines tells which of them to wake.
struct FeedRotation {
  /// A subscriber's place in the rotation.
  enum Standing: Equatable {
    /// Nothing can be sent: the feed has not begun, or the link takes no more.
    case away
    /// In the queue of those that are to be fed.
    case queued
    /// At the end of the log, on a bench with others.
    case resting(bench: UInt8, at: UInt32)
  }

  /// Subscribers at the end of the log that the same lines wake.
  private struct Bench {
    var members: [ClientConnection] = []
    /// The entry at which one of them may be due for a checkpoint.
    var due = Seq(.max)
  }

  /// Those with something to get, in the order of their turn.
  private var queue: [ClientConnection] = []
  /// One for each bit of the sieve, one for subscribers that every line wakes, and the last for
  /// those that wait for the medium.
  private var benches = [Bench](repeating: Bench(), count: Sieve.most + 2)
  /// The benches of the sieve's bits on which somebody rests.
  private var occupied: UInt64 = 0
  /// The entry up to which the medium had all when the benches were last looked at.
  private var synced = Seq.none
  /// The active segment when the benches were last looked at.
  private weak var segment: Segment?

  private static let durable = Sieve.most + 1
  /// How long one turn feeds subscribers; the others are first in the next.
  private static let feedingMicroseconds: UInt64 = 2_000

  // MARK: Coming and going

  /// Has a subscriber fed as soon as its turn comes; one that rests or is queued stays there.
  mutating func enqueue(_ connection: ClientConnection) {
    guard connection.feed != nil, connection.standing == .away else { return }
    connection.standing = .queued
    queue.append(connection)
  }

  mutating func remove(_ connection: ClientConnection) {
    switch connection.standing {
    case .away: return
    case .queued: queue.removeAll { $0 === connection }
    case .resting(let bench, let at):
      // The last one moves up.
      let last = benches[Int(bench)].members.removeLast()
      if last !== connection {
        benches[Int(bench)].members[Int(at)] = last
        last.standing = connection.standing
      }
      if benches[Int(bench)].members.isEmpty { occupied &= ~Self.bit(of: Int(bench)) }
      connection.feed?.isResting = false
    }
    connection.standing = .away
  }

  private mutating func rest(_ connection: ClientConnection, _ feed: Feed) {
    let isDurable = feed.subscription.isDurable
    let bench = isDurable ? Self.durable : feed.seat.bit.map(Int.init) ?? Sieve.most
    let at = UInt32(benches[bench].members.count)
    connection.standing = .resting(bench: UInt8(bench), at: at)
    benches[bench].members.append(connection)
    occupied |= Self.bit(of: bench)
    guard !isDurable else { return }
    feed.isResting = true
    benches[bench].due = min(benches[bench].due, feed.checkpointDue)
  }

  /// The bit of a bench in `occupied`; none for the two behind those of the sieve.
  private static func bit(of bench: Int) -> UInt64 { 1 << UInt64(bench) }

  private mutating func wake(_ bench: Int, before fresh: Feed.Fresh) {
    guard !benches[bench].members.isEmpty else { return }
    for connection in benches[bench].members {
      connection.feed?.wake(before: fresh)
      connection.standing = .queued
    }
    queue.append(contentsOf: benches[bench].members)
    benches[bench].members.removeAll(keepingCapacity: true)
    benches[bench].due = Seq(.max)
    occupied &= ~Self.bit(of: bench)
  }

  /// Wakes those that the turn's lines concern.
  private mutating func wake(for fresh: Feed.Fresh, in log: EventLog, _ desk: FeedDesk) {
    // Those that rest in a segment that is full go over to the next one.
    let isElsewhere = segment !== log.active
    if isElsewhere { segment = log.active }
    if log.synced != synced {
      synced = log.synced
      wake(Self.durable, before: fresh)
    }
    guard isElsewhere || fresh.lines.count > 0 else { return }
    var left = occupied
    while left != 0 {
      let bench = left.trailingZeroBitCount
      left &= left - 1
      let isMeant = desk.sieve.passedLast & Self.bit(of: bench) != 0
      if isElsewhere || isMeant || benches[bench].due <= log.last {
        wake(bench, before: fresh)
      } else {
        desk.hasLeftOut = true
      }
    }
    wake(Sieve.most, before: fresh)
  }

  /// Whether somebody rests until the medium has more.
  var awaitsMedium: Bool { !benches[Self.durable].members.isEmpty }

  // MARK: Feeding

  /// Has the subscribers' feeds advance over a turn's lines, and says of each whether it has
  /// failed.
  mutating func feed(
    _ fresh: Feed.Fresh,
    of log: EventLog,
    _ desk: FeedDesk,
    _ time: any BusTime,
    _ isFed: (ClientConnection, Errno?) -> Void
  ) {
    if fresh.lines.count > 0 { desk.sieve.judge(fresh.lines, with: desk.json) }
    wake(for: fresh, in: log, desk)
    guard !queue.isEmpty else { return }
    let deadline = time.monotonicMicroseconds() + Self.feedingMicroseconds
    var waiting: [ClientConnection] = []
    swap(&waiting, &queue)
    var unfinished: [ClientConnection] = []
    for (index, connection) in waiting.enumerated() {
      guard connection.canBeFed, let feed = connection.feed else {
        connection.standing = .away
        continue
      }
      if feed.isAtEnd {
        rest(connection, feed)
        continue
      }
      if time.monotonicMicroseconds() >= deadline {
        // The others have their place in the log, and lose nothing but this turn; but secrets are
        // told now or not at all.
        if fresh.secrets.isEmpty {
          queue.append(contentsOf: waiting[index...])
          break
        }
        if feed.subscription.share(of: fresh.secrets).isEmpty {
          queue.append(connection)
          continue
        }
      }
      var fault: Errno?
      do throws(Errno) {
        try feed.advance(connection, fresh, desk)
      } catch {
        fault = error
      }
      if fault != nil || !connection.canBeFed {
        connection.standing = .away
      } else if feed.isAtEnd {
        rest(connection, feed)
      } else {
        unfinished.append(connection)
      }
      // One that rests is known to have nothing to wait for.
      isFed(connection, fault)
    }
    // The next turn comes as soon as the link of the first one in the queue takes something.
    if let first = queue.first { isFed(first, nil) }
    queue.append(contentsOf: unfinished)
  }
}

/// The buffers and the reader of lines that all feeds use in turn.
final class FeedDesk {
  /// Bytes that one subscriber may get from the file in one turn, so that none holds up the others.
  static let share = 1_048_576
  /// Longer than any line.
  static let windowBytes = Limits.answerBytes + 1

  let json = JSONReader(limit: Limits.answerBytes)
  /// Lines as they were read from a file.
  var window = ByteBuffer(capacity: 0)
  /// The filters of all feeds, and the latest lines that pass them.
  let sieve = Sieve()
  /// Lines that are wanted.
  var chosen = ByteBuffer(capacity: 0)
  /// Some subscriber was left out of an entry and may have to hear how far it is.
  var hasLeftOut = false
  /// How far the source was gone through when `chosen` was so long.
  private var progress: [(chosen: Int, source: Int)] = []
  private let epoch: Epoch
  private var mark = ByteBuffer(capacity: 256)

  init(epoch: Epoch) { self.epoch = epoch }

  func cursor(_ seq: Seq) -> Cursor { Cursor(epoch: epoch, seq: seq) }

  func say(_ what: Mark, to connection: ClientConnection) {
    mark.clear()
    what.write(into: &mark)
    connection.send(mark)
  }

  /// Reads a line of the log into the reader's document; false where the line is not JSON.
  func reads(_ line: Span<UInt8>) -> Bool {
    do throws(JSONFault) {
      try json.read(line)
      return true
    } catch {
      return false
    }
  }

  // MARK: Collecting

  func clear() {
    chosen.clear()
    progress.removeAll(keepingCapacity: true)
  }

  /// Overwrites the lines that are left in the buffers.
  func wipe() {
    chosen.wipe()
    window.wipe()
  }

  /// Notes that the source was gone through so far.
  func markProgress(through source: Int) { progress.append((chosen.count, source)) }

  /// How far the source is done with when so much of `chosen` has been sent.
  func source(of sent: Int) -> Int { progress.last { $0.chosen <= sent }?.source ?? 0 }
}

extension Bus {
  /// Whether some subscriber was left out of entries and has not heard how far it is.
  package var needsCheckpoint: Bool { desk.hasLeftOut }

  /// Tells subscribers that were left out of entries how far they are.
  package func checkpoint() {
    desk.hasLeftOut = false
    for connection in subscribers {
      guard let feed = connection.feed else { continue }
      feed.passOver(before: nil)
      guard feed.subscription.leftOut > 0 else { continue }
      guard feed.isAtEnd, !connection.isStalled else {
        desk.hasLeftOut = true
        continue
      }
      feed.subscription.place()
      desk.say(.checkpoint(desk.cursor(last)), to: connection)
      updateInterest(of: connection)
    }
    seeOff()
  }
}
