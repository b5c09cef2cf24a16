// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward
import A11yTestKit
import Testing

struct PaceTests {
  @Test func `a rate spaces batches, and an idle time earns nothing`() {
    var rate = RateBound(perSecond: 100)

    #expect(rate.wait(behind: 10, at: 1_000_000) == 100_000)
    #expect(rate.wait(behind: 10, at: 1_100_000) == 100_000)
    #expect(rate.wait(behind: 1, at: 9_000_000) == 10_000)
  }

  @Test func `without a rate nothing waits`() {
    var rate = RateBound(perSecond: 0)

    #expect(rate.wait(behind: 1_000, at: 5) == 0)
    #expect(RateBound.batch(perSecond: 0) == Batch.mostEntries)
    #expect(RateBound.batch(perSecond: 5) == 1)
    #expect(RateBound.batch(perSecond: 100) == 10)
  }

  @Test func `the window widens to its bound and narrows to one`() {
    var window = SendingWindow()
    var sizes: [Int] = []
    for _ in 0..<10 {
      sizes.append(window.size)
      window.widen()
    }
    #expect(sizes == [1, 2, 4, 8, 16, 32, 64, 128, 256, 256])
    window.narrow()
    #expect(window.size == 1)
  }
}
