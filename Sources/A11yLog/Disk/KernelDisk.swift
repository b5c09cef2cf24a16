// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix

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
