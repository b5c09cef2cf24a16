// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Testing

@Suite struct PollTests {
  @Test func `nothing is ready at first`() throws {
    let poll = try Poll()
    let pair = try UnixStream.pair()
    var events = Poll.Events(capacity: 4)

    try poll.add(pair.first, token: 1, interest: .readable)

    #expect(try poll.wait(into: &events, timeoutMilliseconds: 0) == 0)
  }

  @Test func `a ready descriptor is reported with its token until it is served`() throws {
    let poll = try Poll()
    let pair = try UnixStream.pair()
    var events = Poll.Events(capacity: 4)
    try poll.add(pair.first, token: UInt64.max - 1, interest: .readable)

    _ = pair.second.send([1].span)
    for _ in 1...2 {
      #expect(try poll.wait(into: &events, timeoutMilliseconds: -1) == 1)
      #expect(events[0] == Poll.Event(token: .max - 1, readiness: .readable))
    }
  }

  @Test func `interest can change and end`() throws {
    let poll = try Poll()
    let pair = try UnixStream.pair()
    var events = Poll.Events(capacity: 4)
    try poll.add(pair.first, token: 1, interest: .readable)

    try poll.change(pair.first, token: 2, interest: .writable)
    let writable = try poll.wait(into: &events, timeoutMilliseconds: 0)
    let event = events[0]
    try poll.remove(pair.first)
    let none = try poll.wait(into: &events, timeoutMilliseconds: 0)

    #expect(writable == 1)
    #expect(event == Poll.Event(token: 2, readiness: .writable))
    #expect(none == 0)
  }

  @Test func `a peer that stops sending is told apart from one that has gone`() throws {
    let poll = try Poll()
    let pair = try UnixStream.pair()
    var events = Poll.Events(capacity: 4)
    try poll.add(pair.first, token: 1, interest: [.readable, .peerClosed])

    try pair.second.shutdownSending()
    _ = try poll.wait(into: &events, timeoutMilliseconds: -1)
    let quiet = events[0].readiness
    close(pair.second)
    _ = try poll.wait(into: &events, timeoutMilliseconds: -1)
    let gone = events[0].readiness

    #expect(quiet == [.readable, .peerClosed])
    #expect(gone.contains(.hangUp))
  }

  @Test func `more than there is room for comes with the next wait`() throws {
    let poll = try Poll()
    let one = try UnixStream.pair()
    let two = try UnixStream.pair()
    var events = Poll.Events(capacity: 1)
    try poll.add(one.first, token: 1, interest: .writable)
    try poll.add(two.first, token: 2, interest: .writable)

    _ = try poll.wait(into: &events, timeoutMilliseconds: 0)
    let first = events[0].token
    _ = try poll.wait(into: &events, timeoutMilliseconds: 0)
    let second = events[0].token

    #expect(Set([first, second]) == [1, 2])
  }

  @Test func `a poll is itself readable when a member is ready`() throws {
    let poll = try Poll()
    let pair = try UnixStream.pair()
    try poll.add(pair.first, token: 1, interest: .readable)

    let before = try poll.descriptor.waitReady(for: .readable, timeoutMilliseconds: 0)
    _ = pair.second.send([1].span)
    let after = try poll.descriptor.waitReady(for: .readable, timeoutMilliseconds: 0)

    #expect(before == [])
    #expect(after == .readable)
  }
}
