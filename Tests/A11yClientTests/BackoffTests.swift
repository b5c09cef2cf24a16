// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import Testing

struct BackoffTests {
  /// Always the smallest or always the largest number.
  private struct Extreme: RandomNumberGenerator {
    let bits: UInt64

    mutating func next() -> UInt64 { bits }
  }

  @Test func `waits double up to the longest`() {
    var backoff = Backoff(first: .milliseconds(100), longest: .seconds(1))
    var least = Extreme(bits: 0)

    let waits = (1...6).map { _ in backoff.wait(using: &least).milliseconds }

    #expect(waits == [50, 100, 200, 400, 500, 500])
  }

  @Test func `no wait is longer than its bound`() {
    var backoff = Backoff(first: .milliseconds(100), longest: .seconds(1))
    var most = Extreme(bits: .max)

    let waits = (1...6).map { _ in backoff.wait(using: &most) }

    #expect(waits.allSatisfy { $0 <= .seconds(1) })
    #expect(waits[0] > .milliseconds(99))
  }

  @Test func `success makes the next wait short again`() {
    var backoff = Backoff(first: .milliseconds(100), longest: .seconds(1))
    var least = Extreme(bits: 0)

    _ = (1...6).map { _ in backoff.wait(using: &least) }
    backoff.reset()

    #expect(backoff.wait(using: &least) == .milliseconds(50))
  }
}
