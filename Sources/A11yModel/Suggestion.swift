// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

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
