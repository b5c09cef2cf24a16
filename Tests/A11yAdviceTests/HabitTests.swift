// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAdvice
import A11yModel
import A11yWire
import Testing

/// Advice on the habits of apps.
@Suite struct HabitTests {
  private let app = Publisher()
  private let high = #"{"type":"announcement","text":"Hi","priority":"high"}"#
  private let usual = #"{"type":"announcement","text":"Hi"}"#

  private func codes(_ events: [String], everyMicroseconds step: Int64) throws -> [AdviceCode] {
    try events.flatMap { event in
      app.mono += step
      return try app.publish(event).map(\.advice.code)
    }
  }

  // MARK: High

  @Test func `more than five high ones in a minute are told, each`() throws {
    let codes = try codes(Array(repeating: high, count: 7), everyMicroseconds: 1_000_000)

    #expect(codes == [.priorityOverused, .priorityOverused])
  }

  @Test func `high ones among many others are not`() throws {
    let events = (0..<40).map { $0 % 4 == 0 ? high : usual }

    #expect(try codes(events, everyMicroseconds: 1_000_000) == [])
  }

  @Test func `high ones over a long time are not`() throws {
    #expect(try codes(Array(repeating: high, count: 40), everyMicroseconds: 12_000_000) == [])
  }

  @Test func `the minute is over at its end`() throws {
    #expect(try codes(Array(repeating: high, count: 5), everyMicroseconds: 1) == [])
    app.mono += 60_000_000
    #expect(try codes([high], everyMicroseconds: 0) == [])
  }

  @Test func `apps are counted apart`() throws {
    var said: [Linter.Finding] = []
    for _ in 0..<5 {
      said += try app.publish(high, app: "a")
      said += try app.publish(high, app: "b")
    }

    #expect(said == [])
  }

  @Test func `there is no end to the apps that are counted`() throws {
    for number in 0..<5_000 { #expect(try app.publish(high, app: "app \(number)") == []) }
    for _ in 0..<5 { #expect(try app.publish(high, app: "a") == []) }

    #expect(try app.publish(high, app: "a").map(\.advice.code) == [.priorityOverused])
  }

  // MARK: Pauses

  @Test func `a pause that is taken back is all right`() throws {
    try app.publish(#"{"type":"pause"}"#)
    app.mono = 29_999_999

    #expect(try app.publish(#"{"type":"resume"}"#) == [])
    app.mono = 60_000_000
    #expect(try app.publish(usual) == [])
    #expect(app.finish() == [])
  }

  @Test func `one that lasts for 30 s is told, once, by the entry that began it`() throws {
    let seq = { app.seq }
    try app.publish(#"{"type":"pause"}"#)
    let pause = seq()
    app.mono = 30_000_000

    let said = try app.publish(usual)

    #expect(said.map(\.advice.code) == [.pauseUnresumed])
    #expect(said.first?.seq.number == pause)
    #expect(try app.publish(usual) == [])
  }

  @Test func `a resume that comes too late is too late`() throws {
    try app.publish(#"{"type":"pause"}"#)
    app.mono = 31_000_000

    #expect(try app.publish(#"{"type":"resume"}"#).map(\.advice.code) == [.pauseUnresumed])
  }

  @Test func `each pause needs its resume`() throws {
    try app.publish(#"{"type":"pause"}"#)
    try app.publish(#"{"type":"pause"}"#)
    try app.publish(#"{"type":"resume"}"#)
    app.mono = 31_000_000

    #expect(try app.publish(usual).map(\.advice.code) == [.pauseUnresumed])
  }

  @Test func `leaving without a resume is told`() throws {
    try app.publish(#"{"type":"pause"}"#, conn: 7)
    let left = #"{"type":"client","state":"left","app":"org.test","uid":1000,"conn":7}"#

    let said = try app.publish(left, app: "a11yd", conn: 0)

    #expect(said.map(\.advice.code) == [.pauseUnresumed])
    #expect(said.first?.app.app.text == "org.test")
    #expect(try app.publish(left, app: "a11yd", conn: 0) == [])
  }

  @Test func `a pause that a crash has ended is nobody's fault`() throws {
    try app.publish(#"{"type":"pause"}"#)
    try app.publish(#"{"type":"opened"}"#, app: "a11yd", conn: 0)
    app.mono = 90_000_000

    #expect(try app.publish(usual) == [])
    #expect(app.finish() == [])
  }

  @Test func `a pause that nothing follows is told at the end of the log`() throws {
    try app.publish(#"{"type":"pause"}"#)
    app.mono = 30_000_000
    try app.publish(usual, conn: 2)

    #expect(app.finish().map(\.advice.code) == [.pauseUnresumed])
    #expect(app.finish() == [])
  }

  // MARK: Outcomes

  private func outcome(
    of seq: Int64,
    _ result: String,
    _ why: String = "{}"
  ) throws
    -> [Linter.Finding]
  {
    try app.publish(
      #"{"type":"outcome","of":\#(seq),"result":"\#(result)","rule":"r","why":\#(why)}"#,
      app: "a11yd",
      conn: 0
    )
  }

  private func askForFocus(_ result: String, _ why: String = "{}") throws -> [AdviceCode] {
    try app.publish(#"{"type":"layout-changed","window":"w","element":"a"}"#)
    return try outcome(of: app.seq, result, why).map(\.advice.code)
  }

  @Test func `the sixth request denied in a minute is told`() throws {
    for _ in 0..<5 { #expect(try askForFocus("denied") == []) }

    #expect(try askForFocus("denied") == [.focusDenied])
    #expect(
      try askForFocus("heard", #"{"focus":{"result":"denied","reason":"moved"}}"#) == [.focusDenied]
    )
  }

  @Test func `requests that are mostly granted are not`() throws {
    for _ in 0..<20 {
      #expect(try askForFocus("heard", #"{"focus":{"result":"moved"}}"#) == [])
      #expect(try askForFocus("denied") == [])
      #expect(try askForFocus("heard") == [])
    }
    #expect(try askForFocus("denied") == [])
  }

  @Test func `an event that did not ask for the focus was not denied it`() throws {
    for _ in 0..<20 {
      try app.publish(#"{"type":"layout-changed","window":"w"}"#)
      #expect(try outcome(of: app.seq, "denied") == [])
    }
  }

  @Test func `low from the background is told by its outcome`() throws {
    try app.publish(usual)
    let seq = app.seq

    let said = try outcome(of: seq, "inhibited", #"{"reason":"background"}"#)

    #expect(said.map(\.advice.code) == [.backgroundLow])
    #expect(said.first?.seq.number == seq)
    #expect(said.first?.app.app.text == "org.test")
    #expect(try outcome(of: seq, "inhibited", #"{"reason":"background"}"#) == [])
  }

  @Test(arguments: [
    ("inhibited", #"{"reason":"media-session"}"#), ("heard", "{}"), ("expired", "{}"),
  ])
  func `an announcement that ends otherwise is not`(result: String, why: String) throws {
    try app.publish(usual)

    #expect(try outcome(of: app.seq, result, why) == [])
  }
}
