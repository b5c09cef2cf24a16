// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import DBus

/// A look along the row of a cell of a toolkit's table: one cell alone says little of a row.
///
/// The cells of a sheet stand for themselves, and nobody counts its rows.
final class RowWalk {
  private let inquiry: SourceInquiry
  private var cells: [Cell] = []

  private struct Cell {
    var name = ""
    var states = AtspiStates()
    var isToggled = false
  }

  private static let table = "org.a11y.atspi.Table"
  private static let mostColumns: Int64 = 8
  private static let mostRows: Int64 = 65_536

  init(asking inquiry: SourceInquiry) { self.inquiry = inquiry }

  /// Answers with the place and the row of a cell, and with whether it can be checked.
  func read(
    around source: SourceObject,
    _ found: ControlFacts,
    _ onEnd: @escaping (ControlFacts) -> Void
  ) {
    var index: Int64?
    inquiry.call(source, "GetIndexInParent") { index = $0.first?.number }
    inquiry.property("Parent", of: source) { parent in
      guard let index, let table = SourceInquiry.object(parent, of: source.sender) else {
        return onEnd(found)
      }
      let place = DBusValue.int32(Int32(clamping: index))
      var row: Int64?
      var columns: Int64 = 0
      self.inquiry.call(table, "GetRowAtIndex", in: Self.table, [place]) { row = $0.first?.number }
      self.inquiry.property("NColumns", in: Self.table, of: table) { columns = $0?.number ?? 0 }
      self.inquiry.property("NRows", in: Self.table, of: table) { rows in
        guard let row, let rows = rows?.number, rows <= Self.mostRows else { return onEnd(found) }
        var found = found
        found.place = SetPlace(row + 1, of: rows)
        self.find(table, row, 0, min(columns, Self.mostColumns)) { [self] in
          let toggles = cells.filter(\.isToggled)
          let isChecked = toggles.count == 1 ? toggles[0].states[.checked] : nil
          let texts = cells.map { AtspiSignal.plain($0.name) }.filter { !$0.isEmpty }
          found.row = ControlFacts.Row(table, row, texts, isChecked: isChecked)
          onEnd(found)
        }
      }
    }
  }

  /// Asks the cells of a row one after the other, from a column on.
  private func find(
    _ table: SourceObject,
    _ row: Int64,
    _ column: Int64,
    _ end: Int64,
    _ onEnd: @escaping () -> Void
  ) {
    guard column < end else { return onEnd() }
    let place = [DBusValue.int32(Int32(clamping: row)), .int32(Int32(clamping: column))]
    inquiry.call(table, "GetAccessibleAt", in: Self.table, place) { answer in
      let proceed = { self.find(table, row, column + 1, end, onEnd) }
      guard let source = SourceInquiry.object(answer.first, of: table.sender) else {
        return proceed()
      }
      var cell = Cell()
      self.inquiry.call(source, "GetState") { answer in
        cell.states = AtspiStates(words: (answer.first?.members ?? []).compactMap(\.number))
      }
      self.inquiry.call(source, "GetName", in: GestureInquiry.action, [.int32(0)]) {
        cell.isToggled = $0.first?.text == "toggle"
      }
      self.inquiry.property("Name", of: source) { answer in
        cell.name = answer?.text ?? ""
        self.cells.append(cell)
        proceed()
      }
    }
  }
}
