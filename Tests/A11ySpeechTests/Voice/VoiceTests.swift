// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yToml
import Testing

@testable import A11ySpeech

/// Speech in its usual course.
@Suite struct VoiceTests {
  private func settings(_ text: String) -> VoiceSettings {
    LoadedCompanionSettings<VoiceSettings>(text: text, fileName: "speech.toml").settings
  }

  @Test func `a new connection is asked for events, markup and its own place`() {
    var rehearsal = Rehearsal()
    rehearsal.open()

    #expect(
      rehearsal.sent == [
        "SET SELF CLIENT_NAME user:a11y-speech:main", "HISTORY GET CLIENT_ID",
        "SET SELF NOTIFICATION ALL ON", "SET SELF SSML_MODE ON", "SET SELF PRIORITY MESSAGE",
        "GET OUTPUT_MODULE", "GET LANGUAGE",
      ]
    )
    #expect(rehearsal.acts == [.able(true)])
    #expect(
      rehearsal.conditions == [.speaking(synthesizer: "espeak-ng", language: "en-US", rate: 0)]
    )
    #expect(rehearsal.conditions[0].sentence == "speaking with espeak-ng, English, at rate 0")
  }

  @Test func `nothing is delivered before the connection is ready`() {
    var rehearsal = Rehearsal()
    rehearsal.answers = false
    rehearsal.open()

    #expect(rehearsal.sent == ["SET SELF CLIENT_NAME user:a11y-speech:main"])
    #expect(rehearsal.acts == [])
  }

  @Test func `a delivery is spoken, and its beginning and end are reported`() throws {
    var rehearsal = Rehearsal.ready()
    let seq = try rehearsal.deliver("Item was added")
    #expect(rehearsal.texts.count == 1)
    #expect(rehearsal.reports == [])

    rehearsal.pass(20)
    rehearsal.begin(1)
    #expect(rehearsal.reports == [SpeechReport(of: seq, .started)])
    for mark in 0..<3 {
      rehearsal.pass(300)
      rehearsal.mark(1, mark)
    }
    rehearsal.pass(600)
    rehearsal.end(1)

    #expect(
      rehearsal.reports == [
        SpeechReport(of: seq, .started), SpeechReport(of: seq, .finished, heard: 1_500),
      ]
    )
    #expect(rehearsal.voice.due == nil)
  }

  @Test func `events that come before the number of their message are not lost`() throws {
    var rehearsal = Rehearsal.ready()
    rehearsal.numbersTexts = false
    let seq = try rehearsal.deliver("Saved")
    rehearsal.begin(1)
    rehearsal.mark(1, 0)
    #expect(rehearsal.reports == [])

    rehearsal.giveNumber()
    #expect(rehearsal.reports == [SpeechReport(of: seq, .started)])
    rehearsal.end(1)
    #expect(rehearsal.reports.last?.state == .finished)
  }

  @Test(arguments: [" ", "…", "👍"])
  func `a text without words may end at once, and counts as spoken`(text: String) throws {
    var rehearsal = Rehearsal.ready()
    try rehearsal.deliver(text)
    rehearsal.begin(1)
    rehearsal.end(1)

    #expect(rehearsal.reports.map(\.state) == [.started, .finished])
    #expect(rehearsal.acts == [])
  }

  @Test func `deliveries are spoken one after the other`() throws {
    var rehearsal = Rehearsal.ready()
    let seqs = try ["One", "Two", "Three"].map { try rehearsal.deliver($0) }
    #expect(rehearsal.texts.count == 1)
    for message in 1...3 { rehearsal.speak(message) }

    #expect(rehearsal.texts.count == 3)
    #expect(rehearsal.reports.filter { $0.state == .finished }.map(\.of) == seqs)
  }

  @Test func `more than sixty-four in wait are given back`() throws {
    var rehearsal = Rehearsal.ready()
    for _ in 0..<66 { try rehearsal.deliver("Again") }

    #expect(rehearsal.reports.map(\.state) == [.lost])
    #expect(rehearsal.reports.map(\.of) == [66])
  }

  @Test func `settings are made before the first utterance, and for an app alone`() throws {
    var rehearsal = Rehearsal.ready(
      settings("[voice]\nrate = 10\n[app.\"chat\"]\nrate = 60\nlanguage = \"de\"\n")
    )
    try rehearsal.deliver("One")
    #expect(rehearsal.sent.contains("SET SELF RATE 10"))
    rehearsal.speak(1)
    rehearsal.forget()

    try rehearsal.deliver("Zwei", #","app":"chat""#)
    #expect(rehearsal.sent.dropLast(2) == ["SET SELF LANGUAGE de", "SET SELF RATE 60"])
    rehearsal.speak(2)
    rehearsal.forget()

    try rehearsal.deliver("Drei", #","app":"chat""#)
    #expect(rehearsal.sent.count == 2)
    rehearsal.speak(3)
    rehearsal.forget()

    try rehearsal.deliver("Four")
    #expect(rehearsal.sent.dropLast(2) == ["SET SELF LANGUAGE en-US", "SET SELF RATE 10"])
  }

  @Test func `new settings hold from the next utterance on`() throws {
    var rehearsal = Rehearsal.ready()
    try rehearsal.deliver("One")
    try rehearsal.deliver("Two")
    rehearsal.forget()
    rehearsal.apply(settings("[voice]\nrate = 40\n"))
    rehearsal.speak(1)
    rehearsal.speak(2)
    try rehearsal.deliver("Three")

    #expect(rehearsal.sent.contains("SET SELF RATE 40"))
  }

  @Test func `a setting that is refused is told, and costs nothing else`() throws {
    var rehearsal = Rehearsal.ready()
    rehearsal.answers = false
    try rehearsal.deliver("One")
    let refused = try #require(rehearsal.sent.last?.dropFirst("SET SELF ".count))
    rehearsal.answers = true
    rehearsal.hear("409 ERR RATE TOO HIGH")

    #expect(rehearsal.conditions == [.settingRefused(String(refused))])
    #expect(rehearsal.texts.count == 1)
  }

  @Test func `another synthesizer need not tell marks, until it has told one`() throws {
    var rehearsal = Rehearsal.ready(synthesizer: "flite")
    try rehearsal.deliver("One")
    rehearsal.begin(1)
    rehearsal.end(1)
    #expect(rehearsal.reports.last?.state == .finished)

    try rehearsal.deliver("Two")
    rehearsal.speak(2)
    try rehearsal.deliver("Three")
    rehearsal.begin(3)
    rehearsal.end(3)
    #expect(rehearsal.reports.last?.state == .lost)
  }

  @Test func `a reason has at most 128 bytes`() {
    #expect(Voice.reason("short") == "short")
    #expect(Voice.reason(String(repeating: "é", count: 64)).utf8.count == 128)
    #expect(Voice.reason(String(repeating: "é", count: 65)).hasSuffix("…"))
    #expect(Voice.reason(String(repeating: "漢", count: 300)).utf8.count <= 128)
  }
}
