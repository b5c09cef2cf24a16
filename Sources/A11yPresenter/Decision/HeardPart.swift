// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// The part of an event that a person has heard, which all counts of heard events go by.
package enum HeardPart: Sendable {
  case whole
  /// It was cut off after some time.
  case part
  case nothing

  /// Whether the event counts as heard.
  package var isHeard: Bool { self != .nothing }
}

extension Result {
  /// The part that was heard of an event with this end, of which a reader had spoken so long; nil
  /// for the user's own actions, which nobody hears.
  package func heardPart(after spoken: @autoclosure () -> TimeSpan?) -> HeardPart? {
    switch self {
    case .heard: .whole
    case .interrupted: spoken() ?? .zero > .zero ? .part : .nothing
    case .handled, .unhandled: nil
    case .coalesced, .duplicate, .superseded, .inhibited, .summarised, .expired, .denied,
      .undeliverable, .cancelled:
      .nothing
    }
  }
}
