// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yToml
import Testing

@testable import A11ySpeech

/// The short sounds before words, and alone.
@Suite struct VoiceSoundTests {
  private static let screen = #","earcon":"screen""#

  @Test func `a sound stands before the words of its delivery`() throws {
    var rehearsal = Rehearsal.ready(sounds: "/run/sounds")
    try rehearsal.deliver("Tips", Self.screen)

    #expect(rehearsal.texts[0].hasPrefix(#"<speak><audio src="/run/sounds/screen.wav"/>"#))
  }

  @Test func `a sound without words goes with the words that follow at once`() throws {
    var rehearsal = Rehearsal.ready(sounds: "/run/sounds")
    try rehearsal.deliver("", Self.screen)
    rehearsal.pass(19)
    #expect(rehearsal.texts == [])
    try rehearsal.deliver("Tips")

    #expect(rehearsal.texts.count == 1)
    #expect(rehearsal.texts[0].contains("screen.wav"))
    rehearsal.speak(1)
    try rehearsal.deliver("Next")
    #expect(!rehearsal.texts[1].contains("wav"))
  }

  @Test func `a sound that no words follow is played alone, and not reported`() throws {
    var rehearsal = Rehearsal.ready(sounds: "/run/sounds")
    try rehearsal.deliver("", #","earcon":"boundary""#)
    rehearsal.pass(20)
    #expect(rehearsal.texts == [#"<speak><audio src="/run/sounds/boundary.wav"/></speak>"#])

    rehearsal.begin(1)
    rehearsal.end(1)
    #expect(rehearsal.reports == [])
    #expect(rehearsal.voice.due == nil)
  }

  @Test func `words do not wait behind a sound that cannot be played`() throws {
    var rehearsal = Rehearsal.ready(sounds: "/run/sounds")
    try rehearsal.deliver("One")
    rehearsal.begin(1)
    try rehearsal.deliver("", #","earcon":"boundary""#)
    rehearsal.pass(20)
    rehearsal.mark(1, 0)
    rehearsal.end(1)

    #expect(rehearsal.texts.count == 1)
  }

  @Test func `a person may do without sounds`() throws {
    let loaded = LoadedCompanionSettings<VoiceSettings>(
      text: "[voice]\nsounds = false\n",
      fileName: "speech.toml"
    )
    var rehearsal = Rehearsal.ready(loaded.settings, sounds: "/run/sounds")
    try rehearsal.deliver("Tips", Self.screen)
    try rehearsal.deliver("", Self.screen)
    rehearsal.pass(100)

    #expect(rehearsal.texts.count == 1 && !rehearsal.texts[0].contains("audio"))
  }

  @Test func `without a place for sounds there are none`() throws {
    var rehearsal = Rehearsal.ready()
    try rehearsal.deliver("", Self.screen)
    rehearsal.pass(100)

    #expect(rehearsal.sent == [] && rehearsal.voice.due == nil)
  }
}
