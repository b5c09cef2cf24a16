// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The environment that the process was started in.
package enum Environment {
  /// The value of a variable; one that is not UTF-8 counts as not set.
  package static func value(_ name: String) -> String? {
    linux_environment(name).flatMap { String(validatingCString: $0) }
  }

  /// The user whose rights this process has.
  package static var uid: UInt32 { linux_effective_uid() }
}
