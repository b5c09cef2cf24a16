// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yWire

extension Settings.Reader {
  /// The pace that the presenter assumes, in whole milliseconds.
  var pace: ReaderPace {
    var pace = ReaderPace(
      perCharacter: .milliseconds(perCharacter.inMilliseconds),
      grace: .milliseconds(grace.inMilliseconds)
    )
    pace.language = language.rawValue
    pace.speaksHints = hints
    pace.speaksStates = states
    return pace
  }
}
