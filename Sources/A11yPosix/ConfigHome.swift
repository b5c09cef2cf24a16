// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The directories of the configuration, the machine's and the user's.
package enum ConfigHome {
  /// `/etc/a11yd`, unless the programs were built with another SYSCONFDIR.
  package static let ofMachine = String(cString: linux_configuration())

  /// `$XDG_CONFIG_HOME`, else `~/.config`, as the XDG specification has it; nil without a home.
  package static func find(in environment: (String) -> String?) -> String? {
    func absolute(_ name: String) -> String? {
      environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    return absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map { $0 + "/.config" }
  }
}
