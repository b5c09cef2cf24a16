// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import Testing

@testable import A11ySpeech

/// Faults of synthesizer and speech-dispatcher, each as a client sees it.
@Suite struct VoiceFaultTests {
  /// Brings a voice from its first loss to the proof behind a new start.
  private func restarted() throws -> Rehearsal {
    var rehearsal = Rehearsal.ready()
    try rehearsal.deliver("One")
    rehearsal.begin(1)
    rehearsal.mark(1, 0)
    rehearsal.pass(10_000)
    try #require(rehearsal.acts == [.restart])
    rehearsal.forget()
    return rehearsal
  }

  @Test func `a synthesizer that never begins is started anew, and the message is lost`() throws {
    var rehearsal = Rehearsal.ready()
    let seq = try rehearsal.deliver("One")
    rehearsal.pass(2_999)
    #expect(rehearsal.reports == [])
    rehearsal.pass(1)
    #expect(
      rehearsal.reports == [SpeechReport(of: seq, .lost, reason: "espeak-ng did not begin")]
    )
    #expect(rehearsal.sent.last == "CANCEL SELF")
    #expect(rehearsal.acts == [.revive])

    // A text that is offered once more waits for the synthesizer.
    try rehearsal.deliver("One", #","again":true"#)
    #expect(rehearsal.texts.count == 1)
    rehearsal.pass(500)
    #expect(rehearsal.texts.count == 2)
    rehearsal.speak(2)
    #expect(rehearsal.reports.last?.state == .finished)
    #expect(rehearsal.conditions.last.map { "\($0)".hasPrefix("speaking") } == true)
  }

  @Test func `a synthesizer that dies in the middle has speech-dispatcher started anew`() throws {
    var rehearsal = Rehearsal.ready()
    let seq = try rehearsal.deliver("One two")
    rehearsal.begin(1)
    rehearsal.mark(1, 0)
    rehearsal.pass(9_999)

    let loss = SpeechReport(of: seq, .lost, reason: "espeak-ng fell silent")
    #expect(rehearsal.reports.last == loss)
    #expect(rehearsal.acts == [.restart])
    rehearsal.forget()
    rehearsal.open()
    #expect(rehearsal.acts == [])
    #expect(rehearsal.texts == [MarkedText.silence.ssml])

    rehearsal.begin(2)
    rehearsal.end(2)
    #expect(rehearsal.acts == [.able(true)])
    let again = try rehearsal.deliver("One two", #","again":true"#)
    rehearsal.speak(3, marks: 2)
    #expect(rehearsal.reports.last?.of == again && rehearsal.reports.last?.state == .finished)
  }

  @Test func `each mark renews the time for the next one`() throws {
    var rehearsal = Rehearsal.ready()
    try rehearsal.deliver("One two three four five")
    rehearsal.begin(1)
    for mark in 0..<5 {
      rehearsal.pass(5_000)
      rehearsal.mark(1, mark)
    }
    rehearsal.pass(5_000)
    rehearsal.end(1)

    #expect(rehearsal.reports.last?.state == .finished)
    #expect(rehearsal.reports.last?.heardMilliseconds == 30_000)
  }

  @Test func `a message that ends without a mark was given to another synthesizer`() throws {
    var rehearsal = Rehearsal.ready()
    let seq = try rehearsal.deliver("One")
    rehearsal.begin(1)
    rehearsal.end(1)

    #expect(rehearsal.reports.map(\.state) == [.started, .lost])
    #expect(rehearsal.reports.last?.of == seq)
    #expect(rehearsal.acts == [.restart])
  }

  @Test func `an end without a beginning implies it`() throws {
    var rehearsal = Rehearsal.ready()
    try rehearsal.deliver("…")
    rehearsal.end(1)

    #expect(rehearsal.reports.map(\.state) == [.started, .finished])
  }

  @Test func `a mark without a beginning implies it`() throws {
    var rehearsal = Rehearsal.ready()
    try rehearsal.deliver("One")
    rehearsal.mark(1, 0)

    #expect(rehearsal.reports.map(\.state) == [.started])
  }

  @Test(arguments: ["SPEAK", "text", "CANCEL SELF"])
  func `a command that is not answered for two seconds ends the trial`(command: String) throws {
    var rehearsal = Rehearsal.ready()
    let before = try rehearsal.deliver("Before")
    if command == "CANCEL SELF" {
      rehearsal.begin(1)
      rehearsal.answers = false
      rehearsal.silence(before)
    } else {
      rehearsal.speak(1)
      rehearsal.answers = false
      try rehearsal.deliver("One")
      if command == "text" { rehearsal.hear("230 OK RECEIVING DATA") }
    }
    rehearsal.forget()
    rehearsal.pass(1_999)
    #expect(rehearsal.acts == [])
    rehearsal.pass(1)

    #expect(rehearsal.acts == [.restart])
    #expect(rehearsal.reports.count == 1)
    #expect(
      rehearsal.conditions == [.repairing(reason: "speech-dispatcher did not answer for 2 s")]
    )
  }

  @Test func `a hung synthesizer is found, and later texts are heard within 25 seconds`() throws {
    var rehearsal = Rehearsal.ready()
    try rehearsal.deliver("One")
    rehearsal.begin(1)
    rehearsal.mark(1, 0)
    rehearsal.answers = false
    while rehearsal.acts.isEmpty, rehearsal.now < 30_000 { rehearsal.pass(100) }
    #expect(rehearsal.now <= 10_000)
    #expect(rehearsal.acts == [.restart])

    rehearsal.answers = true
    rehearsal.pass(1_500)
    rehearsal.open()
    rehearsal.begin(2)
    rehearsal.end(2)
    try rehearsal.deliver("Two")
    rehearsal.speak(3)
    #expect(rehearsal.reports.last?.state == .finished)
    #expect(rehearsal.now <= 25_000)
  }

  @Test func `without a second proof there is no sound, and the bus is told`() throws {
    var rehearsal = try restarted()
    rehearsal.open()
    rehearsal.begin(2)
    rehearsal.pass(3_000)
    #expect(rehearsal.acts == [.revive])
    rehearsal.pass(500)
    rehearsal.begin(3)
    rehearsal.pass(3_000)
    #expect(rehearsal.acts == [.revive, .replace])
    #expect(!rehearsal.saysNoSound)
    rehearsal.open()
    rehearsal.begin(4)
    rehearsal.pass(3_000)

    #expect(rehearsal.acts == [.revive, .replace, .able(false)])
    #expect(rehearsal.saysNoSound)
    #expect(rehearsal.texts == [String](repeating: MarkedText.silence.ssml, count: 3))
  }

  @Test func `a mark of an old text proves nothing, and a new speech-dispatcher helps`() throws {
    var rehearsal = try restarted()
    rehearsal.open()
    rehearsal.mark(2, 10)
    rehearsal.pass(3_500)
    rehearsal.pass(3_000)
    #expect(rehearsal.acts == [.revive, .replace])
    rehearsal.open()
    rehearsal.begin(4)
    rehearsal.end(4)
    #expect(rehearsal.acts.last == .able(true))
  }

  @Test func `no answer to the first command behind a new start is no sound`() throws {
    var rehearsal = try restarted()
    rehearsal.answers = false
    rehearsal.open()
    rehearsal.pass(2_000)
    #expect(rehearsal.acts == [.replace])
    rehearsal.open()
    rehearsal.pass(2_000)

    #expect(rehearsal.acts == [.replace, .able(false)])
    #expect(rehearsal.saysNoSound)
  }

  @Test func `sound is tried again ever more rarely, and a proof brings it back`() throws {
    var rehearsal = try restarted()
    var waits: [Int64] = []
    rehearsal.fail("it does not start")
    for _ in 0..<5 {
      rehearsal.forget()
      let start = rehearsal.now
      while rehearsal.acts.isEmpty, rehearsal.now < start + 100_000 { rehearsal.pass(1_000) }
      #expect(rehearsal.acts == [.restart])
      waits.append((rehearsal.now - start) / 1_000)
      if waits.count < 5 { rehearsal.fail("it does not start") }
    }
    #expect(waits == [10, 20, 40, 60, 60])

    rehearsal.forget()
    rehearsal.open()
    rehearsal.begin(2)
    rehearsal.end(2)
    #expect(rehearsal.acts == [.able(true)])
    try rehearsal.deliver("Back")
    rehearsal.speak(3)
    #expect(rehearsal.reports.last?.state == .finished)
  }

  @Test func `without sound everything is given back to the bus`() throws {
    var rehearsal = try restarted()
    let seqs = try (0..<3).map { try rehearsal.deliver("Text \($0)") }
    rehearsal.fail("speech-dispatcher is not installed")

    #expect(rehearsal.reports.map(\.of) == seqs)
    #expect(rehearsal.reports.allSatisfy { $0.state == .lost })
    #expect(rehearsal.reports[0].reason == "speech-dispatcher is not installed")
  }

  @Test func `an ended speech-dispatcher is connected with anew, with all settings`() throws {
    var rehearsal = Rehearsal.ready()
    try rehearsal.deliver("One")
    rehearsal.begin(1)
    rehearsal.forget()
    rehearsal.close()
    #expect(rehearsal.reports.map(\.state) == [.lost])
    #expect(rehearsal.acts == [.connect])

    // A start takes its time, and nothing is expected from the old connection meanwhile.
    rehearsal.pass(5_000)
    #expect(rehearsal.acts == [.connect])
    rehearsal.forget()
    rehearsal.open()
    try rehearsal.deliver("One", #","again":true"#)
    #expect(rehearsal.sent.contains("SET SELF SSML_MODE ON"))
    #expect(rehearsal.sent.contains("SET SELF RATE 0"))
    rehearsal.speak(2)
    #expect(rehearsal.reports.last?.state == .finished)
  }

  @Test func `an end in the middle of a command leaves no deadline behind`() throws {
    var rehearsal = Rehearsal.ready()
    rehearsal.answers = false
    try rehearsal.deliver("One")
    rehearsal.close()
    rehearsal.pass(5_000)

    #expect(rehearsal.acts == [.connect])
    #expect(rehearsal.voice.due == nil)
  }

  @Test func `a speech-dispatcher that ends again and again is started anew with a proof`() throws {
    var rehearsal = Rehearsal.ready()
    rehearsal.close()
    rehearsal.open()
    rehearsal.close()

    #expect(rehearsal.acts.suffix(2) == [.able(true), .restart])
    rehearsal.forget()
    rehearsal.open()
    #expect(rehearsal.texts == [MarkedText.silence.ssml])
    rehearsal.close()
    rehearsal.open()
    rehearsal.close()
    #expect(rehearsal.acts == [.replace, .able(false)])
  }

  @Test func `a text that is refused is lost, and not said to be spoken`() throws {
    var rehearsal = Rehearsal.ready()
    let before = try rehearsal.deliver("Before")
    rehearsal.speak(1)
    rehearsal.answers = false
    let seq = try rehearsal.deliver("One")
    rehearsal.hear("300 ERR INTERNAL")

    #expect(rehearsal.reports.last?.of == seq && seq != before)
    #expect(rehearsal.reports.last?.state == .lost)
  }

  @Test func `a stranger at the socket is no speech-dispatcher`() {
    var rehearsal = Rehearsal.ready()
    rehearsal.hear("HTTP/1.1 400 Bad Request")

    #expect(rehearsal.acts == [.restart])
  }

  @Test func `the end of the program ends all speech`() throws {
    var rehearsal = Rehearsal.ready()
    try rehearsal.deliver("One")
    try rehearsal.deliver("Two")
    rehearsal.begin(1)
    rehearsal.stop()

    #expect(rehearsal.sent.last == "CANCEL SELF")
    // Without a report, so that the bus offers it to the next reader.
    #expect(rehearsal.reports.map(\.state) == [.started])
    #expect(rehearsal.voice.due.map { $0 > 0 } ?? true)
  }
}
