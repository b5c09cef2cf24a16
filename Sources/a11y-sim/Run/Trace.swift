// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The steps of a run in words; kept only where somebody wants to see them.
final class Trace {
  private let isKept: Bool
  private let isPrinted: Bool
  private(set) var lines: [String] = []

  init(isKept: Bool, isPrinted: Bool) {
    self.isKept = isKept
    self.isPrinted = isPrinted
  }

  var isWanted: Bool { isKept || isPrinted }

  func note(_ step: Int, _ words: @autoclosure () -> String) {
    guard isWanted else { return }
    let line = "step \(step): \(words())"
    if isPrinted { say(line) }
    if isKept { lines.append(line) }
  }
}
