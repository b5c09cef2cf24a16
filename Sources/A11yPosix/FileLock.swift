// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The right to be the only one, held through a lock on a file.
///
/// The kernel drops the lock with the process, however it ends, so it is never stale. The file
/// itself stays: removing it would let two processes lock two files of the same name.
package struct FileLock: ~Copyable {
  private let descriptor: FileDescriptor
  /// Of a directory that is locked twice over.
  private let other: FileDescriptor?

  /// Tries to take the lock, without waiting.
  package static func acquire(_ path: String) throws(Errno) -> Attempt {
    guard let file = try lock(FileDescriptor.open(path, [.readWrite, .create])) else {
      return .heldByAnother
    }
    return .acquired(FileLock(descriptor: file, other: nil))
  }

  /// Tries to take the lock of a directory, without waiting.
  ///
  /// The directory is locked itself, which needs no file in it and so goes on a full disk too. A
  /// file of this name in it is locked as well: on file systems of the network often only that
  /// goes. The holder has both locks as far as there are both, or a disk that takes files again
  /// would let in another.
  package static func acquire(
    directory path: String,
    alsoThrough name: String
  ) throws(Errno) -> Attempt {
    var own: FileDescriptor?
    do throws(Errno) {
      own = try lock(FileDescriptor.open(path, [.readOnly, .directory]))
      if own == nil { return .heldByAnother }
    } catch .badFileDescriptor {
      // There it can only be locked by who has it open for writing, as a file can be.
    }
    do throws(Errno) {
      guard let file = try lock(FileDescriptor.open(path + "/" + name, [.readWrite, .create]))
      else { return .heldByAnother }
      return .acquired(FileLock(descriptor: file, other: own))
    } catch {
      guard let own else { throw error }
      return .acquired(FileLock(descriptor: own, other: nil))
    }
  }

  /// Gives it back locked; nil where another has the lock.
  private static func lock(
    _ descriptor: consuming FileDescriptor
  ) throws(Errno) -> FileDescriptor? {
    let result = linux_lock(descriptor.number, 0)
    if result == 0 - Errno.wouldBlock.rawValue { return nil }
    try Errno.check(result)
    return descriptor
  }

  private init(descriptor: consuming FileDescriptor, other: consuming FileDescriptor?) {
    self.descriptor = descriptor
    self.other = other
  }

  /// The outcome of trying.
  package enum Attempt: ~Copyable {
    /// Ours until the value goes.
    case acquired(FileLock)
    case heldByAnother
  }
}
