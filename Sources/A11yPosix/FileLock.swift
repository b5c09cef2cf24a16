// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The right to be the only one, held through a lock on a file.
///
/// The kernel drops the lock with the process, however it ends, so it is never stale. The file
/// itself stays: removing it would let two processes lock two files of the same name.
package struct FileLock: ~Copyable {
  private let descriptor: FileDescriptor

  /// Tries to take the lock, without waiting.
  package static func acquire(_ path: String) throws(Errno) -> Attempt {
    try lock(FileDescriptor.open(path, [.readWrite, .create]))
  }

  /// Tries to take the lock through a directory, where no file can be made in it.
  package static func acquire(directory path: String) throws(Errno) -> Attempt {
    try lock(FileDescriptor.open(path, [.readOnly, .directory]))
  }

  private static func lock(_ descriptor: consuming FileDescriptor) throws(Errno) -> Attempt {
    let result = linux_lock(descriptor.number, 0)
    if result == 0 - Errno.wouldBlock.rawValue { return .heldByAnother }
    try Errno.check(result)
    return .acquired(FileLock(descriptor: descriptor))
  }

  private init(descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }

  /// What came of trying.
  package enum Attempt: ~Copyable {
    /// Ours until the value goes.
    case acquired(FileLock)
    case heldByAnother
  }
}
