// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yToml
import Testing

@testable import A11ySpeech

/// `speech.toml`: the person's choice of a voice, and its mistakes.
@Suite struct VoiceSettingsTests {
  private func load(_ text: String) -> LoadedCompanionSettings<VoiceSettings> {
    LoadedCompanionSettings(text: text, fileName: "speech.toml")
  }

  @Test func `without a file the voice is the synthesizer's own`() {
    let settings = VoiceSettings()

    #expect(settings.sounds)
    #expect(!settings.speaksPasswords)
    #expect(
      settings.manner(for: nil).settings(after: nil) == [
        "RATE 0", "PITCH 0", "VOLUME 100", "PUNCTUATION some",
      ]
    )
  }

  @Test func `the shipped file has the defaults of all settings`() throws {
    let kept = KeptText("Config/speech.toml")
    #expect(try kept.difference(fromDefaultsOf: VoiceSettings.self) == nil)
  }

  @Test func `each key is taken over`() {
    let loaded = load(
      """
      [voice]
      synthesizer = "espeak-ng"
      language = "de"
      voice = "German"
      rate = 30
      pitch = -10
      volume = 90
      punctuation = "most"
      sounds = false
      passwords = true
      """
    )

    #expect(loaded.complaints.isEmpty)
    #expect(!loaded.settings.sounds)
    #expect(loaded.settings.speaksPasswords)
    #expect(
      loaded.settings.manner.settings(after: nil) == [
        "OUTPUT_MODULE espeak-ng", "LANGUAGE de", "SYNTHESIS_VOICE German", "RATE 30", "PITCH -10",
        "VOLUME 90", "PUNCTUATION most",
      ]
    )
  }

  @Test func `a table for an app lies over the common one`() {
    let loaded = load(
      """
      [voice]
      rate = 20
      pitch = 5
      [app."org.example.Chat"]
      rate = 60
      [app.editor]
      punctuation = "all"
      """
    )

    #expect(loaded.complaints.isEmpty)
    #expect(loaded.settings.manner(for: "org.example.Chat").rate == 60)
    #expect(loaded.settings.manner(for: "org.example.Chat").pitch == 5)
    #expect(loaded.settings.manner(for: "editor").punctuation == .all)
    #expect(loaded.settings.manner(for: "another").rate == 20)
    #expect(loaded.settings.manner(for: nil).rate == 20)
  }

  @Test func `an app may have a name that TOML has to quote`() {
    let loaded = load(#"[app."a \"b\" c"]"# + "\nrate = 7\n[app.'x.y']\nrate = 8\n")

    #expect(loaded.complaints.isEmpty)
    #expect(loaded.settings.manner(for: #"a "b" c"#).rate == 7)
    #expect(loaded.settings.manner(for: "x.y").rate == 8)
  }

  @Test(arguments: [
    ("[voice]\nrate = 101", "2:8", "a number from -100 to 100; got 101"),
    ("[voice]\nrate = \"fast\"", "2:8", "a number from -100 to 100; got \"fast\""),
    ("[voice]\nsounds = 1", "2:10", "expected true or false; got 1"),
    ("[voice]\npunctuation = \"much\"", "2:15", "none, some, most, all; got \"much\""),
    ("[voice]\nlanguage = \"\"", "2:12", "a word of at most 128 bytes"),
    ("[voice]\nvoice = \"a\\nSET self RATE 100\"", "2:9", "a word of at most 128 bytes"),
    ("[voice]\nspeed = 1", "2:9", "expected one of synthesizer, language"),
    ("rate = 5", "1:8", "expected the table [voice]"),
    ("[sound]\nrate = 5", "2:8", "expected the table [voice]"),
    ("[app.\"x\"]\nsounds = false", "2:10", "expected one of synthesizer"),
  ])
  func `a mistake names its place, and what was expected`(
    text: String,
    place: String,
    words: String
  ) {
    let loaded = load(text)

    #expect(loaded.complaints.contains { "\($0)".contains(words) }, "\(loaded.complaints)")
    let line = place.prefix { $0 != ":" }
    #expect(loaded.complaints.allSatisfy { "\($0)".hasPrefix("speech.toml:") })
    #expect(
      loaded.complaints.contains { "\($0)".hasPrefix("speech.toml:\(line):") },
      "\(loaded.complaints)"
    )
  }

  @Test func `a mistake costs itself alone`() {
    let loaded = load("[voice]\nrate = 20\npitch = \"high\"\nvolume = 50\n")

    #expect(loaded.complaints.count == 1)
    #expect(loaded.settings.manner.rate == 20)
    #expect(loaded.settings.manner.pitch == 0)
    #expect(loaded.settings.manner.volume == 50)
  }

  @Test func `a text that is no TOML gives no settings to take over`() {
    let loaded = load("[voice\nrate = 20\n")

    #expect(loaded.settings.manner.rate == 0)
    #expect(loaded.complaints.count == 1)
  }

  @Test func `there is room for so many apps, and no more`() {
    let loaded = load((0...256).map { "[app.a\($0)]\nrate = 1\n" }.joined())

    #expect(loaded.settings.apps.count == 256)
    #expect(loaded.complaints.count == 1)
    #expect(loaded.settings.manner(for: "a256").rate == 0)
  }

  @Test func `the rate bounds the time for a character`() {
    var manner = VoiceManner()
    let usual = manner.longestCharacter
    manner.rate = 100
    #expect(manner.longestCharacter == usual / 2)
    manner.rate = -100
    #expect(manner.longestCharacter == usual * 3)
  }

  @Test func `another synthesizer and another language bring their own voices with them`() {
    var one = VoiceManner()
    (one.synthesizer, one.language, one.voice, one.rate) = ("espeak-ng", "en", "English", 10)
    var other = one
    #expect(other.settings(after: one) == [])
    other.rate = 20
    #expect(other.settings(after: one) == ["RATE 20"])
    other.language = "de"
    #expect(other.settings(after: one) == ["LANGUAGE de", "SYNTHESIS_VOICE English", "RATE 20"])
    other.synthesizer = "flite"
    #expect(
      other.settings(after: one) == [
        "OUTPUT_MODULE flite", "LANGUAGE de", "SYNTHESIS_VOICE English", "RATE 20",
      ]
    )
    // A language is how speech-dispatcher is told to take its own voice again.
    other = one
    other.voice = nil
    #expect(other.settings(after: one) == ["LANGUAGE en"])
  }
}
