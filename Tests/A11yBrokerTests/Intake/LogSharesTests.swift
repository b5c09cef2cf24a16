// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import A11yBroker

@Suite struct LogSharesTests {
  private let hour: Int64 = 3_600_000_000

  @Test func `what was added more than a day ago counts no more`() {
    var shares = LogShares()
    shares.add(600, of: 7, at: hour / 2)
    shares.add(400, of: 7, at: hour * 5)

    #expect(shares.bytes(of: 7, at: hour * 23) == 1_000)
    #expect(shares.bytes(of: 7, at: hour * 24) == 400)
    #expect(shares.bytes(of: 7, at: hour * 29) == 0)
    #expect(shares.bytes(of: 8, at: hour) == 0)
  }

  @Test func `a user waits until enough hours are over`() {
    var shares = LogShares()
    shares.add(600, of: 7, at: 0)
    shares.add(400, of: 7, at: hour * 5)

    #expect(shares.wait(for: 100, of: 7, upTo: 1_100, at: hour * 6) == 0)
    #expect(shares.wait(for: 101, of: 7, upTo: 1_100, at: hour * 6) == 18 * 3_600_000)
    #expect(shares.wait(for: 800, of: 7, upTo: 1_100, at: hour * 6) == 23 * 3_600_000)
    #expect(shares.wait(for: 101, of: 7, upTo: 1_100, at: hour * 24) == 0)
    #expect(shares.wait(for: 9_999, of: 8, upTo: 1_100, at: 0) == 0)
  }

  @Test func `over the limit one urgent event goes through in a second`() {
    var shares = LogShares()
    shares.add(1, of: 7, at: 0)

    let taken = [5, 1_000_004, 1_000_005].map { shares.takesUrgent(of: 7, at: $0) }
    #expect(taken == [true, false, true])
  }

  @Test func `the user with least gives way to one more than are counted`() {
    var shares = LogShares()
    for uid in 1...256 as ClosedRange<UInt32> { shares.add(Int(uid) + 10, of: uid, at: 0) }
    shares.add(5, of: 1_000, at: 0)

    #expect(shares.bytes(of: 1, at: 0) == 0)
    #expect(shares.bytes(of: 2, at: 0) == 12)
    #expect(shares.bytes(of: 1_000, at: 0) == 5)
  }
}
