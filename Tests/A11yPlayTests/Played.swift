// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPlay
import A11yRules
import A11yTestKit

/// The output of a script, as tests look at it.
struct Played {
  /// Every line that was printed.
  let lines: [String]
  let all: [JSON]
  let exitCode: Int32

  init(
    _ script: [String],
    rules: RuleSet = .defaults,
    reader: Simulation.Reader = .auto
  ) throws {
    let performance = Performance(script, rules: rules, reader: reader)
    lines = performance.lines
    all = try lines.map { try JSON($0) }
    exitCode = performance.exitCode
  }

  var entries: [JSON] { all.filter { $0["seq"].isThere } }
  var marks: [JSON] { all.filter { $0["mark"].isThere } }
  var types: [String] { entries.compactMap { $0["event"]["type"].string } }

  /// The entries of a type.
  func entries(_ type: String) -> [JSON] { entries.filter { $0["event"]["type"].string == type } }

  /// The entry of the line that has this label.
  subscript(label: String) -> JSON {
    entries.first { $0["label"].string == label } ?? .absent
  }
}
