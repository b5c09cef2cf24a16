// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
import A11yWire

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

  /// Writes all bytes of a buffer.
  func writeAll(_ buffer: borrowing ByteBuffer, at offset: Int64) throws(Errno) {
    try writeAll(buffer.bytes, at: offset)
  }
}
