// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

extension HtmlWriter {
  /// A drawing with its words: the caption is seen, the drawing is an image that the label names.
  ///
  /// The image can have the keyboard, so that a narrow window can be scrolled to all of it.
  mutating func figure(
    _ label: String,
    height: Int,
    caption: String,
    _ drawing: (inout HtmlWriter) -> Void
  ) {
    element("figure") { page in
      let image: Attributes = [
        "role": "img", "aria-label": label, "tabindex": "0",
        "viewBox": "0 0 \(TimeAxis.width) \(height)",
      ]
      page.element("svg", image) { drawing(&$0) }
      page.element("figcaption", caption)
    }
    endLine()
  }

  /// The kinds of ends, with their shapes.
  mutating func legend(_ fates: [Fate]) {
    element("ul", ["class": "legend"]) { page in
      for fate in fates {
        page.element("li") { page in
          page.element("svg", ["viewBox": "-4 -4 8 8", "aria-hidden": "true"]) { page in
            page.element("g", ["class": fate.id]) { $0.markup(fate.shape) }
          }
          page.prose(" \(fate.title): \(fate.meaning)")
        }
      }
    }
  }
}
