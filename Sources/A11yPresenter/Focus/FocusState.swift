// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// What protects the focus, and what is on its way to it.
struct FocusState: Sendable {
  /// The last time that the user went somewhere, and the entry that says so.
  var navigatedAt: Int64?
  var navigatedBy: Seq?
  /// When it has moved last, or was said to be where it is.
  var movedAt: Int64?
  /// By windows, how many wishes of apps to have the focus there have been granted lately.
  var wishes = BoundedTable<Key, Bucket>(bound: Bounds.rows)
  /// When the last screen came up in a window.
  var screens = BoundedTable<Key, Int64>(bound: Bounds.rows)
  /// Actions that have gone out to an app and were not answered yet.
  var gestures: [Route] = []
  /// What the user has activated last, if it plays something that speech would disturb.
  var media: Model.Spot?
  /// Where the focus goes now an app is entered: what sums up its window is told with it.
  var owesSummary = false
}

/// The way of an action through those who may want to handle it.
struct Route: Sendable {
  var action: Seq
  var app: AppKey
  var name: String
  /// Those who are asked behind the one that is being asked, the nearest first.
  var rest: [Stop] = []
  /// The gesture that was sent, by its ticket until the log has it.
  var ticket: Int64
  var seq: Seq?
  /// Whether the action ends with an outcome.
  var endsInOutcome = true
  /// Whether anything that the app tells as its consequence answers it.
  var isAnsweredByEvents = false

  /// Who is asked: an element, a window, or the app.
  struct Stop: Sendable {
    var window: Name?
    var element: Name?
  }
}

/// Why the focus is where it is.
enum MoveReason {
  static let byUser: Set<String> = [
    "next", "previous", "first", "last", "focus", "touch", "activate", "user", "again",
  ]
}

extension Presenter {
  /// Moves the focus, or takes it away.
  mutating func moveFocus(
    to spot: Model.Spot?,
    by: Seq,
    reason: String,
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
    intendedSpot = .some(spot)
  }

  /// Where the focus is or, if that was decided just now, is going to be.
  var focusSpot: Model.Spot? {
    if let intendedSpot { return intendedSpot }
    return model.focusSpot
  }

  mutating func noteNavigation() {
    focus.navigatedAt = now
    focus.navigatedBy = cause
  }

  /// Something that is to be heard at once, and says nothing.
  mutating func chime(_ earcon: Item.Earcon, of seq: Seq, app: AppKey) {
    guard case .open(let owner) = gate else { return }
    tickets += 1
    decide(
      .deliver(
        Delivery(
          ticket: tickets,
          of: [seq],
          to: owner,
          text: .nothing,
          priority: Priority.default.rawValue,
          interrupts: nil,
          isInterruptible: true,
          earcon: earcon,
          late: 0,
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
