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

  /// The path without symbolic links; nil where there is no such file.
  package static func resolved(_ path: String) -> String? {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
      let count = linux_resolve(path, buffer.baseAddress!)
      return count < 0 ? nil : String(decoding: buffer.prefix(Int(count)), as: UTF8.self)
    }
  }

  /// The kind, size and time of the last change of the file with this name, without opening it; a
  /// symbolic link stands for itself.
  package static func measure(_ path: String) throws(Errno) -> Measure {
    var status = linux_status()
    try Errno.check(linux_status_of(path, &status))
    return Measure(
      isRegular: status.is_file != 0,
      size: status.size,
      modifiedMicroseconds: status.modified_microseconds
    )
  }

  /// The answer of `measure`.
  package struct Measure: Equatable, Sendable {
    /// A file in the narrow sense, no folder, link or pipe.
    package let isRegular: Bool
    package let size: Int64
    package let modifiedMicroseconds: Int64
  }

  /// Why a file cannot be read as a whole.
  package enum Unreadable: Error, Equatable, CustomStringConvertible {
    case refused(Errno)
    /// It is no file in the narrow sense but this.
    case isNoFile(String)
    case isTooLarge(limit: Int)

    package var description: String {
      switch self {
      case .refused(let error): "cannot be read: \(error)"
      case .isNoFile(let kind): "expected a file; this is \(kind)"
      case .isTooLarge(let limit): "expected at most \(limit) bytes; this is larger"
      }
    }
  }

  /// The whole of a small file, read without ever waiting for somebody at another end.
  package static func read(_ path: String, limit: Int) throws(Unreadable) -> [UInt8] {
    let found: (bytes: [UInt8]?, kind: linux_status)
    do throws(Errno) {
      let file = try FileDescriptor.open(path, [.readOnly, .nonBlocking, .noTerminal])
      var kind = linux_status()
      try Errno.check(linux_status_of_descriptor(file.number, &kind))
      found = (kind.is_file == 0 ? nil : try readWhole(file, limit: limit), kind)
    } catch .noSuchDevice {
      throw .isNoFile("a socket")
    } catch {
      throw .refused(error)
    }
    if let bytes = found.bytes { return bytes }
    if found.kind.is_file != 0 { throw .isTooLarge(limit: limit) }
    if found.kind.is_directory != 0 { throw .isNoFile("a directory") }
    throw .isNoFile(found.kind.is_pipe != 0 ? "a pipe" : "a device")
  }

  /// All that is in a file; nil where that is more than `limit` bytes.
  private static func readWhole(
    _ file: borrowing FileDescriptor,
    limit: Int
  ) throws(Errno) -> [UInt8]? {
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
    guard count <= limit else { return nil }
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
