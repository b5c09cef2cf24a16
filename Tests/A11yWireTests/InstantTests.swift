// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import A11yWire

@Suite struct InstantTests {
  private let noon = Instant(microseconds: 43_200_000_000)

  @Test func `an instant moves by a time span, and two of them are a time span apart`() {
    let later = noon + .seconds(90)

    #expect(later.microseconds == 43_290_000_000)
    #expect(later - noon == .milliseconds(90_000))
    #expect(noon - later == .zero - .seconds(90))
    #expect(later - .seconds(90) == noon)
    #expect(noon < later)
  }

  @Test func `an instant is moved in place`() {
    var instant = noon
    instant += .minutes(2)
    instant -= .seconds(60)

    #expect(instant - noon == .minutes(1))
  }

  @Test func `units of time are told in microseconds`() {
    #expect(TimeSpan.microseconds(7).microseconds == 7)
    #expect(TimeSpan.milliseconds(250).microseconds == 250_000)
    #expect(TimeSpan.seconds(-3).microseconds == -3_000_000)
    #expect(TimeSpan.minutes(5) == .seconds(300))
  }

  @Test func `time spans are added, taken off, multiplied and divided`() {
    var span = TimeSpan.milliseconds(100)
    span += .milliseconds(50)
    span -= .milliseconds(30)

    #expect(span == .milliseconds(120))
    #expect(span * 3 == .milliseconds(360))
    #expect(3 * span == span + span + span)
    #expect(span / 4 == .milliseconds(30))
    #expect(TimeSpan.seconds(1) / span == 8)
    #expect(TimeSpan.zero < span)
  }

  @Test func `a part of a millisecond is dropped`() {
    #expect(TimeSpan.microseconds(1_999).wholeMilliseconds == 1)
    #expect(TimeSpan.microseconds(-1_999).wholeMilliseconds == -1)
  }

  @Test func `sums end at what can be counted`() {
    let (most, least) = (TimeSpan.microseconds(.max), TimeSpan.microseconds(.min))

    #expect(TimeSpan.milliseconds(.max) == most)
    #expect(TimeSpan.seconds(.min) == least)
    #expect(TimeSpan.minutes(.max) == most)
    #expect(most + .seconds(1) == most)
    #expect(least - .seconds(1) == least)
    #expect(.zero - least == most)
    #expect(most * -2 == least)
    #expect(Instant(microseconds: .max) + .seconds(1) == Instant(microseconds: .max))
    #expect(Instant(microseconds: .min) - Instant(microseconds: 1) == least)
  }
}
