// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// A set of descriptors of which the kernel says who is ready.
///
/// Level-triggered: a descriptor is reported again as long as it is ready, so that a turn may leave
/// work undone and come back to it. The set knows numbers, not owners: take a descriptor out before
/// it closes, or keep its events away by the token.
package final class Poll {
  /// The set itself, which another loop may watch: it is readable when a member is ready.
  package let descriptor: FileDescriptor

  package init() throws(Errno) {
    descriptor = FileDescriptor(adopting: try Errno.check(linux_poll_create()))
  }

  /// Begins to watch a descriptor; its events carry `token`.
  package func add(
    _ watched: borrowing FileDescriptor,
    token: UInt64,
    interest: Readiness
  ) throws(Errno) {
    try Errno.check(
      linux_poll_add(descriptor.number, watched.number, token, interest.rawValue)
    )
  }

  /// Changes what a watched descriptor is watched for.
  package func change(
    _ watched: borrowing FileDescriptor,
    token: UInt64,
    interest: Readiness
  ) throws(Errno) {
    try Errno.check(
      linux_poll_change(descriptor.number, watched.number, token, interest.rawValue)
    )
  }

  /// Ceases to watch a descriptor.
  package func remove(_ watched: borrowing FileDescriptor) throws(Errno) {
    try Errno.check(linux_poll_remove(descriptor.number, watched.number))
  }

  /// Fills `events` with what is ready and says how many there are; 0 when time is up.
  ///
  /// A negative timeout waits for ever, zero only looks.
  package func wait(
    into events: inout Events,
    timeoutMilliseconds: Int32
  ) throws(Errno) -> Int {
    let result = linux_poll_wait(
      descriptor.number,
      events.storage,
      Int32(events.capacity),
      timeoutMilliseconds
    )
    events.count = Int(try Errno.check(result))
    return events.count
  }
}

extension Poll {
  /// One descriptor's readiness.
  package struct Event: Equatable, Sendable {
    package let token: UInt64
    package let readiness: Readiness

    package init(token: UInt64, readiness: Readiness) {
      self.token = token
      self.readiness = readiness
    }
  }

  /// Room for the events of one wait, kept from wait to wait so that waiting allocates nothing.
  package struct Events: ~Copyable {
    package let capacity: Int
    package fileprivate(set) var count = 0
    fileprivate let storage: UnsafeMutablePointer<linux_event>

    /// Makes room for up to 256 events; more cannot be taken at once.
    package init(capacity: Int) {
      precondition((1...Int(LINUX_EVENTS_MAX)).contains(capacity), "a wait takes 1 to 256 events")
      self.capacity = capacity
      storage = .allocate(capacity: capacity)
      storage.initialize(repeating: linux_event(), count: capacity)
    }

    deinit { storage.deallocate() }

    package subscript(index: Int) -> Event {
      precondition(index >= 0 && index < count, "only filled events can be read")
      let event = storage[index]
      return Event(token: event.token, readiness: Readiness(rawValue: event.ready))
    }
  }
}

/// The calls that a descriptor is ready for, or that somebody waits to make.
///
/// One type serves both, as it does in the kernel, with the same bits for poll(2), epoll(7) and
/// sd-event. `hangUp` and `error` are reported whether asked for or not.
package struct Readiness: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let readable = Readiness(rawValue: LINUX_READABLE.rawValue)
  package static let writable = Readiness(rawValue: LINUX_WRITABLE.rawValue)
  package static let error = Readiness(rawValue: LINUX_ERROR.rawValue)
  /// The states in which reading is worth a try.
  package static let input = Readiness(
    rawValue: LINUX_READABLE.rawValue | LINUX_HANG_UP.rawValue | LINUX_ERROR.rawValue
  )
  /// Both directions are closed.
  package static let hangUp = Readiness(rawValue: LINUX_HANG_UP.rawValue)
  /// The peer sends no more; it may still read.
  package static let peerClosed = Readiness(rawValue: LINUX_PEER_CLOSED.rawValue)
}
