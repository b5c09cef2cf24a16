// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// The quantities that a value can stand for; nil where it stands for none.
extension TomlValue {
  package var asInteger: Int? {
    guard case .integer(let integer) = self else { return nil }
    return Int(exactly: integer)
  }

  /// A duration: an integer in the unit that the key stands for, or a text with its own.
  package func asDuration(integersIn unit: Duration) -> Duration? {
    switch self {
    // Beyond this no product with a day would fit.
    case .integer(let integer) where 0...1_000_000_000 ~= integer: unit * integer
    case .string(let text): Quantity.duration(text)
    case .table, .integer, .number, .boolean, .time, .array: nil
    }
  }
}
