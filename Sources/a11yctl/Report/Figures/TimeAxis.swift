// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The time from left to right, shared by the figures of the day.
struct TimeAxis {
  /// The whole drawing, and the part of it that is time.
  static let width = 1_000
  static let left = 190
  static let right = 990

  let from: Int64
  let to: Int64

  /// The steps between two marks, in seconds.
  private static let steps: [Int64] = [
    1, 5, 15, 60, 300, 900, 3_600, 10_800, 21_600, 86_400, 604_800, 2_592_000,
  ]
  private static let mostMarks: Int64 = 12

  /// The time of which entries tell, a little wider.
  init(_ story: DayStory) {
    let span = story.span ?? story.since...story.until
    let margin = max(1_000_000, (span.upperBound - span.lowerBound) / 100)
    from = max(story.since, span.lowerBound - margin)
    to = max(from + 1, min(story.until, span.upperBound + margin))
  }

  /// The place of a moment, in tenths of a unit.
  func tenths(_ time: Int64) -> Int {
    let inside = min(max(time, from), to)
    let share = Double(inside - from) / Double(to - from)
    return Self.left * 10 + Int(share * Double(Self.right - Self.left) * 10)
  }

  func x(_ time: Int64) -> String { Self.decimal(tenths(time)) }

  static func decimal(_ tenths: Int) -> String {
    tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
  }

  /// Draws the axis with its times at a height.
  func draw(at y: Int, into page: inout HtmlWriter) {
    page.mark("path", ["class": "axis", "d": "M\(Self.left) \(y)H\(Self.right)"])
    let seconds = (to - from) / 1_000_000
    let step =
      Self.steps.first { seconds / $0 <= Self.mostMarks } ?? Self.steps[Self.steps.count - 1]
    // Whole hours of this place, which may lie half an hour beside the world's.
    let day = Moment.parse("today", now: from) ?? 0
    var mark = day + (from - day + step * 1_000_000 - 1) / (step * 1_000_000) * step * 1_000_000
    while mark <= to {
      let x = x(mark)
      page.mark("path", ["class": "axis", "d": "M\(x) \(y)v5"])
      // A time at the very end would be cut off.
      if tenths(mark) < Self.right * 10 - 200 {
        page.element(
          "text",
          ["x": x, "y": "\(y + 19)", "text-anchor": "middle"],
          clockWords(mark, step)
        )
      }
      mark += step * 1_000_000
    }
  }

  private func clockWords(_ time: Int64, _ step: Int64) -> String {
    if step >= 86_400 { return String(ClockTime.day(time).dropFirst(5)) }
    let clock = ClockTime.local(time)
    return step >= 60 ? String(clock.dropLast(3)) : clock
  }
}
