// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Factors, as the bus has them, and the numbers from -100 to 100 that speech-dispatcher has.
package enum SsipScale {
  /// Rate, pitch and its range: 0 is the usual one, 100 twice that, and -100 half of it.
  case relative
  /// The volume: 100 is the usual one, and -100 silence.
  case volume

  package func factor(of number: Int) -> Double {
    switch self {
    case .relative:
      number < 0 ? 100 / Double(100 - number) : Double(100 + number) / 100
    case .volume: Double(number + 100) / 200
    }
  }

  package func number(of factor: Double) -> Int {
    let number: Double =
      switch self {
      case .relative: factor < 1 ? 100 - 100 / max(factor, 0.1) : factor * 100 - 100
      case .volume: factor * 200 - 100
      }
    return Int(min(max(number, -100), 100).rounded())
  }
}
