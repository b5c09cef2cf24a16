// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

extension DesktopTests {
  /// A page that counts aloud, while one part of the desktop after the other is ended.
  @Suite(.enabled(if: Desktop.excuse(Browser.obstacle) == nil, "\(Browser.obstacle ?? "")"))
  struct BrowserFaultTests {
    private let rig: DesktopRig

    init() throws { rig = try DesktopRig() }

    /// The numbers that the page has said, as far as the log has them.
    private func ticks() throws -> [Int] {
      let texts = try rig.bridge.daemon.entries().compactMap { try $0.event()["text"].string }
      return texts.compactMap { Int($0.dropFirst("Tick ".count)) }
    }

    /// Waits until the page is heard once more.
    private func waitForTick() throws {
      let before = try ticks().count
      try waitUntil("a tick") { try ticks().count > before }
    }

    @Test func `a browser that is killed and started again is heard again, from its beginning`()
      throws
    {
      let first = try rig.show(.chromium, "#ticks")
      try waitForTick()
      first.kill()
      try rig.waitForEvent("client") { $0["state"] == .string("left") }
      let before = try ticks()
      try rig.show(.chromium, "#ticks")
      try waitForTick()

      let fresh = try ticks().dropFirst(before.count)
      #expect(fresh.first == 1)
      #expect(before == Array(1...before.count))
    }

    @Test func `a new registry changes nothing`() throws {
      try rig.show(.chromium, "#ticks")
      try waitForTick()
      kill(try rig.bridge.accessibilityBus().registry, SIGKILL)
      try waitForTick()
      try waitForTick()

      let ticks = try ticks()
      #expect(ticks == Array(1...ticks.count))
    }

    @Test func `a new accessibility bus is listened at`() throws {
      let first = try rig.show(.chromium, "#ticks")
      try waitForTick()
      let bus = try rig.bridge.accessibilityBus()
      kill(bus.daemon, SIGKILL)
      first.kill()
      try waitUntil("a new accessibility bus") {
        (try? rig.bridge.accessibilityBus().address) ?? bus.address != bus.address
      }
      let before = try ticks().count
      try rig.show(.chromium, "#ticks")
      try waitUntil("a tick") { try ticks().count > before }
    }

    @Test func `a bus that is killed and started again hears on`() throws {
      try rig.show(.chromium, "#ticks")
      try waitForTick()
      rig.bridge.daemon.kill()
      try rig.bridge.daemon.start()
      try waitForTick()

      let ticks = try ticks()
      #expect(ticks == ticks.sorted())
      #expect(Set(ticks).count == ticks.count)
    }
  }
}
