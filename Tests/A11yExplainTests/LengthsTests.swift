// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire
import Testing

@testable import A11yExplain

/// How lengths of time are told.
@Suite struct LengthsTests {
  @Test(arguments: [
    (0, "0 ms"), (40_000, "40 ms"), (250_000, "250 ms"), (1_000_000, "1 s"), (1_500_000, "1.5 s"),
    (1_050_000, "1.05 s"), (10_000_000, "10 s"), (60_000_000, "1 min"), (90_000_000, "90 s"),
    (300_000_000, "5 min"),
  ])
  func `a number that was set is told as it is`(microseconds: Int64, words: String) {
    #expect(Lengths.exact(.microseconds(microseconds)) == words)
  }

  @Test(arguments: [
    (-5, "0 ms"), (40_999, "40 ms"), (412_345, "0.4 s"), (960_000, "1 s"), (1_240_000, "1.2 s"),
    (9_949_999, "9.9 s"), (9_960_000, "10 s"), (12_700_000, "12 s"), (119_000_000, "119 s"),
    (200_000_000, "3 min"),
    (7_200_000_000, "2 h"), (.max, "2562047788 h"),
  ])
  func `a length that was measured is told as exactly as one wants to hear it`(
    microseconds: Int64,
    words: String
  ) {
    #expect(Lengths.rough(.microseconds(microseconds)) == words)
  }
}
