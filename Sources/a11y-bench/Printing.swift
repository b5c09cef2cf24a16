// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Prints a line of progress, on standard error.
func say(_ line: String) {
  printLine(line, to: STDERR_FILENO)
}

/// Prints a line of the result.
func report(_ line: String) {
  printLine(line, to: STDOUT_FILENO)
}

private func printLine(_ line: String, to number: Int32) {
  let bytes = Array((line + "\n").utf8)
  // Nobody can be told when even this fails.
  _ = Glibc.write(number, bytes, bytes.count)
}
