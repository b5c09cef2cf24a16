// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient
import A11yRules

/// A thing that the voice wants done.
package enum VoiceAct: Equatable {
  /// Bytes for speech-dispatcher.
  case send(String)
  /// A report to the bus.
  case report(SpeechReport)
  /// A connection is wanted, to a speech-dispatcher that runs or a new one.
  case connect
  /// speech-dispatcher is asked to start synthesizers that have ended.
  case revive
  /// Processes that hang are ended, and then a connection is wanted.
  case restart
  /// speech-dispatcher is ended, whoever has started it, and then a connection is wanted.
  case replace
  /// The work of the processes behind speech-dispatcher is to be looked at.
  case look
  /// Our number at speech-dispatcher, by which a later life can silence what this one has left.
  case remember(Int)
  /// The bus may give us something to say, or may not.
  case able(Bool)
  /// The condition has changed.
  case tell(VoiceCondition)
}

/// A report of how far a delivery has come.
package struct SpeechReport: Equatable {
  package let of: Int64
  package let state: SpeechState
  package let heardMilliseconds: Int64?
  /// The mark of the text's sender that was passed last.
  package let mark: String?
  package let reason: String?

  package init(
    of: Int64,
    _ state: SpeechState,
    heard: Int64? = nil,
    mark: String? = nil,
    reason: String? = nil
  ) {
    self.of = of
    self.state = state
    heardMilliseconds = heard
    self.mark = mark
    self.reason = reason
  }
}

/// The condition of the voice, in which it stays until the next one.
package enum VoiceCondition: Equatable {
  case connecting
  case speaking(synthesizer: String, language: String, rate: Int)
  /// The voice has failed, and is being repaired.
  case repairing(reason: String)
  /// There is no way to sound.
  case noSound(reason: String)
  /// The synthesizer does not take a setting.
  case settingRefused(String)

  /// The sentence for people.
  package var sentence: String {
    switch self {
    case .connecting: "connecting to speech-dispatcher"
    case .speaking(let synthesizer, let language, let rate):
      "speaking with \(synthesizer), \(WordLanguage.name(of: language)), at rate \(rate)"
    case .repairing(let reason): "repairing the voice: \(reason)"
    case .noSound(let reason): "no sound output: \(reason)"
    case .settingRefused(let setting): "speech-dispatcher does not take the setting \(setting)"
    }
  }
}
