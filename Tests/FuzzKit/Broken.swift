// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Something that should have held for every input, and does not for this one.
package struct Broken: Error, CustomStringConvertible {
  package let description: String

  init(_ words: String) { description = words }
}

/// Goes on only where `condition` holds.
func demand(
  _ condition: Bool,
  _ words: @autoclosure () -> String
) throws(Broken) {
  if !condition { throw Broken(words()) }
}
