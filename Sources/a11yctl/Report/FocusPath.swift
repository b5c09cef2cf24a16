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
      let frame = element.frame, frame.count == 4, let event = EntryView(of: entry).event,
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

/// The last moves of the focus in the window that had the most, over the frames of its elements.
struct FocusPathFigure {
  private static let width = 980
  private static let tallest = 620

  private let walk: FocusPath.Walk?
  private let others: Int

  init(_ story: DayStory) {
    walk = story.focus.busiest
    others = max(0, story.focus.walks.count - 1)
  }

  func draw(into page: inout HtmlWriter) {
    guard let walk else {
      page.element("p", "The focus was on no element whose place on the screen is known.")
      return
    }
    let name = walk.title.map { "“\($0)”" } ?? walk.window
    let moves = walk.moves.counted("move")
    let shown = walk.moves > walk.steps.count ? "; the last \(walk.steps.count) are shown" : ""
    let more =
      others == 0
      ? "" : " \(others.counted("other window")) had fewer."
    page.element("p", "The window \(name) of \(walk.app) had \(moves)\(shown).\(more)")
    let scale = Scale(walk.steps.map(\.frame), width: Self.width, tallest: Self.tallest)
    page.figure(
      "Path of the focus in the window \(name) of \(walk.app)",
      height: scale.height + 20,
      caption: "The numbers follow the order of the moves; the frames are those of the elements."
    ) { page in
      for frame in Set(walk.steps.map(\.frame)).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        let box = scale.box(frame)
        page.mark(
          "rect",
          [
            "class": "frame", "x": "\(box[0])", "y": "\(box[1])", "width": "\(box[2])",
            "height": "\(box[3])",
          ]
        )
        drawName(of: frame, in: box, walk, into: &page)
      }
      let points = walk.steps.map { scale.centre($0.frame) }
      let path = points.map { "\($0.x) \($0.y)" }.joined(separator: "L")
      page.mark("path", ["class": "path", "d": "M" + path])
      var numbers: [[Int64]: [Int]] = [:]
      for (index, step) in walk.steps.enumerated() {
        numbers[step.frame, default: []].append(index + 1)
      }
      for (frame, list) in numbers.sorted(by: { ($0.value.first ?? 0) < ($1.value.first ?? 0) }) {
        let point = scale.centre(frame)
        page.mark("circle", ["class": "dot", "cx": "\(point.x)", "cy": "\(point.y)", "r": "5"])
        let words = list.prefix(4).map(String.init).joined(separator: ", ")
        page.element(
          "text",
          ["x": "\(point.x + 8)", "y": "\(point.y - 6)"],
          list.count > 4 ? words + "…" : words
        )
      }
    }
    ReportTable(
      caption: "Moves of the focus in the window \(name)",
      columns: [.named("Number"), .named("Time"), .named("Element"), .named("Reason")],
      rows: walk.steps.enumerated().map { index, step in
        ["\(index + 1)", ClockTime.local(step.time), step.label ?? step.element, step.reason]
      }
    ).drawFolded(into: &page)
  }

  /// Draws the name of a frame's element at its lower edge, where there is room for it.
  private func drawName(
    of frame: [Int64],
    in box: [Int],
    _ walk: FocusPath.Walk,
    into page: inout HtmlWriter
  ) {
    guard let label = walk.steps.last(where: { $0.frame == frame })?.label,
      box[3] >= 44, box[2] >= label.count * 8 + 12
    else { return }
    page.element(
      "text",
      ["class": "soft", "x": "\(box[0] + 6)", "y": "\(box[1] + box[3] - 6)"],
      label
    )
  }

  /// From the screen's coordinates to those of the drawing.
  private struct Scale {
    let height: Int
    private let left: Int64
    private let top: Int64
    private let factor: Double

    init(_ frames: [[Int64]], width: Int, tallest: Int) {
      // Coordinates of any size; sums of them stay within a number.
      let near = frames.map { $0.map { Double(min(max($0, -1_000_000), 1_000_000)) } }
      let left = near.map { $0[0] }.min() ?? 0
      let top = near.map { $0[1] }.min() ?? 0
      let right = near.map { $0[0] + $0[2] }.max() ?? 1
      let bottom = near.map { $0[1] + $0[3] }.max() ?? 1
      let factor = min(
        Double(width) / max(1, right - left),
        Double(tallest) / max(1, bottom - top),
        2
      )
      self.left = Int64(left)
      self.top = Int64(top)
      self.factor = factor
      height = Int(max(1, bottom - top) * factor) + 10
    }

    private func scaled(_ value: Int64, from origin: Int64) -> Int {
      let inside = min(max(value, -1_000_000), 1_000_000) - origin
      return Int(Double(inside) * factor)
    }

    func box(_ frame: [Int64]) -> [Int] {
      [
        scaled(frame[0], from: left) + 10, scaled(frame[1], from: top) + 15,
        scaled(max(0, frame[2]), from: 0), scaled(max(0, frame[3]), from: 0),
      ]
    }

    func centre(_ frame: [Int64]) -> (x: Int, y: Int) {
      let box = box(frame)
      return (box[0] + box[2] / 2, box[1] + box[3] / 2)
    }
  }
}
