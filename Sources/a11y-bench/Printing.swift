// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Says a line to the person who waits.
func say(_ line: String) {
  write(line, to: STDERR_FILENO)
}

/// Prints a line of the result.
func report(_ line: String) {
  write(line, to: STDOUT_FILENO)
}

private func write(_ line: String, to number: Int32) {
  let bytes = Array((line + "\n").utf8)
  // Nobody can be told when even this fails.
  _ = Glibc.write(number, bytes, bytes.count)
}
