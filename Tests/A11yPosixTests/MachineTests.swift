// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Foundation
import Testing

@Suite struct MachineTests {
  @Test func `the boot has 32 digits and is the same each time`() throws {
    let text = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)

    let id = try Machine.bootID()

    #expect(id == text.filter(\.isHexDigit))
    #expect(id.count == 32)
  }

  @Test func `random identifiers have 32 digits and differ`() {
    let ids = (1...100).map { _ in Machine.randomHex128() }

    #expect(ids.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
    #expect(Set(ids).count == 100)
  }

  @Test func `clocks advance, and boot time includes all of monotonic time`() {
    let first = SystemClock.monotonicMicroseconds()
    let boot = SystemClock.bootMicroseconds()

    #expect(boot >= first)
    #expect(SystemClock.monotonicMicroseconds() >= first)
    #expect(SystemClock.wallMicroseconds() > 1_700_000_000_000_000)
  }

  @Test func `a variable that is not set has no value`() {
    #expect(Environment.value("PATH") != nil)
    #expect(Environment.value("A11YD_SURELY_NOT_SET") == nil)
  }

  @Test func `the limit of open files is raised to what is allowed`() {
    let raised = Machine.raiseOpenFiles()

    #expect(raised >= 1024)
    #expect(Machine.raiseOpenFiles() == raised)
  }
}
