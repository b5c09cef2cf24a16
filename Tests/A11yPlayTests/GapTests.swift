// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yTestKit
import A11yWire
import Testing

@testable import A11yPlay

/// Records that lack more entries than memory would have room for.
@Suite struct GapTests {
  @Test func `numbers are found on both sides of a gap`() {
    var numbers = Renumbering()
    numbers.assign(recorded: Seq(1))
    numbers.assign(recorded: Seq(2))
    _ = numbers.next()
    numbers.assign(recorded: Seq(1 << 40))
    numbers.assign(recorded: Seq((1 << 40) + 7))

    #expect(numbers.number(of: Seq(2)) == Seq(2))
    #expect(numbers.number(of: Seq(3)) == nil)
    #expect(numbers.number(of: Seq(1 << 40)) == Seq(4))
    #expect(numbers.number(of: Seq((1 << 40) + 1)) == nil)
    #expect(numbers.number(of: Seq((1 << 40) + 7)) == Seq(5))
    #expect(numbers.number(of: Seq(1 << 50)) == nil)
    #expect(numbers.recorded(Seq(3)) == nil)
    #expect(numbers.recorded(Seq(5)) == Seq((1 << 40) + 7))
  }
}
