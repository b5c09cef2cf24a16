// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Bars that lie below each other, each with its name in front and its number behind it.
struct BarFigure {
  struct Bar {
    let name: String
    let count: Int
    /// The class of its colour.
    var colour = "bar"
  }

  private static let height = 24
  private static let left = 330
  private static let longest = 590

  let label: String
  let caption: String
  let bars: [Bar]

  func draw(into page: inout HtmlWriter) {
    let most = max(1, bars.map(\.count).max() ?? 1)
    page.figure(label, height: bars.count * Self.height + 8, caption: caption) { page in
      for (index, bar) in bars.enumerated() {
        let y = index * Self.height + 4
        let length = max(bar.count > 0 ? 2 : 0, bar.count * Self.longest / most)
        page.element(
          "text",
          ["x": "\(Self.left - 10)", "y": "\(y + 14)", "text-anchor": "end"],
          bar.name.count <= 48 ? bar.name : bar.name.prefix(47) + "…"
        )
        page.mark(
          "rect",
          [
            "class": bar.colour, "x": "\(Self.left)", "y": "\(y)", "width": "\(length)",
            "height": "\(Self.height - 6)",
          ]
        )
        page.element("text", ["x": "\(Self.left + length + 8)", "y": "\(y + 14)"], "\(bar.count)")
      }
    }
  }
}
