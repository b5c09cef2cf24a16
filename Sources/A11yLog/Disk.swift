// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// The directory that holds a log, as the log uses it: names, and the files behind them.
///
/// The kernel's directory or, in the simulator, a disk that fails, tears and forgets as its seed
/// says.
package protocol Disk: AnyObject {
  /// The names in the directory or in one below it, sorted.
  func names(in folder: String?) throws(Errno) -> [String]

  /// The kind and size of the file with a name; a symbolic link is not followed.
  func measure(_ name: String) throws(Errno) -> DiskEntry

  /// Opens a regular file to be read; throws for anything else of that name.
  func open(_ name: String) throws(Errno) -> any DiskFile

  /// Opens a regular file to be read and written in place.
  func openInPlace(_ name: String) throws(Errno) -> any DiskFile

  /// Makes a new file, to be read and written; throws where the name is taken.
  func create(_ name: String) throws(Errno) -> any DiskFile

  /// Gives a file another name, in one step, and replaces the file that had it.
  func rename(_ name: String, to other: String) throws(Errno)

  func remove(_ name: String) throws(Errno)

  /// Makes a folder; one that is there stays as it is.
  func makeFolder(_ name: String) throws(Errno)

  /// Waits until the names as they are now are on the medium.
  func synchronizeNames() throws(Errno)
}

extension Disk {
  /// Removes a file; false where there was none.
  @discardableResult
  func removeIfThere(_ name: String) throws(Errno) -> Bool {
    do throws(Errno) {
      try remove(name)
      return true
    } catch .noSuchFile {
      return false
    }
  }

  /// Opens a file that is written in place, or makes it.
  ///
  /// A folder or a pipe of that name would be in the way for ever, and is put aside.
  func openInPlaceOrCreate(_ name: String) throws(Errno) -> any DiskFile {
    do throws(Errno) {
      return try openInPlace(name)
    } catch .noSuchFile {
      return try create(name)
    } catch {
      guard try measure(name).kind == .other else { throw error }
      try Quarantine(self).move(name)
      return try create(name)
    }
  }
}

/// A file or something else in the directory.
package struct DiskEntry: Equatable, Sendable {
  package enum Kind: Sendable {
    case file
    /// A folder, a link, a pipe: not made by the log.
    case other
  }

  package let kind: Kind
  package let size: Int64
  package let modifiedMicroseconds: Int64

  package init(kind: Kind, size: Int64, modifiedMicroseconds: Int64) {
    self.kind = kind
    self.size = size
    self.modifiedMicroseconds = modifiedMicroseconds
  }
}

/// An open file of a `Disk`; it stays readable when its name is gone, and closes with its last
/// holder.
package protocol DiskFile: AnyObject {
  /// The kernel's number for it, for copies that stay inside the kernel; nil where there is none.
  var number: Int32? { get }

  /// Reads at `offset` and returns the number of bytes; 0 is the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Errno) -> Int

  /// Writes at `offset` and returns how many bytes the disk has taken.
  func write(_ bytes: Span<UInt8>, at offset: Int64) throws(Errno) -> Int

  func truncate(to size: Int64) throws(Errno)

  func size() throws(Errno) -> Int64

  /// What tells the file from a copy of it; nil where the disk does not know.
  func birth() throws(Errno) -> FileBirth?

  /// Waits until the medium has the written bytes, and what reading them back needs.
  ///
  /// Throws `noSuchFile` where the file has lost its name, and could not be found again.
  func synchronize() throws(Errno)
}

extension DiskFile {
  /// Writes all bytes, with as many calls as that takes.
  package func writeAll(_ bytes: Span<UInt8>, at offset: Int64) throws(Errno) {
    var done = 0
    while done < bytes.count {
      let count = try write(bytes.extracting(done..<bytes.count), at: offset + Int64(done))
      guard count > 0 else { throw .inputOutput }
      done += count
    }
  }

  /// Appends at most `room` bytes that stand at `offset`, and returns how many; 0 is the end.
  package func read(
    into buffer: inout ByteBuffer,
    at offset: Int64,
    room: Int
  ) throws(Errno) -> Int {
    let before = buffer.count
    try buffer.append(room: room) { target throws(Errno) in try read(into: target, at: offset) }
    return buffer.count - before
  }

  /// Appends `count` bytes that stand at `offset`, or those that there are: a short read is not the
  /// end.
  func readAll(_ count: Int, into buffer: inout ByteBuffer, at offset: Int64) throws(Errno) {
    let start = buffer.count
    while buffer.count - start < count {
      let done = buffer.count - start
      let taken = try read(into: &buffer, at: offset + Int64(done), room: count - done)
      if taken == 0 { return }
    }
  }

  /// Writes all bytes of a buffer.
  func writeAll(_ buffer: borrowing ByteBuffer, at offset: Int64) throws(Errno) {
    try writeAll(buffer.bytes, at: offset)
  }
}

/// A directory of the kernel's.
package final class KernelDisk: Disk {
  package let path: String
  /// The directory, opened to bring its names to the medium.
  private let directory: FileDescriptor

  package init(_ path: String) throws(Errno) {
    self.path = path
    directory = try FileDescriptor.open(path, [.readOnly, .directory])
  }

  package func names(in folder: String?) throws(Errno) -> [String] {
    try Directory.names(folder.map(full) ?? path)
  }

  package func measure(_ name: String) throws(Errno) -> DiskEntry {
    let measure = try File.measure(full(name))
    return DiskEntry(
      kind: measure.isRegular ? .file : .other,
      size: measure.size,
      modifiedMicroseconds: measure.modifiedMicroseconds
    )
  }

  package func open(_ name: String) throws(Errno) -> any DiskFile {
    // Without waiting: a pipe of that name must not stop the bus.
    try regular(name, [.readOnly, .noFollow, .nonBlocking])
  }

  package func openInPlace(_ name: String) throws(Errno) -> any DiskFile {
    try regular(name, [.readWrite, .noFollow, .nonBlocking])
  }

  package func create(_ name: String) throws(Errno) -> any DiskFile {
    KernelFile(try FileDescriptor.open(full(name), [.readWrite, .create, .exclusive], mode: 0o600))
  }

  package func rename(_ name: String, to other: String) throws(Errno) {
    try File.rename(full(name), to: full(other))
  }

  package func remove(_ name: String) throws(Errno) { try File.unlink(full(name)) }

  package func makeFolder(_ name: String) throws(Errno) {
    try Directory.create(full(name), mode: 0o700)
  }

  package func synchronizeNames() throws(Errno) { try directory.synchronize() }

  private func regular(_ name: String, _ flags: FileDescriptor.Flags) throws(Errno) -> KernelFile {
    guard try File.measure(full(name)).isRegular else { throw .invalidArgument }
    return KernelFile(try FileDescriptor.open(full(name), flags))
  }

  private func full(_ name: String) -> String { path + "/" + name }
}

/// An open file of the kernel's.
package final class KernelFile: DiskFile {
  package let descriptor: FileDescriptor

  package init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

  package var number: Int32? { descriptor.number }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: Int64
  ) throws(Errno) -> Int {
    try descriptor.read(into: buffer, at: UInt64(offset))
  }

  package func write(_ bytes: Span<UInt8>, at offset: Int64) throws(Errno) -> Int {
    try descriptor.write(bytes, at: UInt64(offset))
  }

  package func truncate(to size: Int64) throws(Errno) {
    try descriptor.truncate(to: UInt64(size))
  }

  package func size() throws(Errno) -> Int64 { Int64(try descriptor.size()) }

  package func birth() throws(Errno) -> FileBirth? { try descriptor.birth() }

  package func synchronize() throws(Errno) {
    try descriptor.synchronizeData()
    guard try descriptor.linkCount() > 0 else { throw .noSuchFile }
  }
}

/// The clocks that the bus and its log read: the kernel's or, in the simulator, those of the seed.
package protocol BusTime {
  /// Microseconds since the machine booted, sleep included.
  func bootMicroseconds() -> UInt64

  /// Microseconds since the machine booted, without sleep: the measure of work.
  func monotonicMicroseconds() -> UInt64

  /// Microseconds since 1970, as people set it: it may jump in both directions.
  func wallMicroseconds() -> Int64
}

extension SystemClock: BusTime {
  package func bootMicroseconds() -> UInt64 { Self.bootMicroseconds() }
  package func monotonicMicroseconds() -> UInt64 { Self.monotonicMicroseconds() }
  package func wallMicroseconds() -> Int64 { Self.wallMicroseconds() }
}
