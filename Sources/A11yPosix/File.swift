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

/// A small file of which no one else may know.
package enum PrivateFile {
  /// Writes the whole file, in the place of an earlier one in one step.
  package static func replace(_ path: String, with text: String) throws(Errno) {
    // The name begins with a dot, as those do that readers of rules leave alone.
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let directory = parts.dropLast().joined(separator: "/")
    let draft = "\(directory)/.a11yd-\(Machine.processID)"
    let bytes = Array(text.utf8)
    do throws(Errno) {
      let file = try FileDescriptor.open(
        draft,
        [.writeOnly, .create, .truncate, .noFollow],
        mode: 0o600
      )
      try file.writeAll(bytes.span)
      try file.synchronize()
      try File.rename(draft, to: path)
      try Directory.synchronize(directory)
    } catch {
      try? File.unlink(draft)
      throw error
    }
  }
}

/// A small file that is written as memory is, with no call of the kernel.
///
/// It outlives the process, be that killed in mid-sentence; in a file system in memory it goes with
/// the boot.
package final class MappedFile {
  private let bytes: UnsafeMutableRawBufferPointer

  /// Opens the first `count` bytes of a file, or makes it; what is new is zero.
  package init(_ path: String, count: Int) throws(Errno) {
    let file = try FileDescriptor.open(path, [.readWrite, .create, .noFollow], mode: 0o600)
    let content = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
    defer { content.deallocate() }
    content.initializeMemory(as: UInt8.self, repeating: 0)
    _ = try file.read(into: content, at: 0)
    // A page that a full file system could not give would end the process when it is touched.
    guard try file.write(UnsafeRawBufferPointer(content), at: 0) == count else { throw .noSpace }
    var mapped: UnsafeMutableRawPointer?
    try Errno.check(linux_map(file.number, count, &mapped))
    bytes = UnsafeMutableRawBufferPointer(start: mapped, count: count)
  }

  deinit { if let start = bytes.baseAddress { linux_unmap(start, bytes.count) } }

  /// The bytes from `offset` on.
  package func read(_ count: Int, at offset: Int) -> [UInt8] {
    Array(bytes[offset..<offset + count])
  }

  package func write(_ content: some Collection<UInt8>, at offset: Int) {
    UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + content.count])
      .copyBytes(from: content)
  }

  /// A number at an offset that is a multiple of eight; it is always there as a whole.
  package func number(at offset: Int) -> Int64 {
    bytes.load(fromByteOffset: offset, as: Int64.self)
  }

  package func write(_ number: Int64, at offset: Int) {
    bytes.storeBytes(of: number, toByteOffset: offset, as: Int64.self)
  }
}

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
