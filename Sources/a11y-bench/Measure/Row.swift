// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One line of the table: a figure and its goals.
struct Row {
  /// The name and unit of the figure, for reading aloud.
  ///
  /// Rates end with “per second”, and more of them is better; of anything else, less is.
  let name: String
  let decimals: Int
  /// None where the row explains other rows.
  var goals: [Goal] = []

  var isRate: Bool { name.hasSuffix("per second") }

  func words(of value: Double) -> String { grouped(value, decimals: decimals) }
}

/// A number with commas between thousands, rounded to `decimals` places.
func grouped(_ value: Double, decimals: Int) -> String {
  let scale = (0..<decimals).reduce(1) { product, _ in product * 10 }
  let rounded = Int((abs(value) * Double(scale)).rounded())
  var whole = ""
  for (index, digit) in String(rounded / scale).reversed().enumerated() {
    if index > 0, index % 3 == 0 { whole.append(",") }
    whole.append(digit)
  }
  let sign = value < 0 && rounded > 0 ? "-" : ""
  guard decimals > 0 else { return sign + String(whole.reversed()) }
  let fraction = String(rounded % scale)
  let zeros = String(repeating: "0", count: decimals - fraction.count)
  return sign + String(whole.reversed()) + "." + zeros + fraction
}
