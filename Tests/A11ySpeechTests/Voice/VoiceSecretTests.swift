// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yToml
import Testing

@testable import A11ySpeech

/// Words that the log does not hold: they come in a mark of their own, or never.
@Suite struct VoiceSecretTests {
  private static let password =
    #"{"text":"Password"},{"redacted":"1-8"},{"text":"secure text field"}"#

  private var candid: VoiceSettings {
    LoadedCompanionSettings<VoiceSettings>(
      text: "[voice]\npasswords = true\n",
      fileName: "speech.toml"
    ).settings
  }

  private func words(_ rehearsal: Rehearsal) -> [String] {
    rehearsal.texts.map { $0.replacing(/<[^>]*>/, with: "") }
  }

  @Test func `a value is spoken as the bus masks it`() throws {
    var rehearsal = Rehearsal.ready()
    let seq = try rehearsal.deliver(runs: Self.password)
    #expect(rehearsal.texts == [])
    rehearsal.reveal(
      seq,
      kind: "value",
      "Password",
      "hun",
      "ter2",
      "secure text field",
      masked: "7 Punkte"
    )

    #expect(words(rehearsal) == ["Password, 7 Punkte, secure text field"])
  }

  @Test func `a value that the bus does not mask is left out`() throws {
    var rehearsal = Rehearsal.ready()
    let seq = try rehearsal.deliver(runs: Self.password)
    rehearsal.reveal(seq, kind: "value", "Password", "hunter2", "secure text field")

    #expect(words(rehearsal) == ["Password, secure text field"])
  }

  @Test func `a person may want to hear the value`() throws {
    var rehearsal = Rehearsal.ready(candid)
    let seq = try rehearsal.deliver(runs: Self.password)
    rehearsal.reveal(seq, kind: "value", "Password", "hunter2", "secure text field")

    #expect(words(rehearsal) == ["Password, hunter2, secure text field"])
  }

  @Test func `a sensitive text is spoken, and never told in a report`() throws {
    var rehearsal = Rehearsal.ready()
    let seq = try rehearsal.deliver(runs: #"{"redacted":"33+"}"#)
    rehearsal.reveal(seq, kind: "text", "Your code is four two")
    #expect(words(rehearsal) == ["Your code is four two"])

    rehearsal.begin(1)
    rehearsal.mark(1, 4)
    rehearsal.silence(seq)
    rehearsal.cancel(1)
    #expect(rehearsal.reports.last?.state == .interrupted)
    #expect(rehearsal.reports.allSatisfy { $0.reason == nil })
  }

  @Test func `without its mark the visible words are spoken`() throws {
    var rehearsal = Rehearsal.ready()
    let seq = try rehearsal.deliver(runs: Self.password)
    rehearsal.pass(50)
    #expect(words(rehearsal) == ["Password, secure text field"])

    rehearsal.reveal(seq, kind: "value", "Password", "hunter2", "secure text field")
    #expect(rehearsal.texts.count == 1)
  }

  @Test func `the next delivery ends the wait for the mark`() throws {
    var rehearsal = Rehearsal.ready()
    try rehearsal.deliver(runs: Self.password)
    try rehearsal.deliver("Next")
    rehearsal.speak(1, marks: 4)

    #expect(words(rehearsal) == ["Password, secure text field", "Next"])
  }

  @Test func `a text of which nothing came is given back`() throws {
    var rehearsal = Rehearsal.ready()
    let seq = try rehearsal.deliver(runs: #"{"redacted":"9-32"}"#)
    rehearsal.pass(50)

    #expect(rehearsal.texts == [])
    #expect(rehearsal.reports.map(\.of) == [seq])
    #expect(rehearsal.reports.map(\.state) == [.lost])
  }

  @Test func `silence ends the wait for the mark`() throws {
    var rehearsal = Rehearsal.ready()
    let seq = try rehearsal.deliver(runs: Self.password)
    rehearsal.silence(seq)
    rehearsal.reveal(seq, kind: "value", "Password", "hunter2", "secure text field")
    rehearsal.pass(100)

    #expect(rehearsal.texts == [])
    #expect(rehearsal.reports == [SpeechReport(of: seq, .interrupted, heard: 0)])
  }

  @Test func `a mark of another delivery is none of ours`() throws {
    var rehearsal = Rehearsal.ready()
    let seq = try rehearsal.deliver(runs: #"{"redacted":"9-32"}"#)
    rehearsal.reveal(seq + 1, kind: "text", "Not this one")

    #expect(rehearsal.texts == [])
  }
}
