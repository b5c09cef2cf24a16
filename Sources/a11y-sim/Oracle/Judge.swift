// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A difference between the expected and the observed course of a run.
struct Divergence: Error {
  let step: Int
  let expected: String
  let came: String
}

/// Keeps the first divergence of a run; what follows from it is of no interest.
final class Judge {
  private(set) var divergence: Divergence?
  var step = 0

  func blame(expected: @autoclosure () -> String, came: @autoclosure () -> String) {
    guard divergence == nil else { return }
    divergence = Divergence(step: step, expected: expected(), came: came())
  }

  func check(
    _ isRight: Bool,
    expected: @autoclosure () -> String,
    came: @autoclosure () -> String
  ) {
    if !isRight { blame(expected: expected(), came: came()) }
  }
}

/// Bytes for people.
func shown(_ bytes: some Sequence<UInt8>) -> String {
  let text = String(decoding: Array(bytes), as: UTF8.self)
  guard text.utf8.count > 400 else { return text }
  return text.prefix(300) + " … " + text.suffix(80)
}
