// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Sends datagrams to a service such as the journal or the service manager, and never waits.
///
/// There is no connection: the service is found by its path each time, so that one which was
/// started anew is reached without further ado.
package struct UnixDatagram: ~Copyable {
  private let descriptor: FileDescriptor
  private let path: String

  /// A path that begins with "@" is in the abstract name space.
  package init(to path: String) throws(Errno) {
    descriptor = FileDescriptor(adopting: try Errno.check(linux_datagram()))
    self.path = path
  }

  /// Sends one datagram; a service whose queue is full throws `wouldBlock`.
  package borrowing func send(_ bytes: Span<UInt8>) throws(Errno) {
    let number = descriptor.number
    let sent = bytes.withUnsafeBytes { linux_send_to(number, path, $0.baseAddress, $0.count) }
    _ = try Errno.check(sent)
  }

  package borrowing func send(_ text: String) throws(Errno) {
    let bytes = Array(text.utf8)
    try send(bytes.span)
  }
}
