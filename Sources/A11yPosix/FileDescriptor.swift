// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// An open descriptor with exactly one owner, closed when the owner goes.
///
/// It cannot be copied, so closing twice or using after closing does not compile. Calls that the
/// kernel interrupts are repeated below us; a short read or write is reported as its count.
package struct FileDescriptor: ~Copyable {
  /// The kernel's number, for calls that only borrow the descriptor.
  package let number: Int32

  /// Takes over a descriptor that somebody else has opened.
  package init(adopting number: Int32) {
    precondition(number >= 0, "a descriptor is never negative")
    self.number = number
  }

  deinit { linux_close(number) }

  /// Hands the number to another owner, who closes it.
  package consuming func relinquish() -> Int32 {
    let number = number
    discard self
    return number
  }
}

extension FileDescriptor {
  /// How a file is opened; close-on-exec is not an option because it is always set.
  package struct Flags: OptionSet, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
      self.rawValue = rawValue
    }

    package static let readOnly = Flags([])
    package static let writeOnly = Flags(rawValue: O_WRONLY)
    package static let readWrite = Flags(rawValue: O_RDWR)
    package static let create = Flags(rawValue: O_CREAT)
    package static let exclusive = Flags(rawValue: O_EXCL)
    package static let append = Flags(rawValue: O_APPEND)
    package static let truncate = Flags(rawValue: O_TRUNC)
    package static let directory = Flags(rawValue: O_DIRECTORY)
    package static let noFollow = Flags(rawValue: O_NOFOLLOW)
    package static let nonBlocking = Flags(rawValue: O_NONBLOCK)
    /// A terminal that is opened does not become the process's own.
    package static let noTerminal = Flags(rawValue: O_NOCTTY)
  }

  /// Opens a file; `mode` matters only where the file is created.
  package static func open(
    _ path: String,
    _ flags: Flags,
    mode: UInt32 = 0o600
  ) throws(Errno) -> FileDescriptor {
    FileDescriptor(adopting: try Errno.check(linux_open(path, flags.rawValue, mode)))
  }

  /// Opens a file by its name in a directory that is open already.
  package static func open(
    _ name: String,
    in directory: borrowing FileDescriptor,
    _ flags: Flags,
    mode: UInt32 = 0o600
  ) throws(Errno) -> FileDescriptor {
    let result = linux_open_at(directory.number, name, flags.rawValue, mode)
    return FileDescriptor(adopting: try Errno.check(result))
  }
}

extension FileDescriptor {
  /// Reads at the file's own position; 0 is the end.
  package borrowing func read(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    Int(try Errno.check(linux_read(number, buffer.baseAddress, buffer.count)))
  }

  /// Reads at `offset`, leaving the file's own position alone; 0 is the end.
  package borrowing func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: UInt64
  ) throws(Errno) -> Int {
    Int(try Errno.check(linux_read_at(number, buffer.baseAddress, buffer.count, Int64(offset))))
  }

  /// Writes at the file's own position and says how much the kernel took.
  package borrowing func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
    Int(try Errno.check(linux_write(number, bytes.baseAddress, bytes.count)))
  }

  /// Writes at `offset`, leaving the file's own position alone, and says how much the kernel took.
  package borrowing func write(
    _ bytes: UnsafeRawBufferPointer,
    at offset: UInt64
  ) throws(Errno) -> Int {
    Int(try Errno.check(linux_write_at(number, bytes.baseAddress, bytes.count, Int64(offset))))
  }

  /// Writes all of `bytes` at the file's own position, however many calls it takes.
  package borrowing func writeAll(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
    var done = 0
    while done < bytes.count {
      done += try write(UnsafeRawBufferPointer(rebasing: bytes[done...]))
    }
  }

  /// Writes at the file's own position and says how much the kernel took.
  package borrowing func write(_ bytes: Span<UInt8>) throws(Errno) -> Int {
    try bytes.withUnsafeBytes { raw throws(Errno) in try write(raw) }
  }

  /// Writes at `offset`, leaving the file's own position alone, and says how much the kernel took.
  package borrowing func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(Errno) -> Int {
    try bytes.withUnsafeBytes { raw throws(Errno) in try write(raw, at: offset) }
  }

  /// Writes all of `bytes` at the file's own position, however many calls it takes.
  package borrowing func writeAll(_ bytes: Span<UInt8>) throws(Errno) {
    try bytes.withUnsafeBytes { raw throws(Errno) in try writeAll(raw) }
  }

  /// The size of the file in bytes.
  package borrowing func size() throws(Errno) -> UInt64 {
    UInt64(try Errno.check(linux_size(number)))
  }

  /// How many names the file has; 0 where it was removed.
  package borrowing func linkCount() throws(Errno) -> Int64 {
    try Errno.check(linux_link_count(number))
  }

  /// Cuts or extends the file to `size` bytes.
  package borrowing func truncate(to size: UInt64) throws(Errno) {
    try Errno.check(linux_truncate(number, Int64(size)))
  }

  /// Waits until content and metadata are on the medium.
  package borrowing func synchronize() throws(Errno) {
    try Errno.check(linux_sync(number))
  }

  /// Waits until content is on the medium, and of the metadata what reading it back needs.
  package borrowing func synchronizeData() throws(Errno) {
    try Errno.check(linux_sync_data(number))
  }
}
