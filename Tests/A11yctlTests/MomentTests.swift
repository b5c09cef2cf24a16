// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import a11yctl

/// Times as people type them.
@Suite struct MomentTests {
  /// 2026-11-21 13:05:07 in universal time.
  private let now: Int64 = 1_795_266_307_000_000
  private let second: Int64 = 1_000_000

  private func ago(_ words: String) -> Int64? {
    Moment.parse(words, now: now).map { (now - $0) / second }
  }

  @Test(arguments: [
    ("1 hour ago", 3_600), ("30 min ago", 1_800), ("2 days ago", 172_800), ("90s ago", 90),
    ("  1   Week  ago ", 604_800), ("45 seconds ago", 45), ("5 m ago", 300), ("0 days ago", 0),
    ("now", 0), ("10 min", 600), ("2h", 7_200), ("1 hour", 3_600),
  ])
  func `an amount of time is counted back from now`(words: String, seconds: Int64) {
    #expect(ago(words) == seconds)
  }

  @Test(arguments: [
    "2026-11-21T13:05:07Z", "2026-11-21t13:05:07z", "2026-11-21 13:05:07Z",
    "2026-11-21T14:05:07+01:00", "2026-11-21T09:35:07-03:30", "2026-11-21T13:05:07.000Z",
  ])
  func `a moment that names its zone is the same everywhere`(words: String) {
    #expect(Moment.parse(words, now: 0) == now)
  }

  @Test func `fractions of a second count down to the microsecond`() {
    #expect(Moment.parse("2026-11-21T13:05:07.25Z", now: 0) == now + 250_000)
    #expect(Moment.parse("2026-11-21T13:05:07.1234567Z", now: 0) == now + 123_456)
  }

  @Test(arguments: ["2026-11-21 13:05:07", "2026-03-29 12:00:00", "1999-12-31 23:59:59"])
  func `a moment without a zone is one of this place's calendar`(words: String) throws {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
    let date = try #require(formatter.date(from: words))

    #expect(Moment.parse(words, now: now) == Int64(date.timeIntervalSince1970) * second)
    #expect(Moment.parse(words, now: now).map(ClockTime.dayAndTime) == words)
  }

  @Test func `a day without a time of day begins at midnight`() {
    #expect(Moment.parse("2026-11-21", now: 0) == Moment.parse("2026-11-21 00:00", now: 0))
  }

  @Test func `today and yesterday begin at midnight of this place`() throws {
    let start = Calendar.current.startOfDay(
      for: Date(timeIntervalSince1970: Double(now / second))
    )
    let before = try #require(Calendar.current.date(byAdding: .day, value: -1, to: start))

    #expect(Moment.parse("today", now: now) == Int64(start.timeIntervalSince1970) * second)
    #expect(Moment.parse("Yesterday", now: now) == Int64(before.timeIntervalSince1970) * second)
  }

  @Test func `a time of day is the last one there was, or of the day that is named`() throws {
    let calendar = Calendar.current
    let date = Date(timeIntervalSince1970: Double(now / second))
    func moment(_ days: Int, _ hour: Int, _ minute: Int) throws -> Int64 {
      let day = try #require(calendar.date(byAdding: .day, value: days, to: date))
      let time = calendar.date(bySettingHour: hour, minute: minute, second: 0, of: day)
      return Int64(try #require(time).timeIntervalSince1970) * second
    }
    let clock = calendar.dateComponents([.hour, .minute], from: date)
    let (hour, minute) = (try #require(clock.hour), try #require(clock.minute))
    func word(_ minute: Int) -> String { "\(hour):\(minute < 10 ? "0" : "")\(minute)" }

    #expect(Moment.parse(word(minute), now: now) == (try moment(0, hour, minute)))
    #expect(Moment.parse(word(minute + 1), now: now) == (try moment(-1, hour, minute + 1)))
    let later = "today \(word(minute + 1))"
    #expect(Moment.parse(later, now: now) == (try moment(0, hour, minute + 1)))
    #expect(Moment.parse("Yesterday  9:30", now: now) == (try moment(-1, 9, 30)))
    #expect(Moment.parse("yesterday 09:30:00.5", now: now) == (try moment(-1, 9, 30)) + 500_000)
  }

  @Test(arguments: [
    "", "soon", "hour ago", "-1 hour ago", "1 fortnight ago", "2026", "2026-13-01",
    "24:00", "yesterday soon", "today 9", "tomorrow", "14:30 ago", "9:5", "yesterday 12:00 13:00",
    "2026-02-30", "2026-11-21 24:00", "2026-11-21 13:60", "2026-11-21 13:05:61", "2026-11-21 1:05",
    "2026-11-21T13:05:07+1", "2026-11-21T13:05:07Zz", "2026-11-21 13:05:07.", "21.11.2026",
    "99999999999999999999 s ago", "31536000001 weeks ago", "२ days ago", "2026-00-10", "2026-11-00",
  ])
  func `what is no time is not guessed at`(words: String) {
    #expect(Moment.parse(words, now: now) == nil)
  }

  @Test func `every time that help and complaints name is understood`() {
    for text in [Moment.accepted, Moment.notes] {
      let examples = text.matches(of: /"([^"]+)"/).map { String($0.1) }
      #expect(examples.count == 9)
      for example in examples { #expect(Moment.parse(example, now: now) != nil, "\(example)") }
    }
  }

  @Test func `moments are written in universal time with their microseconds`() {
    #expect(ClockTime.universal(now + 42) == "2026-11-21T13:05:07.000042Z")
    #expect(ClockTime.universal(-1) == "1969-12-31T23:59:59.999999Z")
  }
}
