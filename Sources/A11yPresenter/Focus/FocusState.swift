// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The protection of the focus, and the gestures on their way to apps.
struct FocusState: Sendable {
  /// The place that the focus was decided to go to just now; nowhere is a place, too.
  var intended: Model.Spot??
  /// The last time that the user went somewhere, and the entry that says so.
  var navigatedAt: Instant?
  var navigatedBy: Seq?
  /// The instant at which it has moved last, or was said to be where it is.
  var movedAt: Instant?
  /// By windows, how many wishes of apps to have the focus there have been granted lately.
  var wishes = BoundedTable<Key, Bucket>(bound: Bounds.rows)
  /// The instant of the last new screen of each window.
  var screens = BoundedTable<Key, Instant>(bound: Bounds.rows)
  /// Actions that have gone out to an app and were not answered yet.
  var gestures: [Route] = []
  /// The element that the user has activated last, if it plays something that speech would disturb.
  var media: Model.Spot?
  /// The dialog that the focus is in; its name and text were told on the way into it.
  var dialog: Model.Spot?
  /// The focus enters an app: the summary elements of its window are told with the next place.
  var owesSummary = false

  /// A move of the focus is decided, and its entry is the next to be taken.
  var isMoving: Bool {
    // To compare the spot would be to copy it.
    if case .some = intended { true } else { false }
  }

  var hasMedia: Bool { if case .some = media { true } else { false } }

  /// The log has given a gesture its seq.
  mutating func assign(_ seq: Seq, to ticket: Int64) {
    for index in gestures.indices where gestures[index].ticket == ticket {
      gestures[index].seq = seq
    }
  }
}

/// The way of an action through those who may want to handle it.
struct Route: Sendable {
  var action: Seq
  var app: AppKey
  var name: String
  /// The length of a name that the log does not have.
  var redacted: String?
  /// The stops behind the one that is being asked, the nearest first.
  var rest: [Stop] = []
  /// The gesture that was sent, by its ticket until the log has it.
  var ticket: Int64
  var seq: Seq?
  /// Whether the action ends with an outcome.
  var endsInOutcome = true
  /// Whether anything that the app tells as its consequence answers it.
  var isAnsweredByEvents = false

  /// An element, a window, or the app, which is asked to handle a gesture.
  struct Stop: Sendable {
    var window: Name?
    var element: Name?
  }
}

extension Presenter {
  /// Moves the focus, or takes it away.
  mutating func moveFocus(
    to spot: Model.Spot?,
    by: Seq,
    reason: MoveReason,
    cause: Seq?
  ) {
    decide(
      .focus(
        FocusMove(
          app: spot?.app,
          window: spot?.window,
          element: spot?.element,
          by: by,
          reason: reason,
          cause: cause
        )
      )
    )
    focus.intended = .some(spot)
  }

  /// The place of the focus or, if a move was decided just now, the place that it goes to.
  var focusSpot: Model.Spot? {
    if let intended = focus.intended { return intended }
    return model.focusSpot
  }

  mutating func noteNavigation() {
    focus.navigatedAt = now
    focus.navigatedBy = cause
  }

  /// Plays a sound without words at once, if a reader is there.
  mutating func chime(_ earcon: Item.Earcon, of seq: Seq, app: AppKey) {
    guard case .open(let owner) = gate else { return }
    decisions.tickets += 1
    decide(
      .deliver(
        Delivery(
          ticket: decisions.tickets,
          of: [seq],
          to: owner,
          text: .nothing,
          priority: Priority.default.rawValue,
          interrupts: nil,
          isInterruptible: true,
          earcon: earcon,
          late: .zero,
          isBoundary: earcon == .boundary,
          isAgain: false,
          isTruncated: false,
          summary: nil,
          app: app,
          window: nil,
          element: nil,
          isFocus: false
        )
      )
    )
  }
}
