// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Glibc
import Testing

@Suite struct FileTests {
  private let directory: ScratchDirectory

  init() throws {
    directory = try ScratchDirectory()
  }

  @Test func `a file at the limit is read and one above it refused`() throws {
    try FileDescriptor.open(directory("file"), [.writeOnly, .create]).writeAll([1, 2, 3].span)

    #expect(try File.read(directory("file"), limit: 3) == [1, 2, 3])
    #expect(throws: File.Unreadable.isTooLarge(limit: 2)) {
      try File.read(directory("file"), limit: 2)
    }
  }

  @Test func `what is no file is not read, and nobody waits for it`() throws {
    #expect(mkfifo(directory("pipe"), 0o600) == 0)
    let listener = try UnixListener(path: directory("socket"), mode: 0o600)
    defer { listener.withdraw() }

    for (path, kind) in [
      (directory("pipe"), "a pipe"), (directory.path, "a directory"), ("/dev/null", "a device"),
      (directory("socket"), "a socket"),
    ] {
      #expect(throws: File.Unreadable.isNoFile(kind)) { try File.read(path, limit: 2) }
    }
  }

  @Test func `a link to a file is that file`() throws {
    try FileDescriptor.open(directory("file"), [.writeOnly, .create]).writeAll([1, 2, 3].span)
    #expect(symlink(directory("file"), directory("link")) == 0)

    #expect(try File.read(directory("link"), limit: 3) == [1, 2, 3])
  }

  @Test(arguments: zip([0o600, 0o400, 0o640, 0o601] as [UInt32], [true, true, false, false]))
  func `a file is private when only its owner has rights`(mode: UInt32, isPrivate: Bool) throws {
    _ = try FileDescriptor.open(directory("file"), [.writeOnly, .create], mode: mode)

    #expect(try File.isPrivateToUs(directory("file")) == isPrivate)
  }

  @Test func `a file of another user is not private`() throws {
    let ours = try File.isPrivateToUs("/proc/1/environ")

    #expect(ours == (Environment.uid == 0))
  }

  @Test func `a removed file is gone`() throws {
    _ = try FileDescriptor.open(directory("file"), [.writeOnly, .create])

    try File.unlink(directory("file"))

    #expect(throws: Errno.noSuchFile) { try File.unlink(directory("file")) }
  }
}
