// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import Testing

struct BackoffTests {
  @Test func `waits double up to the longest`() {
    var backoff = Backoff(first: .milliseconds(100), longest: .seconds(1))

    let waits = (1...6).map { _ in backoff.nextWait(luck: 0).milliseconds }

    #expect(waits == [50, 100, 200, 400, 500, 500])
  }

  @Test func `no wait is longer than its bound`() {
    var backoff = Backoff(first: .milliseconds(100), longest: .seconds(1))

    let waits = (1...6).map { _ in backoff.nextWait(luck: 1) }

    #expect(waits.map(\.milliseconds) == [100, 200, 400, 800, 1_000, 1_000])
  }

  @Test func `success makes the next wait short again`() {
    var backoff = Backoff(first: .milliseconds(100), longest: .seconds(1))

    _ = (1...6).map { _ in backoff.nextWait(luck: 0) }
    backoff.reset()

    #expect(backoff.nextWait(luck: 0) == .milliseconds(50))
  }
}
