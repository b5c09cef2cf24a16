// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// Where an app has asked for the focus and was denied it: a place that a reader may offer.
///
/// There is one, the newest. It stays while it is of use: until the focus comes there or is moved on
/// in that window, the window has another screen, or the place is gone.
public struct Suggestion: Equatable, Sendable {
  /// The event that has asked.
  public let seq: Seq
  let place: WindowPlace
  /// As it was asked for; it may be a container, and stands then for the first stop in it.
  public let element: Name
  /// Why the focus did not go there.
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
  /// Whether a suggestion is of use still: it is newer than the one that is known, and the focus has
  /// not been moved in its window since.
  public func wants(_ new: Suggestion) -> Bool {
    if let suggestion, suggestion.seq > new.seq { return false }
    guard let focus, focus.place == new.place else { return true }
    return focus.spot != stop(at: new.spot) && (focus.seq < new.seq || isCovered(new))
  }

  /// Keeps a suggestion that is of use still.
  public mutating func suggest(_ new: Suggestion) {
    if wants(new) { suggestion = new }
  }

  /// An outcome tells which wish was denied, and in its `why` where that leads.
  mutating func applyOutcome(_ entry: JSONDocument, _ event: JSONIndex) {
    guard let seq = entry.seq("of", of: event), let app = entry.appKey(event),
      let why = entry.member("why", of: event),
      let place = entry.member("suggestion", of: why),
      let window = entry.name("window", of: place), let element = entry.name("element", of: place),
      let answer = entry.member("focus", of: why)
    else { return }
    let spot = Spot(app: app, window: window, element: element)
    let reason = entry.string("reason", of: answer) ?? ""
    suggest(Suggestion(seq: seq, spot: spot, reason: reason))
  }

  /// The focus has moved.
  mutating func reviewSuggestion(movedBy reason: String?) {
    guard let suggestion, let focus, focus.place == suggestion.place else { return }
    let isThere = focus.spot == stop(at: suggestion.spot) || focus.element == suggestion.element
    // What the bus does by itself is nobody's choice of another place, and where something covers
    // the suggested one there is none.
    let isElsewhere = !Self.upkeep.contains(reason ?? "") && !isCovered(suggestion)
    if isThere || isElsewhere { self.suggestion = nil }
  }

  /// Elements have changed, of which those of a suggestion were there before or not.
  mutating func reviewSuggestion(wasThere: Bool) {
    guard let suggestion else { return }
    // Who began in the middle need not know it.
    let isKnown = wasThere || exists(suggestion.spot)
    if isKnown, stop(at: suggestion.spot) == nil { self.suggestion = nil }
  }

  /// Takes a suggestion back that leads into a window, or without one into any of the app.
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

  /// The reasons for which the bus moves the focus though nobody has asked it to.
  private static let upkeep: Set<String> = ["window", "repair", "modal", "cover"]
}
