// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// A socket that listens on the loopback of IPv4 alone, at a port of the kernel's choice.
///
/// Every user of the machine can connect to it, so its owner asks for something that others do not
/// know.
package final class LoopbackListener {
  package let descriptor: FileDescriptor
  package let port: UInt16

  package init(backlog: Int32) throws(Errno) {
    var port: UInt16 = 0
    descriptor = FileDescriptor(
      adopting: try Errno.check(linux_listen_loopback("127.0.0.1", &port, backlog))
    )
    self.port = port
  }

  /// Takes one waiting connection, non-blocking and close-on-exec; nil where there is none.
  package func accept() -> FileDescriptor? {
    let result = linux_accept(descriptor.number)
    return result < 0 ? nil : FileDescriptor(adopting: result)
  }
}
