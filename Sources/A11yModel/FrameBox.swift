// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The edges of a frame, decoded because a touch of the screen asks all elements for theirs.
///
/// Edges that do not fit into 32 bits lie beyond any screen, and are clamped.
struct FrameBox: Equatable, Sendable {
  private var left: Int32 = 0
  private var top: Int32 = 0
  private var right: Int32 = 0
  private var bottom: Int32 = 0

  init() {}

  init(_ value: JSONIndex, of line: JSONDocument) {
    guard line.kind(value) == .list, line.count(value) == 4, let x = line.integer(value + 1),
      let y = line.integer(value + 2), let width = line.integer(value + 3),
      let height = line.integer(value + 4), width > 0, height > 0
    else { return }
    left = Int32(clamping: x)
    top = Int32(clamping: y)
    right = Int32(clamping: x.addingReportingOverflow(width).overflow ? .max : x + width)
    bottom = Int32(clamping: y.addingReportingOverflow(height).overflow ? .max : y + height)
  }

  func holds(_ x: Int64, _ y: Int64) -> Bool {
    x >= Int64(left) && x < Int64(right) && y >= Int64(top) && y < Int64(bottom)
  }
}
