// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The page of a language below docs/languages, as the rows of its tables.
package struct LanguagePage {
  package struct Row: Equatable {
    package let name: String
    package let said: String
    /// What it means in English, translated back by somebody who did not look.
    package let means: String
  }

  package let rows: [Row]

  package init(_ tag: String) throws {
    let page = URL(filePath: #filePath).appending(path: "../../../docs/languages/\(tag).md")
    rows = try String(contentsOf: page.standardizedFileURL, encoding: .utf8)
      .split(separator: "\n").compactMap { line in
        let cells = line.components(separatedBy: "|")
          .map { $0.trimmingCharacters(in: .whitespaces) }
        guard cells.count == 5 else { return nil }
        return Row(name: cells[1], said: cells[2], means: cells[3])
      }
  }
}
