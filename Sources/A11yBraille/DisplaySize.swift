// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The measures of a braille display.
package struct DisplaySize: Equatable, Sendable {
  package let columns: Int
  package let rows: Int

  /// More cells than BRLTTY's protocol has room for in one packet.
  private static let mostCells = 512

  /// Takes the measures that BRLTTY tells; nil where there is no display.
  package init?(columns: Int, rows: Int) {
    guard columns > 0, rows > 0 else { return nil }
    self.columns = min(columns, Self.mostCells)
    self.rows = min(rows, Self.mostCells / self.columns)
  }

  package var cells: Int { columns * rows }
}
