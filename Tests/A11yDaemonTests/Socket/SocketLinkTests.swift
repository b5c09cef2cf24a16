// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yPosix
import A11yTestKit
import Testing

@testable import A11yDaemon

/// A client's socket in the daemon.
@Suite struct SocketLinkTests {
  @Test func `a stretch of a file goes out inside the kernel`() throws {
    let directory = try ScratchDirectory()
    let disk = try KernelDisk(directory.path)
    let file = try disk.create("segment")
    try file.writeAll(Array("0123456789".utf8).span, at: 0)
    let pair = try UnixStream.pair()
    let theirs = FileDescriptor(adopting: pair.second.relinquish())
    let link = SocketLink(pair.first, watchedBy: try Poll())

    let count = try link.send(from: Unread(file), at: 3, count: 4)

    var bytes = [UInt8](repeating: 0, count: 8)
    let received = bytes.withUnsafeMutableBytes { theirs.receive(into: $0) }
    #expect(count == 4)
    #expect(received == .bytes(4))
    #expect(bytes.starts(with: "3456".utf8))
  }
}

/// A file whose bytes never come into this process.
private final class Unread: DiskFile {
  private let file: any DiskFile

  init(_ file: any DiskFile) { self.file = file }

  var number: Int32? { file.number }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Errno) -> Int {
    throw .notPermitted
  }

  func write(_ bytes: Span<UInt8>, at offset: Int64) throws(Errno) -> Int { throw .notPermitted }

  func birth() throws(Errno) -> FileBirth? { throw .notPermitted }

  func truncate(to size: Int64) throws(Errno) { throw .notPermitted }

  func size() throws(Errno) -> Int64 { try file.size() }

  func synchronize() throws(Errno) { throw .notPermitted }
}
