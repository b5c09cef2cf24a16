// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Foundation
import Systemd
import Testing

@Suite struct NotifyTests {
  @Test func `the manager is told each state in its own words`() async {
    // In a process of its own, since the address of the manager is in the environment.
    await #expect(processExitsWith: .success) {
      let manager = try DatagramService()
      setenv("NOTIFY_SOCKET", manager.path, 1)

      Notify.extendTimeout(microseconds: 5_000_000)
      Notify.ready()
      Notify.status("3 readers\nREADY=0")
      Notify.errno(.noSpace)
      Notify.stopping()

      #expect(
        manager.received() == [
          "EXTEND_TIMEOUT_USEC=5000000", "READY=1", "STATUS=3 readers<U+000A>READY=0", "ERRNO=28",
          "STOPPING=1",
        ]
      )
    }
  }

  @Test func `a reload says when it began`() async {
    await #expect(processExitsWith: .success) {
      let manager = try DatagramService()
      setenv("NOTIFY_SOCKET", manager.path, 1)

      let before = SystemClock.monotonicMicroseconds()
      Notify.reloading()
      let after = SystemClock.monotonicMicroseconds()

      let lines = manager.received().joined().split(separator: "\n").map(String.init)
      #expect(lines.first == "RELOADING=1")
      let time = lines.last.flatMap { UInt64($0.replacing("MONOTONIC_USEC=", with: "")) }
      #expect((before...after).contains(try #require(time)))
    }
  }

  @Test func `the loop sends signs of life where they are asked for`() async {
    await #expect(processExitsWith: .success) {
      let manager = try DatagramService()
      setenv("NOTIFY_SOCKET", manager.path, 1)
      setenv("WATCHDOG_USEC", "50000", 1)
      setenv("WATCHDOG_PID", "\(getpid())", 1)
      let loop = try EventLoop()

      #expect(try loop.enableWatchdog())
      let timer = try Systemd.Timer(on: .monotonic, priority: .low, on: loop) { loop.exit(0) }
      timer.arm(afterMicroseconds: 100_000)
      _ = try loop.run()

      let signs = manager.received()
      #expect(signs.count >= 2)
      #expect(signs.allSatisfy { $0 == "WATCHDOG=1" })
    }
  }

  @Test func `without a manager nothing happens`() {
    Notify.ready()
    Notify.status("nobody listens")
  }
}
