// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// Glibc's module map leaves <sys/epoll.h> out; this one brings it.
import CSystemd
import Glibc

/// Waits until one of many sockets has something to read.
struct Poller: ~Copyable {
  /// The time without any event after which a run counts as stuck.
  static let patienceMilliseconds: Int32 = 30_000
  /// Room for every client of the widest figure.
  private static let capacity = 256

  private let number: Int32
  private let ready: UnsafeMutablePointer<epoll_event>

  init() throws(BenchFailure) {
    number = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard number >= 0 else { throw .system("epoll_create1", errno) }
    ready = .allocate(capacity: Self.capacity)
  }

  deinit {
    ready.deallocate()
    _ = Glibc.close(number)
  }

  /// Reports `descriptor` as `token` whenever it can be read.
  func watch(_ descriptor: Int32, as token: Int) throws(BenchFailure) {
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    event.data.u64 = UInt64(token)
    guard epoll_ctl(number, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
      throw .system("epoll_ctl", errno)
    }
  }

  /// Calls `body` with each ready token, and returns their number.
  ///
  /// Negative `milliseconds` wait for ever.
  func wait(
    milliseconds: Int32,
    _ body: (Int) throws(BenchFailure) -> Void
  ) throws(BenchFailure) -> Int {
    let count = Int(epoll_wait(number, ready, Int32(Self.capacity), milliseconds))
    guard count >= 0 else {
      guard errno == EINTR else { throw .system("epoll_wait", errno) }
      return 0
    }
    for index in 0..<count {
      try body(Int(ready[index].data.u64))
    }
    return count
  }
}
