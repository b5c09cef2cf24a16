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
