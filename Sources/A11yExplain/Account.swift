// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPresenter
package import A11yWire

/// All facts for a sentence about an entry.
package struct Account: Sendable, Equatable {
  /// Another event that has decided the end of the one at hand.
  package struct Other: Sendable, Equatable {
    package var happening: Happening
    /// The time of its last delivery before the one at hand had its outcome.
    package var deliveredAt: Int64?
    /// Its own result, where that is on record.
    package var result: String?
    /// The event is another app's, and the app that asks may not know of it.
    package var isHidden = false

    package init(_ happening: Happening) { self.happening = happening }
  }

  /// The condition of an event without an outcome.
  package enum Openness: Sendable, Equatable {
    /// The event waits, at this instant of the bus clock.
    case pending(Pending, now: Instant)
    /// The event does not wait any more.
    case over
    /// There was no presenter to ask.
    case unknown
  }

  /// The entry that the question was about.
  package var asked: Happening
  /// The event that this entry refers to, or the entry itself; nil where that is gone.
  package var event: Happening?
  package var ending: EventEnding?
  package var openness = Openness.over
  package var handovers: [Handover] = []
  package var other: Other?
  /// The user's action that has led to the event.
  package var action: Happening?
  /// The entries that tell the effect of an action.
  package var feedback: [Seq] = []
  /// The focus entry that the event has led to.
  package var focus: Seq?
  /// The delivery that was cut off, and the words of it that were heard.
  var cut: (delivery: Seq, words: Int)? {
    get { cutDelivery.map { ($0, cutWords) } }
    set { (cutDelivery, cutWords) = (newValue?.delivery, newValue?.words ?? 0) }
  }
  private var cutDelivery: Seq?
  private var cutWords = 0
  /// The program to which a reader has left it.
  package var presenter: String?
  /// The last words that were heard of it.
  package var lastWords: String?

  package init(asked: Happening, event: Happening?) {
    self.asked = asked
    self.event = event
  }
}
