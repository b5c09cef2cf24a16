// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix

/// A connection for which there is something to do, and what.
package struct Ready: Equatable, Sendable {
  /// What the bus has called the connection, see `Link.watch`.
  package let token: UInt64
  package let readiness: Readiness

  package init(token: UInt64, readiness: Readiness) {
    self.token = token
    self.readiness = readiness
  }
}
