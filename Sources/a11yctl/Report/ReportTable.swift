// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
