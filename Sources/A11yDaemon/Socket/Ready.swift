// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix

/// A connection that is ready, and the readiness that it has.
package struct Ready: Equatable, Sendable {
  /// The bus's name for the connection, see `Link.watch`.
  package let token: UInt64
  package let readiness: Readiness

  package init(token: UInt64, readiness: Readiness) {
    self.token = token
    self.readiness = readiness
  }
}
