// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The condition of the display, in which it stays until the next one.
package enum BrailleCondition: Equatable, Sendable {
  case connecting
  case showing(DisplaySize)
  case noDisplay(reason: String)

  /// The measures, where there is a display.
  package var size: DisplaySize? {
    if case .showing(let size) = self { size } else { nil }
  }

  /// The sentence for people.
  package var sentence: String {
    switch self {
    case .connecting: "connecting to BRLTTY"
    case .showing(let size) where size.rows == 1:
      "showing on a display of \(size.columns) cells"
    case .showing(let size):
      "showing on a display of \(size.rows) lines of \(size.columns) cells"
    case .noDisplay(let reason): "no braille display: \(reason)"
    }
  }
}
