// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import Testing

@testable import A11ySpeech

/// Texts that bring a manner and marks of their own, as those of a screen reader do.
@Suite struct ScreenReaderTests {
  @Test func `the marks of a text are told as they are passed`() throws {
    var rehearsal = Rehearsal.ready()
    let seq = try rehearsal.deliver(
      runs: #"{"text":"One or ","mark":"0:4"},{"text":"two ","mark":"7:8"},{"text":"three"}"#
    )
    rehearsal.begin(1)
    for mark in 0..<4 {
      rehearsal.pass(100)
      rehearsal.mark(1, mark)
    }
    rehearsal.pass(100)
    rehearsal.end(1)

    #expect(
      rehearsal.reports == [
        SpeechReport(of: seq, .started),
        SpeechReport(of: seq, .progress, heard: 100, mark: "0:4"),
        SpeechReport(of: seq, .progress, heard: 300, mark: "7:8"),
        SpeechReport(of: seq, .finished, heard: 500),
      ]
    )
  }

  @Test func `a later sign of life repeats the mark that was passed last`() throws {
    var rehearsal = Rehearsal.ready()
    rehearsal.work = 1_000
    let seq = try rehearsal.deliver(runs: #"{"text":"One","mark":"a"},{"text":" two"}"#)
    rehearsal.begin(1)
    rehearsal.mark(1, 0)
    rehearsal.pass(4_500)
    rehearsal.mark(1, 1)
    rehearsal.pass(500)

    #expect(rehearsal.reports.last?.mark == "a")
    #expect(rehearsal.reports.last?.of == seq)
    #expect(rehearsal.reports.count == 3)
  }

  @Test(arguments: [
    ("char", "b", "CHAR b"), ("char", " ", "CHAR space"), ("key", "shift_a", "KEY shift_a"),
    ("icon", "capital", "SOUND_ICON capital"),
  ])
  func `what is no words has a command of its own`(kind: String, name: String, line: String) throws
  {
    var rehearsal = Rehearsal.ready()
    let seq = try rehearsal.deliver(runs: #"{"text":"\#(name)","as":"\#(kind)"}"#)

    #expect(rehearsal.sent.last == line)
    #expect(rehearsal.texts == [])
    rehearsal.begin(1)
    rehearsal.end(1)
    #expect(
      rehearsal.reports == [
        SpeechReport(of: seq, .started), SpeechReport(of: seq, .finished, heard: 0),
      ]
    )
  }

  @Test func `a character that would end the line is spoken as a text`() throws {
    var rehearsal = Rehearsal.ready()
    try rehearsal.deliver(runs: #"{"text":"\r\nQUIT","as":"char"}"#)

    #expect(!rehearsal.sent.contains { $0.hasPrefix("CHAR") })
    #expect(rehearsal.texts.count == 1)
  }

  @Test func `a text with a manner of its own is spoken so, and the next one is as usual`() throws {
    var rehearsal = Rehearsal.ready()
    try rehearsal.deliver("Saved")
    rehearsal.speak(1)
    rehearsal.forget()

    let manner =
      #""rate":2,"pitch":0.5,"volume":0.5,"pitch_range":2,"voice":"female1","lang":"en","#
      + #""capitals":"icon","punctuation":"most""#
    try rehearsal.deliver(runs: #"{"text":"Line one",\#(manner)},{"text":" and more",\#(manner)}"#)
    #expect(
      rehearsal.sent.prefix { $0 != "SPEAK" } == [
        "SET SELF LANGUAGE en", "SET SELF VOICE_TYPE female1", "SET SELF RATE 100",
        "SET SELF PITCH -100", "SET SELF VOLUME 0", "SET SELF PUNCTUATION most",
        "SET SELF PITCH_RANGE 100", "SET SELF CAP_LET_RECOGN icon",
      ]
    )
    #expect(!rehearsal.texts[0].contains("prosody"))
    #expect(!rehearsal.texts[0].contains("lang"))
    rehearsal.speak(2, marks: 4)
    rehearsal.forget()

    try rehearsal.deliver("Saved")
    #expect(
      rehearsal.sent.prefix { $0 != "SPEAK" } == [
        "SET SELF LANGUAGE en-US", "SET SELF RATE 0", "SET SELF PITCH 0", "SET SELF VOLUME 100",
        "SET SELF PUNCTUATION some", "SET SELF PITCH_RANGE 0", "SET SELF CAP_LET_RECOGN none",
      ]
    )
  }

  @Test func `parts of a text in different manners are told apart by markup`() throws {
    var rehearsal = Rehearsal.ready()
    try rehearsal.deliver(runs: #"{"text":"slow","rate":0.5},{"text":"loud","volume":1.5}"#)

    #expect(rehearsal.texts[0].contains(#"<prosody rate="50%">"#))
    #expect(rehearsal.texts[0].contains(#"<prosody volume="150%">"#))
  }

  @Test(arguments: -100...100)
  func `what speech-dispatcher calls a number comes back as that number`(number: Int) {
    for scale in [SsipScale.relative, .volume] {
      #expect(scale.number(of: scale.factor(of: number)) == number)
    }
  }
}
