// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A fault that is there to be found, in steps that only lead to it where Swift code is watched.
enum Canary {
  private static let fault = Array("bird".utf8)

  static func take(_ input: [UInt8]) throws(Broken) {
    guard input.count >= fault.count else { return }
    for index in fault.indices where input[index] != fault[index] { return }
    throw Broken("the canary was found, as it should be")
  }
}
