// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix

/// Why there is no daemon, for people, and how the process ends with it.
package struct StartFault: Error {
  /// The exit codes of sysexits that the contract names.
  package enum Kind: Int32 {
    case usage = 64
    case socket = 71
    case socketTaken = 73
    case state = 74
    case stateHeld = 75
    case notPrivate = 77
    /// Of `--check-config` alone: a mistake in a file keeps no daemon from starting.
    case configuration = 78
  }

  package let kind: Kind
  package let message: String
  /// The file, socket or directory that could not be used.
  package let path: String?
  /// The kernel's error, where it has refused something.
  package let errno: Errno?

  package init(_ kind: Kind, _ message: String, path: String? = nil, errno: Errno? = nil) {
    self.kind = kind
    self.message = message
    self.path = path
    self.errno = errno
  }
}
