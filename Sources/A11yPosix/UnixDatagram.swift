// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Connections over Unix datagram sockets, which services such as the journal listen on.
package enum UnixDatagram {
  /// Connects to a service, non-blocking; it is writable while the service's queue has room.
  package static func connect(path: String) throws(Errno) -> FileDescriptor {
    FileDescriptor(adopting: try Errno.check(linux_connect_datagram(path)))
  }
}
