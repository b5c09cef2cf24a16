// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// Writes HTML by its structure, so that every element is closed and every text is escaped.
struct HtmlWriter: ~Copyable {
  typealias Attributes = KeyValuePairs<StaticString, String>

  private var out: ByteBuffer

  init(capacity: Int) { out = ByteBuffer(capacity: capacity) }

  /// An element with content.
  mutating func element(
    _ name: StaticString,
    _ attributes: Attributes = [:],
    _ content: (inout HtmlWriter) -> Void
  ) {
    startTag(name, attributes)
    content(&self)
    out.append("</")
    out.append(name)
    out.append(">")
  }

  /// An element with a text.
  mutating func element(_ name: StaticString, _ attributes: Attributes, _ words: String) {
    element(name, attributes) { $0.prose(words) }
  }

  /// An element with a text and nothing else.
  mutating func element(_ name: StaticString, _ words: String) { element(name, [:], words) }

  /// An element that has no content and no end.
  mutating func startTag(_ name: StaticString, _ attributes: Attributes = [:]) {
    out.append("<")
    out.append(name)
    for (name, value) in attributes {
      out.append(" ")
      out.append(name)
      out.append("=\"")
      escape(value)
      out.append("\"")
    }
    out.append(">")
  }

  /// An element of a drawing that has no content.
  mutating func mark(_ name: StaticString, _ attributes: Attributes) {
    startTag(name, attributes)
    out.append("</")
    out.append(name)
    out.append(">")
  }

  /// A text.
  mutating func prose(_ text: String) { escape(text) }

  /// Markup of the program's own.
  mutating func markup(_ text: String) { out.append(text: text) }

  /// The page, when all is written.
  consuming func finished() -> ByteBuffer { out }

  mutating func endLine() { out.append("\n") }

  private static let references: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;",
  ]

  private mutating func escape(_ text: String) {
    // Characters that cannot be seen would be errors of the page, or turn its text around.
    out.append(text: VisibleText.of(text).escaped(Self.references))
  }
}

/// A table of the report: the figure above it in words and numbers.
struct ReportTable {
  struct Column {
    let title: String
    var isNumber = false

    static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
    static func named(_ title: String) -> Column { Column(title: title) }
  }

  let caption: String
  let columns: [Column]
  let rows: [[String]]

  /// Writes the table, folded behind a line that names it.
  func drawFolded(into page: inout HtmlWriter) {
    page.element("details") { page in
      page.element("summary", "Table: \(caption)")
      draw(into: &page)
    }
  }

  func draw(into page: inout HtmlWriter) {
    let place: HtmlWriter.Attributes = [
      "class": "scroll", "role": "group", "aria-label": "Table: \(caption)", "tabindex": "0",
    ]
    page.element("div", place) { page in
      page.element("table") { page in
        page.element("caption", caption)
        page.element("thead") { page in
          page.element("tr") { page in
            for column in columns {
              page.element(
                "th",
                column.isNumber ? ["scope": "col", "class": "n"] : ["scope": "col"],
                column.title
              )
            }
          }
        }
        page.element("tbody") { page in
          for row in rows { addRow(row, into: &page) }
        }
      }
    }
  }

  private func addRow(_ row: [String], into page: inout HtmlWriter) {
    page.element("tr") { page in
      for (index, cell) in row.enumerated() {
        if index == 0 {
          page.element("th", ["scope": "row"], cell)
        } else {
          page.element("td", columns[index].isNumber ? ["class": "n"] : [:], cell)
        }
      }
    }
    page.endLine()
  }
}

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
