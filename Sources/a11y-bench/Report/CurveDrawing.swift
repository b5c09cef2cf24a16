// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A growth curve as an SVG image, whose title and description have all of its words and numbers.
///
/// Both axes are logarithmic, so that a cost that grows with the size rises by one line for one
/// step. The lines differ by dashes and marks, not by colours alone, and each has its name at its
/// end.
struct CurveDrawing {
  private let curve: GrowthCurve
  /// The powers of ten of the lowest and of the highest line of the grid.
  private let lowest: Int
  private let highest: Int

  private static let width = 760
  private static let height = 420
  private static let left = 70
  private static let right = 590
  private static let top = 50
  private static let bottom = 360
  private static let lineHeight = 15

  private static let colours = [
    "#0b3d91", "#6b6b6b", "#2e7d32", "#b3261e", "#8a5a00", "#6a1b9a", "#00696b",
  ]
  private static let dashes = ["", "2 3", "6 3", "10 4", "8 3 2 3", "4 4", "12 3 2 3 2 3"]

  init(_ curve: GrowthCurve) {
    self.curve = curve
    let values = curve.series.flatMap { $0.values.compactMap(\.self) }.filter { $0 > 0 }
    lowest = Int(floor(log10(values.min() ?? 1)))
    highest = max(lowest + 1, Int(ceil(log10(values.max() ?? 10))))
  }

  var svg: String {
    let words = curve.sentences.joined(separator: " ")
    let head = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(Self.height)" \
      role="img" aria-labelledby="title desc" font-family="sans-serif" font-size="13">
      <title id="title">\(curve.name.title)</title>
      <desc id="desc">\(Self.escaped(words))</desc>
      <rect width="100%" height="100%" fill="#ffffff"/>
      <text x="\(Self.left)" y="28" font-size="16">\(curve.name.title)</text>

      """
    return head + grid + lines + "</svg>\n"
  }

  private var grid: String {
    var text = ""
    for power in lowest...highest {
      let y = height(of: pow(10, Double(power)))
      let label = grouped(pow(10, Double(power)), decimals: max(0, -power))
      text += #"<line x1="\#(Self.left)" y1="\#(y)" x2="\#(Self.right)" y2="\#(y)" "#
      text += "stroke=\"#d0d0d0\"/>\n"
      text +=
        #"<text x="\#(Self.left - 8)" y="\#(y + 4)" text-anchor="end">\#(label)</text>"# + "\n"
    }
    for (index, size) in curve.sizes.enumerated() {
      let label = grouped(Double(size), decimals: 0)
      text += #"<text x="\#(place(of: index))" y="\#(Self.bottom + 22)" "#
      text += "text-anchor=\"middle\">\(label)</text>\n"
    }
    return text
  }

  private var lines: String {
    var text = ""
    let ends = endHeights
    for (number, series) in curve.series.enumerated() {
      let colour = Self.colours[number % Self.colours.count]
      let dash = Self.dashes[number % Self.dashes.count]
      let points = points(of: series)
      guard let last = points.last else { continue }
      let path = points.map { "\($0.x),\($0.y)" }.joined(separator: " ")
      text += #"<polyline points="\#(path)" fill="none" stroke="\#(colour)" stroke-width="2" "#
      text += "stroke-dasharray=\"\(dash)\"/>\n"
      for point in points {
        text += #"<circle cx="\#(point.x)" cy="\#(point.y)" r="3" fill="\#(colour)"/>"# + "\n"
      }
      let end = ends[number] ?? last.y
      text += #"<line x1="\#(last.x + 4)" y1="\#(last.y)" x2="\#(Self.right + 18)" y2="\#(end)" "#
      text += "stroke=\"\(colour)\" stroke-width=\"0.5\"/>\n"
      text += #"<text x="\#(Self.right + 22)" y="\#(end + 4)" fill="\#(colour)">"#
      text += "\(series.name)</text>\n"
    }
    return text
  }

  /// The heights of the names, which keep their distance from each other.
  private var endHeights: [Int: Int] {
    let wanted = curve.series.enumerated().compactMap { number, series in
      points(of: series).last.map { (number, $0.y) }
    }
    var heights: [Int: Int] = [:]
    var next = Int.min
    for (number, y) in wanted.sorted(by: { $0.1 < $1.1 }) {
      let height = max(y, next)
      heights[number] = height
      next = height + Self.lineHeight
    }
    return heights
  }

  private func points(of series: GrowthCurve.Series) -> [(x: Int, y: Int)] {
    series.values.enumerated().compactMap { index, value in
      value.flatMap { $0 > 0 ? (place(of: index), height(of: $0)) : nil }
    }
  }

  /// The words of a failure may have signs of XML.
  private static func escaped(_ words: String) -> String {
    words.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;")
      .split(separator: "<", omittingEmptySubsequences: false).joined(separator: "&lt;")
  }

  private func place(of index: Int) -> Int {
    Self.left + (Self.right - Self.left) * index / max(1, curve.sizes.count - 1)
  }

  private func height(of value: Double) -> Int {
    let share = (log10(value) - Double(lowest)) / Double(highest - lowest)
    return Self.bottom - Int((share * Double(Self.bottom - Self.top)).rounded())
  }
}
