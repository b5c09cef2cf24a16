// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Real speech: all tests that need speech-dispatcher, a synthesizer and a sound server.
///
/// Sounds and taps run one after the other; faults and ends are waits for the most part, and run
/// beside them. With `A11Y_SPEECH_ROUNDS=18` the tap takes a thousand texts, and judges memory;
/// with `A11Y_SPEECH_MINUTES=30` the day of texts and faults lasts half an hour.
@Suite(
  .enabled(if: SpeechTools.obstacle == nil, Comment(rawValue: SpeechTools.obstacle ?? ""))
)
struct SpeechTests {}

/// Nothing is passed over in silence where everything should be there.
@Suite struct SpeechToolsTests {
  @Test(.enabled(if: ProcessInfo.processInfo.environment["CI"] == "true", "for CI alone"))
  func `the programs that real speech needs are there`() {
    #expect(SpeechTools.obstacle == nil)
  }
}
