// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

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
