// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules

extension Settings.Reader {
  /// What the presenter makes of it, in whole milliseconds.
  var pace: ReaderPace {
    var pace = ReaderPace(
      millisecondsPerCharacter: perCharacter.inMilliseconds,
      graceMilliseconds: grace.inMilliseconds
    )
    pace.language = language.rawValue
    pace.speaksHints = hints
    return pace
  }
}
