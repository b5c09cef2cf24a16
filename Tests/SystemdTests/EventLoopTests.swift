// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Systemd
import Testing

@Suite(.timeLimit(.minutes(hangs))) struct EventLoopTests {
  @Test func `the loop ends with the code it is given`() throws {
    let loop = try EventLoop()
    let timer = try Systemd.Timer(on: .monotonic, priority: .normal, on: loop) { loop.exit(7) }

    timer.arm(afterMicroseconds: 0)

    #expect(try loop.run() == 7)
  }

  @Test(arguments: [Systemd.Timer.Clock.monotonic, .boot])
  func `an alarm in 20 ms is not rounded to a quarter of a second`(
    clock: Systemd.Timer.Clock
  ) throws {
    let loop = try EventLoop()
    let timer = try Systemd.Timer(on: clock, priority: .normal, on: loop) { loop.exit(0) }

    let began = SystemClock.monotonicMicroseconds()
    timer.arm(afterMicroseconds: 20_000)
    _ = try loop.run()
    let passed = SystemClock.monotonicMicroseconds() - began

    #expect((20_000..<200_000).contains(passed))
  }

  @Test func `an alarm rings again when it is set again`() throws {
    let loop = try EventLoop()
    var rings = 0
    var timer: Systemd.Timer?
    timer = try Systemd.Timer(on: .boot, priority: .normal, on: loop) {
      rings += 1
      guard rings < 3 else { return loop.exit(0) }
      timer?.arm(atMicroseconds: SystemClock.bootMicroseconds())
    }

    timer?.arm(afterMicroseconds: 0)
    _ = try loop.run()
    timer = nil

    #expect(rings == 3)
  }

  @Test func `an alarm knows when it rings until it has rung`() throws {
    let loop = try EventLoop()
    var dueWhileRinging: [UInt64?] = []
    var timer: Systemd.Timer?
    timer = try Systemd.Timer(on: .boot, priority: .normal, on: loop) {
      dueWhileRinging.append(timer?.due)
      loop.exit(0)
    }
    #expect(timer?.due == nil)

    timer?.arm(atMicroseconds: 5)
    timer?.armIfIdle(afterMicroseconds: 3_600_000_000)
    #expect(timer?.due == 5)
    _ = try loop.run()

    #expect(dueWhileRinging == [nil])
    timer?.armIfIdle(afterMicroseconds: 3_600_000_000)
    #expect(timer?.due != nil)
    timer?.disarm()
    #expect(timer?.due == nil)
    timer = nil
  }

  @Test func `an alarm that is taken back does not ring`() throws {
    let loop = try EventLoop()
    var rings = 0
    let early = try Systemd.Timer(on: .monotonic, priority: .high, on: loop) { rings += 1 }
    let late = try Systemd.Timer(on: .monotonic, priority: .normal, on: loop) { loop.exit(0) }

    early.arm(afterMicroseconds: 0)
    late.arm(afterMicroseconds: 1000)
    early.disarm()
    _ = try loop.run()

    #expect(rings == 0)
  }

  @Test func `what is ready goes in the order of priority`() throws {
    let loop = try EventLoop()
    var order: [String] = []
    let low = try Systemd.Timer(on: .monotonic, priority: .low, on: loop) {
      order.append("low")
      loop.exit(0)
    }
    let high = try Systemd.Timer(on: .monotonic, priority: .high, on: loop) {
      order.append("high")
    }

    low.arm(atMicroseconds: 1)
    high.arm(atMicroseconds: 2)
    _ = try loop.run()

    #expect(order == ["high", "low"])
  }

  @Test func `a watched descriptor is served when it is ready`() throws {
    let loop = try EventLoop()
    let ends = try Ends()
    var seen: Readiness = []
    let watch = try Watch(
      ends.first,
      ownedBy: ends,
      for: .readable,
      priority: .normal,
      on: loop
    ) { readiness in
      seen = readiness
      loop.exit(0)
    }

    _ = ends.second.send([1].span)
    _ = try loop.run()

    #expect(seen == .readable)
    withExtendedLifetime(watch) {}
  }

  @Test func `a poll is watched like any descriptor`() throws {
    let loop = try EventLoop()
    let poll = try Poll()
    let ends = try Ends()
    var events = Poll.Events(capacity: 4)
    try poll.add(ends.first, token: 5, interest: .readable)
    let watch = try Watch(
      poll.descriptor,
      ownedBy: poll,
      for: .readable,
      priority: .normal,
      on: loop
    ) { _ in loop.exit(0) }

    _ = ends.second.send([1].span)
    _ = try loop.run()
    _ = try poll.wait(into: &events, timeoutMilliseconds: 0)

    #expect(events[0] == Poll.Event(token: 5, readiness: .readable))
    withExtendedLifetime(watch) {}
  }

  @Test func `a watch that pauses does not call until it resumes`() throws {
    let loop = try EventLoop()
    let ends = try Ends()
    var calls = 0
    let watch = try Watch(
      ends.first,
      ownedBy: ends,
      for: .writable,
      priority: .high,
      on: loop
    ) { _ in
      calls += 1
      loop.exit(1)
    }
    let timer = try Systemd.Timer(on: .monotonic, priority: .low, on: loop) {
      #expect(calls == 0)
      watch.resume()
    }

    watch.pause()
    timer.arm(afterMicroseconds: 1000)

    #expect(try loop.run() == 1)
    #expect(calls == 1)
  }

  @Test func `the owner of a descriptor lives as long as its watch and no longer`() throws {
    let loop = try EventLoop()
    var ends: Ends? = try Ends()
    weak let observed = ends
    var watch = try ends.map { owner in
      try Watch(
        owner.first,
        ownedBy: owner,
        for: .readable,
        priority: .normal,
        on: loop
      ) { _ in }
    }

    ends = nil
    let whileWatched = observed != nil
    #expect(watch != nil)
    watch = nil

    #expect(whileWatched)
    #expect(observed == nil)
  }

  @Test func `a signal comes as an event`() throws {
    #expect(try DaemonProcess(own: "signals").end() == .exited(3))
  }
}

/// Both ends of a connection with an owner that can be shared.
private final class Ends {
  let first: FileDescriptor
  let second: FileDescriptor

  init() throws {
    let pair = try UnixStream.pair()
    first = pair.first
    second = pair.second
  }
}
