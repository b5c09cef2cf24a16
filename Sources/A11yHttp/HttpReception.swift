// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix

/// Sockets that answer requests of HTTP, and their connections.
///
/// Nothing here waits, and nobody waits for anything here: a connection has one answer and five
/// seconds. One too many takes the place of the oldest, so that idle connections keep nobody out.
package final class HttpReception {
  /// The set of all descriptors, which is readable when one of them is ready.
  package let poll: Poll
  private let doors: [UnixListener]
  private let answer: (HttpHead) -> [UInt8]
  private var events = Poll.Events(capacity: HttpReception.mostGuests)
  /// The connections, the oldest first.
  private var guests: [HttpGuest] = []
  private var lastToken: UInt64
  /// When the doors are opened again, where the kernel has no descriptors left.
  private var reopening: UInt64?

  /// Connections at once.
  package static let mostGuests = 16
  /// How long a connection may take in all, in microseconds.
  package static let patience: UInt64 = 5_000_000
  /// How long the doors stay closed when nothing can be accepted, in microseconds.
  private static let pause: UInt64 = 1_000_000

  /// Serves these sockets; each head that has come whole, or never will, has an answer.
  package init(
    _ doors: [UnixListener],
    answer: @escaping (HttpHead) -> [UInt8]
  ) throws(Errno) {
    poll = try Poll()
    self.doors = doors
    self.answer = answer
    // Tokens of doors are their places.
    lastToken = UInt64(doors.count)
    for (place, door) in doors.enumerated() {
      try poll.add(door.descriptor, token: UInt64(place), interest: .readable)
    }
  }

  /// When `expire` has something to do.
  package var due: UInt64? {
    [guests.first?.deadline, reopening].compactMap { $0 }.min()
  }

  /// Serves the connections that are ready, and lets in those at the doors.
  package func attend(at now: UInt64) throws(Errno) {
    let count = try poll.wait(into: &events, timeoutMilliseconds: 0)
    for index in 0..<count {
      let token = events[index].token
      if token < UInt64(doors.count) {
        welcome(at: doors[Int(token)], now)
      } else if let guest = guests.first(where: { $0.token == token }) {
        proceed(guest)
      }
    }
  }

  /// Ends the connections whose time is up.
  package func expire(at now: UInt64) {
    while let guest = guests.first, guest.deadline <= now {
      guest.dismiss(answer)
      guests.removeFirst()
    }
    guard let time = reopening, time <= now else { return }
    reopening = nil
    watchDoors(for: .readable)
  }

  private func welcome(at door: UnixListener, _ now: UInt64) {
    for _ in 0..<Self.mostGuests {
      switch door.accept() {
      case .connection(let socket):
        if guests.count == Self.mostGuests { guests.removeFirst() }
        lastToken += 1
        let guest = HttpGuest(socket, token: lastToken, deadline: now + Self.patience)
        guests.append(guest)
        proceed(guest)
      case .none: return
      case .exhausted(_): return closeDoors(at: now)
      case .failed(_): return closeDoors(at: now)
      }
    }
  }

  /// Closes the doors for a while, for a door that cannot be opened would stay ready.
  private func closeDoors(at now: UInt64) {
    reopening = now + Self.pause
    watchDoors(for: [])
  }

  private func watchDoors(for interest: Readiness) {
    for (place, door) in doors.enumerated() {
      try? poll.change(door.descriptor, token: UInt64(place), interest: interest)
    }
  }

  /// Lets a connection go on, and sees it off where it is through.
  private func proceed(_ guest: HttpGuest) {
    guest.proceed(answer)
    guard let wanted = guest.wanted, updateWatch(guest, for: wanted) else {
      guests.removeAll { $0 === guest }
      return
    }
  }

  /// Has the kernel tell of a readiness; false where it cannot.
  private func updateWatch(_ guest: HttpGuest, for wanted: Readiness) -> Bool {
    guard wanted != guest.interest else { return true }
    do throws(Errno) {
      if guest.interest.isEmpty {
        try poll.add(guest.socket, token: guest.token, interest: wanted)
      } else {
        try poll.change(guest.socket, token: guest.token, interest: wanted)
      }
      guest.interest = wanted
      return true
    } catch {
      return false
    }
  }
}

/// A connection of HTTP, from its request to its end.
final class HttpGuest {
  private enum Stage {
    case asking
    case answering([UInt8], sent: Int)
    /// All is said; the peer may still be sending, and would lose the answer if we closed.
    case leaving
    case gone
  }

  /// The name by which the kernel tells of this connection.
  let token: UInt64
  /// When its time is up.
  let deadline: UInt64
  let socket: FileDescriptor
  private var request: [UInt8] = []
  private var stage = Stage.asking
  /// The readiness that the kernel was last told to watch for.
  var interest: Readiness = []

  init(_ socket: consuming FileDescriptor, token: UInt64, deadline: UInt64) {
    self.socket = socket
    self.token = token
    self.deadline = deadline
  }

  /// The readiness that it waits for; nil where there is nothing left to do.
  var wanted: Readiness? {
    switch stage {
    case .asking, .leaving: .readable
    case .answering: .writable
    case .gone: nil
    }
  }

  /// Goes on as far as the socket lets it.
  func proceed(_ answer: (HttpHead) -> [UInt8]) {
    if case .asking = stage { receiveRequest(answer) }
    if case .answering(let bytes, let sent) = stage { sendAnswer(bytes, from: sent) }
    if case .leaving = stage { discardInput() }
  }

  /// Answers half a request whose time is up, if the peer takes that at once.
  func dismiss(_ answer: (HttpHead) -> [UInt8]) {
    guard case .asking = stage, !request.isEmpty else { return }
    stage = .answering(answer(.late), sent: 0)
    if case .answering(let bytes, let sent) = stage { sendAnswer(bytes, from: sent) }
  }

  private func receiveRequest(_ answer: (HttpHead) -> [UInt8]) {
    let room = HttpHead.bytes - request.count
    var piece = [UInt8](repeating: 0, count: room)
    switch piece.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
    case .bytes(let count):
      request += piece[..<count]
      let head = HttpHead(request)
      if head != .incomplete { stage = .answering(answer(head), sent: 0) }
    case .wouldBlock: break
    case .ended where !request.isEmpty: stage = .answering(answer(.malformed), sent: 0)
    case .ended, .failed: stage = .gone
    }
  }

  private func sendAnswer(_ bytes: [UInt8], from sent: Int) {
    switch socket.send(bytes.span.extracting(sent...)) {
    case .sent(let count) where sent + count < bytes.count:
      stage = .answering(bytes, sent: sent + count)
    case .sent:
      stage = (try? socket.shutdownSending()) == nil ? .gone : .leaving
    case .wouldBlock: break
    case .failed: stage = .gone
    }
  }

  /// Reads the rest of the peer's words, until it has none.
  private func discardInput() {
    var piece = [UInt8](repeating: 0, count: HttpHead.bytes)
    switch piece.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
    case .bytes, .wouldBlock: break
    case .ended, .failed: stage = .gone
    }
  }
}
