// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The reason why a figure cannot be believed, as a sentence.
///
/// A benchmark that goes on after a lost event or a refused line measures something else, so there
/// is one kind of failure, which ends the run.
struct BenchFailure: Error {
  let sentence: String

  init(_ sentence: String) {
    self.sentence = sentence
  }

  /// A call to the kernel that failed.
  static func system(_ call: String, _ code: Int32) -> BenchFailure {
    BenchFailure("\(call): \(String(cString: describe(code)))")
  }
}

private func describe(_ code: Int32) -> UnsafeMutablePointer<CChar> {
  guard let words = strerror(code) else { preconditionFailure("strerror always has words") }
  return words
}
