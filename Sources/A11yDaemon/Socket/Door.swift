// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// A listening socket and what it lets its clients do.
final class Door {
  let listener: UnixListener
  let role: Role
  /// Closed while there is nothing to accept connections with.
  var isOpen = true

  init(_ listener: UnixListener, role: Role) {
    self.listener = listener
    self.role = role
  }
}
