// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPresenter
package import A11yWire

/// The relation of an entry to the one that was asked about.
package enum Relation: String, Sendable, CaseIterable {
  /// The entry that it refers to.
  case about
  case deliver, silence, speech, outcome, focus, gesture, handled
  /// The user's action that has led to it, and other effects of that.
  case cause, feedback, consequence
  /// The event that has decided the end.
  case duplicateOf = "duplicate-of"
  case coalescedInto = "coalesced-into"
  case supersededBy = "superseded-by"
  case summarisedIn = "summarised-in"
  case interruptedBy = "interrupted-by"
  case cancelledBy = "cancelled-by"
  case endedBy = "ended-by"
  /// An event whose place it has taken.
  case standsFor = "stands-for"

  /// The relation of the event that an outcome names.
  init(by result: Result?) {
    switch result {
    case .duplicate: self = .duplicateOf
    case .coalesced: self = .coalescedInto
    case .superseded: self = .supersededBy
    case .summarised: self = .summarisedIn
    case .interrupted: self = .interruptedBy
    case .cancelled: self = .cancelledBy
    case .heard, .inhibited, .expired, .denied, .undeliverable, .handled, .unhandled, nil:
      self = .endedBy
    }
  }
}

/// An entry with a relation to the one that was asked about.
package struct Relative: Sendable, Equatable {
  package let seq: Seq
  package let relation: Relation
}
