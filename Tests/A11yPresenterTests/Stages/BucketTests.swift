// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yPresenter

/// A rate: so many at once, and then one in each interval.
@Suite struct BucketTests {
  @Test func `the burst passes at once, and then one in each interval`() {
    var bucket = Bucket(full: .blank, interval: .microseconds(1_000), burst: 3)
    var passed: [Int64] = []
    for now in Int64(0)...4_000 {
      while now >= bucket.next.microseconds {
        bucket.spend(at: .microseconds(now))
        passed.append(now)
      }
    }
    #expect(passed == [0, 0, 0, 1_000, 2_000, 3_000, 4_000])
  }

  @Test func `after a long silence there is one burst and no more`() {
    var bucket = Bucket(full: .blank, interval: .microseconds(1_000), burst: 5)
    for _ in 0..<5 { bucket.spend(at: .blank) }
    let later = Instant.microseconds(1_000_000_000)
    for _ in 0..<5 {
      #expect(bucket.next <= later)
      bucket.spend(at: later)
    }
    #expect(bucket.next == later + .milliseconds(1))
  }

  @Test func `it lets pass exactly what a tank lets pass that is filled drop by drop`() {
    var dice = Dice()
    for _ in 0..<50 {
      let interval = Int64(dice.roll(1...40))
      let burst = Int64(dice.roll(1...6))
      var bucket = Bucket(full: .blank, interval: .microseconds(interval), burst: burst)
      // A token is `interval` drops, and one drop comes in each microsecond.
      var tank = burst * interval
      var passed: [Int64] = []
      for now in Int64(0)..<600 {
        if now > 0 { tank = min(tank + 1, burst * interval) }
        for _ in 0..<dice.roll(0...3) where dice.once(in: 4) {
          let mayPass = tank >= interval
          #expect((now >= bucket.next.microseconds) == mayPass, "seed \(dice.seed) at \(now)")
          guard mayPass else { continue }
          bucket.spend(at: .microseconds(now))
          tank -= interval
          passed.append(now)
        }
      }
      // Over any time no more than the burst and one for each interval of it.
      for (index, start) in passed.enumerated() {
        for end in index..<passed.count {
          let most = burst + (passed[end] - start) / interval
          #expect(Int64(end - index + 1) <= most, "seed \(dice.seed)")
        }
      }
    }
  }
}
