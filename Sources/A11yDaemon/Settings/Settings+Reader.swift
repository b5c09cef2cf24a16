// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yWire

extension Settings.Reader {
  /// The pace that the presenter assumes, in whole milliseconds; `session` is the language of words
  /// where none is set.
  func pace(session: WordLanguage) -> ReaderPace {
    var pace = ReaderPace(
      perCharacter: .milliseconds(perCharacter.inMilliseconds),
      grace: .milliseconds(grace.inMilliseconds)
    )
    pace.language = language ?? session
    pace.speaksHints = hints
    pace.speaksStates = states
    return pace
  }
}
