// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The file that a name stands for at this moment, whatever else carries the name later.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  /// The file at `path`; a symbolic link is itself.
  package init(path: String) throws(Errno) {
    var status = linux_status()
    try Errno.check(linux_status_of(path, &status))
    self.init(device: status.device, inode: status.inode)
  }

  /// The file behind a descriptor, by number because the standard streams have no owner.
  package init(descriptor: Int32) throws(Errno) {
    var status = linux_status()
    try Errno.check(linux_status_of_descriptor(descriptor, &status))
    self.init(device: status.device, inode: status.inode)
  }
}

/// What tells a file from every copy of it, wherever its name has gone: a copy has another number
/// or was made later.
package struct FileBirth: Equatable, Sendable {
  package let inode: UInt64
  package let nanoseconds: UInt64

  package init(inode: UInt64, nanoseconds: UInt64) {
    self.inode = inode
    self.nanoseconds = nanoseconds
  }
}

extension FileDescriptor {
  /// Nil where the file system does not tell when the file was made.
  package borrowing func birth() throws(Errno) -> FileBirth? {
    var status = linux_status()
    try Errno.check(linux_status_of_descriptor(number, &status))
    guard status.born_nanoseconds > 0 else { return nil }
    return FileBirth(inode: status.inode, nanoseconds: UInt64(status.born_nanoseconds))
  }
}
