// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import Testing

@testable import A11ySpeech

/// Speech that is stopped before its end.
@Suite struct VoiceCutTests {
  @Test func `a cut is passed on at once, and reported when speech has stopped`() throws {
    var rehearsal = Rehearsal.ready()
    let seq = try rehearsal.deliver("One two three four")
    rehearsal.begin(1)
    rehearsal.mark(1, 0)
    rehearsal.pass(400)
    rehearsal.mark(1, 2)
    rehearsal.silence(seq)
    #expect(rehearsal.sent.last == "CANCEL SELF")
    #expect(rehearsal.reports.map(\.state) == [.started])

    rehearsal.pass(30)
    rehearsal.cancel(1)
    #expect(
      rehearsal.reports.last
        == SpeechReport(of: seq, .interrupted, heard: 400, reason: "after 2 of 4 words")
    )
    #expect(rehearsal.voice.due == nil)
  }

  @Test func `a delivery that interrupts is spoken behind the stop`() throws {
    var rehearsal = Rehearsal.ready()
    let first = try rehearsal.deliver("One")
    rehearsal.begin(1)
    rehearsal.forget()
    let second = try rehearsal.deliver("Two", #","interrupts":\#(first)"#)
    #expect(rehearsal.sent.first == "CANCEL SELF")
    #expect(rehearsal.texts.count == 1)

    rehearsal.cancel(1)
    rehearsal.speak(2)
    #expect(
      rehearsal.reports.map { "\($0.of) \($0.state.rawValue)" } == [
        "\(first) interrupted", "\(second) started", "\(second) finished",
      ]
    )
  }

  @Test func `a cut before the number is known waits for it`() throws {
    var rehearsal = Rehearsal.ready()
    rehearsal.numbersTexts = false
    let seq = try rehearsal.deliver("Cut")
    rehearsal.silence(seq)
    #expect(!rehearsal.sent.contains("CANCEL SELF"))
    rehearsal.giveNumber()
    #expect(rehearsal.sent.last == "CANCEL SELF")
    rehearsal.cancel(1)

    #expect(rehearsal.reports == [SpeechReport(of: seq, .interrupted, heard: 0)])
    rehearsal.numbersTexts = true
    let next = try rehearsal.deliver("Next")
    rehearsal.speak(2)
    #expect(rehearsal.reports.last?.of == next)
  }

  @Test func `a cut that is never confirmed is reported after two seconds`() throws {
    var rehearsal = Rehearsal.ready()
    let seq = try rehearsal.deliver("One two")
    rehearsal.begin(1)
    rehearsal.mark(1, 1)
    rehearsal.pass(500)
    rehearsal.silence(seq)
    rehearsal.pass(1_999)
    #expect(rehearsal.reports.count == 1)
    rehearsal.pass(1)

    #expect(
      rehearsal.reports.last
        == SpeechReport(of: seq, .interrupted, heard: 500, reason: "after 1 of 2 words")
    )
  }

  @Test func `a message that ends before the cut comes through was heard`() throws {
    var rehearsal = Rehearsal.ready()
    let seq = try rehearsal.deliver("One")
    rehearsal.begin(1)
    rehearsal.mark(1, 0)
    rehearsal.pass(300)
    rehearsal.silence(seq)
    rehearsal.end(1)

    #expect(rehearsal.reports.last == SpeechReport(of: seq, .finished, heard: 300))
  }

  @Test func `silence for a delivery that waits drops it`() throws {
    var rehearsal = Rehearsal.ready()
    try rehearsal.deliver("One")
    let waiting = try rehearsal.deliver("Two")
    rehearsal.silence(waiting)
    #expect(rehearsal.reports == [SpeechReport(of: waiting, .interrupted, heard: 0)])

    rehearsal.speak(1)
    #expect(rehearsal.texts.count == 1)
  }

  @Test(arguments: [0, 99])
  func `silence for another delivery changes nothing`(other: Int64) throws {
    var rehearsal = Rehearsal.ready()
    try rehearsal.deliver("One")
    rehearsal.begin(1)
    rehearsal.forget()
    rehearsal.silence(other)

    #expect(rehearsal.sent == [] && rehearsal.reports == [])
  }

  @Test func `two orders of silence are one`() throws {
    var rehearsal = Rehearsal.ready()
    let seq = try rehearsal.deliver("One")
    rehearsal.begin(1)
    rehearsal.silence(seq)
    rehearsal.silence(seq)

    #expect(rehearsal.sent.count { $0 == "CANCEL SELF" } == 1)
  }

  @Test func `a message that another program has cut is interrupted, and not repeated`() throws {
    var rehearsal = Rehearsal.ready()
    let seq = try rehearsal.deliver("One two three")
    rehearsal.begin(1)
    rehearsal.mark(1, 0)
    rehearsal.mark(1, 1)
    rehearsal.pass(200)
    rehearsal.cancel(1)
    rehearsal.pass(60_000)

    #expect(
      rehearsal.reports.last
        == SpeechReport(of: seq, .interrupted, heard: 200, reason: "after 1 of 3 words")
    )
    #expect(rehearsal.texts.count == 1)
  }

  @Test func `events of messages that nobody knows change nothing`() throws {
    var rehearsal = Rehearsal.ready()
    let seq = try rehearsal.deliver("One")
    for message in 50..<90 { rehearsal.speak(message) }
    #expect(rehearsal.reports == [])
    rehearsal.speak(1)

    #expect(rehearsal.reports.map(\.of) == [seq, seq])
  }
}
