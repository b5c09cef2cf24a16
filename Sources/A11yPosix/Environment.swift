// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The environment that the process was started in.
package enum Environment {
  /// The value of a variable; one that is not UTF-8 counts as not set.
  package static func value(_ name: String) -> String? {
    linux_environment(name).flatMap { String(validatingCString: $0) }
  }

  /// All variables, as `NAME=VALUE`; those that are not UTF-8 are left out.
  package static var all: [String] {
    var place = environ
    var all: [String] = []
    while let variable = place.pointee {
      if let text = String(validatingCString: variable) { all.append(text) }
      place += 1
    }
    return all
  }

  /// The user whose rights this process has.
  package static var uid: UInt32 { linux_effective_uid() }
}
