// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// How the process takes signals.
package enum Signals {
  /// Turns a write to a vanished reader into the error EPIPE instead of the end of the process.
  package static func ignoreBrokenPipe() {
    linux_ignore_broken_pipe()
  }
}
