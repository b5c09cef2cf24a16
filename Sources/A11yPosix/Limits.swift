// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// What the kernel grants this process.
package enum Limits {
  /// Raises the number of open descriptors to what is allowed and returns what holds now.
  ///
  /// The usual soft limit of 1024 protects programs that still use select(2); we do not.
  package static func raiseOpenFiles() -> Int {
    Int(clamping: linux_raise_open_files())
  }
}
