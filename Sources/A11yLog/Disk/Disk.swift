// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
import A11yWire

/// The directory that holds a log, as the log uses it: names, and the files behind them.
///
/// The log knows no other way to a medium. Behind it is the kernel or, in the simulator, a disk
/// that fails, tears and forgets as its seed says.
package protocol Disk: AnyObject {
  /// The names of what is in the directory or in one below it, sorted.
  func names(in folder: String?) throws(Errno) -> [String]

  /// What a name stands for; a symbolic link is itself.
  func measure(_ name: String) throws(Errno) -> DiskEntry

  /// Opens a regular file to be read; anything else that bears the name throws.
  func open(_ name: String) throws(Errno) -> any DiskFile

  /// Opens a regular file to be read and written in place.
  func openInPlace(_ name: String) throws(Errno) -> any DiskFile

  /// Makes a file that must not be there yet, to be read and written.
  func create(_ name: String) throws(Errno) -> any DiskFile

  /// Gives a file another name, in one step and in the place of what bore that name.
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
  /// Something else in its place would be in the way for ever, and is put aside.
  func openInPlaceOrCreate(_ name: String) throws(Errno) -> any DiskFile {
    do throws(Errno) {
      return try openInPlace(name)
    } catch .noSuchFile {
      return try create(name)
    } catch {
      guard try measure(name).kind == .other else { throw error }
      try Quarantine(self).take(name)
      return try create(name)
    }
  }
}

/// What a name in the directory stands for.
package struct DiskEntry: Equatable, Sendable {
  package enum Kind: Sendable {
    case file
    /// A folder, a link, a pipe: nothing that the log has made under a segment's name.
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

/// An open file of a `Disk`; it stays readable when its name is gone, and closes with its last holder.
package protocol DiskFile: AnyObject {
  /// The kernel's number for it, for copies that stay inside the kernel; nil where there is none.
  var number: Int32? { get }

  /// Reads at `offset` and says how much; 0 is the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Errno) -> Int

  /// Writes at `offset` and says how much the medium took.
  func write(_ bytes: Span<UInt8>, at offset: Int64) throws(Errno) -> Int

  func truncate(to size: Int64) throws(Errno)

  func size() throws(Errno) -> Int64

  /// Waits until what was written is on the medium, and what reading it back needs.
  ///
  /// Throws `noSuchFile` where it is there and the file has no name any more: nobody would find it.
  func synchronize() throws(Errno)
}

extension DiskFile {
  /// Writes all of it, however many calls that takes.
  package func writeAll(_ bytes: Span<UInt8>, at offset: Int64) throws(Errno) {
    var done = 0
    while done < bytes.count {
      let count = try write(bytes.extracting(done..<bytes.count), at: offset + Int64(done))
      guard count > 0 else { throw .inputOutput }
      done += count
    }
  }

  /// The same of a buffer that its owner holds on to meanwhile.
  func writeAll(_ buffer: borrowing ByteBuffer, at offset: Int64) throws(Errno) {
    try writeAll(buffer.bytes, at: offset)
  }
}
