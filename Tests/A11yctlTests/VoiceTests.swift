// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yClient
@testable import a11yctl

/// A voice that makes no sound keeps the time of one that does: 50 ms a character.
struct VoiceTests {
  private var voice = SilentVoice(conn: 3, perCharacter: 50_000, showsSecrets: false)

  private func entry(_ seq: Int64, _ event: String) throws -> Entry {
    let line = Says.entry(Int(seq), app: "a11yd", event: event)
      .replacing(#""conn":1,"#, with: #""conn":0,"#)
    let reader = JSONReader(limit: 4_096)
    try reader.read(Array(line.utf8).span)
    return try Entry(seq, reader.document)
  }

  private func deliver(
    _ seq: Int64,
    _ speak: String,
    to: Int = 3,
    more: String = ""
  ) throws -> DeliveryEntry {
    let event = #"{"type":"deliver","of":[1],"to":\#(to),"speak":[\#(speak)]\#(more)}"#
    return try #require(try entry(seq, event).delivery)
  }

  private func silence(of seq: Int64) throws -> SilenceEntry {
    try #require(try entry(90, #"{"type":"silence","of":\#(seq)}"#).silence)
  }

  private static let saved = #"{"text":"Saved"}"#

  @Test mutating func `it begins at once, and has finished after 50 ms a character`() throws {
    let begin = voice.receive(try deliver(10, Self.saved), at: 1_000_000)

    #expect(begin == [.report(.started, of: 10, heard: nil), .show("Saved")])
    #expect(voice.due == 1_250_000)
    #expect(voice.advance(to: 1_249_999) == [])
    #expect(voice.advance(to: 1_250_000) == [.report(.finished, of: 10, heard: nil)])
    #expect(voice.due == nil)
  }

  @Test mutating func `what interrupts is heard at once, and how far the other came is told`()
    throws
  {
    _ = voice.receive(try deliver(10, Self.saved), at: 0)

    let acts = voice.receive(
      try deliver(11, #"{"text":"Battery low"}"#, more: #","interrupts":10"#),
      at: 120_000
    )

    #expect(
      acts == [
        .report(.interrupted, of: 10, heard: 120), .show("(interrupted after 0.1 s, at: Sa…)"),
        .report(.started, of: 11, heard: nil), .show("Battery low"),
      ]
    )
  }

  @Test mutating func `silence is kept at once, and of something else it is none of its business`()
    throws
  {
    _ = voice.receive(try deliver(10, Self.saved), at: 0)

    #expect(voice.receive(try silence(of: 9), at: 10_000) == [])
    let acts = voice.receive(try silence(of: 10), at: 20_000)

    #expect(acts == [.report(.interrupted, of: 10, heard: 20), .show("(interrupted at once)")])
    #expect(voice.due == nil)
  }

  @Test mutating func `what comes while something is spoken waits for its end`() throws {
    _ = voice.receive(try deliver(10, Self.saved), at: 0)

    #expect(voice.receive(try deliver(11, #"{"text":"Ok"}"#), at: 100_000) == [])
    #expect(
      voice.advance(to: 300_000) == [
        .report(.finished, of: 10, heard: nil), .report(.started, of: 11, heard: nil), .show("Ok"),
      ]
    )
    // It began when the other ended, not when somebody looked.
    #expect(voice.due == 350_000)
  }

  @Test mutating func `what another reader speaks is shown, and not reported`() throws {
    #expect(voice.receive(try deliver(10, Self.saved, to: 1), at: 0) == [.show("Saved")])
    #expect(voice.advance(to: 250_000) == [])
  }

  @Test mutating func `a sound alone takes no time, and nothing at all is nothing`() throws {
    #expect(
      voice.receive(try deliver(10, "", more: #","earcon":"screen""#), at: 0) == [.show("[screen]")]
    )
    #expect(voice.receive(try deliver(11, ""), at: 0) == [])
    #expect(voice.due == nil)
  }

  // MARK: Secrets

  private static let hidden = #"{"redacted":"1-8"}"#

  @Test mutating func `the words of a secret and their number are not shown, but take their time`()
    throws
  {
    #expect(voice.receive(try deliver(10, Self.hidden), at: 0) == [])
    let acts = voice.receiveSecret(of: 10, SpeechText("hunter2"), at: 0)

    #expect(
      acts == [
        .report(.started, of: 10, heard: nil), .show("(a hidden text of 1 to 8 characters)"),
      ]
    )
    #expect(voice.due == 350_000)
    #expect(
      voice.receive(try silence(of: 10), at: 100_000).last == .show("(interrupted after 0.1 s)")
    )
  }

  @Test mutating func `they are shown to whoever wants that`() throws {
    voice = SilentVoice(conn: 3, perCharacter: 50_000, showsSecrets: true)
    _ = voice.receive(try deliver(10, Self.hidden), at: 0)

    #expect(voice.receiveSecret(of: 10, SpeechText("hunter2"), at: 0).last == .show("hunter2"))
  }

  @Test mutating func `a secret that does not come is not waited for`() throws {
    _ = voice.receive(try deliver(10, Self.hidden), at: 0)
    let due = try #require(voice.due)

    #expect(due <= 100_000)
    #expect(
      voice.advance(to: due) == [
        .report(.started, of: 10, heard: nil), .show("(a hidden text of 1 to 8 characters)"),
      ]
    )
    #expect(voice.receiveSecret(of: 10, SpeechText("hunter2"), at: due) == [])
  }

  @Test mutating func `who quits says how far it came`() throws {
    _ = voice.receive(try deliver(10, Self.saved), at: 0)
    _ = voice.receive(try deliver(11, Self.saved), at: 0)

    #expect(voice.stop(at: 50_000).first == .report(.interrupted, of: 10, heard: 50))
    #expect(voice.due == nil)
  }

  @Test mutating func `without any time everything is finished at once`() throws {
    voice = SilentVoice(conn: 3, perCharacter: 0, showsSecrets: false)
    _ = voice.receive(try deliver(10, Self.saved), at: 5)

    #expect(voice.advance(to: 5) == [.report(.finished, of: 10, heard: nil)])
  }

  // MARK: Words

  @Test(arguments: [
    (Self.saved, "", "Saved"),
    (#"{"text":"Zip "},{"text":"98110","spell":true},{"text":"."}"#, "", "Zip 98110 (spelled)."),
    (#"{"text":"Köln ","lang":"de"},{"text":"is near"}"#, "", "Köln (language de) is near"),
    (#"{"text":"a, b","punctuation":true,"pitch":1.5}"#, "", "a, b (with punctuation, pitch 1.5)"),
    (#"{"text":"live","ipa":"lɪv"}"#, "", "live (spoken as lɪv)"),
    (Self.saved, #","earcon":"screen""#, "[screen] Saved"),
    (Self.saved, #","again":true"#, "Saved (once more)"),
    (Self.saved, #","late_ms":2500"#, "Saved (2 s late)"),
    (Self.saved, #","truncated":true"#, "Saved (goes on)"),
    (#"{"text":"a\u001b[2J"}"#, "", "a<U+001B>[2J"),
    (
      #"{"redacted":"33+"},{"text":"text field"}"#, "",
      "text field (a hidden text of 33 characters or more)"
    ),
  ])
  func `sounds and manners of speaking are told in words`(
    speak: String,
    more: String,
    line: String
  ) throws {
    #expect(SpeechWords(try deliver(10, speak, more: more)).line == line)
  }

  @Test func `what is spoken is counted in characters, not in bytes`() throws {
    #expect(SpeechWords(try deliver(10, #"{"text":"Köln"},{"text":"😀"}"#)).characters == 5)
    #expect(SpeechWords(try deliver(10, "", more: #","earcon":"screen""#)).characters == 0)
  }
}
