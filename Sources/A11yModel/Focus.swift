// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// The place of the focus from now on, as a `focus` entry says.
public struct FocusMove: Sendable {
  public let app: AppKey?
  public let window: Name?
  /// Nil: nowhere.
  public let element: Name?
  public let by: Seq?
  public let reason: MoveReason?
  /// The action that has led to it.
  public let cause: Seq?

  public init(
    app: AppKey?,
    window: Name?,
    element: Name?,
    by: Seq?,
    reason: MoveReason?,
    cause: Seq?
  ) {
    self.app = app
    self.window = window
    self.element = element
    self.by = by
    self.reason = reason
    self.cause = cause
  }

  /// The move that an entry on record tells of.
  public init(of event: JSONIndex, in entry: JSONDocument) {
    app = entry.appKey(event)
    window = entry.name("window", of: event)
    element = entry.name("element", of: event)
    by = entry.seq("by", of: event)
    reason = entry.string("reason", of: event).flatMap(MoveReason.init)
    cause = entry.seq("cause", of: event)
  }
}

/// The reason of a move of the focus, in the words of the protocol.
public enum MoveReason: String, Sendable, CaseIterable {
  /// An action of the user.
  case next, previous, first, last, focus, touch, activate
  /// A toolkit's report of a move that the user has made by the toolkit's own means.
  case user
  /// A toolkit's report of any other move.
  case auto
  /// The focus stays, and its element is spoken again.
  case again
  /// The wish of an app, by the type of its event.
  case layoutChanged = "layout-changed"
  case screenChanged = "screen-changed"
  /// The window became the one that the user works in.
  case window
  /// The cover over the place is gone.
  case modal
  /// A cover has come over the place before.
  case cover
  /// The element before is gone, or is none to be stopped at any more.
  case repair

  /// Whether the move counts as the user's own.
  public var isByUser: Bool {
    switch self {
    case .next, .previous, .first, .last, .focus, .touch, .activate, .user, .again: true
    case .auto, .layoutChanged, .screenChanged, .window, .modal, .cover, .repair: false
    }
  }

  /// Whether the bus moves the focus though nobody has asked it to.
  var isUpkeep: Bool {
    switch self {
    case .window, .modal, .cover, .repair: true
    case .next, .previous, .first, .last, .focus, .touch, .activate, .user, .auto, .again,
      .layoutChanged, .screenChanged:
      false
    }
  }
}

/// A place for which an app was denied the focus, and which a reader may offer.
///
/// The model keeps the newest. A suggestion lasts until the focus comes there or is moved on in
/// that window, the window has another screen, or the place is gone.
public struct Suggestion: Equatable, Sendable {
  /// The event that asked for the focus.
  public let seq: Seq
  let place: WindowPlace
  /// The element that the app asked for; a container stands for the first stop in it.
  public let element: Name
  /// The reason for which the focus did not go there.
  public let reason: String

  public init(seq: Seq, spot: Model.Spot, reason: String) {
    self.seq = seq
    place = WindowPlace(app: spot.app, window: spot.window)
    element = spot.element
    self.reason = reason
  }

  public var spot: Model.Spot {
    Model.Spot(app: place.app, window: place.window, element: element)
  }
}

extension Model {
  /// Whether a suggestion is still of use: it is newer than the one that is known, and the focus
  /// has not been moved in its window since.
  public func wants(_ new: Suggestion) -> Bool {
    if let suggestion, suggestion.seq > new.seq { return false }
    guard let focus, focus.place == new.place else { return true }
    return focus.spot != stop(at: new.spot) && (focus.seq < new.seq || isCovered(new))
  }

  /// Keeps a suggestion that is still of use.
  public mutating func suggest(_ new: Suggestion) {
    if wants(new) { suggestion = new }
  }

  /// Applies an outcome: one that denies a wish for the focus may suggest a place in its `why`.
  mutating func applyOutcome(_ entry: JSONDocument, _ event: JSONIndex) {
    // Few outcomes have one.
    guard let why = entry.member("why", of: event),
      let place = entry.member("suggestion", of: why),
      let seq = entry.seq("of", of: event), let app = entry.appKey(event),
      let window = entry.name("window", of: place), let element = entry.name("element", of: place),
      let answer = entry.member("focus", of: why)
    else { return }
    let spot = Spot(app: app, window: window, element: element)
    let reason = entry.string("reason", of: answer) ?? ""
    suggest(Suggestion(seq: seq, spot: spot, reason: reason))
  }

  /// Drops the suggestion if a move of the focus has settled it.
  mutating func reviewSuggestion(movedBy reason: MoveReason?) {
    guard let suggestion, let focus, focus.place == suggestion.place else { return }
    let isThere = focus.spot == stop(at: suggestion.spot) || focus.element == suggestion.element
    // A move by the bus itself is nobody's choice of another place, nor is any move while the
    // suggested place is covered.
    let isElsewhere = !(reason?.isUpkeep ?? false) && !isCovered(suggestion)
    if isThere || isElsewhere { self.suggestion = nil }
  }

  /// Drops the suggestion if a change of elements has taken its place away.
  mutating func reviewSuggestion(wasThere: Bool) {
    guard let suggestion else { return }
    // A model that began in the middle may never have known the place.
    let isKnown = wasThere || exists(suggestion.spot)
    if isKnown, stop(at: suggestion.spot) == nil { self.suggestion = nil }
  }

  /// Drops a suggestion that leads into a window or, without one, into any window of the app.
  mutating func dropSuggestion(in window: Name?, of app: AppKey) {
    guard let place = suggestion?.place, place.app == app, window ?? place.window == place.window
    else { return }
    suggestion = nil
  }

  private func isCovered(_ suggestion: Suggestion) -> Bool {
    isCovered(
      window: suggestion.place.window,
      element: suggestion.element,
      app: suggestion.place.app
    )
  }
}
