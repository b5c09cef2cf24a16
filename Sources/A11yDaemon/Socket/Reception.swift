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
