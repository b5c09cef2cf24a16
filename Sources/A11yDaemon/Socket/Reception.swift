// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yHttp
import A11yPosix
import A11yWire

/// The doors of the bus, and the readiness of its guests' sockets.
///
/// This is the kernel's side of the bus: listening sockets and clients' sockets are members of one
/// set, which the daemon's loop watches.
///
/// A client is turned away here, before anything of the bus has been spent on it. When the kernel
/// has no descriptors left, the doors are closed instead of being asked again and again; clients
/// wait in the backlog until somebody leaves.
final class Reception {
  /// The set of all descriptors, which tells those that are ready.
  let poll: Poll
  private var events = Poll.Events(capacity: 256)
  private var ready: [Ready] = []
  private let report: OperatorReport
  var guestBook: GuestBook
  private let doors: [ClaimedResources.Door]
  private var isClosed = false

  /// Tokens of listening sockets lie above those of connections.
  private static let tokens: UInt64 = 1 << 63
  /// Accepted in one turn, so that a crowd at the door does not keep those inside waiting.
  private static let perTurn = 64

  /// Descriptors that are never given to clients: segments being read, what a start opens, and the
  /// connections to metrics sockets.
  private static let reserve = 64 + HttpReception.mostGuests

  /// Lets clients in through these doors.
  init(
    report: OperatorReport,
    limits: Quotas,
    descriptors: Int,
    doors: [ClaimedResources.Door]
  ) throws(Errno) {
    poll = try Poll()
    // So many connections leave enough descriptors for the log: a client that opens many must not
    // be able to keep the bus from beginning its next segment.
    let affordable = max(descriptors / 2, descriptors - Self.reserve)
    guestBook = GuestBook(limits: limits, affordable: affordable)
    self.report = report
    self.doors = doors
    for (index, door) in doors.enumerated() {
      let token = Self.tokens + UInt64(index)
      try poll.add(door.listener.descriptor, token: token, interest: .readable)
      guestBook.add(door.role)
    }
  }

  /// Has the bus serve the connections that are ready, and lets in the clients at the doors.
  func serve(_ bus: Bus) throws(Errno) {
    ready.removeAll(keepingCapacity: true)
    // The connections that the last turn has left are still ready; all others can wait for them.
    if !bus.isBehind {
      let count = try poll.wait(into: &events, timeoutMilliseconds: 0)
      for index in 0..<count {
        let event = events[index]
        if event.token >= Self.tokens {
          welcome(at: event.token, to: bus)
        } else {
          ready.append(Ready(token: event.token, readiness: event.readiness))
        }
      }
    }
    bus.serve(ready)
  }

  /// Lets in the clients that wait at a door.
  private func welcome(at token: UInt64, to bus: Bus) {
    let door = doors[Int(token - Self.tokens)]
    for _ in 0..<Self.perTurn {
      switch door.listener.accept() {
      case .connection(let descriptor):
        guard let peer = try? descriptor.peer() else { continue }
        switch guestBook.admission(of: peer.uid, at: door.role) {
        case .welcome: break
        case .inPlaceOf(let uid): endNewest(of: uid, of: bus)
        case .refused(let refusal):
          report.say(
            .quotaExceeded,
            "A connection of user \(peer.uid) was turned away: \(refusal.message).",
            [.reason: refusal.message]
          )
          turnAway(descriptor, refusal)
          continue
        }
        guestBook.enter(peer.uid, door.role)
        try? descriptor.setSendBuffer(bytes: guestBook.limits.outBuffer)
        bus.admit(SocketLink(descriptor, watchedBy: poll), uid: peer.uid, role: door.role)
      case .none:
        return
      case .exhausted(let error):
        report.say(
          .descriptorsExhausted,
          "No more connections can be accepted for now: \(error).",
          [.reason: "\(error)"]
        )
        watch([])
        isClosed = true
        return
      case .failed(let error):
        report.say(.impaired, "A connection could not be accepted: \(error), continuing.")
        return
      }
    }
  }

  /// Notes that a client of this user is gone.
  func leave(_ uid: UInt32, _ role: Role) {
    guestBook.leave(uid, role)
    reopen()
  }

  /// Makes room for another user.
  private func endNewest(of uid: UInt32, of bus: Bus) {
    let words = "all places are taken, and this user has most of them; another user needs one"
    report.say(
      .quotaExceeded,
      "The newest connection of user \(uid) was ended: \(words).",
      [.reason: words]
    )
    bus.endNewest(of: uid, Refusal(.quotaExceeded, words))
  }

  /// Accepts again, should there be descriptors by now.
  func reopen() {
    guard isClosed else { return }
    isClosed = false
    watch(.readable)
  }

  private func watch(_ interest: Readiness) {
    for (index, door) in doors.enumerated() {
      try? poll.change(
        door.listener.descriptor,
        token: Self.tokens + UInt64(index),
        interest: interest
      )
    }
  }

  private func turnAway(_ descriptor: borrowing FileDescriptor, _ refusal: Refusal) {
    var line = ByteBuffer(capacity: 256)
    line.appendFarewell(refusal)
    _ = descriptor.send(line.bytes)
  }
}

extension ByteBuffer {
  /// Appends the last line that a connection gets.
  mutating func appendFarewell(_ refusal: Refusal) {
    append("{\"bye\":")
    appendRefusal(refusal)
    append("}\n")
  }
}

/// The places for connections: who has how many of them, and who may have one more.
///
/// Some are kept for readers and operators, so that no crowd of apps keeps them out. When all
/// others are taken, the user with most of them gives one up for a user with few: five users cannot
/// lock out a sixth.
struct GuestBook {
  enum Admission: Equatable {
    case welcome
    /// There is room once the newest connection of this user is ended.
    case inPlaceOf(uid: UInt32)
    case refused(Refusal)
  }

  /// The operator's quotas; the kernel may allow less.
  var limits: Quotas
  private let affordable: Int
  private var keepers: [Role] = []
  private(set) var count = 0
  private var guestsPerRole: [Role: Int] = [:]
  private var guestsPerUser: [UInt32: Int] = [:]
  private var publishersPerUser: [UInt32: Int] = [:]

  /// Places that each of the doors for readers and operators has for itself.
  private static let kept = 64
  /// The part of all places that it is at most.
  private static let keptPart = 8
  /// A user with fewer connections than that is let in at the cost of the one with most.
  private static let few = 16

  /// `affordable` is the number of connections that the kernel has descriptors for.
  init(limits: Quotas, affordable: Int) {
    self.limits = limits
    self.affordable = affordable
  }

  /// Notes that there is such a door.
  mutating func add(_ role: Role) {
    if role == .read || role == .control { keepers.append(role) }
  }

  mutating func enter(_ uid: UInt32, _ role: Role) {
    count += 1
    guestsPerRole[role, default: 0] += 1
    guestsPerUser[uid, default: 0] += 1
    if role == .publish { publishersPerUser[uid, default: 0] += 1 }
  }

  mutating func leave(_ uid: UInt32, _ role: Role) {
    count -= 1
    guestsPerRole[role, default: 1] -= 1
    Self.countDown(uid, in: &guestsPerUser)
    if role == .publish { Self.countDown(uid, in: &publishersPerUser) }
  }

  private static func countDown(_ uid: UInt32, in counts: inout [UInt32: Int]) {
    let left = counts[uid, default: 1] - 1
    counts[uid] = left == 0 ? nil : left
  }

  /// Whether a client of this user may come in through a door.
  func admission(of uid: UInt32, at role: Role) -> Admission {
    let most = min(limits.connections, affordable)
    let kept = min(Self.kept, most / Self.keptPart)
    if keepers.contains(role), guestsPerRole[role, default: 0] < kept { return .welcome }
    guard guestsPerUser[uid, default: 0] < limits.connectionsPerUser else {
      return .refused(
        Refusal(
          .quotaExceeded,
          "this user has its \(limits.connectionsPerUser) connections; close one first"
        )
      )
    }
    let unclaimed = keepers.reduce(0) { $0 + max(0, kept - guestsPerRole[$1, default: 0]) }
    if count + unclaimed < most { return .welcome }
    if role == .publish, let holder = holderOfMost(besides: uid) { return .inPlaceOf(uid: holder) }
    return .refused(
      Refusal(.quotaExceeded, "the bus has its \(most) connections; come again later")
    )
  }

  /// The user who gives a place to this one, if this one has few.
  private func holderOfMost(besides uid: UInt32) -> UInt32? {
    let own = publishersPerUser[uid, default: 0]
    guard own < Self.few else { return nil }
    let holder = publishersPerUser.max { ($0.value, $1.key) < ($1.value, $0.key) }
    guard let holder, holder.key != uid, holder.value > own + 1 else { return nil }
    return holder.key
  }
}
