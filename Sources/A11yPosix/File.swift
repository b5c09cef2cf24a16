// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Files by their names.
package enum File {
  /// Puts a file in the place of another in one step; `Directory.synchronize` makes it last.
  package static func rename(_ from: String, to: String) throws(Errno) {
    try Errno.check(linux_rename(from, to))
  }

  package static func unlink(_ path: String) throws(Errno) {
    try Errno.check(linux_unlink(path))
  }

  /// What a name stands for, how large it is and when it was last written, without opening it; a
  /// symbolic link is itself.
  package static func measure(_ path: String) throws(Errno) -> Measure {
    var status = linux_status()
    try Errno.check(linux_status_of(path, &status))
    return Measure(
      isRegular: status.is_file != 0,
      size: status.size,
      modifiedMicroseconds: status.modified_microseconds
    )
  }

  /// What `measure` tells.
  package struct Measure: Equatable, Sendable {
    /// A file in the narrow sense, no folder, link or pipe.
    package let isRegular: Bool
    package let size: Int64
    package let modifiedMicroseconds: Int64
  }

  /// The whole of a small file; one above `limit` bytes throws `fileTooLarge`.
  package static func read(_ path: String, limit: Int) throws(Errno) -> [UInt8] {
    let file = try FileDescriptor.open(path, .readOnly)
    // One byte more than allowed tells a file at the limit from one above it. The size is not
    // asked first, because files of /proc have none.
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var count = 0
    while count < bytes.count {
      let got = try bytes.withUnsafeMutableBufferPointer { buffer throws(Errno) in
        let rest = UnsafeMutableBufferPointer(rebasing: buffer[count...])
        return try file.read(into: UnsafeMutableRawBufferPointer(rest))
      }
      guard got > 0 else { break }
      count += got
    }
    guard count <= limit else { throw .fileTooLarge }
    bytes.removeSubrange(count...)
    return bytes
  }

  /// Whether a file or directory is ours and nobody else has any right to it.
  ///
  /// A symbolic link is judged as itself, and never private: its mode says nothing.
  package static func isPrivateToUs(_ path: String) throws(Errno) -> Bool {
    var status = linux_status()
    try Errno.check(linux_status_of(path, &status))
    return status.owner == linux_effective_uid() && status.mode & 0o077 == 0
  }
}
