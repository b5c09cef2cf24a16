// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward
import Testing

/// Conditions that change faster than they are told.
struct ConditionNewsTests {
  private let away = ForwardCondition.busAway(path: "/a", reason: "nobody listens")
  private var news = ConditionNews()

  @Test mutating func `a wait that is over already is told before the present, and once`() {
    _ = news.collect()
    _ = news.enter(away)
    _ = news.enter(.idle)

    let told = [news.collect(), news.collect()]
    #expect(told == [[away, .idle], [.idle]])
  }

  @Test mutating func `a wait that was told is not told again when it is over`() {
    _ = news.enter(away)
    let first = news.collect()
    _ = news.enter(.idle)

    let second = news.collect()
    #expect([first, second] == [[away], [.idle]])
  }

  @Test mutating func `of several waits the newest is told, and its repetition is no news`() {
    let other = ForwardCondition.busAway(path: "/b", reason: "nobody listens")
    let isNews = [news.enter(away), news.enter(other), news.enter(other), news.enter(.idle)]

    let told = news.collect()
    #expect(isNews == [true, true, false, true])
    #expect(told == [other, .idle])
  }
}
