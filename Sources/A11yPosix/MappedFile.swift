// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

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
