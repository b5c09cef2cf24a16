// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yModel
import A11yWire

/// The moves of the focus over the frames of the elements, window by window.
struct FocusPath {
  struct Step {
    let seq: Seq
    let time: Int64
    let element: String
    let label: String?
    let frame: [Int64]
    let reason: String
  }

  /// A window with the last moves in it.
  struct Walk {
    let app: String
    let window: String
    var title: String?
    var steps: [Step] = []
    var moves = 0
  }

  /// The most moves of a window that are kept: as many as an eye can follow.
  static let steps = 40
  /// The most windows that are kept.
  static let windows = 256

  private(set) var walks: [Walk] = []
  private var model = Model()
  private var numbers: [String: Int] = [:]

  mutating func trace(
    _ entry: JSONDocument,
    _ seq: Seq,
    _ type: String,
    _ time: Int64,
    isShown: Bool
  ) {
    model.apply(entry)
    while model.hasDeferredFree { model.freeDeferred() }
    guard isShown, type == EventType.Own.focus.rawValue, let spot = model.focusSpot,
      model.focusSeq == seq, let element = model.sight(of: spot).map(SeenElement.init),
      let frame = element.frame, frame.count == 4, let event = Envelope(of: entry).event,
      let number = walkNumber(of: spot)
    else { return }
    walks[number].moves += 1
    walks[number].steps.append(
      Step(
        seq: seq,
        time: time,
        element: spot.element.text,
        label: element.label,
        frame: frame,
        reason: entry.string("reason", of: event) ?? ""
      )
    )
    if walks[number].steps.count > Self.steps { walks[number].steps.removeFirst() }
  }

  /// The window with the most moves; nil where no element with a frame had the focus.
  var busiest: Walk? { walks.max { $0.moves < $1.moves } }

  private mutating func walkNumber(of spot: Model.Spot) -> Int? {
    let place = "\(spot.app.uid) \(spot.app.app.text)\0\(spot.window.text)"
    if let number = numbers[place] { return number }
    guard walks.count < Self.windows else { return nil }
    let title = model.windowSights.first { $0.app == spot.app && $0.window == spot.window }?.title
    walks.append(Walk(app: spot.app.app.text, window: spot.window.text, title: title))
    numbers[place] = walks.count - 1
    return walks.count - 1
  }
}
