// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@Suite struct BusClockTests {
  private static let second: Int64 = 1_000_000
  private static let day = 86_400 * second
  private static let wall = 1_795_242_000 * second

  struct Start: Sendable {
    let what: String
    /// The last entry's clocks, and what was added to the machine's clock when it was written.
    var mono = 500 * BusClockTests.second
    var time = BusClockTests.wall
    var offset: Int64 = 100 * BusClockTests.second
    let sameBoot: Bool
    let uptime: Int64
    let now: Int64
    /// The time of the bus clock at the start.
    let expected: Int64
  }

  @Test(arguments: [
    Start(
      what: "same boot: exactly the time that has passed",
      sameBoot: true,
      uptime: 405 * second,
      now: wall + 5 * second,
      expected: 505 * second
    ),
    Start(
      what: "same boot: a wall clock that was changed does not matter",
      sameBoot: true,
      uptime: 405 * second,
      now: wall - 9_999 * second,
      expected: 505 * second
    ),
    Start(
      what: "same boot, longer than a day: still exact",
      sameBoot: true,
      uptime: 400 * second + 3 * day,
      now: wall,
      expected: 500 * second + 3 * day
    ),
    Start(
      what: "other boot: the wall clock says how long",
      sameBoot: false,
      uptime: 10 * second,
      now: wall + 60 * second,
      expected: 560 * second
    ),
    Start(
      what: "other boot, just under a day",
      sameBoot: false,
      uptime: 10 * second,
      now: wall + day - 1,
      expected: 500 * second + day - 1
    ),
    Start(
      what: "other boot, wall clock years ahead: a day",
      sameBoot: false,
      uptime: 10 * second,
      now: wall + 900 * day,
      expected: 500 * second + day
    ),
    Start(
      what: "other boot, wall clock set back: no time",
      sameBoot: false,
      uptime: 10 * second,
      now: wall - 900 * day,
      expected: 500 * second
    ),
    Start(
      what: "other boot, wall clock at its very beginning",
      sameBoot: false,
      uptime: 10 * second,
      now: 0,
      expected: 500 * second
    ),
    Start(
      what: "other boot with more uptime than the log has seen",
      sameBoot: false,
      uptime: 900_000 * second,
      now: wall + second,
      expected: 501 * second
    ),
  ])
  func `the clock goes on from the last entry`(start: Start) {
    let clock = BusClock(
      after: Stamp(time: start.time, mono: start.mono),
      offset: start.offset,
      sameBoot: start.sameBoot,
      uptime: start.uptime,
      wall: start.now
    )

    #expect(clock.mono(uptime: start.uptime) == start.expected, "\(start.what)")
    #expect(clock.mono(uptime: start.uptime + 7) == start.expected + 7)
  }

  @Test func `wall clocks from the ends of time do not break it`() {
    for (time, now) in [(Int64.min, Int64.max), (.max, .min), (.min, .min), (.max, .max)] {
      let clock = BusClock(
        after: Stamp(time: time, mono: 5),
        offset: 0,
        sameBoot: false,
        uptime: 1,
        wall: now
      )

      #expect(clock.mono(uptime: 1) >= 5)
      #expect(clock.mono(uptime: 1) <= 5 + Self.day)
    }
  }

  @Test func `at the last instant it stands still`() {
    let end: Int64 = (1 << 62) - 1
    let clock = BusClock(
      after: Stamp(time: 0, mono: end - 5),
      offset: 0,
      sameBoot: false,
      uptime: 1,
      wall: Self.day
    )

    #expect(clock.mono(uptime: 1) == end)
    #expect(clock.mono(uptime: Self.day) == end)
    #expect(BusClock.statedOffset(clock.offset) != nil)
  }

  @Test func `over any number of starts it never goes back`() {
    var dice = Dice()
    for _ in 0..<200 {
      var clock = BusClock(offset: 0)
      var uptime = Int64(dice.roll(0...1_000_000))
      var last = Stamp(time: Self.wall, mono: clock.mono(uptime: uptime))
      for _ in 0..<40 {
        let sameBoot = dice.once(in: 2)
        uptime =
          sameBoot ? uptime + Int64(dice.roll(0...10_000_000)) : Int64(dice.roll(0...50_000_000))
        let wall = last.time + Int64(dice.roll(-200_000_000_000...200_000_000_000))

        clock = BusClock(
          after: last,
          offset: clock.offset,
          sameBoot: sameBoot,
          uptime: uptime,
          wall: wall
        )

        let mono = clock.mono(uptime: uptime)
        #expect(mono >= last.mono, "seed \(dice.seed)")
        #expect(sameBoot || mono <= last.mono + Self.day, "seed \(dice.seed)")
        last = Stamp(time: wall, mono: mono)
      }
    }
  }
}
