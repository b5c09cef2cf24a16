// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Systemd
import Testing

@Suite struct RateLimitTests {
  private let torn = RateLimit.Cause.message(MessageID("0123456789abcdef0123456789abcdef"))
  private let full = RateLimit.Cause.message(MessageID("fedcba9876543210fedcba9876543210"))

  @Test func `ten of a kind pass and the eleventh does not`() {
    var limit = RateLimit()

    let verdicts = (0..<11).map { limit.judge(torn, at: $0) }

    let passed = Array(repeating: RateLimit.Verdict.pass(suppressed: 0), count: 10)
    #expect(verdicts == passed + [.suppress])
  }

  @Test(
    arguments: [
      (29_999_999, .suppress),
      (30_000_000, .pass(suppressed: 3)),
      (.max, .pass(suppressed: 3)),
    ] as [(UInt64, RateLimit.Verdict)]
  )
  func `the count is told when the window is over`(now: UInt64, verdict: RateLimit.Verdict) {
    var limit = RateLimit()
    for time in 0..<13 { _ = limit.judge(torn, at: UInt64(time)) }

    #expect(limit.judge(torn, at: now) == verdict)
  }

  @Test func `the count is told once`() {
    var limit = RateLimit()
    for time in 0..<13 { _ = limit.judge(torn, at: UInt64(time)) }

    _ = limit.judge(torn, at: 30_000_000)

    #expect(limit.judge(torn, at: 60_000_000) == .pass(suppressed: 0))
  }

  @Test func `one kind does not use up another's share`() {
    var limit = RateLimit()
    for time in 0..<13 { _ = limit.judge(torn, at: UInt64(time)) }

    #expect(limit.judge(full, at: 13) == .pass(suppressed: 0))
  }

  @Test func `entries without a kind are limited by their place`() {
    var limit = RateLimit()
    let one = RateLimit.Cause.place(SourcePlace(file: "a", line: 1, function: "f"))
    let two = RateLimit.Cause.place(SourcePlace(file: "a", line: 2, function: "f"))
    for time in 0..<10 { _ = limit.judge(one, at: UInt64(time)) }

    #expect(limit.judge(one, at: 10) == .suppress)
    #expect(limit.judge(two, at: 10) == .pass(suppressed: 0))
  }
}
