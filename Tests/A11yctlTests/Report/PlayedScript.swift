// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation

@testable import a11yctl

/// The entries that `a11yctl simulate` prints for a script.
struct PlayedScript {
  let lines: [String]

  init(_ script: String) throws {
    let scratch = try ScratchDirectory()
    try script.write(toFile: scratch("script"), atomically: true, encoding: .utf8)
    var printed = ""
    let output = Output(to: { bytes in
      printed += String(decoding: bytes, as: UTF8.self)
      return .written
    })
    try Main.run(["simulate", scratch("script")], output)
    lines = printed.split(separator: "\n").map(String.init)
  }
}
