// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yRules
internal import A11yWire

/// The output of a script whose lines are all at hand.
package struct Performance: Equatable, Sendable {
  /// The lines that were printed, without their ends.
  package let lines: [String]
  package let exitCode: Int32

  /// The exit code of a program that has refused lines of its input.
  package static let refused: Int32 = 65

  package init(_ script: [String], rules: RuleSet, reader: Simulation.Reader) {
    var out = ByteBuffer(capacity: 65_536)
    var simulation = Simulation(rules: rules, reader: reader, into: &out)
    for line in script { simulation.take(Array(line.utf8).span, into: &out) }
    simulation.finish(into: &out)
    lines = out.bytes.string.split(separator: "\n").map(String.init)
    exitCode = simulation.refusals == 0 ? 0 : Self.refused
  }
}
