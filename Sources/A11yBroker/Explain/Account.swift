// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPresenter
package import A11yWire

/// All that a sentence about an entry is made of.
package struct Account: Sendable, Equatable {
  /// Another event that has decided what became of the one at hand.
  package struct Other: Sendable, Equatable {
    package var happening: Happening
    /// When it was last given to the reader before the one at hand had its outcome.
    package var deliveredAt: Int64?
    /// How it ended itself, where that is on record.
    package var result: String?
    /// It is another app's, and who asks may not know of it.
    package var isHidden = false

    package init(_ happening: Happening) { self.happening = happening }
  }

  /// What is known of an event without an outcome.
  package enum Openness: Sendable, Equatable {
    /// It waits, as it does at this instant of the bus clock.
    case pending(Pending, now: Int64)
    /// It does not wait: nothing will come of it any more.
    case over
    /// Nobody could be asked who knows.
    case unknown
  }

  /// What the question was about.
  package var asked: Happening
  /// The event that it says something of, or itself; nil where that is gone.
  package var event: Happening?
  package var ending: Ending?
  package var openness = Openness.over
  package var handovers: [Handover] = []
  package var other: Other?
  /// The user's action that has led to it.
  package var action: Happening?
  /// Entries that tell what an action has done.
  package var feedback: [Seq] = []
  /// Where the focus went because of it.
  package var focus: Seq?

  package init(asked: Happening, event: Happening?) {
    self.asked = asked
    self.event = event
  }
}

/// How an entry has to do with the one that was asked about.
package enum Relation: String, Sendable, CaseIterable {
  /// What it says something of.
  case about
  case deliver, silence, speech, outcome, focus, gesture, handled
  /// The user's action that has led to it, and what else came of that.
  case cause, feedback, consequence
  /// The event that has decided its end.
  case duplicateOf = "duplicate-of"
  case coalescedInto = "coalesced-into"
  case supersededBy = "superseded-by"
  case summarisedIn = "summarised-in"
  case interruptedBy = "interrupted-by"
  case cancelledBy = "cancelled-by"
  case endedBy = "ended-by"
  /// An event that it stands for.
  case standsFor = "stands-for"

  /// How the event that an outcome names has to do with the one that has ended.
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

/// An entry that has to do with the one that was asked about.
package struct Relative: Sendable, Equatable {
  package let seq: Seq
  package let relation: Relation
}
