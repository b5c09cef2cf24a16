// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Systemd
import Testing

@Suite struct NotifierTests {
  private let service: DatagramService
  private let manager: Notifier

  init() throws {
    service = try DatagramService()
    manager = Notifier(address: service.path)
  }

  @Test func `the manager is told each state in its own words`() {
    manager.extendTimeout(microseconds: 5_000_000)
    manager.ready()
    manager.status("3 readers\nREADY=0")
    manager.errno(.noSpace)
    manager.stopping()

    #expect(
      service.received() == [
        "EXTEND_TIMEOUT_USEC=5000000", "READY=1", "STATUS=3 readers<U+000A>READY=0", "ERRNO=28",
        "STOPPING=1",
      ]
    )
  }

  @Test func `a reload says when it began`() throws {
    let before = SystemClock.monotonicMicroseconds()
    manager.reloading()
    let after = SystemClock.monotonicMicroseconds()

    let lines = service.received().joined().split(separator: "\n").map(String.init)
    #expect(lines.first == "RELOADING=1")
    let time = lines.last.flatMap { UInt64($0.replacing("MONOTONIC_USEC=", with: "")) }
    #expect((before...after).contains(try #require(time)))
  }

  @Test func `a manager without room gets every state later, in order, and the newest status`()
    throws
  {
    try service.fill()

    manager.ready()
    manager.status("first")
    manager.status("second")
    manager.stopping()
    manager.isAlive()
    #expect(manager.isOwing)
    _ = service.received()
    manager.tellOwed()

    #expect(service.received() == ["READY=1", "STOPPING=1", "STATUS=second"])
    #expect(!manager.isOwing)
  }

  @Test func `many reloads that nobody has heard of are owed as the last ones`() throws {
    try service.fill()
    for _ in 0..<100 {
      manager.reloading()
      manager.ready()
    }
    _ = service.received()

    manager.tellOwed()

    let states = service.received().map { $0.prefix { $0 != "\n" } }
    #expect(states == ["RELOADING=1", "READY=1", "RELOADING=1", "READY=1"])
  }

  @Test func `a long status is cut to what one look takes in`() throws {
    manager.status(String(repeating: "a", count: 100_000))

    #expect(service.received() == ["STATUS=" + String(repeating: "a", count: 1_024) + "…"])
  }

  @Test func `the loop sends signs of life where they are asked for`() throws {
    let process = try DaemonProcess(
      own: "signs-of-life",
      environment: ["NOTIFY_SOCKET": service.path, "WATCHDOG_USEC": "50000"]
    )
    #expect(try process.end() == .exited(0))
    let signs = service.received()
    #expect(signs.count >= 4)
    #expect(signs.allSatisfy { $0 == "WATCHDOG=1" })
  }

  @Test func `a loop with nothing to do asks for hours, and for less before it does something`()
    throws
  {
    let process = try DaemonProcess(
      own: "rest-and-work",
      environment: ["NOTIFY_SOCKET": service.path, "WATCHDOG_USEC": "30000"]
    )
    #expect(try process.end() == .exited(0))
    let signs = service.received()
    #expect(
      signs.drop { $0 == "WATCHDOG=1" } == [
        "WATCHDOG_USEC=43200000000\nWATCHDOG=1", "WATCHDOG_USEC=30000\nWATCHDOG=1",
      ]
    )
    #expect((2...5).contains(signs.count { $0 == "WATCHDOG=1" }))
  }

  @Test func `without a manager nothing happens`() throws {
    let nobody = Notifier(address: nil)
    nobody.ready()
    nobody.status("nobody listens")

    #expect(!nobody.isOwing)
    #expect(try Watchdog(for: nobody, on: EventLoop()) == nil)
  }

  @Test func `a manager that has gone is owed nothing`() throws {
    let nobody = Notifier(address: "/tmp/a11yd-nobody-\(UUID().uuidString)")

    nobody.ready()

    #expect(!nobody.isOwing)
  }
}
